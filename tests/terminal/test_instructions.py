"""Instructions of a team on the command line: the folder one is in is trusted."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from provider.server import Provider, say
from terminal.running import glossator, write_files

FILES = {
    "pyproject.toml": "",
    "AGENTS.md": "# Root\n\nIndent with tabs.\n",
    "包/AGENTS.md": "# 包\n\n用空格缩进。\n",
    "包/handler.py": "def handle(request):\n    return request\n",
    ".env": "MODEL=from-dotenv\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_files(tmp_path / "workspace", FILES)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        running.answer_always(say("It handles (包/handler.py:1)."))
        yield running


def test_the_nearest_instructions_come_first_in_the_first_turn(
    workspace: Path, provider: Provider
) -> None:
    done = glossator(
        workspace,
        "explain",
        "包/handler.py:1",
        OPENAI_API_KEY="sk-test",
        OPENAI_BASE_URL=provider.base_url,
        MODEL="scripted",
    )

    assert done.returncode == 0, done.stderr
    [request] = provider.requests()
    sent = str(request.body["messages"])
    nearest = sent.index("kind=instructions place=包/AGENTS.md:1-3")
    assert nearest < sent.index("kind=instructions place=AGENTS.md:1-3")


def test_an_answer_given_in_an_editor_does_not_bind_the_terminal(workspace: Path) -> None:
    state = workspace.parent / "state" / "glossator"
    state.mkdir(parents=True)
    answers = {"version": 1, "workspaces": {str(workspace.resolve()): {"trusted": False}}}
    (state / "trust.json").write_text(json.dumps(answers), encoding="utf-8")

    done = glossator(workspace, "doctor")

    assert "**Trust**: this workspace is trusted" in done.stdout
    assert "**Instructions**: AGENTS.md, 包/AGENTS.md" in done.stdout


def test_a_question_is_answered_from_instructions_with_their_place(workspace: Path) -> None:
    (workspace / "CLAUDE.md").write_text("# Zebras\n\nZebras are counted twice on Mondays.\n")

    done = glossator(workspace, "ask", "--no-model", "How often are zebras counted on Mondays?")

    assert done.returncode == 0, done.stdout
    assert "CLAUDE.md:1" in done.stdout
