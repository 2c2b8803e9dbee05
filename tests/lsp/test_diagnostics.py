"""Diagnostics as editors expect them: pushed or pulled, in time, for the text that is there."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import ALL_CAPABILITIES, SERVER, Wire

NUMBERS = count(1)
PUBLISH = "textDocument/publishDiagnostics"
REFRESH = "workspace/diagnostic/refresh"
BAD = "def f():\n    bad = 1\n"
RULES = """\
# Rules

- Use the log, not `print`. 用日志，不用 `print`。 {#no-print link=https://example.org/log}

  ```check
  language: python
  message: Use the log.
  tags: [deprecated, unnecessary]
  rule:
    pattern: print($$$)
  ```
"""
# It looks through the whole file for every call in it, for every name in it.
ENDLESS = """
- Slow. {#endless}

  ```check
  language: python
  message: Slow.
  rule:
    kind: identifier
    inside:
      kind: module
      stopBy: end
      has:
        kind: call
        stopBy: end
        has: {kind: call, stopBy: end, has: {regex: "^zzz$", stopBy: end}}
  ```
"""


def with_pull(*, refresh: bool = True, publish: bool = True) -> dict[str, Any]:
    """Return what a client can do that pulls diagnostics."""
    capabilities: dict[str, Any] = deepcopy(dict(ALL_CAPABILITIES))
    capabilities["textDocument"]["diagnostic"] = {"dynamicRegistration": True}
    if refresh:
        capabilities["workspace"]["diagnostics"] = {"refreshSupport": True}
    if not publish:
        del capabilities["textDocument"]["publishDiagnostics"]
    return capabilities


class Editor(Wire):
    """An editor that shows diagnostics, pushed or pulled."""

    def begin(self, *, folder: Path | None = None, **params: Any) -> Mapping[str, Any]:
        settings = params.pop("settings", {})
        result = self.initialize(
            rootUri=folder.as_uri() if folder else None,
            initializationOptions={
                "workspaceTrusted": True,
                "statusNotifications": True,
                "settings": {"knowledge": {"bundled": False}, **settings},
            },
            **params,
        )
        self.answer(self.command("glossator.newSession"), timeout_s=30)
        capabilities: Mapping[str, Any] = result["capabilities"]
        return capabilities

    def change(self, uri: str, version: int, text: str) -> None:
        identifier = {"uri": uri, "version": version}
        changes = [{"text": text}]
        params = {"textDocument": identifier, "contentChanges": changes}
        self.notify("textDocument/didChange", params)

    def save(self, uri: str) -> None:
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def start_pull(self, uri: str, previous: str | None = None) -> int:
        params = {"textDocument": {"uri": uri}, "previousResultId": previous}
        return self.request("textDocument/diagnostic", params)

    def pull(self, uri: str, previous: str | None = None) -> dict[str, Any]:
        answer = self.answer(self.start_pull(uri, previous), timeout_s=30)
        result: dict[str, Any] = answer["result"]
        return result

    def open_and_pull(self, uri: str, text: str) -> dict[str, Any]:
        """Pull as an editor does it that opens a document: before it can be asked to."""
        with self.at_once():
            self.open(uri, text)
            pull = self.start_pull(uri)
        result: dict[str, Any] = self.answer(pull, timeout_s=30)["result"]
        return result

    def pushed(self, uri: str) -> Any:
        """Take the next diagnostics that are pushed for a document."""
        found = self.wait_for(
            lambda message: message.get("method") == PUBLISH and message["params"]["uri"] == uri,
            timeout_s=30,
        )
        self.messages.remove(found)
        return found["params"]

    def has(self, method: str) -> bool:
        return any(message.get("method") == method for message in self.messages)

    def checked(self, uri: str) -> dict[str, Any]:
        """Return what came of the check of a document."""
        answer = self.answer(self.command("glossator.status", {"uri": uri}))
        (found,) = answer["result"]["checks"]
        checked: dict[str, Any] = found
        return checked

    def settle(self, uri: str) -> None:
        """Wait until a document that was opened or saved is checked."""
        self.answer(self.start_pull(uri), timeout_s=30)


def codes(diagnostics: list[dict[str, Any]]) -> list[str]:
    return [each["code"] for each in diagnostics]


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return (tmp_path / f"module_{next(NUMBERS)}.py").as_uri()


@pytest.fixture
def puller(tmp_path: Path) -> Iterator[Editor]:
    with Editor() as editor:
        editor.begin(folder=tmp_path, capabilities=with_pull())
        yield editor


def test_who_can_be_asked_to_pull_again_pulls_and_is_not_pushed_to(
    tmp_path: Path, uri: str
) -> None:
    with Editor() as editor:
        capabilities = editor.begin(folder=tmp_path, capabilities=with_pull())
        report = editor.open_and_pull(uri, BAD)
        again = editor.pull(uri, report["resultId"])

        assert capabilities["diagnosticProvider"]["workspaceDiagnostics"] is False
        assert report["kind"] == "full"
        assert codes(report["items"]) == ["no-bad"]
        assert again == {"kind": "unchanged", "resultId": report["resultId"]}
        assert not editor.has(PUBLISH)
        assert not editor.has(REFRESH)


@pytest.mark.parametrize(
    ("capabilities", "is_pulling"),
    [
        (with_pull(refresh=False), False),
        (with_pull(refresh=False, publish=False), True),
        (with_pull(publish=False), True),
        ({"textDocument": {"diagnostic": None}}, False),
        ({}, False),
    ],
)
def test_a_pull_that_would_show_nothing_of_a_save_is_not_offered(
    capabilities: Any, is_pulling: bool, tmp_path: Path, uri: str
) -> None:
    with Editor() as editor:
        offered = editor.begin(folder=tmp_path, capabilities=capabilities)
        editor.open(uri, BAD)
        editor.settle(uri)

        assert ("diagnosticProvider" in offered) is is_pulling
        assert editor.has(PUBLISH) is not is_pulling


def test_a_save_that_changes_what_is_found_asks_to_pull_again(puller: Editor, uri: str) -> None:
    puller.open(uri, BAD)
    before = puller.pull(uri)
    puller.change(uri, 2, "fine = 1\n")
    puller.save(uri)

    puller.notification(REFRESH)
    after = puller.pull(uri, before["resultId"])

    assert after["items"] == []
    puller.save(uri)
    assert puller.pull(uri, after["resultId"])["kind"] == "unchanged"


def test_an_editor_that_pulls_as_it_saves_is_not_asked_to(puller: Editor, uri: str) -> None:
    before = puller.open_and_pull(uri, BAD)
    with puller.at_once():
        puller.change(uri, 2, "bad\n" + BAD)
        puller.save(uri)
        pull = puller.start_pull(uri, before["resultId"])
    after = puller.answer(pull, timeout_s=30)["result"]
    puller.open_and_pull(uri.replace(".py", "_other.py"), BAD)

    assert codes(after["items"]) == ["no-bad", "no-bad"]
    assert not puller.has(REFRESH)


def test_what_is_typed_leaves_the_findings_where_the_editor_has_moved_them(
    puller: Editor, uri: str
) -> None:
    puller.open(uri, BAD)
    report = puller.pull(uri)

    puller.change(uri, 2, "\n" + BAD)

    assert puller.pull(uri, report["resultId"])["kind"] == "unchanged"


def test_who_has_nothing_gets_findings_of_the_text_as_it_is(puller: Editor, uri: str) -> None:
    puller.open(uri, BAD)
    puller.pull(uri)

    puller.change(uri, 2, "\n" + BAD)

    (item,) = puller.pull(uri)["items"]
    assert item["range"]["start"]["line"] == 2


def test_who_asks_before_a_check_of_changed_text_has_ended_is_to_ask_again(
    puller: Editor, uri: str
) -> None:
    with puller.at_once():
        puller.open(uri, "# slow-check\nbad\n")
        pull = puller.start_pull(uri)
        puller.change(uri, 2, "# slow-check\n\nbad\n")

    error = puller.answer(pull)["error"]

    assert error["code"] == -32802
    assert error["data"] == {"retriggerRequest": True}
    (item,) = puller.pull(uri)["items"]
    assert item["range"]["start"]["line"] == 2


def test_nothing_is_known_of_what_is_not_open_or_no_file(puller: Editor, uri: str) -> None:
    puller.open("untitled:one", BAD)

    assert puller.pull(uri) == {"kind": "full", "items": []}
    assert puller.pull("untitled:one") == {"kind": "full", "items": []}


@pytest.mark.parametrize("is_pulling", [True, False])
def test_while_typing_the_last_version_is_checked_after_a_pause(
    is_pulling: bool, tmp_path: Path, uri: str
) -> None:
    with Editor() as editor:
        capabilities = with_pull() if is_pulling else ALL_CAPABILITIES
        settings = {"check": {"onType": True}}
        editor.begin(folder=tmp_path, capabilities=capabilities, settings=settings)
        editor.open(uri, "fine\n")
        editor.settle(uri)

        with editor.at_once():
            for version in range(2, 30):
                editor.change(uri, version, "bad\n" * version)

        assert len(editor.pull(uri)["items"]) == 29
        if not is_pulling:
            versions = [editor.pushed(uri)["version"], editor.pushed(uri)["version"]]
            assert versions == [1, 29]
            assert not editor.has(PUBLISH)


def test_a_folder_that_is_removed_takes_its_findings_with_it(tmp_path: Path) -> None:
    document = (tmp_path / "a.py").as_uri()
    folder = {"uri": tmp_path.as_uri(), "name": "work"}
    with Editor() as editor:
        editor.begin(capabilities=with_pull(), workspaceFolders=[folder])
        editor.open(document, BAD)
        before = editor.pull(document)

        event = {"event": {"added": [], "removed": [folder]}}
        editor.notify("workspace/didChangeWorkspaceFolders", event)
        editor.notification(REFRESH)

        assert editor.pull(document, before["resultId"])["items"] == []
        assert editor.checked(document)["reasonCode"] == "outside"

        event = {"event": {"added": [folder], "removed": []}}
        editor.notify("workspace/didChangeWorkspaceFolders", event)

        assert len(editor.pull(document)["items"]) == len(before["items"])


def test_turning_all_checks_off_takes_the_findings_away(tmp_path: Path, uri: str) -> None:
    capabilities: dict[str, Any] = deepcopy(dict(ALL_CAPABILITIES))
    capabilities["workspace"]["configuration"] = False
    with Editor() as editor:
        editor.begin(folder=tmp_path, capabilities=capabilities)
        editor.open(uri, BAD)
        assert editor.pushed(uri)["diagnostics"]

        off = {"check": {"onOpen": False, "onSave": False}}
        editor.notify("workspace/didChangeConfiguration", {"settings": {"glossator": off}})

        assert editor.pushed(uri)["diagnostics"] == []
        assert editor.checked(uri)["reason"] == "`check.onSave` is switched off"
        on = {"check": {"onOpen": True, "onSave": True}}
        editor.notify("workspace/didChangeConfiguration", {"settings": {"glossator": on}})
        assert editor.pushed(uri)["diagnostics"]


def test_a_shutdown_leaves_nothing_shown(tmp_path: Path, uri: str) -> None:
    with Editor() as editor:
        editor.begin(folder=tmp_path)
        editor.open(uri, BAD)
        assert editor.pushed(uri)["diagnostics"]

        editor.ask("shutdown", None)

        assert editor.pushed(uri)["diagnostics"] == []
        assert not editor.has(PUBLISH)


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("en", "7 more findings are not shown; `glossator check {}` lists all."),
        ("zh-cn", "另有 7 处问题未显示；用 `glossator check {}` 可列出全部。"),
    ],
)
def test_more_findings_than_anybody_reads_are_counted(
    locale: str, told: str, tmp_path: Path, uri: str
) -> None:
    settings = {"check": {"maxFindings": 3}}
    with Editor() as editor:
        editor.begin(folder=tmp_path, settings=settings, locale=locale)
        editor.open(uri, "bad\n" * 10)

        *shown, more = editor.pushed(uri)["diagnostics"]

        assert [each["range"]["start"]["line"] for each in shown] == [0, 1, 2]
        assert (more["severity"], more["range"]["end"]) == (3, {"line": 0, "character": 0})
        assert more["message"] == told.format(uri.rpartition("/")[2])
        assert editor.checked(uri)["nFindings"] == 10


def test_who_saves_does_not_wait_for_what_is_opened_all_at_once(tmp_path: Path, uri: str) -> None:
    with Editor() as editor:
        editor.begin(folder=tmp_path)
        editor.open(uri, "fine\n")
        editor.pushed(uri)
        opened = [uri.replace(".py", f"_{number}.py") for number in range(12)]
        for each in opened:
            editor.open(each, "# slow-check\nbad\n")
        editor.change(uri, 2, BAD)
        editor.save(uri)

        assert codes(editor.pushed(uri)["diagnostics"]) == ["no-bad"]
        published = [
            message["params"]["uri"]
            for message in editor.messages
            if message.get("method") == PUBLISH
        ]
        assert len(published) < len(opened)
        assert all(editor.pushed(each)["diagnostics"] for each in opened)


def test_the_outcome_of_each_check_is_told(tmp_path: Path, uri: str) -> None:
    with Editor() as editor:
        editor.begin(folder=tmp_path)
        clean, large = uri.replace(".py", "_clean.py"), uri.replace(".py", "_large.py")
        editor.open(uri, BAD)
        editor.open(clean, "fine\n")
        editor.open(large, "too-large\n")
        editor.open("untitled:two", BAD)
        editor.open("vscode-notebook-cell:/a.ipynb#1", BAD)
        for each in (uri, clean, large):
            editor.settle(each)

        outcomes = {each: editor.checked(each) for each in (uri, clean, large)}

        assert {each: told["outcome"] for each, told in outcomes.items()} == {
            uri: "findings", clean: "clean", large: "not-checked",
        }  # fmt: skip
        assert (outcomes[uri]["nFindings"], outcomes[uri]["nRules"]) == (1, 1)
        assert outcomes[large]["reasonCode"] == "too-large"
        assert editor.checked("untitled:two")["reasonCode"] == "no-file"
        cell = editor.checked("vscode-notebook-cell:/a.ipynb#1")
        assert cell["reason"] == "cells of notebooks are not checked"
        editor.wait_for(
            lambda message: (
                message.get("method") == "glossator/statusChanged"
                and uri in [check["uri"] for check in message["params"]["checks"]]
            )
        )
        editor.close(uri)
        status = editor.answer(editor.command("glossator.status"))["result"]
        assert uri not in [check["uri"] for check in status["checks"]]


def test_an_occasion_that_is_switched_off_is_said(tmp_path: Path, uri: str) -> None:
    with Editor() as editor:
        editor.begin(folder=tmp_path, settings={"check": {"onOpen": False}})
        editor.open(uri, BAD)
        editor.settle(uri)

        assert editor.checked(uri)["reason"] == "`check.onOpen` is switched off"
        editor.save(uri)
        assert editor.pushed(uri)["diagnostics"]
        assert editor.checked(uri)["outcome"] == "findings"


# With the real application


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Editor]:
    environ = {"XDG_STATE_HOME": str(tmp_path / "state"), "OPENAI_API_KEY": ""}
    with Editor(SERVER, env=environ) as editor:
        yield editor


def write_rules(folder: Path, text: str) -> Path:
    path = folder / "knowledge" / "rules.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_finding_says_all_that_its_rule_says(real: Editor, tmp_path: Path) -> None:
    root = tmp_path / "工作区"
    rules = write_rules(root, RULES)
    capabilities: dict[str, Any] = deepcopy(dict(ALL_CAPABILITIES))
    tags = {"tagSupport": {"valueSet": [1]}}
    capabilities["textDocument"]["publishDiagnostics"].update(tags)
    real.begin(folder=root, capabilities=capabilities, locale="zh-cn")
    uri = (root / "a.py").as_uri()
    real.open(uri, "print('🙂')\n")

    (found,) = real.pushed(uri)["diagnostics"]

    assert found["tags"] == [1]
    assert found["codeDescription"] == {"href": "https://example.org/log"}
    (related,) = found["relatedInformation"]
    assert related["location"]["uri"] == rules.as_uri()
    assert related["location"]["range"]["start"] == {"line": 2, "character": 0}
    assert related["message"] == "规则：Use the log, not `print`. 用日志，不用 `print`。"


def test_rules_that_change_are_pulled_again(real: Editor, tmp_path: Path) -> None:
    write_rules(tmp_path, RULES)
    real.begin(folder=tmp_path, capabilities=with_pull())
    uri = (tmp_path / "a.py").as_uri()
    real.open(uri, "print(1)\n")
    before = real.pull(uri)
    assert codes(before["items"]) == ["no-print"]
    rules = write_rules(tmp_path, RULES.replace("print($$$)", "write($$$)"))

    changes = [{"uri": rules.as_uri(), "type": 2}]
    real.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    real.notification(REFRESH, timeout_s=30)

    assert real.pull(uri, before["resultId"])["items"] == []


def test_a_document_is_checked_by_the_rules_of_its_folder(real: Editor, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    write_rules(folders[0], RULES)
    write_rules(folders[1], RULES.replace("no-print", "no-write").replace("print(", "write("))
    shown = [{"uri": each.as_uri(), "name": each.name} for each in folders]
    real.begin(workspaceFolders=shown, settings={"knowledge": {"bundled": False}})
    uris = [(each / "a.py").as_uri() for each in folders]

    for each in uris:
        real.open(each, "print(1)\nwrite(1)\n")

    found = [codes(real.pushed(each)["diagnostics"]) for each in uris]
    assert found == [["no-print"], ["no-write"]]


def test_a_rule_that_takes_forever_for_one_file_holds_up_no_other(
    real: Editor, tmp_path: Path
) -> None:
    write_rules(tmp_path, f"{RULES}{ENDLESS}")
    real.begin(folder=tmp_path)
    quick, endless = ((tmp_path / name).as_uri() for name in ("quick.py", "endless.py"))
    real.open(quick, "print(1)\n")
    real.pushed(quick)

    real.open(endless, "zzz = 1\n" + "x = f(g(h(1)))\n" * 3_000)
    real.change(quick, 2, "print(1)\nprint(2)\n")
    real.save(quick)

    assert codes(real.pushed(quick)["diagnostics"]) == ["no-print", "no-print"]
    assert real.ask("shutdown", None)["result"] is None
    real.notify("exit", None)
    assert real.exit_code() == 0
