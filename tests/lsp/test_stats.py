"""Figures of what was recorded, as an editor gets them from the real server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glossator.core.events import RoundEnded, TurnEnded
from glossator.core.messages import Usage
from lsp.wire import SERVER, Wire
from recorded import lines_of, write_file

TURN = (RoundEnded(1, "stop", 0, Usage(10, 5), 1.0, 0.5, "big"), TurnEnded("answered", Usage(), 2))


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    write_file(tmp_path / "state" / "glossator" / "audit", [*lines_of("t1", TURN), "{torn"])
    with Wire(SERVER, env={"XDG_STATE_HOME": str(tmp_path / "state")}) as running:
        yield running


def ask_stats(wire: Wire, argument: dict[str, Any]) -> dict[str, Any]:
    wire.initialize(initializationOptions={"clientShowsAnswers": True}, locale="zh-cn")
    return wire.answer(wire.command("glossator.stats", argument), timeout_s=60)


def asked_to_show(wire: Wire) -> list[dict[str, Any]]:
    return [
        message["params"]
        for message in wire.messages
        if message.get("method") == "window/showDocument"
    ]


def test_figures_come_as_values_and_as_a_page_in_the_editors_language(wire: Wire) -> None:
    result = ask_stats(wire, {"open": False})["result"]

    assert result["turns"]["n"] == 1
    assert result["models"][0]["name"] == "big"
    assert "已略过记录中 1 行损坏的内容。" in result["notices"]
    assert '<html lang="zh-CN">' in result["html"]
    assert asked_to_show(wire) == []


def test_an_editor_that_does_not_say_otherwise_is_asked_to_open_the_page_outside(
    wire: Wire,
) -> None:
    ask_stats(wire, {})
    shown = wire.wait_for(
        lambda message: message.get("method") == "window/showDocument", timeout_s=30
    )

    assert shown["params"]["external"] is True
    path = Path(shown["params"]["uri"].removeprefix("file://"))
    assert path.name == "figures.html"
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_figures_since_a_day_to_come_are_empty_and_say_so(wire: Wire) -> None:
    result = ask_stats(wire, {"since": "2199-01-01"})["result"]

    assert result["turns"]["n"] == 0
    assert result["notices"][0] == "自 2199-01-01 00:00 起没有记录。"


@pytest.mark.parametrize("argument", [{"days": -1}, {"open": "no"}, {"since": "yesterday"}])
def test_what_is_no_span_is_refused_by_name(wire: Wire, argument: dict[str, Any]) -> None:
    error = ask_stats(wire, argument)["error"]

    assert next(iter(argument)) in error["message"] or "yesterday" in error["message"]
