"""Sessions over the real server: a second one goes on where the first was killed."""

from pathlib import Path
from typing import Any

from lsp.wire import SERVER, Wire


def open_on(root: Path, wire: Wire) -> None:
    wire.initialize(
        workspaceFolders=[{"uri": root.as_uri(), "name": root.name}],
        initializationOptions={"settings": {"knowledge": {"bundled": False}}},
    )


def run(wire: Wire, command: str, argument: dict[str, Any]) -> Any:
    return wire.answer(wire.command(f"glossator.{command}", argument), timeout_s=30)["result"]


def test_a_session_goes_on_in_another_server_after_the_first_was_killed(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "state"), "OPENAI_API_KEY": ""}
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "main.py").write_text("def main():\n    return 1\n", encoding="utf-8")
    with Wire(SERVER, env=environ) as wire:
        open_on(root, wire)
        session_id = run(wire, "ask", {"question": "Explain `main`"})["sessionId"]
        # It is killed here: `Wire` ends its process that way.

    with Wire(SERVER, env=environ) as wire:
        open_on(root, wire)
        run(wire, "ask", {"question": "再解释一下 `main`", "sessionId": session_id})
        [entry] = run(wire, "listSessions", {"query": "再解释"})["sessions"]
        turns = run(wire, "readSession", {"sessionId": session_id})["turns"]

    assert (entry["sessionId"], entry["nTurns"]) == (session_id, 2)
    assert [turn["question"] for turn in turns] == ["Explain `main`", "再解释一下 `main`"]
    [citation] = turns[0]["citations"]
    assert (citation["uri"], citation["verdict"]) == ((root / "main.py").as_uri(), "exact")
