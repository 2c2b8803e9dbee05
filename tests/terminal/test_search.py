"""`glossator search` as a person or a script meets it."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from terminal.running import glossator, write_files

MONEY = """\
---
keywords: [invoice, 发票]
---
# Money

Invoices are rounded half up, per line. 发票金额逐行四舍五入。
"""


FILES = {
    "cart.py": "def total(lines):\n    return sum(lines)\n",
    "knowledge/money.md": MONEY,
    "glossator.toml": "[knowledge]\nbundled = false\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_files(tmp_path / "workspace", FILES)


def search(workspace: Path, *arguments: str) -> CompletedProcess[str]:
    return glossator(workspace, "search", *arguments)


def test_what_is_known_is_listed_with_score_and_place(workspace: Path) -> None:
    done = search(workspace, "How", "are", "invoices", "rounded?")

    assert done.returncode == 0, done.stderr
    assert "Known: 1 section is close enough" in done.stdout
    assert "knowledge/money.md:4-6" in done.stdout
    assert "given" in done.stdout


def test_what_is_foreign_ends_with_1_and_says_why_in_the_asker_s_language(workspace: Path) -> None:
    done = search(workspace, "怎么烤面包？")

    assert done.returncode == 1
    assert "我不知道" in done.stdout
    assert "1 篇文档" in done.stdout


def test_json_has_the_sections_for_programs(workspace: Path) -> None:
    done = search(workspace, "發票怎麼四捨五入？", "--json", "--limit", "1", "--path", "cart.py")

    result = json.loads(done.stdout)
    (section,) = result["sections"]
    assert result["known"] is True
    assert (section["path"], section["firstLine"]) == ("knowledge/money.md", 4)
    assert 0 < section["score"] <= 1
    assert section["standing"] == "given"


def test_a_limit_that_makes_no_sense_is_refused(workspace: Path) -> None:
    done = search(workspace, "invoice", "--limit", "0")

    assert done.returncode != 0
    assert "between 1 and 100" in done.stderr + done.stdout
