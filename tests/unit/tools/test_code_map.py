"""Calls resolved and callers found across files, in every language, as the editor holds them."""

import re
import threading
import time
from pathlib import Path

import pytest

from glossator.code.outline import Function
from glossator.core.messages import ToolCall
from glossator.core.text import SourceText
from glossator.tools import code_map
from glossator.tools.budget import Budget
from glossator.tools.code_map import Caller, CodeMap
from glossator.tools.facts import FactsCache
from glossator.tools.signatures import make_signature_tools
from glossator.tools.testcode import is_test_path
from glossator.tools.toolbox import make_toolbox
from glossator.tools.workspace import Workspace


class Project:
    """A small workspace made of texts."""

    def __init__(self, root: Path, files: dict[str, str]) -> None:
        self.root = root
        self.buffers: dict[Path, SourceText] = {}
        for name, text in files.items():
            self.write(name, text)
        self.workspace = Workspace([root], self.buffers)
        self.map = CodeMap(self.workspace, revalidate_after_s=0)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def open(self, name: str, text: str) -> None:
        path = self.root / name
        self.buffers[path] = SourceText(name, text, path=path, version=1)

    def function(self, place: str) -> tuple[SourceText, Function]:
        """Return the function at `path:qualified.name`."""
        path, _, name = place.partition(":")
        source = self.workspace.read(path)
        outline = self.map.outline(source)
        assert outline is not None
        return source, next(item for item in outline.functions if item.qualified_name == name)

    def resolved(self, place: str) -> dict[str, list[str]]:
        return {
            call.call.name: [f"{target.path}:{target.line}" for target in call.targets]
            for call in self.map.resolve_calls(*self.function(place))
        }

    def callers(self, place: str) -> list[str]:
        return [describe(caller) for caller in self.map.find_callers(*self.function(place))]

    def tests(self, place: str) -> list[str]:
        return [describe(caller) for caller in self.map.find_users(*self.function(place)).tests]


def describe(caller: Caller) -> str:
    function = caller.place.function
    name = function.qualified_name if function is not None else "<module>"
    return f"{caller.place.path}:{caller.line} {name}"


PYTHON = {
    "shop/__init__.py": "from .prices import total as total\n",
    "shop/prices.py": (
        "import os.path\nfrom .rates import rate, missing\n\n"
        "class Basket:\n"
        "    def __init__(self):\n        self.items = []\n"
        "    def add(self, item):\n        self.check(item)\n        self.items.append(item)\n"
        "    def check(self, item):\n        return len(item)\n\n"
        "def total(basket):\n    os.path.join('a')\n    b = Basket()\n    b.check(1)\n"
        "    return rate(1) + missing() + unknown() + helper(total)\n\n"
        "def helper(x):\n    def inner():\n        return x()\n    return inner()\n"
    ),
    "shop/rates.py": (
        "def rate(n):\n    return n\n\n"
        "class Rate(Basket):\n    def go(self):\n        self.check(2)\n"
    ),
    "other/rates.py": "def rate(n):\n    return -n\n\ndef join(x):\n    return rate(x)\n",
    "app.py": (
        "import shop\nimport shop.prices as p\nfrom shop.prices import Basket, total as sum_up\n\n"
        "def main():\n    basket = Basket()\n    basket.check(3)\n    sum_up(basket)\n"
        "    p.total(basket)\n    shop.total(basket)\n\nmain()\n"
    ),
    "tests/test_prices.py": (
        "from shop.prices import total\nfrom app import main\n\n"
        "def test_total():\n    assert total([]) == 0\n\ndef test_main():\n    main()\n"
    ),
}


@pytest.fixture
def shop(tmp_path: Path) -> Project:
    return Project(tmp_path, PYTHON)


def test_calls_are_resolved_in_the_file_then_by_imports_and_never_by_builtins(
    shop: Project,
) -> None:
    assert shop.resolved("shop/prices.py:total") == {
        "join": [],
        "Basket": ["shop/prices.py:5"],
        "check": ["shop/prices.py:10"],
        "rate": ["shop/rates.py:1"],
        "missing": [],
        "unknown": [],
        "helper": ["shop/prices.py:19"],
    }
    assert shop.resolved("shop/prices.py:Basket.add") == {
        "check": ["shop/prices.py:10"],
        "append": [],
    }
    assert shop.resolved("shop/prices.py:helper") == {"inner": ["shop/prices.py:20"]}
    assert shop.resolved("shop/prices.py:Basket.check") == {"len": []}


def test_imported_and_renamed_names_modules_and_classes_are_followed(shop: Project) -> None:
    assert shop.resolved("app.py:main") == {
        "Basket": ["shop/prices.py:5"],
        "check": ["shop/prices.py:10"],
        "sum_up": ["shop/prices.py:13"],
        "total": ["shop/prices.py:13"],
    }


def test_an_inherited_method_is_found_by_its_name(shop: Project) -> None:
    assert shop.resolved("shop/rates.py:Rate.go") == {"check": ["shop/prices.py:10"]}


def test_callers_are_real_calls_of_this_function_and_not_of_its_namesake(shop: Project) -> None:
    assert shop.callers("shop/rates.py:rate") == ["shop/prices.py:17 total"]
    assert shop.callers("other/rates.py:rate") == ["other/rates.py:5 join"]
    assert shop.callers("other/rates.py:join") == []
    assert shop.callers("shop/prices.py:Basket.check") == [
        "app.py:7 main", "shop/prices.py:8 Basket.add", "shop/prices.py:16 total",
        "shop/rates.py:6 Rate.go",
    ]  # fmt: skip
    assert shop.callers("shop/prices.py:Basket.__init__") == [
        "app.py:6 main", "shop/prices.py:15 total",
    ]  # fmt: skip
    assert shop.callers("shop/prices.py:total") == [
        "app.py:8 main", "app.py:9 main", "app.py:10 main", "tests/test_prices.py:5 test_total",
    ]  # fmt: skip
    assert shop.callers("app.py:main") == ["app.py:12 <module>", "tests/test_prices.py:8 test_main"]


def test_tests_are_found_directly_and_through_one_function(shop: Project) -> None:
    assert shop.tests("shop/prices.py:total") == [
        "tests/test_prices.py:5 test_total", "tests/test_prices.py:8 test_main",
    ]  # fmt: skip
    assert shop.tests("shop/rates.py:rate") == ["tests/test_prices.py:5 test_total"]


def test_definitions_are_found_in_all_files(shop: Project) -> None:
    found = shop.map.find_definitions("rate")

    assert [f"{place.path}:{place.line}" for place in found] == [
        "other/rates.py:1", "shop/rates.py:1",
    ]  # fmt: skip
    assert (found.cut, found.n_files_left_out) == (0, 0)
    assert shop.map.find_definitions("no_such_name") == ()


def test_unsaved_text_counts(shop: Project) -> None:
    shop.open("shop/rates.py", "\n\ndef rate(n):\n    return n\n")
    shop.open("fresh.py", "from shop.rates import rate\nrate(9)\n")
    shop.open("app.py", "")

    assert shop.resolved("shop/prices.py:total")["rate"] == ["shop/rates.py:3"]
    assert shop.callers("shop/rates.py:rate") == [
        "fresh.py:2 <module>", "shop/prices.py:17 total",
    ]  # fmt: skip
    assert shop.callers("shop/prices.py:Basket.check") == [
        "shop/prices.py:8 Basket.add", "shop/prices.py:16 total",
    ]  # fmt: skip


def test_changes_on_the_disk_are_seen(shop: Project) -> None:
    assert shop.callers("other/rates.py:join") == []

    shop.write("new/caller.py", "from other.rates import join\n\ndef go():\n    join(1)\n")
    after_new = shop.callers("other/rates.py:join")
    shop.write("app.py", "from other.rates import join\njoin(2)\n")
    after_change = shop.callers("other/rates.py:join")
    (shop.root / "new" / "caller.py").unlink()
    after_delete = shop.callers("other/rates.py:join")
    shop.write(".gitignore", "app.py\n")
    after_ignore = shop.callers("other/rates.py:join")

    assert after_new == ["new/caller.py:4 go"]
    assert after_change == ["app.py:2 <module>", "new/caller.py:4 go"]
    assert after_delete == ["app.py:2 <module>"]
    assert after_ignore == []


def test_between_two_looks_at_the_disk_expire_makes_changes_seen(tmp_path: Path) -> None:
    project = Project(tmp_path, {"a.py": "def f(): pass\n"})
    project.map = CodeMap(project.workspace, revalidate_after_s=3600)
    assert project.callers("a.py:f") == []
    project.write("b.py", "from a import f\nf()\n")

    unseen = project.callers("a.py:f")
    project.map.expire()
    seen = project.callers("a.py:f")
    project.map.forget()

    assert (unseen, seen) == ([], ["b.py:2 <module>"])
    assert project.callers("a.py:f") == seen


def read_scenarios() -> dict[str, list[tuple[str, str, str]]]:
    """Return the fenced blocks (kind, argument, text) of each section of `callers.md`."""
    text = Path(__file__).with_name("callers.md").read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    block = re.compile(r"^```(\w+) (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
    return {section.partition("\n")[0]: block.findall(section) for section in sections}


LANGUAGES = read_scenarios()


@pytest.mark.parametrize("language", LANGUAGES)
def test_callers_are_found_in_every_language(tmp_path: Path, language: str) -> None:
    blocks = LANGUAGES[language]
    project = Project(tmp_path, {name: text for kind, name, text in blocks if kind == "file"})

    for kind, target, expected in blocks:
        if kind == "callers":
            assert project.callers(target) == expected.splitlines()


def test_several_candidates_are_all_given_and_too_many_are_none(tmp_path: Path) -> None:
    files = {f"m{n}.py": f"class C{n}:\n    def steer(self): pass\n" for n in range(3)}
    files["use.py"] = "def go(x):\n    x.steer()\n"
    project = Project(tmp_path, files)

    few = project.resolved("use.py:go")
    for number in range(3, 12):
        project.write(f"m{number}.py", f"class C{number}:\n    def steer(self): pass\n")

    assert few == {"steer": ["m0.py:2", "m1.py:2", "m2.py:2"]}
    assert project.resolved("use.py:go") == {"steer": []}


def test_a_method_with_a_common_name_needs_a_sign(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        {
            "store.py": "class UserStore:\n    def get(self, key): pass\n",
            "use.py": "def go(user_store):\n    user_store.get(1)\n\n"
            "def no(data):\n    data.get(1)\n",
        },
    )

    assert project.resolved("use.py:go") == {"get": ["store.py:2"]}
    assert project.resolved("use.py:no") == {"get": []}
    assert project.callers("store.py:UserStore.get") == ["use.py:2 go"]


def test_an_import_inside_a_function_counts_only_there(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        {
            "lib.py": "class App:\n    def register(self): pass\n",
            "use.py": "def one():\n    from elsewhere import app\n    app.register()\n\n"
            "def two(app):\n    app.register()\n",
        },
    )

    assert project.resolved("use.py:one") == {"register": []}
    assert project.resolved("use.py:two") == {"register": ["lib.py:2"]}


def test_super_is_never_the_method_itself(tmp_path: Path) -> None:
    text = (
        "class A:\n    def go(self): pass\n\nclass B(A):\n    def go(self):\n        super().go()\n"
    )
    project = Project(tmp_path, {"a.py": text})

    assert project.resolved("a.py:B.go") == {"super": [], "go": ["a.py:2"]}


def test_what_has_no_known_language_has_no_structure(tmp_path: Path) -> None:
    project = Project(tmp_path, {"a.txt": "f()"})

    assert project.map.outline(project.workspace.read("a.txt")) is None


def test_broken_and_odd_files_harm_nobody(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        {"ok.py": "def target(): pass\n", "broken.py": "def target(:\n  target(\n ((((\n\x00"},
    )
    (tmp_path / "raw.py").write_bytes(b"\xff\xfe\x00target()\x80")
    (tmp_path / "deep.py").write_text("target(" * 20_000, encoding="utf-8")
    (tmp_path / "big.py").write_text("target()\n" * 200_000, encoding="utf-8")

    found = project.map.find_callers(*project.function("ok.py:target"))

    assert found.n_files_left_out == 1
    assert all(caller.place.path != "big.py" for caller in found)


def test_a_second_question_is_answered_without_reading_again(
    shop: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.map = CodeMap(shop.workspace, revalidate_after_s=3600)
    first = shop.callers("shop/prices.py:total")
    source, function = shop.function("shop/prices.py:total")

    def refuse(path: object) -> None:
        raise AssertionError(path)

    monkeypatch.setattr(shop.workspace, "read_walked", refuse)
    monkeypatch.setattr(shop.workspace, "read_walked_bytes", refuse)
    monkeypatch.setattr(shop.workspace, "walk_files", refuse)

    assert [describe(one) for one in shop.map.find_callers(source, function)] == first


def test_an_outline_does_not_wait_for_another_question(shop: Project) -> None:
    source = shop.workspace.read("app.py")
    answered = threading.Event()

    def ask() -> None:
        shop.map.outline(source)
        answered.set()

    with shop.map._lock:  # As a long search for callers holds it.
        threading.Thread(target=ask).start()
        assert answered.wait(5)


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("tests/test_a.py", True), ("a/test_b.py", True), ("b_test.py", True),
        ("conftest.py", True), ("pkg/a_test.go", True), ("src/a.spec.ts", True),
        ("src/a.test.tsx", True), ("a.cy.js", True),
        ("src/__tests__/a.js", True), ("src/test/java/ATest.java", True), ("FooTests.cs", True),
        ("Shop.Tests/A.cs", True), ("spec/a_spec.rb", True), ("tests/ATest.php", True),
        ("tests/it.rs", True), ("src/list_test.cpp", True), ("test_list.c", True),
        ("src/testing.py", False), ("contest.py", False), ("latest/a.py", False),
        ("src/a.ts", False), ("attest.go", False), ("protest/x.rb", False),
        ("Manifest.java", False), ("spec.py", False),
    ],
)  # fmt: skip
def test_tests_are_known_by_their_paths(path: str, is_test: bool) -> None:
    assert is_test_path(path) is is_test


async def test_signatures_are_shown_with_lines_and_missing_names_with_those_that_are(
    shop: Project,
) -> None:
    toolbox = make_toolbox(make_signature_tools(shop.workspace, shop.map))
    shop.write(
        "docs.py",
        'class A:\n    """A box."""\n\n    @staticmethod\n'
        '    async def go(x: int) -> str:\n        """Go\u202e on."""\n',
    )

    async def ask(arguments: str) -> str:
        return (await toolbox.run(ToolCall("1", "get_function_signature", arguments))).text

    one = await ask('{"path": "docs.py", "name": "A.go"}')
    whole = await ask('{"path": "docs.py"}')
    missing = await ask('{"path": "docs.py", "name": "stop"}')

    assert one == (
        "docs.py:4-6 method `A.go`\n@staticmethod\nasync def go(x: int) -> str\n\nGo\\u{202e} on."
    )
    assert whole == (
        "`docs.py` (Python): 1 functions, 1 types\n\n        1-6| class A\n"
        "        4-6|   async def go(x: int) -> str"
    )
    assert missing == "`docs.py` has no `stop`. It defines `A`, `A.go`."
    assert await ask('{"path": "docs.py", "name": "go()"}') == one
    shop.write("notes.txt", "nothing to see")
    assert "not understood" in await ask('{"path": "notes.txt", "name": "x"}')


def test_a_workspace_of_a_thousand_files_is_asked_quickly_the_second_time(tmp_path: Path) -> None:
    files = {
        f"p{n // 50}/m{n}.py": f"from p0.m0 import target\n\ndef f{n}():\n    target({n})\n" * 3
        for n in range(1, 1000)
    }
    project = Project(tmp_path, files | {"p0/m0.py": "def target(n): pass\n\ndef f0(): pass\n"})
    project.map = CodeMap(project.workspace)
    question = project.function("p0/m0.py:f0")
    project.map.find_callers(*question)
    started = time.perf_counter()

    project.map.find_callers(*question)

    assert time.perf_counter() - started < 0.2


def test_a_call_on_what_another_call_returns_is_followed_by_its_type(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        {
            "command.go": (
                'package cobra\n\nimport flag "github.com/spf13/pflag"\n\ntype Command struct{}\n\n'
                "func (c *Command) Root() *Command { return c }\n\n"
                "func (c *Command) Flags() *flag.FlagSet { return nil }\n\n"
                "func (c *Command) Find() { c.Root().Root().Find() }\n\n"
                "func (c *Command) HasFlags() bool { return c.Flags().HasFlags() }\n"
            ),
            "go.mod": "module github.com/spf13/cobra\n",
        },
    )

    assert project.callers("command.go:Command.Find") == ["command.go:11 Command.Find"]
    assert project.callers("command.go:Command.HasFlags") == []


def test_a_java_method_is_found_through_static_imports_and_casts(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        {
            "com/shop/Text.java": (
                "package com.shop;\npublic class Text {\n"
                "  static String trimAll(String s) { return s; }\n"
                "  String whole() { return data(); }\n}\n"
            ),
            "com/app/Main.java": (
                "package com.app;\nimport static com.shop.Text.trimAll;\nimport com.shop.Text;\n"
                "class Main {\n"
                "  void go(Object o) { trimAll(((Text) o).whole()); }\n"
                "  void whole(Text parent) { parent.whole(); }\n"
                "}\n"
            ),
        },
    )

    assert project.callers("com/shop/Text.java:Text.trimAll") == ["com/app/Main.java:5 Main.go"]
    assert project.callers("com/shop/Text.java:Text.whole") == [
        "com/app/Main.java:5 Main.go",
        "com/app/Main.java:6 Main.whole",
    ]


def test_an_inherited_class_method_is_found_by_its_subclass(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        {
            "views.py": "class View:\n    @classmethod\n    def as_view(cls):\n        pass\n",
            "app.py": (
                "from views import View\nfrom other import Thing\n\n"
                "class Index(View):\n    pass\n\n"
                "def main():\n    Index.as_view()\n    Thing.as_view()\n"
            ),
        },
    )

    assert project.callers("views.py:View.as_view") == ["app.py:8 main"]


def test_a_method_of_an_object_that_a_module_holds_is_found(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        {
            "ctx.py": "class Context:\n    def match_request(self):\n        pass\n",
            "globals.py": "from ctx import Context\n\ncurrent = Context()\n",
            "app.py": "from globals import current\n\ndef main():\n    current.match_request()\n",
        },
    )

    assert project.callers("ctx.py:Context.match_request") == ["app.py:4 main"]


def test_a_decorator_is_called_where_it_is_used(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        {
            "marks.py": "def mark(f):\n    return f\n",
            "app.py": (
                "import marks\nfrom marks import mark\n\n"
                "@mark\ndef f(): ...\n\n@marks.mark\ndef g(): ...\n"
            ),
        },
    )

    assert project.callers("marks.py:mark") == ["app.py:4 <module>", "app.py:7 <module>"]


def test_a_barrel_named_with_its_file_hands_on_what_stands_beside_it(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        {
            "src/core/index.ts": 'export * from "./settings.js";\n',
            "src/core/settings.ts": "export function config() {}\n",
            "src/app.ts": (
                'import * as core from "./core/index.js";\nfunction go() { core.config() }\n'
            ),
        },
    )

    assert project.callers("src/core/settings.ts:config") == ["src/app.ts:2 go"]


def test_a_constructor_is_not_guessed_among_many(tmp_path: Path) -> None:
    def make_class(name: str) -> str:
        return f"class {name}:\n    def __init__(self):\n        super().__init__()\n\n"

    few = "".join(map(make_class, "AB"))
    many = "".join(map(make_class, "CDE"))
    project = Project(tmp_path, {"few.py": few, "many.py": many})

    assert project.resolved("few.py:B.__init__")["__init__"] == ["few.py:2"]
    assert project.resolved("many.py:E.__init__")["__init__"] == []


def test_of_many_files_with_a_common_name_only_those_are_parsed_that_can_call_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {
        f"other{number}.py": "from left import pad\n\ndef run(pad): return pad.set(1)\n"
        for number in range(20)
    }
    target = {"store.py": "class Store:\n    def set(self, value): pass\n"}
    caller = {"app.py": "from store import Store\n\ndef go(box: Store): box.set(1)\n"}
    namesake = {"store_cache.py": "def go(store): store.set(1)\n"}
    project = Project(tmp_path, {**others, **target, **caller, **namesake})
    parsed: list[str] = []
    add = FactsCache.add

    def note(cache: FactsCache, path: str, *rest: object) -> object:
        parsed.append(Path(path).name)
        return add(cache, path, *rest)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(FactsCache, "add", note)

    assert project.callers("store.py:Store.set") == ["app.py:3 go", "store_cache.py:1 go"]
    assert sorted(set(parsed)) == ["app.py", "store.py", "store_cache.py"]


def test_a_large_workspace_is_answered_from_the_nearest_files_and_the_others_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "from shop.store import find\n\ndef run(): find(1)\n"
    project = Project(
        tmp_path,
        {
            "shop/store.py": "def find(key): pass\n",
            "aside/a.py": text,
            "shop/near.py": text,
            "zoo/far/away.py": text,
        },
    )
    monkeypatch.setattr(code_map, "LARGE", 1)
    monkeypatch.setattr(code_map, "Budget", lambda **_: Budget(n_sure=1, seconds=-1.0))

    first = project.map.find_users(*project.function("shop/store.py:find")).callers

    assert [caller.place.path for caller in first] == ["shop/near.py"]
    assert first.n_files_left_out == 2


def test_a_small_workspace_is_answered_whole_however_slow_the_machine_is(tmp_path: Path) -> None:
    files = {f"f{number}.py": "from a import find\nfind(1)\n" for number in range(30)}
    project = Project(tmp_path, {"a.py": "def find(key): pass\n", **files})

    found = project.map.find_users(*project.function("a.py:find"))

    assert (len(found.callers), found.callers.n_files_left_out) == (30, 0)


def test_names_are_found_in_chinese_that_has_no_blanks(tmp_path: Path) -> None:
    project = Project(tmp_path, {"订单.py": "def 计算总价(商品):\n    总价 = 1\n    return 总价\n"})
    project.open("新.py", "class 购物车:\n    pass\n")

    assert project.map.find_words_within("谁调用计算总价和购物车") == ("计算总价", "购物车", "总价")
    assert project.map.find_words_within("价") == ()
    assert project.map.find_words_within("没有这个" * 100) == ()
