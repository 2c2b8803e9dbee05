"""`glossator.testModel` as an editor runs it, and what the log keeps of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lsp.wire import SERVER, Wire
from provider.server import Provider, call, refuse, say

KEY = "sk-secret-0123456789"


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    state = str(tmp_path / "state")
    env = {"XDG_STATE_HOME": state, "GLOSSATOR_LOG": "debug"}
    with Wire(SERVER, env=env) as running:
        yield running


def test_a_named_model_is_tested_and_its_key_is_kept_out_of_log_and_record(
    wire: Wire, tmp_path: Path
) -> None:
    with Provider() as provider:
        provider.script(
            refuse(200, {"data": [{"id": "tiny"}]}),
            say("1 2 3 4 5 6 7"),
            call("read_file", {"path": "README.md"}),
        )
        wire.initialize(initializationOptions={"clientShowsAnswers": True})
        argument = {"baseUrl": provider.base_url, "name": "tiny", "apiKey": KEY}
        result = wire.answer(wire.command("glossator.testModel", argument), timeout_s=60)["result"]

    assert result["passed"]
    assert [check["stage"] for check in result["checks"]] == [
        "reachable", "key", "model", "answer", "tools",
    ]  # fmt: skip
    assert result["models"] == ["tiny"]
    assert KEY not in wire.stderr.decode()
    assert KEY not in repr(wire.messages)
    kept = [path for path in (tmp_path / "state").rglob("*") if path.is_file()]
    assert not any(KEY.encode() in path.read_bytes() for path in kept)


def test_a_plug_in_of_another_version_is_named_with_what_to_update(wire: Wire) -> None:
    wire.initialize(initializationOptions={"pluginVersion": "99.0.0", "statusNotifications": True})

    told = wire.wait_for(
        lambda message: message.get("method") == "glossator/statusChanged", timeout_s=60
    )

    assert any(problem.endswith("update the server.") for problem in told["params"]["problems"])
