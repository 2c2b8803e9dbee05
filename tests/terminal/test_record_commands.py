"""`glossator stats` and `glossator replay` as a person or a script meets them."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from provider.server import Provider, call, say
from terminal import running


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "cart.py").write_text("def add(cart, line):\n    cart.append(line)\n")
    return root


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as provider:
        yield provider


def glossator(workspace: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    config = str(workspace.parent / "config")
    return running.glossator(workspace, *arguments, XDG_CONFIG_HOME=config, **environ)


def write_own_settings(workspace: Path, text: str) -> None:
    path = workspace.parent / "config" / "glossator" / "glossator.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")


def ask(workspace: Path, provider: Provider) -> None:
    provider.script(call("read_file", {"path": "cart.py"}), say("It appends (cart.py:2)."))
    done = glossator(
        workspace,
        "ask",
        "What does `add` in cart.py do?",
        OPENAI_BASE_URL=provider.base_url,
        OPENAI_API_KEY="sk-0123456789abcdef",
        MODEL="scripted",
    )
    assert done.returncode == 0, done.stderr


def test_without_a_record_stats_say_so_and_nothing_is_wrong(workspace: Path) -> None:
    done = glossator(workspace, "stats")

    assert (done.returncode, done.stdout) == (0, "")
    assert "Nothing is recorded yet: ask a question" in done.stderr


def test_stats_show_tables_as_json_as_a_page_and_in_chinese(
    workspace: Path, provider: Provider
) -> None:
    write_own_settings(workspace, '[audit]\nprices = ["scripted 1 0 2"]\n')
    ask(workspace, provider)

    tables = glossator(workspace, "stats", "--days", "1")
    values = json.loads(glossator(workspace, "stats", "--json", "--page", "figures.html").stdout)
    chinese = glossator(workspace, "stats", LANG="zh_CN.UTF-8")

    assert "| Rounds of a turn | 1 | 2 | 2 | 2 |" in tables.stdout
    assert "| `read_file` | 1 | 0 |" in tables.stdout
    assert values["turns"]["stopReasons"] == {"answered": 1}
    assert values["models"][0]["name"] == "scripted"
    assert values["cost"] is not None
    assert (workspace / "figures.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "| 已回答 | 1 | 100 % |" in chinese.stdout


def test_doctor_names_the_users_own_settings_and_what_telemetry_lacks(workspace: Path) -> None:
    write_own_settings(workspace, '[telemetry]\nendpoint = "localhost:4318"\n')

    done = glossator(workspace, "doctor")

    assert done.returncode == 1
    assert "**Your settings**: " in done.stdout
    assert "`telemetry.endpoint` is not an address of a collector" in done.stdout


def test_stats_since_a_day_to_come_are_empty(workspace: Path, provider: Provider) -> None:
    ask(workspace, provider)

    done = glossator(workspace, "stats", "--since", "2199-01-01")

    assert done.returncode == 0
    assert "Nothing was recorded since 2199-01-01 00:00." in done.stderr


def test_what_is_no_date_is_an_error(workspace: Path) -> None:
    done = glossator(workspace, "stats", "--since", "yesterday")

    assert done.returncode == 2
    assert "`yesterday` is not a date" in done.stderr


def test_a_page_that_cannot_be_written_is_an_error(workspace: Path) -> None:
    done = glossator(workspace, "stats", "--page", "no/such/folder/figures.html")

    assert done.returncode == 2
    assert "cannot be written" in done.stderr


def test_replay_tells_same_from_different_by_its_exit_code(
    workspace: Path, provider: Provider
) -> None:
    write_own_settings(workspace, "[audit]\ncontent = true\n")
    ask(workspace, provider)
    n_requests = len(provider.requests())

    [record] = (workspace.parent / "state" / "glossator" / "audit").glob("*.jsonl")
    same = glossator(workspace, "replay")
    (workspace / "cart.py").write_text("def add(cart, line):\n    cart += [line]\n")
    differs = glossator(workspace, "replay", str(record), "--json")

    assert same.returncode == 0, same.stderr
    assert "Nothing is different: 1 tool call, 1 citation." in same.stdout
    assert differs.returncode == 1
    value = json.loads(differs.stdout)
    assert value["isSame"] is False
    assert value["calls"][0]["state"] == "differs"
    assert "-2|     cart.append(line)" in value["calls"][0]["diff"]
    assert len(provider.requests()) == n_requests
    assert "sk-0123456789abcdef" not in record.read_text(encoding="utf-8")


def test_a_record_without_content_cannot_be_replayed_and_says_why(
    workspace: Path, provider: Provider
) -> None:
    ask(workspace, provider)

    done = glossator(workspace, "replay")

    assert done.returncode == 2
    assert "`audit.content`" in done.stderr
