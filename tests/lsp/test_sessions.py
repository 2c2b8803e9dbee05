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


def test_attachments_and_replaced_turns_over_the_wire(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "state"), "OPENAI_API_KEY": ""}
    root = tmp_path / "工作区"
    root.mkdir()
    (root / "main.py").write_text("def main():\n    return 1\n\n\nX = 1\n", encoding="utf-8")
    (root / ".env").write_text("KEY=secret\n", encoding="utf-8")
    uri = (root / "main.py").as_uri()
    lines = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
    attachments = [
        {"kind": "selection", "uri": uri, "range": lines},
        {"kind": "symbol", "symbol": "main"},
        {"kind": "file", "uri": (root / ".env").as_uri()},
        {"kind": "file", "uri": "untitled:Untitled-1"},
    ]
    with Wire(SERVER, env=environ) as wire:
        open_on(root, wire)
        wire.open("untitled:Untitled-1", "Y = 2\n")
        first = run(wire, "ask", {"question": "这是什么？", "attachments": attachments})
        session = {"sessionId": first["sessionId"]}
        run(wire, "ask", {"question": "Explain `main`", **session})
        cut = {**session, "keepTurns": 1, "ofTurns": 2}
        second = run(wire, "ask", {"question": "再解释 `main`", **cut})
        turns = run(wire, "readSession", session)["turns"]
        stale = wire.answer(
            wire.command("glossator.ask", {"question": "再说一遍", **cut, "ofTurns": 9})
        )
        files = run(wire, "listAttachable", {"kind": "file", "query": "mai"})["items"]
        bad = wire.answer(wire.command("glossator.ask", {"question": "x", "attachments": [{}]}))

    given = [(each["path"], each["firstLine"], each["lastLine"]) for each in first["attachments"]]
    assert given[:2] == [("main.py", 1, 2), ("main.py", 1, 2)]
    assert first["attachments"][0]["uri"] == uri
    assert "从不读取" in first["attachments"][2]["problem"]
    assert "secret" not in first["markdown"]
    assert "Y = 2" in first["markdown"]
    assert second["number"] == 2
    assert [turn["question"] for turn in turns] == ["这是什么？", "再解释 `main`"]
    assert turns[0]["attachments"] == first["attachments"]
    assert stale["error"]["data"]["code"] == "session-changed"
    assert [(each["path"], each["uri"]) for each in files] == [("main.py", uri)]
    assert "`attachments[0]`: `kind` is missing" in bad["error"]["message"]
