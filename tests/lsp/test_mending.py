"""What an editor can do about a finding, with the real server: repair, dismiss, see its rule."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glossator.core.locations import Point, Range
from glossator.rules.fixes import apply_edits
from lsp.wire import SERVER, Wire
from rule_texts import MENDING_RULES

CODE = "x = '🙂'; print(x)\nif x:\n    print(2)\nold(x)\n"
BASELINE = ".glossator/baseline.json"
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-32"]},
    "window": {"showDocument": {"support": True}},
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}},
    },
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "isPreferredSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
        "publishDiagnostics": {"versionSupport": True, "dataSupport": True},
    },
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "工作区"
    (root / "knowledge").mkdir(parents=True)
    (root / "knowledge/rules.md").write_text(MENDING_RULES, encoding="utf-8")
    (root / "a.py").write_text(CODE, encoding="utf-8")
    return root


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    environ = {"XDG_STATE_HOME": str(tmp_path / "state"), "OPENAI_API_KEY": ""}
    with Wire(SERVER, env=environ, answers=False) as wire:
        yield wire


def begin(wire: Wire, root: Path, *, locale: str = "en", capabilities: Any = CAPABILITIES) -> Any:
    return wire.initialize(
        workspaceFolders=[{"uri": root.as_uri(), "name": "w"}],
        locale=locale,
        capabilities=capabilities,
        initializationOptions={
            "workspaceTrusted": True,
            "settings": {"knowledge": {"bundled": False}},
        },
    )


def published(wire: Wire, uri: str, *codes: str) -> list[dict[str, Any]]:
    """Wait until just these rules are shown for a document; what came before is taken."""

    def fits(message: dict[str, Any]) -> bool:
        return (
            message.get("method") == "textDocument/publishDiagnostics"
            and message["params"]["uri"] == uri
            and [each["code"] for each in message["params"]["diagnostics"]] == list(codes)
        )

    message = wire.wait_for(fits, timeout_s=30)
    del wire.messages[: wire.messages.index(message) + 1]
    found: list[dict[str, Any]] = message["params"]["diagnostics"]
    return found


def actions(wire: Wire, uri: str, line: int, **context: Any) -> dict[str, dict[str, Any]]:
    """Return what is offered on a line (0-based), by title."""
    place = {"line": line, "character": 11 if line == 0 else 4}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": [], "triggerKind": 1, **context},
    }
    found = wire.ask("textDocument/codeAction", params, timeout_s=30)["result"]
    return {each["title"]: each for each in found}


def make_edit(text: str, edit: dict[str, Any]) -> str:
    [change] = edit["documentChanges"]
    assert change["textDocument"]["version"] == 1
    edits = [
        (Range(_point(each["range"]["start"]), _point(each["range"]["end"])), each["newText"])
        for each in change["edits"]
    ]
    return apply_edits(text, edits)


def _point(position: dict[str, int]) -> Point:
    return Point(position["line"] + 1, position["character"])


def show(wire: Wire, root: Path, *, codes: tuple[str, ...] = (), text: str = CODE) -> str:
    uri = (root / "a.py").as_uri()
    wire.open(uri, text)
    published(wire, uri, *(codes or ("no-print", "no-print", "no-old")))
    return uri


def replace_text(wire: Wire, uri: str, version: int, text: str) -> None:
    change = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
    wire.notify("textDocument/didChange", change)
    wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})


def test_a_repair_that_was_tried_is_preferred_and_says_what_it_is_about(
    wire: Wire, root: Path
) -> None:
    begin(wire, root)
    uri = show(wire, root)

    fix = actions(wire, uri, 0)["Fix: Use the log."]

    assert make_edit(CODE, fix["edit"]) == CODE.replace("print(x)", "log.info(x)")
    assert fix["isPreferred"] is True
    [annotation] = fix["edit"]["changeAnnotations"].values()
    assert annotation == {
        "label": "Fix: Use the log.",
        "needsConfirmation": False,
        "description": "no-print: Use the log, not `print`.",
    }
    assert [each for each in actions(wire, uri, 3) if each.startswith("Fix:")] == []


def test_for_thousands_of_findings_what_does_all_at_once_is_offered_soon(
    wire: Wire, root: Path
) -> None:
    begin(wire, root)
    n_findings = 3_000
    uri = (root / "a.py").as_uri()
    wire.open(uri, "print(1)\n" * n_findings)
    wire.wait_for(
        lambda message: bool((message.get("params") or {}).get("diagnostics")), timeout_s=30
    )
    params = {
        "textDocument": {"uri": uri},
        "range": {
            "start": {"line": 0, "character": 0},
            "end": {"line": n_findings, "character": 0},
        },
        "context": {"diagnostics": [], "triggerKind": 1},
    }

    offered = wire.ask("textDocument/codeAction", params, timeout_s=30)["result"]

    titles = [each["title"] for each in offered]
    assert "Fix all of `no-print` in this file" in titles
    assert "Ignore `no-print` in this file" in titles
    assert not any(title.startswith("Fix: ") for title in titles)


def test_what_repairs_many_is_made_when_its_edit_is_asked_for(wire: Wire, root: Path) -> None:
    assert begin(wire, root)["capabilities"]["codeActionProvider"]["resolveProvider"] is True
    uri = show(wire, root)

    offered = actions(wire, uri, 0)["Fix all of `no-print` in this file"]
    resolved = wire.ask("codeAction/resolve", offered, timeout_s=30)["result"]
    [(_, fix_all)] = actions(wire, uri, 3, only=["source.fixAll"]).items()

    assert "edit" not in offered
    assert make_edit(CODE, resolved["edit"]) == CODE.replace("print", "log.info")
    assert fix_all["kind"] == "source.fixAll.glossator"
    made = wire.ask("codeAction/resolve", fix_all, timeout_s=30)["result"]
    assert make_edit(CODE, made["edit"]) == CODE.replace("print", "log.info")

    replace_text(wire, uri, 2, CODE)
    assert wire.ask("codeAction/resolve", offered, timeout_s=30)["error"]["code"] == -32801


def test_edits_of_a_text_that_changes_meanwhile_are_not_offered(wire: Wire, root: Path) -> None:
    begin(wire, root)
    uri = show(wire, root)
    place = {"line": 2, "character": 4}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": []},
    }

    asked = wire.request("textDocument/codeAction", params)
    replace_text(wire, uri, 2, f"\n{CODE}")

    assert wire.answer(asked, timeout_s=30)["error"]["code"] == -32801


def test_a_client_that_cannot_resolve_gets_the_edit_at_once(wire: Wire, root: Path) -> None:
    code_action = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    plain = {
        "general": {"positionEncodings": ["utf-32"]},
        "workspace": {"workspaceEdit": {"documentChanges": True}},
        "textDocument": {"codeAction": code_action},
    }
    capabilities = begin(wire, root, capabilities=plain)["capabilities"]
    uri = show(wire, root)

    offered = actions(wire, uri, 0)

    assert "resolveProvider" not in capabilities["codeActionProvider"]
    fix_all = offered["Fix all that is sure (Glossator)"]
    assert make_edit(CODE, fix_all["edit"]) == CODE.replace("print", "log.info")
    assert "changeAnnotations" not in offered["Fix: Use the log."]["edit"]
    assert "Show the rule `no-print`" not in offered


@pytest.mark.parametrize(
    ("title", "dismissed"),
    [("在此处忽略 `no-print`", 1), ("在此文件中忽略 `no-print`", 2)],
)
def test_a_finding_is_ignored_by_a_comment(
    wire: Wire, root: Path, title: str, dismissed: int
) -> None:
    begin(wire, root, locale="zh-cn")
    uri = show(wire, root)

    ignore = actions(wire, uri, 2)[title]
    text = make_edit(CODE, ignore["edit"])
    replace_text(wire, uri, 2, text)

    assert ignore["kind"] == "quickfix.glossator.ignore"
    assert "isPreferred" not in ignore
    published(wire, uri, *["no-print"] * (2 - dismissed), "no-old")
    # The code under the comment is another one: the finding is back, and the comment is told.
    replace_text(wire, uri, 3, text.replace("print(2)", "print(3)"))
    if dismissed == 1:
        shown = published(wire, uri, "no-print", "suppression-lapsed", "no-print", "no-old")
        assert "请重新查看" in shown[1]["message"]


def test_a_useless_comment_is_removed_by_its_quick_fix(wire: Wire, root: Path) -> None:
    begin(wire, root)
    text = "y = 1  # glossator: ignore[no-print]\n"
    uri = show(wire, root, codes=("suppression-unused",), text=text)

    offered = actions(wire, uri, 0)

    assert make_edit(text, offered["Remove the dismissal"]["edit"]) == "y = 1\n"
    assert not any("Ignore" in title or "Wrong" in title for title in offered)


def run(wire: Wire, action: dict[str, Any], **extra: Any) -> int:
    command = action["command"]
    argument = {**command["arguments"][0], **extra}
    return wire.command(command["command"], argument)


def test_a_wrong_finding_goes_into_the_baseline_and_is_not_shown_again(
    wire: Wire, root: Path
) -> None:
    begin(wire, root)
    uri = show(wire, root)
    wrong = actions(wire, uri, 2)["Wrong finding: put it into the baseline…"]

    result = wire.answer(run(wire, wrong, reason="一个脚本"), timeout_s=30)["result"]

    assert result == {"baseline": BASELINE, "nAdded": 1, "nRemoved": 0}
    published(wire, uri, "no-print", "no-old")
    [entry] = json.loads((root / BASELINE).read_text(encoding="utf-8"))["findings"]
    assert (entry["kind"], entry["reason"]) == ("wrong", "一个脚本")
    replace_text(wire, uri, 2, f"\n\n{CODE}")
    published(wire, uri, "no-print", "no-old")

    # Another finding is dismissed there, and the entry of code that is gone is taken out.
    replace_text(wire, uri, 3, CODE.replace("    print(2)", "    pass"))
    published(wire, uri, "suppression-lapsed", "no-print", "no-old")
    title = "Remove what is not needed from the baseline"
    place = {"line": 0, "character": 0}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": [], "triggerKind": 1},
    }
    offered = wire.ask("textDocument/codeAction", params, timeout_s=30)["result"]
    [remove] = [each for each in offered if each["title"] == title]
    assert wire.answer(run(wire, remove), timeout_s=30)["result"]["nRemoved"] == 1
    published(wire, uri, "no-print", "no-old")


def test_where_no_comment_can_stand_the_baseline_is_offered(wire: Wire, root: Path) -> None:
    begin(wire, root)
    text = 'y = f"""\n    {print(1)}\n"""\n'
    uri = show(wire, root, codes=("no-print",), text=text)

    place = {"line": 1, "character": 6}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": [], "triggerKind": 1},
    }
    offered = wire.ask("textDocument/codeAction", params, timeout_s=30)["result"]
    titles = [each["title"] for each in offered]

    assert "Ignore `no-print` here (baseline)" in titles
    assert "Ignore `no-print` here" not in titles


def test_a_baseline_that_is_open_is_changed_by_the_editor(wire: Wire, root: Path) -> None:
    begin(wire, root)
    file = root / BASELINE
    file.parent.mkdir()
    before = '{\n  "version": 1,\n  "findings": []\n}\n'
    file.write_text(before, encoding="utf-8")
    wire.open(file.as_uri(), before, language="json")
    uri = show(wire, root)
    wrong = actions(wire, uri, 2)["Wrong finding: put it into the baseline…"]

    request = run(wire, wrong)
    asked = wire.wait_for(lambda message: message.get("method") == "workspace/applyEdit")
    text = make_edit(before, asked["params"]["edit"])
    change = {
        "textDocument": {"uri": file.as_uri(), "version": 2},
        "contentChanges": [{"text": text}],
    }
    wire.notify("textDocument/didChange", change)
    wire.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"applied": True}})

    assert wire.answer(request, timeout_s=30)["result"]["nAdded"] == 1
    published(wire, uri, "no-print", "no-old")
    assert file.read_text(encoding="utf-8") == before


@pytest.mark.parametrize("answer", [{"applied": False}, None])
def test_an_editor_that_does_not_change_it_is_told(
    wire: Wire, root: Path, answer: dict[str, Any] | None
) -> None:
    capabilities = {
        **CAPABILITIES,
        "workspace": {**CAPABILITIES["workspace"], "applyEdit": answer is not None},
    }
    begin(wire, root, capabilities=capabilities)
    (root / ".glossator").mkdir()
    wire.open((root / BASELINE).as_uri(), "", language="json")
    uri = show(wire, root)
    wrong = actions(wire, uri, 2)["Wrong finding: put it into the baseline…"]

    request = run(wire, wrong)
    if answer is not None:
        asked = wire.wait_for(lambda message: message.get("method") == "workspace/applyEdit")
        wire.send({"jsonrpc": "2.0", "id": asked["id"], "result": answer})

    error = wire.answer(request, timeout_s=30)["error"]
    assert error["data"]["code"] == "cannot-dismiss"
    assert BASELINE in error["message"]
    assert not (root / BASELINE).exists()


def test_a_broken_baseline_is_told_and_never_written(wire: Wire, root: Path) -> None:
    begin(wire, root)
    file = root / BASELINE
    file.parent.mkdir()
    file.write_text("<<<<<<< ours\n", encoding="utf-8")
    uri = show(wire, root)
    wrong = actions(wire, uri, 2)["Wrong finding: put it into the baseline…"]

    error = wire.answer(run(wire, wrong), timeout_s=30)["error"]

    assert f"`{BASELINE}:1`" in error["message"]
    assert file.read_text(encoding="utf-8") == "<<<<<<< ours\n"


def test_the_rule_is_shown_where_it_begins(wire: Wire, root: Path) -> None:
    begin(wire, root)
    uri = show(wire, root)

    request = run(wire, actions(wire, uri, 3)["Show the rule `no-old`"])
    asked = wire.wait_for(lambda message: message.get("method") == "window/showDocument")
    wire.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"success": True}})

    assert asked["params"]["uri"] == (root / "knowledge/rules.md").as_uri()
    assert asked["params"]["selection"]["start"] == {"line": 11, "character": 0}
    assert wire.answer(request)["result"] == {"shown": True}


def test_what_is_not_shown_any_more_cannot_be_dismissed(wire: Wire, root: Path) -> None:
    begin(wire, root, locale="zh-cn")
    uri = show(wire, root)
    wrong = actions(wire, uri, 2)["误报：记入基线…"]
    replace_text(wire, uri, 2, "x = 1\n")
    published(wire, uri)

    error = wire.answer(run(wire, wrong), timeout_s=30)["error"]

    assert "已不再显示" in error["message"]
    assert not (root / BASELINE).exists()


def test_what_a_model_wrote_is_confirmed_first_and_called_so(tmp_path: Path) -> None:
    capabilities = {
        **CAPABILITIES,
        "textDocument": {
            "codeAction": {
                **CAPABILITIES["textDocument"]["codeAction"],
                "tagSupport": {"valueSet": [1]},
            }
        },
    }
    uri = (tmp_path / "a.py").as_uri()
    with Wire() as wire:
        wire.initialize(rootUri=tmp_path.as_uri(), capabilities=capabilities)
        wire.open(uri, "x = 12345; bad = 1  # judged\n")
        published(wire, uri, "no-bad")

        offered = actions(wire, uri, 0)

    fix = offered["Fix: This is bad. (written by the model)"]
    assert fix["tags"] == [1]
    assert "isPreferred" not in fix
    [annotation] = fix["edit"]["changeAnnotations"].values()
    assert annotation["needsConfirmation"] is True
    assert not any(title.startswith("Fix all") for title in offered)
