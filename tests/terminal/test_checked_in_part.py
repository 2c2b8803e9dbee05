"""What is not checked is said: broken syntax, submodules; and options that make no sense."""

import json
from pathlib import Path

import pytest

from repositories import commit, git, make_repository, write
from rule_texts import NO_PRINT
from terminal.running import glossator, write_files
from workbench import OWN_ONLY_TOML

# The parser makes nothing of the body of the class, nor of what follows.
BROKEN = "class A:\n  def f(self:\n    print(1)\n  print(2 2)\n\nx = 1\n"
FILES = {"glossator.toml": OWN_ONLY_TOML, "knowledge/log.md": NO_PRINT, "a.py": BROKEN}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_files(tmp_path / "工作区", FILES)


def test_a_file_whose_syntax_is_broken_is_not_clean(workspace: Path) -> None:
    done = glossator(workspace, "check", "a.py")

    assert done.stdout == ""
    assert done.stderr.splitlines()[0] == "0 files checked"
    assert "a.py not checked in part: syntax error at line 2–6" in done.stderr
    assert done.returncode == 0


def test_it_is_said_in_chinese_with_a_blank_between_the_scripts(workspace: Path) -> None:
    write(workspace, "b.bin", b"\0")

    done = glossator(workspace, "check", "a.py", "glossator.toml", LANG="zh_CN.UTF-8")

    assert "a.py 有部分未检查：第 2–6 行有语法错误" in done.stderr
    assert "glossator.toml 未检查：" in done.stderr


def test_findings_in_what_is_intact_are_shown(workspace: Path) -> None:
    write(workspace, "a.py", f"print(0)\n{BROKEN}")

    done = glossator(workspace, "check", "a.py")

    assert done.stdout == "a.py:1:1: warning: Use the log, not `print`. [no-print]\n"
    assert "a.py not checked in part: syntax error at line 3–7" in done.stderr
    assert done.returncode == 1


def test_a_dismissed_finding_makes_the_rest_not_clean(workspace: Path) -> None:
    write(workspace, "a.py", f"print(0)  # glossator: ignore[no-print]\n{BROKEN}")

    [document] = json.loads(glossator(workspace, "check", "--json", "a.py").stdout)["documents"]

    assert document["outcome"] == "not-checked"
    assert document["reasonCode"] == "syntax-error"
    assert len(document["suppressed"]) == 1


def test_programs_are_told_of_it_and_of_the_rules(workspace: Path) -> None:
    told = json.loads(glossator(workspace, "check", "--json", "a.py").stdout)
    log = json.loads(glossator(workspace, "check", "--format=sarif", "a.py").stdout)

    [document] = told["documents"]
    assert (document["outcome"], document["reason"]) == (
        "not-checked",
        "syntax error at line 2–6",
    )
    assert [each["ruleIds"] for each in document["skipped"]] == [["no-print"]]
    [notification] = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert notification["descriptor"] == {"id": "syntax-error"}
    assert notification["level"] == "warning"
    [place] = notification["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "a.py"


def test_what_no_rule_could_match_is_clean_however_it_is_written(workspace: Path) -> None:
    write(workspace, "a.py", BROKEN.replace("print", "tell"))

    assert "1 file checked: 1 clean" in glossator(workspace, "check", "a.py").stderr


def test_it_is_remembered(workspace: Path) -> None:
    first, second = (glossator(workspace, "check", "a.py", "knowledge") for _ in range(2))

    assert second.stderr == first.stderr


def test_of_many_files_the_number_is_told(workspace: Path) -> None:
    for name in "bcd":
        write(workspace, f"{name}.py", BROKEN)

    told = glossator(workspace, "check").stderr

    assert "4 files not checked in part: syntax errors (`--json` names the lines)" in told


@pytest.mark.parametrize(
    "arguments", [("check", "--jobs", "0"), ("check", "--jobs=-1"), ("search", "--limit=-1", "x")]
)
def test_a_number_that_makes_no_sense_is_refused(
    workspace: Path, arguments: tuple[str, ...]
) -> None:
    done = glossator(workspace, *arguments)

    assert done.returncode == 2
    assert "must be" in done.stderr


def test_a_submodule_that_changed_is_told(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"glossator.toml": OWN_ONLY_TOML, "a.py": "x = 1\n"}
    root = make_repository(tmp_path / "main", files)
    library = make_repository(root / "lib", {"b.py": "x = 1\n"})
    commit(root, "with a submodule")
    write(library, "b.py", "x = 2\n")
    git(library, "commit", "-q", "-a", "-m", "changed")

    done = glossator(root, "check", "--diff")

    assert "the submodule `lib` has changed; its files are not looked into" in done.stderr


def test_an_id_of_another_language_works_everywhere(workspace: Path) -> None:
    rule = NO_PRINT.replace("no-print", "禁用-print")
    write(workspace, "knowledge/log.md", rule)
    write(workspace, "a.py", "print(1)\nprint(2)  # glossator: ignore[禁用-print] 测试\n")

    found = glossator(workspace, "check", "a.py")
    log = json.loads(glossator(workspace, "check", "--format=sarif", "a.py").stdout)
    glossator(workspace, "check", "--update-baseline", "a.py")
    accepted = glossator(workspace, "check", "a.py")
    listed = glossator(workspace, "rules", "list")

    assert found.stdout == "a.py:1:1: warning: Use the log, not `print`. [禁用-print]\n"
    assert [each["ruleId"] for each in log["runs"][0]["results"]] == ["禁用-print"]
    assert accepted.stdout == ""
    assert accepted.returncode == 0
    assert "禁用-print" in listed.stdout
