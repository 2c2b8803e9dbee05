from collections.abc import Mapping
from pathlib import Path

import pytest

from glossator.app.analysis.change_facts import ChangedFile, ChangeFacts, gather_change
from glossator.app.analysis.change_text import render_change
from glossator.app.library import read_library
from glossator.app.phrasing import Phrasing
from glossator.app.results import Opening
from glossator.compose import build_parts
from glossator.core.errors import InvalidArguments
from glossator.core.text import SourceText
from repositories import commit, git, make_repository, write

ENGLISH = Phrasing(is_chinese=False)
OWN_ONLY = {"knowledge.bundled": False, "audit.enabled": False}
CODE = """\
def first():
    one = 1
    return one


class Shop:
    def second(self):
        first()
        return 2


def third():
    return 3
"""


def gather(
    *roots: Path,
    path: str = ".",
    revision: str = "",
    buffers: Mapping[Path, SourceText] | None = None,
) -> ChangeFacts:
    opening = Opening(roots=roots, buffers=buffers or {}, editor_settings=OWN_ONLY, watch=False)
    parts = build_parts(opening)
    return gather_change(
        path, revision, parts, read_library(parts.shelves), Phrasing(is_chinese=False)
    )


def functions_of(file: ChangedFile) -> list[str]:
    return [function.qualified_name for function in file.functions]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repo", {"a.py": CODE, "main.py": "from a import third\n"})


@pytest.mark.parametrize(
    ("old", "new", "functions"),
    [
        ("return 2", "return 22", ["Shop.second"]),
        ("    one = 1\n    return one\n", "    return 1\n", ["first"]),
        ("        first()\n", "", ["Shop.second"]),
        ("    return 3\n", "", []),
        ("\n\n\nclass", "\n\n\n\n\nclass", []),
        ("def third():", "def fourth():\n    pass\n\n\ndef third():", ["fourth"]),
    ],
)
def test_functions_that_got_or_lost_lines_have_changed(
    root: Path, old: str, new: str, functions: list[str]
) -> None:
    write(root, "a.py", CODE.replace(old, new, 1))

    [file] = gather(root).files

    assert functions_of(file) == functions


def test_functions_that_are_gone_are_named(root: Path) -> None:
    write(root, "a.py", CODE.partition("\n\ndef third")[0])
    (root / "main.py").unlink()

    a, main = gather(root).files

    assert (a.removed, main.removed) == (("third",), ())
    assert "gone: `third`" in render_change(gather(root), ENGLISH)


def test_callers_and_tests_of_what_changed_are_found(root: Path) -> None:
    write(root, "test_a.py", "from a import first\n\n\ndef test_first():\n    assert first()\n")
    commit(root, "test")
    write(root, "a.py", CODE.replace("one = 1", "one = 2"))

    text = render_change(gather(root), ENGLISH)

    assert (
        "- `first` a.py:1-3: called by `Shop.second` a.py:8; tests: `test_first` test_a.py:5"
    ) in text


def test_only_findings_on_changed_lines_are_told(root: Path) -> None:
    rule = (
        "# Rules\n\n- Never print. {#no-print}\n  ```check\n  language: python\n"
        "  message: No print here.\n  rule:\n    pattern: print($$$)\n  ```\n"
    )
    write(root, "skills/rules.md", rule)
    write(root, "p.py", "print(1)\nx = 1\n")
    commit(root, "rules")
    write(root, "p.py", "print(1)\nx = 1\nprint(2)\n")

    [file] = gather(root).files

    assert [finding.range.start.line for finding in file.findings] == [3]
    assert "- p.py:3 `print(2)` No print here. (`no-print`, skills/rules.md:3)" in render_change(
        gather(root), ENGLISH
    )


def test_what_is_unsaved_in_the_editor_counts(root: Path) -> None:
    file = root / "a.py"
    buffers = {file: SourceText("a.py", CODE.replace("return 3", "return 33"), file, version=2)}

    [changed] = gather(root, buffers=buffers).files

    assert functions_of(changed) == ["third"]


def test_files_that_are_new_moved_gone_binary_or_secret_are_told_as_what_they_are(
    root: Path,
) -> None:
    write(root, "新.py", "def 新():\n    pass\n")
    write(root, "picture.png", b"\x89PNG\r\n\x1a\n\x00")
    write(root, ".env", "KEY=1\n")
    git(root, "mv", "a.py", "moved.py")
    (root / "main.py").unlink()

    text = render_change(gather(root), ENGLISH)

    assert "- 新.py:1-2 (new, untracked, +2)" in text
    assert "- `picture.png` (new, untracked, " in text
    assert "- `.env` (new, untracked, protected, not read)" in text
    assert "- `moved.py` (moved" in text
    assert "- `main.py` (deleted, −1)" in text


def test_a_revision_and_a_path_narrow_what_is_compared(root: Path) -> None:
    write(root, "a.py", CODE.replace("return 3", "return 33"))
    commit(root, "second")
    write(root, "docs/b.py", "x = 1\n")

    assert [file.path for file in gather(root).files] == ["docs/b.py"]
    assert [file.path for file in gather(root, revision="HEAD~1").files] == ["a.py", "docs/b.py"]
    assert [file.path for file in gather(root, path="a.py", revision="HEAD~1").files] == ["a.py"]


def test_of_several_folders_those_in_no_repository_are_passed_over(
    root: Path, tmp_path: Path
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    write(root, "a.py", CODE.replace("return 3", "return 33"))

    assert [file.path for file in gather(plain, root).files] == ["repo/a.py"]
    with pytest.raises(InvalidArguments, match="no Git repository"):
        gather(plain)
