"""`glossator why` as a person or a script meets it."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from terminal.running import glossator, write_files

MONEY = """\
---
keywords: [invoice, 发票]
globs: "*.py"
---
# Money

Invoices are rounded half up, per line. 发票金额逐行四舍五入。
"""


FILES = {
    "src/cart.py": "def total(lines):\n    return sum(lines)\n",
    "src/AGENTS.md": "# Source\n\nNever delete an invoice.\n",
    "AGENTS.md": "# Agents\n\nRun the tests.\n",
    "knowledge/money.md": MONEY,
    "glossator.toml": "[knowledge]\nbundled = false\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_files(tmp_path / "workspace", FILES)


def why(workspace: Path, *arguments: str, locale: str = "C.UTF-8") -> CompletedProcess[str]:
    return glossator(workspace, "why", *arguments, LANG=locale)


def test_a_file_is_told_what_it_is_given_the_nearest_first(workspace: Path) -> None:
    done = why(workspace, "src/cart.py")

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("# Why is this (not) used: src/cart.py\n")
    used, _, rest = done.stdout.partition("## Would be found by a question")
    assert used.index("`src/AGENTS.md`") < used.index("`AGENTS.md`")
    assert "`knowledge/money.md`" in rest
    assert "the glob `*.py` matches" in rest
    assert "- instructions: " in rest


def test_a_question_is_answered_with_sections_and_scores_in_its_language(workspace: Path) -> None:
    done = why(workspace, "src/cart.py", "--question", "发票怎么四舍五入？")

    assert done.returncode == 0, done.stderr
    assert "> 发票怎么四舍五入？" in done.stdout
    assert "## 会使用" in done.stdout
    assert "knowledge/money.md:5-7" in done.stdout


def test_a_chinese_terminal_reads_chinese_without_a_question(workspace: Path) -> None:
    done = why(workspace, "src", locale="zh_CN.UTF-8")

    assert done.stdout.startswith("# 为何（未）使用：src\n")
    assert "这是一个文件夹" in done.stdout


def test_json_has_every_file_with_its_use_and_causes(workspace: Path) -> None:
    done = why(workspace, "src/cart.py", "--question", "How are invoices rounded?", "--json")

    told = json.loads(done.stdout)
    money = next(each for each in told["files"] if each["path"] == "knowledge/money.md")
    assert money["verdict"]["use"] == "used"
    assert [cause["code"] for cause in money["verdict"]["causes"]] == ["keyword", "glob", "score"]
    assert money["verdict"]["passages"][0]["firstLine"] == 5
    assert told["refused"] == ""


def test_a_file_that_is_not_there_is_said_not_to_be_and_judged(workspace: Path) -> None:
    done = why(workspace, "src/new.py")

    assert done.returncode == 0
    assert "There is no such file" in done.stdout
    assert "`src/AGENTS.md`" in done.stdout


def test_a_path_outside_is_refused_by_name(workspace: Path) -> None:
    done = why(workspace, "--root", ".", "../elsewhere.py")

    assert done.returncode == 2
    assert "outside the workspace" in done.stderr
    assert done.stdout == ""
