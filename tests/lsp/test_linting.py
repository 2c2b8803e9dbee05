"""Files of knowledge, skills and instructions, linted by the real server as an editor sees it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from glossator.core.locations import Point, Range
from glossator.linting.repairing import apply_edits
from lsp.wire import SERVER, Wire

PUBLISH = "textDocument/publishDiagnostics"
AGENTS = "# 约定 🙂\n\n见[发布](docs/relase.md)。\u200b\n\nRun `npm run biuld`.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "工作区"
    (root / "docs").mkdir(parents=True)
    (root / "docs/release.md").write_text("# 发布\n\n周五不发布。\n", encoding="utf-8")
    (root / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    (root / "package.json").write_text('{"scripts": {"build": "x"}}', encoding="utf-8")
    return root


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    environ = {"XDG_STATE_HOME": str(tmp_path / "state"), "OPENAI_API_KEY": ""}
    with Wire(SERVER, env=environ) as wire:
        yield wire


def begin(wire: Wire, root: Path, *, locale: str = "en", **knowledge: Any) -> None:
    wire.initialize(
        workspaceFolders=[{"uri": root.as_uri(), "name": "w"}],
        locale=locale,
        initializationOptions={
            "workspaceTrusted": True,
            "settings": {"knowledge": {"bundled": False, **knowledge}},
        },
    )


def published(wire: Wire, uri: str, *, with_code: str = "") -> list[dict[str, Any]]:
    """Wait until the diagnostics of a document hold a code, or are none when it is empty.

    What is found is taken, and all that was published before.
    """

    def fits(message: dict[str, Any]) -> bool:
        if message.get("method") != PUBLISH or message["params"]["uri"] != uri:
            return False
        codes = [each["code"] for each in message["params"]["diagnostics"]]
        return with_code in codes if with_code else not codes

    message = wire.wait_for(fits, timeout_s=30)
    del wire.messages[: wire.messages.index(message) + 1]
    found: list[dict[str, Any]] = message["params"]["diagnostics"]
    return found


def actions(wire: Wire, uri: str, at: dict[str, Any], **context: Any) -> list[dict[str, Any]]:
    params = {
        "textDocument": {"uri": uri},
        "range": at,
        "context": {"diagnostics": [], "triggerKind": 1, **context},
    }
    found: list[dict[str, Any]] = wire.ask("textDocument/codeAction", params)["result"]
    return found


def apply(text: str, action: dict[str, Any]) -> str:
    """Apply a versioned edit as an editor does; the server was told to count code points."""
    [change] = action["edit"]["documentChanges"]
    assert change["textDocument"]["version"] >= 1
    edits = tuple(
        (Range(_point(edit["range"]["start"]), _point(edit["range"]["end"])), edit["newText"])
        for edit in change["edits"]
    )
    return apply_edits(text, [edits])[0]


def _point(position: dict[str, int]) -> Point:
    return Point(position["line"] + 1, position["character"])


UTF_32 = {
    "general": {"positionEncodings": ["utf-32"]},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "isPreferredSupport": True,
        },
        "publishDiagnostics": {
            "relatedInformation": True, "versionSupport": True, "dataSupport": True,
            "codeDescriptionSupport": True,
        },
    },
}  # fmt: skip


def begin_counting_code_points(wire: Wire, root: Path) -> None:
    wire.initialize(
        workspaceFolders=[{"uri": root.as_uri(), "name": "w"}],
        capabilities=UTF_32,
        initializationOptions={
            "workspaceTrusted": True,
            "settings": {"knowledge": {"bundled": False}},
        },
    )


def test_what_is_wrong_is_shown_on_opening_and_mended_by_its_quick_fix(
    wire: Wire, root: Path
) -> None:
    uri = (root / "AGENTS.md").as_uri()
    begin_counting_code_points(wire, root)

    wire.open(uri, AGENTS, language="markdown")
    shown = published(wire, uri, with_code="lint/dead-link")
    codes = [each["code"] for each in shown]
    link = shown[codes.index("lint/dead-link")]
    [fix] = [each for each in actions(wire, uri, link["range"]) if each["kind"].startswith("quick")]
    mended = apply(AGENTS, fix)

    assert codes == ["lint/dead-link", "lint/invisible-character", "lint/unknown-script"]
    assert fix["diagnostics"][0]["data"]["code"] == "lint/dead-link"
    page, _, line = link["codeDescription"]["href"].partition("#L")
    row = Path(url2pathname(urlsplit(page).path)).read_text(encoding="utf-8").split("\n")
    assert row[int(line) - 1].startswith("| `lint/dead-link` |")
    assert "(docs/release.md)" in mended

    version = {"uri": uri, "version": 2}
    change = {"textDocument": version, "contentChanges": [{"text": mended}]}
    wire.notify("textDocument/didChange", change)
    wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    left = published(wire, uri, with_code="lint/unknown-script")
    assert [each["code"] for each in left] == ["lint/invisible-character", "lint/unknown-script"]


def test_fix_all_mends_what_is_sure_and_leaves_guesses_alone(wire: Wire, root: Path) -> None:
    uri = (root / "AGENTS.md").as_uri()
    begin_counting_code_points(wire, root)
    wire.open(uri, AGENTS, language="markdown")
    shown = published(wire, uri, with_code="lint/dead-link")

    [action] = actions(wire, uri, shown[0]["range"], only=["source.fixAll"])

    assert action["kind"] == "source.fixAll.glossator"
    assert apply(AGENTS, action) == AGENTS.replace("\u200b", "")


def test_a_lightbulb_that_draws_itself_offers_no_fix_all(wire: Wire, root: Path) -> None:
    uri = (root / "AGENTS.md").as_uri()
    begin_counting_code_points(wire, root)
    wire.open(uri, AGENTS, language="markdown")
    shown = published(wire, uri, with_code="lint/dead-link")

    offered = actions(wire, uri, shown[0]["range"], triggerKind=2)

    assert [each["kind"] for each in offered] == ["quickfix.glossator"]


def test_messages_and_titles_are_in_the_language_of_the_editor(wire: Wire, root: Path) -> None:
    rules = root / ".cursor/rules"
    rules.mkdir(parents=True)
    uri = (rules / "发布.mdc").as_uri()
    text = '---\nalwaysApply: "true"\n---\n周五不发布。\n'
    (rules / "发布.mdc").write_text(text, encoding="utf-8")
    begin(wire, root, locale="zh-cn")

    wire.open(uri, text, language="plaintext")
    [shown] = published(wire, uri, with_code="lint/quoted-boolean")
    [fix, *_] = actions(wire, uri, shown["range"])

    assert "引号" in shown["message"]
    assert fix["title"] == "替换为 `true`"


def test_findings_about_other_files_are_looked_at_again_when_those_change(
    wire: Wire, root: Path
) -> None:
    (root / "knowledge").mkdir()
    path = root / "knowledge/a.md"
    text = "# A\n\n- Amounts are cents. {#cents}\n"
    path.write_text(text, encoding="utf-8")
    begin(wire, root)
    wire.open(path.as_uri(), text, language="markdown")
    published(wire, path.as_uri())

    (root / "knowledge/b.md").write_text("# B\n\n- Dates are UTC. {#cents}\n", encoding="utf-8")

    [shown] = published(wire, path.as_uri(), with_code="lint/duplicate-rule-id")
    [related] = shown["relatedInformation"]
    assert related["location"]["uri"] == (root / "knowledge/b.md").as_uri()


def test_what_is_closed_shows_nothing_any_more(wire: Wire, root: Path) -> None:
    uri = (root / "AGENTS.md").as_uri()
    begin(wire, root)
    wire.open(uri, AGENTS, language="markdown")
    published(wire, uri, with_code="lint/dead-link")

    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    assert published(wire, uri) == []


def test_other_markdown_is_left_alone(wire: Wire, root: Path) -> None:
    begin(wire, root)
    readme, agents = (root / "README.md").as_uri(), (root / "AGENTS.md").as_uri()

    wire.open(readme, "[x](gone.md)\n", language="markdown")
    wire.open(agents, AGENTS, language="markdown")
    wire.wait_for(lambda m: m.get("method") == PUBLISH and m["params"]["uri"] == agents)

    shown = [
        message["params"]["uri"] for message in wire.messages if message.get("method") == PUBLISH
    ]
    assert readme not in shown


def test_nothing_is_linted_when_that_is_switched_off(wire: Wire, root: Path) -> None:
    uri, bad = (root / "AGENTS.md").as_uri(), (root / "bad.py").as_uri()
    (root / "knowledge").mkdir()
    (root / "knowledge/rules.md").write_text(
        "- No eval.\n\n  ```check\n  language: python\n  rule: {pattern: eval($X)}\n  ```\n",
        encoding="utf-8",
    )
    begin(wire, root, lint=False)

    wire.open(uri, AGENTS, language="markdown")
    wire.open(bad, "eval(x)\n")
    [finding] = wire.wait_for(
        lambda message: message.get("method") == PUBLISH and message["params"]["diagnostics"] != [],
        timeout_s=30,
    )["params"]["diagnostics"]

    assert not finding["code"].startswith("lint/")
