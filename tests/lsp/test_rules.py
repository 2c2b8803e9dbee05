"""A rule in an open rule file, with the real server: a check is written for it, proven, offered."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import SERVER, Wire
from provider.server import Provider, say
from rule_texts import DRAFTED_CHECK

RULES = "# 规则\n\n- 用日志，不用 `print`。 {#use-log}\n- Names are clear. {#names .prose}\n"
TITLE = "Write a check for this rule…"
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}},
    },
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "publishDiagnostics": {"versionSupport": True},
    },
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "工作区"
    (root / "knowledge").mkdir(parents=True)
    (root / "knowledge/rules.md").write_text(RULES, encoding="utf-8")
    (root / "a.py").write_text("print(1)\n", encoding="utf-8")
    return root


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        running.answer_always(say(DRAFTED_CHECK))
        yield running


@pytest.fixture
def wire(tmp_path: Path, provider: Provider) -> Iterator[Wire]:
    environ = {
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": provider.base_url,
        "MODEL": "scripted",
    }
    with Wire(SERVER, env=environ, answers=False) as wire:
        yield wire


def begin(wire: Wire, root: Path, locale: str = "en") -> str:
    wire.initialize(
        workspaceFolders=[{"uri": root.as_uri(), "name": "w"}],
        locale=locale,
        capabilities=CAPABILITIES,
        initializationOptions={
            "workspaceTrusted": True,
            "settings": {"knowledge": {"bundled": False}},
        },
    )
    uri = (root / "knowledge/rules.md").as_uri()
    wire.open(uri, RULES, language="markdown")
    return uri


def titles(wire: Wire, uri: str, line: int, **context: Any) -> list[str]:
    place = {"line": line, "character": 2}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": [], **context},
    }
    found = wire.ask("textDocument/codeAction", params, timeout_s=30)["result"]
    return [each["title"] for each in found if each["kind"] == "refactor.rewrite.glossator"]


def test_a_check_is_offered_for_rules_only_and_not_unasked(wire: Wire, root: Path) -> None:
    uri = begin(wire, root)

    assert titles(wire, uri, 2, triggerKind=1) == [TITLE]
    assert titles(wire, uri, 3, only=["refactor.rewrite"]) == [TITLE]
    assert titles(wire, uri, 0, triggerKind=1) == []
    assert titles(wire, uri, 2, triggerKind=2) == []
    assert titles(wire, uri, 2, only=["quickfix"]) == []


def test_the_editor_shows_the_proven_check_as_an_edit_to_be_confirmed(
    wire: Wire, root: Path
) -> None:
    uri = begin(wire, root, locale="zh-cn")
    assert titles(wire, uri, 2, triggerKind=1) == ["为这条规则编写检查…"]

    command = wire.command("glossator.compileRule", {"uri": uri, "rule": "use-log"})
    asked = wire.wait_for(lambda m: m.get("method") == "workspace/applyEdit", timeout_s=30)
    wire.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"applied": True}})
    result = wire.answer(command, timeout_s=30)["result"]

    (change,) = asked["params"]["edit"]["documentChanges"]
    ((told,),) = (change["edits"],)
    assert change["textDocument"] == {"uri": uri, "version": 1}
    assert told["range"] == {
        "start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 0},
    }  # fmt: skip
    assert "  rule: {pattern: print($$$A)}\n" in told["newText"]
    (annotation,) = asked["params"]["edit"]["changeAnnotations"].values()
    assert annotation["needsConfirmation"] is True
    assert annotation["description"] == "在 1 个文件中的 1 个里发现 1 处"
    assert (result["outcome"], result["applied"], result["nFindings"]) == ("compiled", True, 1)
    assert (root / "knowledge/rules.md").read_text(encoding="utf-8") == RULES


def test_without_being_applied_the_result_has_the_edit(wire: Wire, root: Path) -> None:
    uri = begin(wire, root)

    command = wire.command("glossator.compileRule", {"uri": uri, "rule": "use-log", "apply": False})
    result = wire.answer(command, timeout_s=30)["result"]

    assert result["applied"] is False
    assert [each["newText"].count("```") for each in result["edits"]] == [6]
    assert "+  rule: {pattern: print($$$A)}" in result["diff"]


def test_that_no_check_stood_its_proof_is_told_with_what_was_wrong(
    wire: Wire, root: Path, provider: Provider
) -> None:
    provider.answer_always(say(DRAFTED_CHECK.replace("log.info(1)", "print(2)")))
    uri = begin(wire, root)

    command = wire.command("glossator.compileRule", {"uri": uri, "rule": "use-log"})
    told = wire.notification("window/showMessage", timeout_s=30)
    result = wire.answer(command, timeout_s=30)["result"]

    assert "No check stood its proof in 2 attempts" in told["message"]
    assert "flags this good example" in told["message"]
    assert (result["outcome"], result["edits"], result["applied"]) == ("unproven", [], False)


@pytest.mark.parametrize("name", ["knowledge/rules.md", "AGENTS.md"])
def test_a_rule_that_fails_its_example_is_shown_in_its_file(
    wire: Wire, root: Path, name: str
) -> None:
    (root / "knowledge/rules.md").unlink()
    (root / name).write_text(RULES, encoding="utf-8")
    begin(wire, root)
    uri = (root / name).as_uri()
    wire.open(uri, RULES, language="markdown")
    text = (
        f"{RULES}- Never eval. {{#no-eval severty=error}}\n\n"
        "  ```check\n  language: python\n  rule: {pattern: eval($A)}\n  ```\n\n"
        "  ```python bad\n  evil(x)\n  ```\n"
    )
    document = {"uri": uri, "version": 2}
    changes = [{"text": text}]
    wire.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
    wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def fits(message: dict[str, Any]) -> bool:
        params = message.get("params") or {}
        return (
            message.get("method") == "textDocument/publishDiagnostics"
            and params["uri"] == uri
            and params.get("version") == 2
        )

    found = wire.wait_for(fits, timeout_s=30)["params"]["diagnostics"]

    assert [(each["range"]["start"]["line"], each["code"]) for each in found] == [
        (4, "lint/broken-rule"), (12, "lint/failing-example"),
    ]  # fmt: skip
