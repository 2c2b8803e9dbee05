"""What a model finds in what was saved, as the editor sees it: joined, in time, or not at all."""

import asyncio
import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from lsp.test_diagnostics import Editor, codes, with_pull, write_rules
from lsp.wire import ALL_CAPABILITIES, SERVER
from provider.server import Provider, Reply, say
from rule_texts import LOG_ERRORS, claim_swallowed

SAVED = """\
def show(path):
    print(path)


def load(path):
    try:
        return read(path)
    except OSError:
        return None
"""
OPENED = SAVED.replace("None", "path")
CLAIM = claim_swallowed(8)
CLAIMS = say(json.dumps({"findings": [CLAIM]}))
NOTHING = say(json.dumps({"findings": []}))
CONFIRM = say(json.dumps({"verdicts": [{"claim": 1, "holds": True}]}))


def held(reply: Reply, name: str) -> Reply:
    """Return a reply that comes when it is released."""
    return Reply((("hold", name), *reply.steps), close=reply.close)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


@pytest.fixture
def editor(tmp_path: Path, provider: Provider) -> Iterator[Editor]:
    environ = {
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "OPENAI_API_KEY": "key",
        "OPENAI_BASE_URL": provider.base_url,
        "MODEL": "tiny",
    }
    write_rules(tmp_path / "work", LOG_ERRORS)
    with Editor(SERVER, env=environ) as editor:
        yield editor


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return (tmp_path / "work" / "a.py").as_uri()


def open_then_save(editor: Editor, uri: str, **begin: Any) -> None:
    """Open a document, change what a model has to say of it, and save it."""
    editor.begin(**begin)
    editor.open(uri, OPENED)
    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print"]
    editor.change(uri, 2, SAVED)
    editor.save(uri)


def test_what_a_model_finds_joins_what_the_checks_have_found(
    editor: Editor, provider: Provider, uri: str, tmp_path: Path
) -> None:
    provider.script(held(CLAIMS, "found"), CONFIRM)
    open_then_save(editor, uri, folder=tmp_path / "work")

    at_once = editor.pushed(uri)
    provider.release("found")
    joined = editor.pushed(uri)

    assert (at_once["version"], codes(at_once["diagnostics"])) == (2, ["no-print"])
    assert (joined["version"], codes(joined["diagnostics"])) == (2, ["no-print", "log-errors"])
    assert joined["diagnostics"][1]["range"]["start"] == {"line": 7, "character": 4}
    checked = editor.checked(uri)
    assert (checked["nRules"], checked["nJudged"], checked["skipped"]) == (1, 1, [])
    sent = "".join(each["content"] for each in provider.requests()[0].body["messages"])
    assert "def load" in sent
    assert "def show" not in sent


def test_what_a_model_finds_is_pulled_when_it_is_known(
    editor: Editor, provider: Provider, uri: str, tmp_path: Path
) -> None:
    provider.script(CLAIMS, CONFIRM)
    editor.begin(folder=tmp_path / "work", capabilities=with_pull())
    editor.open(uri, OPENED)
    before = editor.pull(uri)
    editor.change(uri, 2, SAVED)
    editor.save(uri)
    saved = editor.pull(uri, before["resultId"])

    editor.notification("workspace/diagnostic/refresh", timeout_s=30)
    judged = editor.pull(uri, saved["resultId"])

    assert codes(saved["items"]) == ["no-print"]
    assert codes(judged["items"]) == ["no-print", "log-errors"]


def test_nothing_is_judged_that_has_not_changed(
    editor: Editor, provider: Provider, uri: str, tmp_path: Path
) -> None:
    editor.begin(folder=tmp_path / "work")
    editor.open(uri, SAVED)
    editor.pushed(uri)

    editor.save(uri)
    editor.settle(uri)

    assert editor.checked(uri)["skipped"] == [
        {"ruleIds": ["log-errors"], "reasonCode": "on-save",
         "reason": "a model judges code that has changed when it is saved"}
    ]  # fmt: skip
    assert provider.requests() == []


def test_what_is_saved_anew_after_its_file_was_deleted_is_judged_from_then_on(
    editor: Editor, provider: Provider, uri: str, tmp_path: Path
) -> None:
    provider.script(CLAIMS, CONFIRM)
    editor.begin(folder=tmp_path / "work")
    editor.open(uri, OPENED)
    editor.pushed(uri)
    editor.notify("workspace/didDeleteFiles", {"files": [{"uri": uri}]})
    assert editor.pushed(uri)["diagnostics"] == []
    editor.save(uri)
    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print"]

    editor.change(uri, 2, SAVED)
    editor.save(uri)

    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print"]
    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print", "log-errors"]


async def test_a_document_that_is_closed_is_judged_no_more(
    editor: Editor, provider: Provider, uri: str, tmp_path: Path
) -> None:
    provider.script(held(CLAIMS, "never"))
    await asyncio.to_thread(open_then_save, editor, uri, folder=tmp_path / "work")
    async with asyncio.timeout(30):
        await provider.wait_for_requests()
        assert editor.checked(uri)["isJudging"] is True

        editor.close(uri)

        await provider.wait_for_leaving()
    assert editor.pushed(uri)["diagnostics"]
    assert editor.pushed(uri)["diagnostics"] == []


async def test_the_last_save_is_the_one_that_is_judged(
    editor: Editor, provider: Provider, uri: str, tmp_path: Path
) -> None:
    provider.script(held(CLAIMS, "never"), CLAIMS, CONFIRM)
    await asyncio.to_thread(open_then_save, editor, uri, folder=tmp_path / "work")
    async with asyncio.timeout(30):
        await provider.wait_for_requests()

        editor.change(uri, 3, "\n" + SAVED)
        editor.save(uri)

        await provider.wait_for_leaving()
    shown = [editor.pushed(uri) for _ in range(3)]
    assert [each["version"] for each in shown] == [2, 3, 3]
    assert [codes(each["diagnostics"]) for each in shown][1:] == [
        ["no-print"], ["no-print", "log-errors"],
    ]  # fmt: skip


async def test_what_was_found_in_a_text_that_has_changed_is_not_shown(
    editor: Editor, provider: Provider, uri: str, tmp_path: Path
) -> None:
    provider.script(held(CLAIMS, "late"), CONFIRM)
    await asyncio.to_thread(open_then_save, editor, uri, folder=tmp_path / "work")
    editor.pushed(uri)
    async with asyncio.timeout(30):
        await provider.wait_for_requests()
    editor.change(uri, 3, "\n" + SAVED)

    provider.release("late")

    def is_stale(message: dict[str, Any]) -> bool:
        if message.get("method") != "glossator/statusChanged":
            return False
        skipped = [each for check in message["params"]["checks"] for each in check["skipped"]]
        return "stale" in [each["reasonCode"] for each in skipped]

    editor.wait_for(is_stale, timeout_s=30)
    assert not editor.has("textDocument/publishDiagnostics")
    # What was learnt is known at the next save: nobody is asked again.
    editor.save(uri)
    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print"]
    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print", "log-errors"]
    assert len(provider.requests()) == 2


def test_what_was_found_stays_while_its_lines_stand(
    editor: Editor, provider: Provider, uri: str, tmp_path: Path
) -> None:
    provider.script(CLAIMS, CONFIRM, held(NOTHING, "second"))
    open_then_save(editor, uri, folder=tmp_path / "work")
    editor.pushed(uri)
    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print", "log-errors"]

    editor.change(uri, 3, SAVED.replace("print(path)", "log(path)\n    log(path)"))
    editor.save(uri)

    (kept,) = editor.pushed(uri)["diagnostics"]
    assert (kept["code"], kept["range"]["start"]["line"]) == ("log-errors", 8)
    provider.release("second")
    editor.change(uri, 4, SAVED.replace("except OSError", "except Exception"))
    editor.save(uri)
    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print"]


def test_a_check_of_one_document_lets_the_model_judge_all_of_it(
    editor: Editor, provider: Provider, uri: str, tmp_path: Path
) -> None:
    provider.script(CLAIMS, CONFIRM)
    capabilities: dict[str, Any] = deepcopy(dict(ALL_CAPABILITIES))
    editor.begin(folder=tmp_path / "work", capabilities=capabilities)
    editor.open(uri, SAVED)
    editor.pushed(uri)

    answer = editor.answer(editor.command("glossator.check", {"uri": uri}), timeout_s=30)

    (document,) = answer["result"]["documents"]
    assert (document["nFindings"], document["nJudged"]) == (2, 1)
    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print", "log-errors"]
    # It stays judged as a whole: a save asks about what is new only.
    editor.change(uri, 2, "\n" + SAVED)
    editor.save(uri)
    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print", "log-errors"]
    assert len(provider.requests()) == 2


def test_what_a_model_has_found_is_there_again_when_the_document_is_opened_once_more(
    editor: Editor, provider: Provider, uri: str, tmp_path: Path
) -> None:
    provider.script(CLAIMS, CONFIRM)
    open_then_save(editor, uri, folder=tmp_path / "work")
    editor.pushed(uri)
    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print", "log-errors"]
    editor.close(uri)
    assert editor.pushed(uri)["diagnostics"] == []

    editor.open(uri, SAVED)

    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print", "log-errors"]
    assert len(provider.requests()) == 2


def test_of_a_document_that_is_another_one_by_then_nothing_is_known(
    editor: Editor, provider: Provider, uri: str, tmp_path: Path
) -> None:
    provider.script(CLAIMS, CONFIRM)
    open_then_save(editor, uri, folder=tmp_path / "work")
    editor.pushed(uri)
    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print", "log-errors"]
    editor.close(uri)
    editor.pushed(uri)

    editor.open(uri, OPENED)

    assert codes(editor.pushed(uri)["diagnostics"]) == ["no-print"]
    editor.settle(uri)
    assert len(provider.requests()) == 2
