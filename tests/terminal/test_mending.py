"""`glossator check --fix` and `--update-baseline` as a person or a script meets them."""

import json
import subprocess
from pathlib import Path

import pytest

from rule_texts import MENDING_OLD, MENDING_PRINT
from terminal.running import glossator, write_files
from workbench import OWN_ONLY_TOML

RULES = f"""\
# 规则

- 用日志，不用 `print`。 {{#no-print}}

{MENDING_PRINT}
- 不用 `old`。 {{#no-old}}

{MENDING_OLD}""".replace("Use the log.", "用日志。")
CODE = "\ufeffprint(1)\r\nx = '日志'\r\nif x:\r\n    print(x)\r\nold(x)\r\n"
BASELINE = ".glossator/baseline.json"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    files = {
        "glossator.toml": OWN_ONLY_TOML,
        "knowledge/规则.md": RULES,
        "src/a.py": CODE,
        "b.py": "y = 1  # glossator: ignore[no-print] once needed\n",
    }
    return write_files(tmp_path / "工作区", files)


def check(workspace: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return glossator(workspace, "check", *arguments, **environ)


def test_repairs_are_shown_and_nothing_is_written(workspace: Path) -> None:
    result = check(workspace, "--fix", "--diff")

    assert result.returncode == 1
    assert "--- a/src/a.py\n+++ b/src/a.py\n" in result.stdout
    assert "-    print(x)\n+    log.info(x)\n" in result.stdout
    assert "src/a.py:5 not repaired: the code would not parse any more [no-old]" in result.stderr
    assert (workspace / "src/a.py").read_bytes() == CODE.encode()


def test_repairs_are_made_and_what_is_left_is_still_found(workspace: Path) -> None:
    result = check(workspace, "--fix", LANG="zh_CN.UTF-8")

    assert result.returncode == 1
    assert result.stdout.splitlines() == ["src/a.py:5:1: warning: 不用 `old`。 [no-old]"]
    assert "src/a.py：修复了 2 处" in result.stderr
    assert "未修复：修改后代码无法解析 [no-old]" in result.stderr
    fixed = CODE.replace("print", "log.info")
    assert (workspace / "src/a.py").read_bytes() == fixed.encode()
    assert (workspace / "b.py").read_bytes() == b"y = 1\n"


def test_a_file_in_an_unknown_encoding_is_left_as_it_is(workspace: Path) -> None:
    file = workspace / "src/a.py"
    file.write_bytes(b"print('caf\xe9')\n")

    result = check(workspace, "--fix", "src")

    assert file.read_bytes() == b"print('caf\xe9')\n"
    assert "not checked" in result.stderr


def test_all_that_is_found_is_taken_into_the_baseline(workspace: Path) -> None:
    result = check(workspace, "--update-baseline", "--reason", "以前的代码")

    assert result.returncode == 0
    assert f"{BASELINE}: 3 findings taken in, 0 taken out" in result.stderr
    entries = json.loads((workspace / BASELINE).read_text(encoding="utf-8"))["findings"]
    assert {each["reason"] for each in entries} == {"以前的代码"}

    (workspace / "src/a.py").write_text("\n\nprint(1)\nprint(2)\n", encoding="utf-8")
    changed = check(workspace)

    assert changed.returncode == 1
    assert [line for line in changed.stdout.splitlines() if "[no-print]" in line] == [
        "src/a.py:4:1: warning: 用日志。 [no-print]"
    ]
    again = check(workspace, "--update-baseline")
    assert "1 finding taken in, 2 taken out" in again.stderr


def test_a_broken_baseline_is_told_and_left_as_it_is(workspace: Path) -> None:
    file = workspace / BASELINE
    file.parent.mkdir()
    file.write_text("<<<<<<< HEAD\n", encoding="utf-8")

    told = check(workspace)
    refused = check(workspace, "--update-baseline")

    assert f"`{BASELINE}:1` holds the marks of a merge conflict" in told.stderr
    assert refused.returncode == 2
    assert file.read_text(encoding="utf-8") == "<<<<<<< HEAD\n"


def test_programs_read_what_was_done(workspace: Path) -> None:
    result = json.loads(check(workspace, "--fix", "--json").stdout)

    [fix] = [each for each in result["fixes"] if each["path"] == "src/a.py"]
    assert (fix["nFixed"], fix["isWritten"]) == (2, True)
    assert [(each["ruleId"], each["code"]) for each in fix["left"]] == [("no-old", "breaks-syntax")]
    assert result["nFindings"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--reason", "x"], "use both"),
        (["--fix", "--diff", "main"], "Use one of them"),
        (["--update-baseline", "--diff", "main"], "leave out `--diff`"),
        (["--update-baseline", "--fix", "--diff"], "leave out `--diff`"),
        (["--fix", "--diff", "--format", "sarif"], "as text or JSON only"),
        (["--json", "--fix", "--format", "sarif"], "`--json` and `--format sarif` contradict"),
        (["--format", "text", "--fix", "--json"], "`--json` and `--format text` contradict"),
        (["--fix", "--diff", "src"], "`src` is a path here"),
    ],
)
def test_options_that_do_not_fit_together_are_refused_before_anything_is_done(
    workspace: Path, arguments: list[str], said: str
) -> None:
    result = check(workspace, *arguments)

    assert result.returncode == 2
    assert said in result.stderr
    assert (workspace / "src/a.py").read_bytes() == CODE.encode()
