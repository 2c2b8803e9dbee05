"""`glossator sessions` and going on with a session, as a person or a script meets them."""

import json
from pathlib import Path

import pytest

from glossator.sessions.export import read_export
from terminal.running import glossator
from terminal.test_terminal import FILES

QUESTION = "周五可以发布吗？"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "工作区"
    for name, content in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return root


def list_ids(workspace: Path, *arguments: str) -> list[str]:
    done = glossator(workspace, "sessions", "--json", *arguments)
    return [each["id"] for each in json.loads(done.stdout)["sessions"]]


def test_a_session_goes_on_and_is_listed_shown_and_renamed(workspace: Path) -> None:
    glossator(workspace, "ask", "Explain", "`add`")
    glossator(workspace, "ask", "--continue", QUESTION)
    [session_id] = list_ids(workspace)

    glossator(workspace, "sessions", "rename", session_id[:4], "Our", "releases")
    listed = glossator(workspace, "sessions")
    shown = glossator(workspace, "sessions", "show", session_id[:4])

    assert listed.stdout.startswith(session_id[:8])
    assert listed.stdout.endswith("2 turns   Our releases\n")
    assert "## 1. Explain `add`\n" in shown.stdout
    assert f"> {QUESTION}\n" in shown.stdout
    assert "周五不发布。" in shown.stdout


def test_sessions_are_listed_and_renamed_in_chinese(workspace: Path) -> None:
    glossator(workspace, "ask", QUESTION)
    [session_id] = list_ids(workspace)

    renamed = glossator(workspace, "sessions", "rename", session_id, "发布", LC_ALL="zh_CN.UTF-8")
    listed = glossator(workspace, "sessions", LC_ALL="zh_CN.UTF-8")
    refused = glossator(workspace, "replay", LC_ALL="zh_CN.UTF-8")

    assert f"`{session_id}` 现名为“发布”" in renamed.stderr
    assert listed.stdout.endswith("1 轮      发布\n")
    assert "没有模型的回答" in refused.stderr


def test_a_session_is_named_for_the_next_question_and_counted(workspace: Path) -> None:
    glossator(workspace, "ask", QUESTION)
    [first] = list_ids(workspace)
    glossator(workspace, "ask", "Explain `add`")

    glossator(workspace, "ask", "--session", first, "Explain `main`")

    assert list_ids(workspace, "--search", "explain `main`") == [first]
    assert "**Sessions**: 2 of this workspace, in " in glossator(workspace, "doctor").stdout


def test_an_export_is_text_for_people_or_json_that_is_read_again(workspace: Path) -> None:
    glossator(workspace, "ask", QUESTION)
    [session_id] = list_ids(workspace)

    markdown = glossator(workspace, "sessions", "export", session_id)
    exported = glossator(workspace, "sessions", "export", session_id, "--format", "json")

    assert markdown.stdout.startswith(f"# {QUESTION}\n")
    assert [turn.question for turn in read_export(exported.stdout).turns] == [QUESTION]


def test_nothing_is_deleted_before_it_is_said_twice(workspace: Path) -> None:
    glossator(workspace, "ask", QUESTION)
    [session_id] = list_ids(workspace)

    asked = glossator(workspace, "sessions", "delete", session_id)
    left = list_ids(workspace)
    done = glossator(workspace, "sessions", "delete", session_id, "--yes")

    assert (asked.returncode, left) == (2, [session_id])
    assert f"({QUESTION}, 1 turn) would be deleted for good. Add `--yes`" in asked.stderr
    assert (done.returncode, list_ids(workspace)) == (0, [])


def test_what_is_not_there_is_said(workspace: Path) -> None:
    nothing = glossator(workspace, "sessions")
    unknown = glossator(workspace, "sessions", "show", "abc", "--json")
    no_latest = glossator(workspace, "ask", "--continue", QUESTION)

    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert "no sessions yet" in nothing.stderr
    assert (unknown.returncode, json.loads(unknown.stdout)["error"]["code"]) == (
        2, "unknown-session",
    )  # fmt: skip
    assert "There is no session in this workspace yet" in no_latest.stderr


def test_json_means_the_same_before_and_behind_export(workspace: Path) -> None:
    glossator(workspace, "ask", QUESTION)
    [session_id] = list_ids(workspace)

    short = glossator(workspace, "sessions", "export", session_id, "--json")
    long = glossator(workspace, "sessions", "export", session_id, "--format", "json")
    refused = glossator(
        workspace, "sessions", "export", session_id, "--json", "--format", "markdown"
    )

    assert json.loads(short.stdout) == json.loads(long.stdout)
    assert refused.returncode == 2
    error = json.loads(refused.stdout)["error"]["message"]
    assert "`--json` and `--format markdown` contradict each other" in error


def test_a_search_that_an_action_would_not_heed_is_refused(workspace: Path) -> None:
    done = glossator(workspace, "sessions", "--search", "x", "show", "1")

    assert done.returncode == 2
    assert "`--search` lists sessions; it does not go with `show`." in done.stderr
