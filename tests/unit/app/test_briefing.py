"""What the briefing says about callers, conventions and knowledge, and what it leaves unsaid."""

import pytest

from glossator.code.outline import Call
from glossator.core.locations import Point
from glossator.tools.call_text import show_call
from workbench import MakeBench


async def test_a_function_that_calls_often_is_one_line(make_bench: MakeBench) -> None:
    bench = make_bench(
        {
            "a.py": "def f():\n    pass\n\n\ndef g():\n    f()\n    f(), f()\n    f()\n",
            "b.py": "from a import f\n\n\ndef h():\n    f()\n    f()\n",
            "c.py": "from a import f\n\nf()\nf()\n",
        }
    )

    result = await bench.application.explain(bench.target("a.py", 1))

    lines = [
        "### Called by (3)\n",
        "- `g` a.py:6 and 2 more lines",
        "- `h` b.py:5 and one more line",
        "- module level c.py:3 and one more line\n",
    ]
    assert "\n".join(lines) in result.markdown
    assert {citation.verdict for citation in result.citations} == {"exact"}


async def test_calls_beyond_the_limit_are_counted(make_bench: MakeBench) -> None:
    calls = "".join(f"def g{number}():\n    f()\n\n\n" for number in range(230))
    bench = make_bench({"a.py": f"def f():\n    pass\n\n\n{calls}"})

    result = await bench.application.explain(bench.target("a.py", 1))

    assert "### Called by (200)" in result.markdown
    assert "- 30 further calls, those in tests included, are not counted here" in result.markdown


async def test_a_file_that_is_too_large_for_callers_is_counted(make_bench: MakeBench) -> None:
    large = "from a import f\n" + "f()\n" * 600_000
    bench = make_bench({"a.py": "def f():\n    pass\n", "b.py": large})

    result = await bench.application.explain(bench.target("a.py", 1))

    assert "- 1 file was not looked into: too many have this name, or too large." in result.markdown


async def test_what_only_tests_call_is_not_said_to_be_called_by_nobody(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(
        {
            "a.py": "def f():\n    pass\n",
            "tests/test_a.py": "from a import f\n\n\ndef test_f():\n    f()\n",
        }
    )

    result = await bench.application.explain(bench.target("a.py", 1))

    assert "nobody outside of tests" in result.markdown
    assert "- `test_f` tests/test_a.py:5" in result.markdown


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.py", "class A:\n    @property\n    def size(self):\n        return 1\n", 3),
        ("b.py", "class A:\n    @functools.cached_property\n    def size(self): ...\n", 3),
        ("c.ts", "class A {\n  get size() { return 1 }\n}\n", 2),
    ],
)
async def test_who_reads_a_property_is_not_known(
    make_bench: MakeBench, name: str, text: str, line: int
) -> None:
    bench = make_bench({name: text})

    result = await bench.application.explain(bench.target(name, line))

    assert "it is a property, which is read without a call" in result.markdown


async def test_knowledge_about_files_of_another_kind_is_not_shown(make_bench: MakeBench) -> None:
    section = "# Refunds\n\nWe refund a payment at most twice, with the same idempotency key.\n"
    bench = make_bench(
        {
            "knowledge/anywhere.md": f"---\nname: anywhere\nkeywords: [refund]\n---\n{section}",
            "knowledge/ruby.md": (
                f'---\nname: ruby\nkeywords: [refund]\nglobs: ["**/*.rb"]\n---\n{section}'
            ),
            "a.py": 'def refund_payment():\n    """Refund a payment with the idempotency key."""\n',
        },
        settings={"knowledge.bundled": False},
    )

    result = await bench.application.explain(bench.target("a.py", 1))

    assert "knowledge/anywhere.md" in result.markdown
    assert "knowledge/ruby.md" not in result.markdown


RULES = """\
---
name: rules
---
# Rules

- Say `encoding` whenever you `open` text. {#encoding}
  ```check
  language: python
  message: No encoding.
  rule: {pattern: open($A)}
  ```
- Never `return` from `finally`. {#finally}
  ```check
  language: python
  message: Return.
  rule: {pattern: nothing_like_it}
  ```
"""


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("    return open(x)\n", ["#encoding"]),
        ("    return 1  # then open it\n", []),
        ('    """Open.\n\n    open the file\n    """\n    return 1\n', []),
        ("    try:\n        pass\n    finally:\n        return 1\n", ["#finally"]),
    ],
)
async def test_a_rule_is_shown_where_the_code_uses_what_it_names(
    make_bench: MakeBench, body: str, shown: list[str]
) -> None:
    bench = make_bench(
        {"skills/rules.md": RULES, "a.py": f"def f(x):\n{body}"},
        settings={"knowledge.bundled": False},
    )

    result = await bench.application.explain(bench.target("a.py", 1))

    _, _, conventions = result.markdown.partition("### Conventions that apply")
    texts = {"#encoding": "Say `encoding`", "#finally": "Never `return`"}
    assert [name for name, text in texts.items() if text in conventions] == shown


@pytest.mark.parametrize(
    ("receiver", "text", "shown"),
    [
        ("", "f(1)", "f"),
        ("client.users", "client.users.get(1)", "client.users.get"),
        ("$this", "$this->save()", "$this->save"),
        ("Store", "Store::new()", "Store::new"),
        ("a", "a?.b()", "a?.b"),
        ("a .b()", "a .b() .get()", "a.b().get"),
        ("x" * 50, f"{'x' * 50}.get()", "….get"),
        ("x" * 20, "cut…", f"{'x' * 20}.get"),
    ],
)
def test_a_call_is_shown_with_the_separator_of_its_language(
    receiver: str, text: str, shown: str
) -> None:
    name = shown.lstrip("$").replace("?.", ".").replace("->", ".").replace("::", ".")
    call = Call(name.rpartition(".")[2], receiver, Point(1, 0), text)

    assert show_call(call) == shown


async def test_a_finding_is_shown_with_its_line_and_its_place_is_exact(
    make_bench: MakeBench,
) -> None:
    code = "value = 1\n\n\ndef f(log):\n    log.info(f'{log}')\n"
    rule = (
        "- Pass `value`. {#log-args}\n  ```check\n  language: python\n"
        "  message: Pass `value` as an argument.\n  rule: {pattern: log.info($A)}\n  ```\n"
    )
    bench = make_bench(
        {"a.py": code, "knowledge/log.md": f"# Log\n\n{rule}"},
        settings={"knowledge": {"bundled": False}},
    )

    explanation = await bench.application.explain(bench.target("a.py", 4))

    assert "- a.py:5 `log.info(f'{log}')` Pass `value` as an argument." in explanation.markdown
    assert {each.verdict for each in explanation.citations} == {"exact"}


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en", "- not reached by tests: lines 3, 5-6 (lcov.info, just written)"),
        ("zh-cn", "- 测试未覆盖：第 3, 5-6 行（lcov.info, 刚刚生成）"),
    ],
)
async def test_lines_that_no_test_reaches_stand_with_the_tests(
    make_bench: MakeBench, locale: str, expected: str
) -> None:
    report = "SF:a.py\nDA:1,1\nDA:2,1\nDA:3,0\nDA:4,1\nDA:5,0\nDA:6,0\nend_of_record\n"
    code = "def f(x):\n    if x:\n        g()\n    h()\n    i()\n    j()\n"
    bench = make_bench({"a.py": code, "lcov.info": report}, locale=locale)

    result = await bench.application.explain(bench.target("a.py", 1))

    assert expected in result.markdown


async def test_a_function_that_tests_reach_wholly_is_said_to_be(make_bench: MakeBench) -> None:
    report = "SF:a.py\nDA:1,1\nDA:2,1\nend_of_record\n"
    bench = make_bench({"a.py": "def f():\n    pass\n", "lcov.info": report})

    result = await bench.application.explain(bench.target("a.py", 1))

    assert "- every line is reached (lcov.info, just written)" in result.markdown
