"""Searching: keywords and expressions, bounded, in what the editor holds, the same with ripgrep."""

import asyncio
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from glossator.core.errors import InvalidArguments
from glossator.core.messages import ToolCall
from glossator.core.text import SourceText
from glossator.tools import candidates, searching
from glossator.tools.candidates import Glob
from glossator.tools.searching import SearchRequest, make_searching_tools, run_stoppable, search
from glossator.tools.toolbox import make_toolbox
from glossator.tools.workspace import Workspace

RIPGREP = shutil.which("rg")
FILES = {
    "src/a.py": "import os\n\n\ndef Load_User(name):\r\n    return --help\n",
    "src/b.ts": "export const loadUser = () => load_user(1)\n",
    "docs/说明.md": "# 登录\n\n用户登录后调用 load_user。\r\n登录\n",
    "docs/mixed.txt": "one\rtwo load_user\r\nthree\n\x0cload_user four\n",
    "ignored/x.py": "load_user\n",
    ".hidden/y.py": "load_user\n",
    ".env": "load_user=SECRET\n",
    ".gitignore": "ignored/\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (tmp_path / "gb.txt").write_bytes("第一行\n登录 load_user\n".encode("gb18030"))
    (tmp_path / "u16.txt").write_text("a\nload_user 登录\n", encoding="utf-16")
    (tmp_path / "binary.py").write_bytes(b"load_user\x00\x01")
    return tmp_path


def find(root: Path, query: str, **options: object) -> list[str]:
    request = SearchRequest(query, **options)  # type: ignore[arg-type]  # options of one request
    result = search(Workspace([root]), request)
    return [f"{hit.path}:{hit.match.line}" for hit in result.hits]


def test_a_keyword_is_found_in_any_case_and_encoding_but_not_in_what_is_hidden(root: Path) -> None:
    assert find(root, "LOAD_user") == [
        ".hidden/y.py:1", "docs/mixed.txt:2", "docs/mixed.txt:4", "docs/说明.md:3", "gb.txt:2",
        "src/a.py:4", "src/b.ts:1", "u16.txt:2",
    ]  # fmt: skip
    assert find(root, "登录") == [
        "docs/说明.md:1",
        "docs/说明.md:3",
        "docs/说明.md:4",
        "gb.txt:2",
        "u16.txt:2",
    ]


def test_a_regular_expression_is_matched_line_by_line(root: Path) -> None:
    assert find(root, r"^def \w+\(", is_regex=True) == ["src/a.py:4"]
    assert find(root, r"登录$", is_regex=True)[:2] == ["docs/说明.md:1", "docs/说明.md:4"]
    assert find(root, r"(?<=two )load", is_regex=True) == ["docs/mixed.txt:2"]


@pytest.mark.parametrize("query", ["--help", "--pre=/bin/true", "-e", "-f/etc/passwd", "$(id)"])
def test_a_query_that_looks_like_an_option_is_text(root: Path, query: str) -> None:
    (root / "q.txt").write_text(f"before\nsee {query} here\n", encoding="utf-8")

    assert "q.txt:2" in find(root, query)


def test_a_keyword_may_run_over_line_ends(root: Path) -> None:
    assert find(root, "os\n\n\ndef") == ["src/a.py:1"]
    assert find(root, "name):\n    return") == ["src/a.py:4"]


@pytest.mark.parametrize(
    ("glob", "paths"),
    [
        ("*.py", {".hidden/y.py", "src/a.py"}),
        ("src/**", {"src/a.py", "src/b.ts"}),
        ("**/*.{ts,md}", {"src/b.ts", "docs/说明.md"}),
        ("!*.txt", {".hidden/y.py", "src/a.py", "src/b.ts", "docs/说明.md"}),
        ("./src/*.py", {"src/a.py"}),
        ("[", set()),
    ],
)
def test_globs_choose_files(root: Path, glob: str, paths: set[str]) -> None:
    hits = find(root, "load_user", glob=glob)

    assert {hit.rpartition(":")[0] for hit in hits} == paths


def test_a_glob_is_also_understood_below_the_folder(root: Path) -> None:
    (root / "src" / "deep").mkdir()
    (root / "src" / "deep" / "c.py").write_text("load_user", encoding="utf-8")

    assert find(root, "load_user", folder="src", glob="deep/*.py") == ["src/deep/c.py:1"]
    assert find(root, "load_user", folder="src/a.py") == ["src/a.py:4"]
    assert find(root, "load_user", folder="ignored") == ["ignored/x.py:1"]
    assert Glob("{a,b}" * 30).matches("a") is False


@pytest.mark.parametrize("glob", ["[z-a]", "a\\"])
def test_what_is_no_glob_is_refused(glob: str) -> None:
    with pytest.raises(InvalidArguments, match="is not a glob"):
        Glob(glob)


def test_unsaved_text_is_searched_in_place_of_the_file(root: Path) -> None:
    path = root / "src" / "a.py"
    new = root / "src" / "new.py"
    buffers = {
        path: SourceText("src/a.py", "# 未保存 fresh\n", path=path, version=2),
        new: SourceText("src/new.py", "fresh\n", path=new, version=1),
    }
    workspace = Workspace([root], buffers)

    fresh = search(workspace, SearchRequest("fresh"))
    old = search(workspace, SearchRequest("load_user", glob="*.py"))

    assert [hit.path for hit in fresh.hits] == ["src/a.py", "src/new.py"]
    assert [hit.path for hit in old.hits] == [".hidden/y.py"]


async def test_the_tool_says_when_it_was_cut_and_how_to_narrow(root: Path) -> None:
    (root / "many.txt").write_text("needle\n" * 50, encoding="utf-8")
    (root / "long.txt").write_text("x" * 5000 + "needle\x1b" + "y" * 5000, encoding="utf-8")
    toolbox = make_toolbox(make_searching_tools(Workspace([root]), 5))

    async def run(arguments: str) -> str:
        return (await toolbox.run(ToolCall("1", "search_files", arguments))).text

    cut = await run('{"query": "needle", "glob": "many.txt"}')
    long = await run('{"query": "needle", "glob": "long.txt"}')
    none = await run('{"query": "nothing-here"}')

    assert cut.startswith("The first 5 hits for `needle`, files like `many.txt`; there are more.")
    assert cut.count("many.txt:") == 5
    assert long.startswith("1 hit for")
    line = long.splitlines()[2]
    assert line.startswith("long.txt:1: …xxx")
    assert "needle\\u{1b}yyy" in line
    assert len(line) < 260
    assert "No hits for `nothing-here`" in none
    assert "is not a regular expression" in await run('{"query": "(", "regex": true}')
    assert "`query` is empty" in await run('{"query": "  "}')


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|aa)+$", r"(.*a){25}$"])
def test_an_expression_that_never_ends_is_stopped(
    root: Path, pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "evil.txt").write_text("a" * 40 + "!\n", encoding="utf-8")
    monkeypatch.setattr(searching, "TIMEOUT_S", 0.7)
    started = time.monotonic()

    result = search(Workspace([root]), SearchRequest(pattern, is_regex=True, glob="evil.txt"))

    assert time.monotonic() - started < 5
    assert result.hits == ()
    assert result.is_out_of_time or RIPGREP is not None


async def test_the_event_loop_is_free_while_an_expression_works(root: Path) -> None:
    (root / "evil.txt").write_text("a" * 40 + "!\n", encoding="utf-8")
    request = SearchRequest("(a+)+$", is_regex=True, glob="evil.txt")
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.005)
            longest = max(longest, time.monotonic() - before)

    ticking = asyncio.create_task(tick())
    searching_task = asyncio.create_task(
        run_stoppable(lambda stop: search(Workspace([root]), request, stop))
    )
    await asyncio.wait({searching_task}, timeout=0.5)
    searching_task.cancel()
    ticking.cancel()
    await asyncio.wait({searching_task, ticking})
    n_waiting = sum(thread.name == "glossator-kept-short" for thread in threading.enumerate())

    assert longest < 0.25
    assert RIPGREP is not None or n_waiting == 1


def test_a_search_that_is_told_to_stop_stops(root: Path) -> None:
    stop = threading.Event()
    stop.set()

    result = search(Workspace([root]), SearchRequest("load_user", max_hits=200), stop)

    assert len(result.hits) <= 64


def test_a_query_that_is_too_long_is_refused(root: Path) -> None:
    with pytest.raises(InvalidArguments, match="too long"):
        search(Workspace([root]), SearchRequest("x" * 1001))


FAKE_RIPGREP = """#!{python}
import os, re, sys
arguments = sys.argv[1:]
start = arguments.index("--")
queries = [arguments[i + 1] for i, word in enumerate(arguments[:start]) if word == "-e"]
found = []
for root in arguments[start + 1:]:
    for folder, _, names in os.walk(root):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                text = file.read().decode("utf-8", "replace").lower()
            if any(query.lower() in text for query in queries if not query.startswith("(?-u:")):
                found.append(os.path.join(folder, name))
sys.stdout.write("\\0".join(found))
sys.exit(0 if found else 1)
"""


def use_ripgrep(monkeypatch: pytest.MonkeyPatch, path: str | None) -> None:
    monkeypatch.setattr(candidates.shutil, "which", lambda name: path)


def test_what_ripgrep_names_is_judged_by_the_same_guard(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path_factory.mktemp("bin") / "rg"
    fake.write_text(FAKE_RIPGREP.format(python=sys.executable), encoding="utf-8")
    fake.chmod(0o755)
    use_ripgrep(monkeypatch, str(fake))

    hits = find(root, "load_user")

    assert ".env:1" not in hits
    assert "ignored/x.py:1" not in hits
    assert [hit for hit in hits if hit.startswith("src/")] == ["src/a.py:4", "src/b.ts:1"]


@pytest.mark.parametrize("body", ["exit 2", "kill -9 $$", "yes | head -c 40000000"])
def test_a_ripgrep_that_fails_is_replaced_by_a_walk(
    root: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    body: str,
) -> None:
    fake = tmp_path_factory.mktemp("bin") / "rg"
    fake.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    fake.chmod(0o755)
    use_ripgrep(monkeypatch, str(fake))

    assert "src/a.py:4" in find(root, "load_user")


def test_a_ripgrep_that_the_workspace_brings_is_not_run(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = root / "rg"
    fake.write_text(f"#!/bin/sh\ntouch {root}/ran\n", encoding="utf-8")
    fake.chmod(0o755)
    use_ripgrep(monkeypatch, str(fake))

    find(root, "load_user")

    assert not (root / "ran").exists()


QUERIES = [
    ("load_user", False), ("LOAD", False), ("登录", False), ("用户登录后", False), ("four", False),
    ("--help", False), (r"load\w+", True), (r"^import", True), (r"\buser\b|one", True),
    (r"\d+", True), (r"^\s+return", True), (r"(?<!x)load", True), (r"登录", True), ("[", False),
    (r"user\(", True),
    (r"help$", True), ("a.b*c", False),
]  # fmt: skip


@pytest.mark.parametrize(("query", "is_regex"), QUERIES)
def test_hits_are_the_same_with_ripgrep_and_without(
    root: Path, monkeypatch: pytest.MonkeyPatch, query: str, is_regex: bool
) -> None:
    if RIPGREP is None:
        # What then remains to be tested: the walk alone answers, and says the same twice.
        assert find(root, query, is_regex=is_regex) == find(root, query, is_regex=is_regex)
        return
    version = subprocess.run([RIPGREP, "--version"], capture_output=True, check=True)
    assert b"ripgrep" in version.stdout

    with_ripgrep = find(root, query, is_regex=is_regex, max_hits=200)
    use_ripgrep(monkeypatch, None)

    assert with_ripgrep == find(root, query, is_regex=is_regex, max_hits=200)
