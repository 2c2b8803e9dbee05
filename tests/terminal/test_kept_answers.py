"""A check of an unchanged tree says again what it said, and only of an unchanged one."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import glossator
from repositories import make_repository, write
from rule_texts import NO_PRINT
from workbench import OWN_ONLY_TOML

# Files count as settled at once, and a check that really runs says so.
_RUN = """\
import sys
from glossator.app.checking import kept_answers
kept_answers._RACY_NS = -10**18
from glossator.__main__ import main
sys.argv = ["glossator", *sys.argv[1:]]
code = main()
if "glossator.cli" in sys.modules:
    print("checked anew", file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    files: dict[str, str | bytes] = {
        "glossator.toml": OWN_ONLY_TOML,
        ".gitignore": "built/\n",
        "knowledge/log.md": NO_PRINT,
        "src/a.py": "print(1)\n",
        "src/b.py": "x = 1\n",
        "built/c.py": "print(3)\n",
    }
    return make_repository(tmp_path / "工作区", files)


def check(root: Path, *arguments: str, **variables: str) -> tuple[bool, str, str, int]:
    """Return whether files were checked anew, the output, the notices and the exit code."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN, "check", *arguments],
        cwd=root,
        env={**os.environ, **variables},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    notices = done.stderr.replace("checked anew\n", "")
    return notices != done.stderr, done.stdout, notices, done.returncode


@pytest.mark.parametrize(
    "arguments", [(), ("--json",), ("--no-model", "--format=sarif", "src/a.py")]
)
def test_an_unchanged_tree_gets_the_same_answer_without_a_check(
    workspace: Path, arguments: tuple[str, ...]
) -> None:
    first = check(workspace, *arguments)

    second = check(workspace, *arguments)

    assert first[0]
    assert not second[0]
    assert second[1:] == first[1:]
    assert second[3] == 1
    assert "no-print" in second[1]


CHANGES: dict[str, Callable[[Path], None]] = {
    "a file": lambda root: write(root, "src/b.py", "print(2)\n"),
    "a file of the same size and time": lambda root: _swap(root / "src/b.py"),
    "a new file": lambda root: write(root, "src/d.py", "print(4)\n"),
    "a new folder": lambda root: write(root, "lib/d.py", "print(4)\n"),
    "a deleted file": lambda root: (root / "src/a.py").unlink(),
    "a rule": lambda root: write(root, "knowledge/log.md", NO_PRINT.replace("Use", "Take")),
    "a new file of rules": lambda root: write(
        root, "knowledge/more.md", NO_PRINT.replace("print", "x")
    ),
    "instructions with a rule": lambda root: write(
        root, "AGENTS.md", NO_PRINT.replace("no-print", "no-x")
    ),
    "what is ignored": lambda root: write(root, ".gitignore", "src/b.py\n"),
    "what is ignored in a folder": lambda root: write(root, "src/.gitignore", "b.py\n"),
    "what a repository alone ignores": lambda root: write(root, ".git/info/exclude", "b.py\n"),
    "settings": lambda root: write(
        root, "glossator.toml", f'{OWN_ONLY_TOML}[check]\nexclude = ["src/b.py"]\n'
    ),
    "a baseline": lambda root: write(
        root, ".glossator-baseline.json", '{"version": 1, "findings": []}\n'
    ),
    "a mode": lambda root: (root / "src/b.py").chmod(0o600),
    "a skill": lambda root: write(root, "skills/s/SKILL.md", "---\nname: s\n---\n"),
}


def _swap(file: Path) -> None:
    before = file.stat()
    file.write_text("y = 2\n", encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_a_tree_is_checked_anew_after_each_change(workspace: Path) -> None:
    check(workspace)
    unnoticed = []

    for what, change in CHANGES.items():
        change(workspace)
        if not check(workspace)[0]:
            unnoticed.append(what)

    assert unnoticed == []
    assert not check(workspace)[0]


@pytest.mark.parametrize("where", ["src/AGENTS.md", "src/.cursor/rules/log.mdc"])
def test_a_named_file_is_checked_anew_when_its_folder_gets_instructions(
    workspace: Path, where: str
) -> None:
    write(workspace, "src/.cursor/mcp.json", "{}\n")
    write(workspace, "src/deep/e.py", "x = 1\n")
    check(workspace, "src/deep/e.py")
    assert not check(workspace, "src/deep/e.py")[0]

    write(workspace, where, "---\nalwaysApply: true\n---\n" + NO_PRINT.replace("no-print", "no-x"))

    assert check(workspace, "src/deep/e.py")[0]


def test_the_answer_after_a_change_is_the_one_of_a_check_that_knows_nothing(
    workspace: Path,
) -> None:
    check(workspace)
    write(workspace, "src/b.py", "print(2)\n")
    check(workspace)

    again, fresh = check(workspace), check(workspace, "--no-cache")

    assert not again[0]
    assert again[1:] == fresh[1:]


def test_another_environment_or_folder_has_another_answer(workspace: Path) -> None:
    check(workspace)

    assert check(workspace, LANG="zh_CN.UTF-8")[0]
    assert check(workspace / "src")[0]
    assert not check(workspace)[0]


def test_nothing_is_kept_where_that_is_not_wanted(workspace: Path) -> None:
    for argument in ("--no-cache", "--diff"):
        check(workspace, argument)
        assert check(workspace, argument)[0]


def test_an_answer_is_kept_in_the_folder_that_is_named(workspace: Path, tmp_path: Path) -> None:
    folder = str(tmp_path / "cache")
    check(workspace, "--cache-dir", folder)

    assert not check(workspace, "--cache-dir", folder)[0]
    assert check(workspace)[0]


def test_an_answer_rests_on_what_the_rules_were_read_with_long_before(
    workspace: Path, tmp_path: Path
) -> None:
    check(workspace)
    folder = tmp_path / "cache"
    check(workspace, f"--cache-dir={folder}")

    [kept] = (folder / "answers").iterdir()
    package = Path(glossator.__file__).parent
    paths = {Path(path) for path in json.loads(kept.read_bytes())["paths"]}
    assert {package / "rules/parse.py", package / "knowledge/words.py"} <= paths
    assert any(path.parts[-2:] == ("markdown_it", "__init__.py") for path in paths)


def test_a_damaged_answer_is_none(workspace: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    first = check(workspace, f"--cache-dir={folder}")
    [kept] = (folder / "answers").iterdir()
    kept.write_bytes(kept.read_bytes()[:-20])

    again = check(workspace, f"--cache-dir={folder}")

    assert again == first


def test_what_has_just_changed_is_no_ground_for_an_answer(workspace: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    command = [sys.executable, "-m", "glossator", "check", f"--cache-dir={folder}"]
    write(workspace, "src/b.py", "print(2)\n")

    done = subprocess.run(command, cwd=workspace, capture_output=True, check=False)

    assert done.returncode == 1
    assert not (folder / "answers").exists()


def test_output_that_cannot_be_written_is_told_as_what_it_is(workspace: Path) -> None:
    check(workspace)

    for _ in ("anew", "kept"):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "glossator", "check"],
                cwd=workspace,
                stdout=full,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                check=False,
            )
        assert done.returncode == 2
        assert "the output cannot be written: No space left on device" in done.stderr
        assert "defect" not in done.stderr
