"""`glossator share` and finding by meaning, as a person or a script meets them."""

import json
import subprocess
from pathlib import Path

import pytest

from databases import Server
from terminal import running

LEDGER = "# Bookkeeping\n## Closing\nThe ledger is sealed each evening.\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "ledgers"
    (root / "knowledge").mkdir(parents=True)
    (root / "glossator.toml").write_text("[knowledge]\nbundled = false\n")
    (root / "knowledge" / "ledger.md").write_text(LEDGER)
    return root


def glossator(
    workspace: Path, settings: str, *arguments: str, **environ: str
) -> subprocess.CompletedProcess[str]:
    config = workspace.parent / "config"
    (config / "glossator").mkdir(parents=True, exist_ok=True)
    (config / "glossator" / "glossator.toml").write_text(settings)
    return running.glossator(workspace, *arguments, XDG_CONFIG_HOME=str(config), **environ)


def test_documents_are_published_once_and_shown(workspace: Path, server: Server) -> None:
    settings = f'[shared]\nurl = "{server.make_database("terminal")}"\n[semantic]\nsource = "off"\n'

    planned = glossator(workspace, settings, "share", "--dry-run")
    first = glossator(workspace, settings, "share", "--as", "books")
    (workspace / "knowledge" / "ledger.md").unlink()
    second = glossator(workspace, settings, "share", "--as", "books", "--remove", "--json")

    assert "1 would be added" in planned.stdout
    assert "- `+` ledgers/knowledge/ledger.md" in planned.stdout
    assert first.returncode == 0, first.stderr
    assert "`default` at terminal at this machine" in first.stdout.replace("\n", " ")
    assert "- `+` books/knowledge/ledger.md" in first.stdout
    removed = json.loads(second.stdout)["published"]["removed"]
    assert removed == ["books/knowledge/ledger.md"]


def test_what_is_shared_is_told_in_chinese(workspace: Path, server: Server) -> None:
    settings = f'[shared]\nurl = "{server.make_database("chinese")}"\n[semantic]\nsource = "off"\n'

    done = glossator(workspace, settings, "share", "--dry-run", LANG="zh_CN.UTF-8")

    assert done.stdout.replace("\n", "").startswith("`default`（本机")
    assert "将新增 1，更改 0，移除 0，未变 0" in done.stdout.replace("\n", "")


def test_without_an_address_it_says_what_to_set(workspace: Path) -> None:
    done = glossator(workspace, '[semantic]\nsource = "off"\n', "share", "--json")

    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "shared-unavailable"
    assert "Set `shared.url`" in done.stderr


def test_a_chinese_question_is_answered_from_an_english_document(workspace: Path) -> None:
    settings = '[semantic]\nsource = "local"\n'
    question = "账本每天晚上什么时候封存?"

    indexed = glossator(workspace, settings, "index", "--meaning")
    after = glossator(workspace, settings, "ask", question)

    assert "1 of 1 section by meaning" in indexed.stderr
    assert after.returncode == 0, after.stderr
    assert "The ledger is sealed each evening." in after.stdout
