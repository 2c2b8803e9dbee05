"""Which level of settings wins, and that each is heeded at once, through a real client."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import SERVER, Wire

CAPABILITIES = {
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
NAMES = ("own.py", "project.py", "editor.py")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    for name in NAMES:
        (root / name).write_text("x = 1\n", encoding="utf-8")
    return root


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    """The user's own settings; the folder is there, as it is when Glossator was set up."""
    (tmp_path / "config/glossator").mkdir(parents=True)
    return tmp_path / "config/glossator/glossator.toml"


@pytest.fixture
def wire(tmp_path: Path, root: Path, own_file: Path) -> Iterator[Wire]:
    environ = {
        "XDG_CONFIG_HOME": str(own_file.parents[1]),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "OPENAI_API_KEY": "",
    }
    with Wire(SERVER, env=environ) as wire:
        wire.initialize(
            workspaceFolders=[{"uri": root.as_uri(), "name": "project"}],
            initializationOptions={
                "workspaceTrusted": True,
                "statusNotifications": True,
                "settings": {"knowledge": {"bundled": False}},
            },
            capabilities=CAPABILITIES,
        )
        wire.wait_for(is_ready, timeout_s=30)
        yield wire


def is_ready(message: dict[str, Any]) -> bool:
    is_told = message.get("method") == "glossator/statusChanged"
    return is_told and message["params"]["index"]["ready"]


def excluded(wire: Wire, root: Path) -> set[str]:
    """Return the files that `check.exclude` leaves out."""
    paths = [str(root / name) for name in NAMES]
    answer = wire.answer(wire.command("glossator.check", {"paths": paths}), timeout_s=30)
    documents = answer["result"]["documents"]
    return {Path(each["path"]).name for each in documents if each["reasonCode"] == "excluded"}


def wait_until_excluded(wire: Wire, root: Path, *names: str) -> None:
    """Ask again and again: which change of the status is that of the settings is not told."""
    until_s = time.monotonic() + 30
    while excluded(wire, root) != set(names):
        assert time.monotonic() < until_s, f"{names} are not left out"


def wait_until_problems(wire: Wire, *expected: str) -> None:
    """Ask again and again, for the same reason."""
    until_s = time.monotonic() + 30
    while not set(expected) <= set(told := problems(wire)):
        assert time.monotonic() < until_s, told


def problems(wire: Wire) -> list[str]:
    answer = wire.answer(wire.command("glossator.status", {}))
    found: list[str] = answer["result"]["problems"]
    return found


def write_settings(wire: Wire, file: Path, text: str) -> None:
    """Write a settings file as any program does; the server notices by itself."""
    del wire.messages[:]
    file.write_text(text, encoding="utf-8")
    wire.wait_for(is_ready, timeout_s=30)


def push_settings(wire: Wire, **check: Any) -> None:
    settings = {"knowledge": {"bundled": False}, "check": check}
    del wire.messages[:]
    wire.notify("workspace/didChangeConfiguration", {"settings": {"glossator": settings}})
    wire.wait_for(is_ready, timeout_s=30)


def test_the_editor_wins_over_the_project_and_the_project_over_the_user(
    wire: Wire, root: Path, own_file: Path
) -> None:
    assert excluded(wire, root) == set()

    write_settings(wire, own_file, '[check]\nexclude = ["own.py"]\n')
    wait_until_excluded(wire, root, "own.py")

    write_settings(wire, root / "glossator.toml", '[check]\nexclude = ["project.py"]\n')
    wait_until_excluded(wire, root, "project.py")

    push_settings(wire, exclude=["editor.py"])
    wait_until_excluded(wire, root, "editor.py")

    push_settings(wire)
    wait_until_excluded(wire, root, "project.py")

    write_settings(wire, root / "glossator.toml", "")
    wait_until_excluded(wire, root, "own.py")


def test_a_wrong_value_names_itself_its_file_and_line_and_what_was_meant(
    wire: Wire, root: Path, own_file: Path
) -> None:
    write_settings(wire, own_file, "# Mine\n[agent]\ntool_rounds = 3\n")
    write_settings(wire, root / "glossator.toml", "[model]\nname = 'm'\n\n[check]\nonSave = 1\n")

    wait_until_problems(
        wire,
        "`agent.tool_rounds` (your glossator.toml:3) is not a setting; did you mean "
        "`agent.toolRounds`?",
        "`model.name` is ignored in project/glossator.toml:2: only your editor, your own "
        "`glossator.toml` or the environment may set it.",
        "`check.onSave` (project/glossator.toml:5) must be of type boolean, not 1; it is not used.",
    )


def test_a_settings_file_has_findings_with_repairs_in_the_editor(wire: Wire, root: Path) -> None:
    uri = (root / "glossator.toml").as_uri()
    text = "[check]\nonsave = true\n"
    (root / "glossator.toml").write_text(text, encoding="utf-8")
    wire.open(uri, text, language="toml")

    def shows(message: dict[str, Any]) -> bool:
        is_shown = message.get("method") == "textDocument/publishDiagnostics"
        return is_shown and bool(message["params"]["diagnostics"])

    [finding] = wire.wait_for(shows, timeout_s=30)["params"]["diagnostics"]
    assert (finding["code"], finding["range"]["start"]["line"]) == ("settings/unknown", 1)
    assert "did you mean `check.onSave`?" in finding["message"]
    asked = {
        "textDocument": {"uri": uri},
        "range": finding["range"],
        "context": {"diagnostics": [finding], "only": ["quickfix"]},
    }
    titles = [each["title"] for each in wire.ask("textDocument/codeAction", asked)["result"]]
    assert "Replace with `onSave`" in titles
