"""`glossator check` as CI runs it: a base to compare with, formats, exit codes, nobody to ask."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from repositories import commit, git, make_repository, write
from rule_texts import NO_PRINT
from terminal.running import glossator
from workbench import OWN_ONLY_TOML

RULES = f"""\
{NO_PRINT}
- No `todo`. {{#no-todo}}

  ```check
  language: python
  severity: information
  rule:
    pattern: todo
  ```
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A branch `work` of a repository, which added a line to `src/a.py`."""
    files: dict[str, str | bytes] = {
        "glossator.toml": OWN_ONLY_TOML,
        "knowledge/log.md": RULES,
        "src/a.py": "print(1)\n",
    }
    root = make_repository(tmp_path / "工作区", files)
    git(root, "checkout", "-q", "-b", "work")
    write(root, "src/a.py", "print(1)\nprint(2)\n")
    commit(root, "work")
    return root


def test_only_what_the_branch_changed_counts(workspace: Path) -> None:
    write(workspace, "新.py", "print(3)\n")

    done = glossator(workspace, "check", "--diff", "main")

    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "src/a.py:2:1: warning: Use the log, not `print`. [no-print]",
        "新.py:1:1: warning: Use the log, not `print`. [no-print]",
    ]
    [told, *_] = done.stderr.splitlines()
    assert told.startswith("2 files changed since `main` (")
    assert told.endswith("only changed lines count, 1 finding on other lines left out")


def test_without_a_base_it_is_what_is_not_committed(workspace: Path) -> None:
    clean = glossator(workspace, "check", "--diff")
    write(workspace, "src/a.py", "print(1)\nprint(2)\nprint(3)\n")
    found = glossator(workspace, "check", "--diff")

    assert (clean.returncode, clean.stdout) == (0, "")
    assert found.stdout.splitlines() == [
        "src/a.py:3:1: warning: Use the log, not `print`. [no-print]"
    ]


@pytest.mark.parametrize("base", ["origin/main", "HEAD~1"])
def test_a_shallow_clone_is_told_how_deep_it_must_be(
    workspace: Path, tmp_path: Path, base: str
) -> None:
    address = f"file://{workspace}"
    git(tmp_path, "clone", "-q", "--depth=1", "--branch=work", address, "clone")

    done = glossator(tmp_path / "clone", "check", "--diff", base)
    chinese = glossator(tmp_path / "clone", "check", "--diff", base, LANG="zh_CN.UTF-8")

    assert (done.returncode, done.stdout) == (2, "")
    assert "`fetch-depth: 0` of `actions/checkout`" in done.stderr
    assert done.stderr.count("The clone is shallow") == 1
    assert "这是浅克隆" in chinese.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["knowledge"], 0),
        (["src"], 1),
        (["--fail-on", "warning"], 1),
        (["--fail-on", "error"], 0),
        (["--fail-on", "warning", "todo.py"], 0),
        (["todo.py"], 1),
        (["gone.py"], 2),
        (["--root", "src", "knowledge"], 2),
        (["--diff", "nowhere"], 2),
        (["--output", "no/such/folder.txt"], 2),
        (["--format", "xml"], 2),
    ],
)
def test_the_exit_code_says_what_came_of_it(
    workspace: Path, arguments: list[str], code: int
) -> None:
    write(workspace, "todo.py", "todo\n")

    done = glossator(workspace, "check", *arguments)

    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_the_help_explains_the_exit_codes(workspace: Path) -> None:
    done = glossator(workspace, "check", "--help")

    assert "exit codes:\n  0  no findings" in done.stdout
    assert "git merge-base" in done.stdout


@pytest.mark.parametrize("options", [["--json"], ["--format", "json"]])
def test_json_has_two_names(workspace: Path, options: list[str]) -> None:
    found = json.loads(glossator(workspace, "check", *options).stdout)
    error = json.loads(glossator(workspace, "check", *options, "gone.py").stdout)

    assert found["nFindings"] == 2
    assert error["error"]["code"] == "unreadable-file"


def test_sarif_on_standard_output_and_in_a_file_is_the_same(workspace: Path) -> None:
    printed = glossator(workspace, "check", "--format", "sarif", LANG="C", LC_ALL="C")
    written = glossator(workspace, "check", "--format", "sarif", "--output", "a.sarif")

    log: Any = json.loads(printed.stdout)
    assert log == json.loads((workspace / "a.sarif").read_text(encoding="utf-8"))
    assert [each["ruleId"] for each in log["runs"][0]["results"]] == ["no-print", "no-print"]
    assert (written.returncode, written.stdout) == (1, "")
    assert "2 files checked" not in printed.stdout


def test_annotations_name_files_from_the_top_of_the_repository(workspace: Path) -> None:
    nested = workspace / "src"
    write(nested, "knowledge/log.md", RULES)
    write(nested, "glossator.toml", OWN_ONLY_TOML)
    done = glossator(workspace, "check", "--root", "src", "--format", "github")

    assert done.stdout.splitlines()[0] == (
        "::warning file=src/a.py,line=1,endLine=1,col=1,endColumn=8,title=no-print::"
        "Use the log, not `print`."
    )


def test_text_in_a_file_is_what_a_terminal_without_colours_gets(workspace: Path) -> None:
    printed = glossator(workspace, "check", NO_COLOR="1", CI="true")
    glossator(workspace, "check", "--output", "found.txt")

    assert "\x1b" not in printed.stdout + printed.stderr
    assert (workspace / "found.txt").read_text(encoding="utf-8") == printed.stdout


def test_a_file_that_cannot_be_read_is_an_error_unless_something_is_found(workspace: Path) -> None:
    os.mkfifo(workspace / "pipe.py")

    alone = glossator(workspace, "check", "pipe.py")
    chinese = glossator(workspace, "check", "pipe.py", LANG="zh_CN.UTF-8")
    beside = glossator(workspace, "check", "pipe.py", "src/a.py")

    assert (alone.returncode, beside.returncode) == (2, 1)
    assert "pipe.py not checked: `pipe.py` is a named pipe" in alone.stderr
    assert "`pipe.py` 是命名管道；只读取普通文件" in chinese.stderr


def test_with_its_output_closed_the_exit_code_still_says_what_came_of_it(workspace: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m glossator check"

    def run(rest: str) -> int:
        return subprocess.run(
            ["/bin/sh", "-c", f"{command} {rest}"], cwd=workspace, timeout=60, check=False
        ).returncode

    assert run("src >&-") == 1
    assert run("knowledge <&- >&- 2>&-") == 0


def test_nothing_is_read_from_standard_input_and_no_git_is_run(workspace: Path) -> None:
    read, write_ = os.pipe()
    try:
        # The other end stays open: whoever reads would wait for ever.
        done = subprocess.run(
            [sys.executable, "-m", "glossator", "check", "--diff", "main"],
            cwd=workspace,
            env={**os.environ, "PATH": ""},
            stdin=read,
            capture_output=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(read)
        os.close(write_)

    assert done.returncode == 1


@pytest.mark.skipif(os.name != "posix", reason="homes are found in another way there")
@pytest.mark.parametrize("environ", [{}, {"HOME": os.devnull}])
def test_a_user_without_a_home_checks_and_is_told_that_nothing_is_kept(
    workspace: Path, environ: dict[str, str]
) -> None:
    # As for a user whom the system does not know, which containers may start programs as.
    program = (
        "import pwd, runpy; pwd.getpwuid = {}.__getitem__; "
        "runpy.run_module('glossator', run_name='__main__', alter_sys=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "check", "--no-model", "src"],
        cwd=workspace,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "CI": "true", **environ},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 2
    assert "what was found is not kept: `" in done.stderr
    assert git(workspace, "status", "--porcelain") == ""


def test_a_cache_that_cannot_be_written_costs_only_time(workspace: Path) -> None:
    done = glossator(workspace, "check", "--cache-dir", "/dev/null/x", LANG="zh_CN.UTF-8")

    assert (done.returncode, len(done.stdout.splitlines())) == (1, 2)
    assert "检查结果未保留：`/dev/null/x` 无法写入" in done.stderr
