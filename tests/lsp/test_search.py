"""The command `glossator.search` of the real server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import SERVER, Wire

MONEY = """\
---
keywords: [发票, invoice]
---
# Money

Invoices are rounded half up, per line. 发票金额逐行四舍五入。
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / "knowledge").mkdir(parents=True)
    (root / "cart.py").write_text("def total(lines):\n    return sum(lines)\n")
    (root / "knowledge" / "money.md").write_text(MONEY, encoding="utf-8")
    return root


@pytest.fixture
def wire(tmp_path: Path, root: Path) -> Iterator[Wire]:
    folders = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("STATE", "CACHE")}
    with Wire(SERVER, env={**folders, "OPENAI_API_KEY": ""}) as running:
        running.initialize(
            capabilities={},
            workspaceFolders=[{"uri": root.as_uri(), "name": "workspace"}],
            initializationOptions={
                "workspaceTrusted": True,
                "clientShowsAnswers": True,
                "settings": {"knowledge": {"bundled": False}},
            },
        )
        yield running


def ask(wire: Wire, **arguments: Any) -> dict[str, Any]:
    answer: dict[str, Any] = wire.answer(wire.command("glossator.search", arguments), timeout_s=60)
    return answer


def test_sections_come_ranked_with_places_and_what_is_made_of_them(wire: Wire, root: Path) -> None:
    uri = (root / "cart.py").as_uri()

    result = ask(wire, question="How are invoices rounded?", uri=uri)["result"]

    (section,) = result["sections"]
    assert result["known"] is True
    assert result["routed"] == ["money"]
    assert section["uri"] == (root / "knowledge" / "money.md").as_uri()
    assert (section["firstLine"], section["standing"]) == (4, "given")
    assert result["needed"] <= section["score"] <= 1
    assert "knowledge/money.md:4-6" in result["markdown"]


def test_a_foreign_question_says_that_it_would_be_refused(wire: Wire) -> None:
    result = ask(wire, question="怎么烤面包？", limit=3)["result"]

    assert result["known"] is False
    assert result["reason"] == "nothing-routed"
    assert "我不知道" in result["message"]


def test_a_search_without_a_question_is_an_error_of_its_own(wire: Wire) -> None:
    answer = ask(wire, question=" ")

    assert "question is empty" in answer["error"]["message"]
