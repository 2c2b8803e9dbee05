"""Every command and code action as each editor sees it, over a real process."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient, client_capabilities

from lsp.clients import PROFILES, EditorClient, config

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT = '''"""中文😀"""

def greet(name):
    return "😀" + bad(name)

x = 1
'''


@pytest_lsp.fixture(config=config(), params=PROFILES, scope="module")
async def editor(
    lsp_client: LanguageClient, request: pytest.FixtureRequest, tmp_path_factory: Any
) -> AsyncIterator[None]:
    folder: Path = tmp_path_factory.mktemp("workspace")
    capabilities = client_capabilities(request.param)
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities,
            workspace_folders=[types.WorkspaceFolder(folder.as_uri(), "workspace")],
            initialization_options={"clientShowsAnswers": True},
        )
    )
    lsp_client.folder = folder  # type: ignore[attr-defined]  # the tests' own
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def uri(editor: EditorClient) -> str:
    """Open a document and return its URI."""
    path: Path = editor.folder / "greeting.py"
    open_text(editor, path.as_uri(), TEXT)
    return path.as_uri()


def open_text(editor: EditorClient, uri: str, text: str, language: str = "python") -> None:
    editor.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, 1, text))
    )


async def run(
    editor: EditorClient, command: str, argument: dict[str, Any] | None = None, **params: Any
) -> Any:
    async with asyncio.timeout(10):
        return await editor.workspace_execute_command_async(
            types.ExecuteCommandParams(command, [argument or {}], **params)
        )


def where(editor: EditorClient, line: int, before: str) -> dict[str, int]:
    """Return the position before a text on a line, in the negotiated encoding."""
    head = TEXT.split("\n")[line].partition(before)[0]
    is_utf_8 = "utf-8" in (getattr(editor.capabilities.general, "position_encodings", None) or [])
    units = len(head.encode()) if is_utf_8 else len(head.encode("utf-16-le")) // 2
    return {"line": line, "character": units}


async def code_actions(
    editor: EditorClient,
    uri: str,
    line: int,
    *,
    only: list[str] | None = None,
    trigger: types.CodeActionTriggerKind | None = None,
) -> list[Any]:
    place = types.Position(line, 4)
    async with asyncio.timeout(10):
        found = await editor.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri),
                types.Range(place, place),
                types.CodeActionContext([], only=only, trigger_kind=trigger),
            )
        )
    return list(found or [])


async def test_explain_counts_columns_as_the_editor_does(editor: EditorClient, uri: str) -> None:
    argument = {"uri": uri, "position": where(editor, 3, "bad")}

    result = await run(editor, "glossator.explain", argument, work_done_token="explain-1")

    assert result["markdown"] == 'at `    return "😀" + |bad(name)`'
    assert result["uri"] == uri
    assert result["version"] == 1
    assert result["function"]["name"] == "greet"
    assert result["function"]["range"]["end"] == where(editor, 3, "never")
    assert result["citations"][0]["uri"] == uri
    assert result["citations"][1]["uri"] is None
    assert result["citations"][1]["reason"] == "there is no such file"
    kinds = [report.kind for report in editor.progress_reports["explain-1"]]
    assert kinds[0] == "begin"
    assert kinds[-1] == "end"


async def test_a_call_chain_is_a_tree(editor: EditorClient, uri: str) -> None:
    argument = {"uri": uri, "position": where(editor, 3, "bad"), "depth": 3}

    result = await run(editor, "glossator.callChain", argument)

    assert result["markdown"] == "chain of depth 3"
    assert result["root"]["uri"] == uri
    assert result["root"]["resolved"] is True
    assert result["root"]["range"]["end"] == where(editor, 3, "never")
    assert result["root"]["children"][0]["resolved"] is False


async def test_a_question_streams_its_events(editor: EditorClient) -> None:
    argument = {"question": "stream and think", "partialResultToken": "ask-1"}

    result = await run(editor, "glossator.ask", argument)

    events = editor.partial_results.pop("ask-1")
    text = "".join(event["text"] for event in events if event["type"] == "textArrived")
    assert result["markdown"] == "echo stream and think"
    assert text == "".join(f"字{number} " for number in range(200))
    assert [event["type"] for event in events if event["type"] != "textArrived"] == [
        "turnStarted", "stepStarted", "knowledgeFound", "roundStarted", "reasoningArrived",
        "waitingForModel", "toolStarted", "toolFinished", "roundEnded", "answerVerified",
        "turnEnded", "briefingReady",
    ]  # fmt: skip
    assert events[-1]["type"] == "briefingReady"


async def test_an_analysis_comes_with_its_parts(editor: EditorClient) -> None:
    argument = {"task": "package", "path": "/code/a", "question": "what?", "sessionId": "s9"}

    result = await run(editor, "glossator.analyze", argument)

    [part] = result.pop("parts")
    [citation] = part.pop("citations")
    assert result.pop("citations") == [citation]
    assert citation["text"] == "a.py:1"
    assert part == {
        "title": "`a/`",
        "paths": ["a/a.py"],
        "markdown": "See a.py:1.",
        "stopReason": "answered",
        "usage": {"promptTokens": 1, "completionTokens": 0, "cachedTokens": 0},
    }
    assert result == {
        "sessionId": "s9",
        "title": "package /code/a",
        "markdown": "All of it.",
        "byModel": True,
        "notice": "",
        "stopReason": "answered",
        "usage": {"promptTokens": 1, "completionTokens": 2, "cachedTokens": 3},
        "number": None,
    }


async def test_what_helpers_do_comes_inside_events_of_their_own(editor: EditorClient) -> None:
    argument = {"task": "change", "question": "help", "partialResultToken": "help-1"}

    await run(editor, "glossator.analyze", argument)

    events = editor.partial_results.pop("help-1")[2:-1]
    assert events[0] == {
        "type": "planChanged",
        "steps": [{"text": "Read", "state": "done"}, {"text": "读", "state": "active"}],
    }
    assert events[1] == {"type": "helperStarted", "helperId": "h1", "task": "look at h1"}
    acted = [event for event in events if event["type"] == "helperActed"]
    assert [(event["helperId"], event["event"]["type"]) for event in acted] == [
        (helper, kind)
        for helper in ("h1", "h2")
        for kind in ("roundStarted", "toolStarted", "toolFinished")
    ]
    assert acted[2]["event"]["result"] == "1 a"
    assert events[-1] == {
        "type": "helperEnded",
        "helperId": "h2",
        "stopReason": "answered",
        "result": "Found.",
        "usage": {"promptTokens": 1, "completionTokens": 2, "cachedTokens": 3},
        "durationMs": 500,
    }


@pytest.mark.parametrize("argument", [{}, {"task": "everything"}, {"task": 1}])
async def test_a_task_that_is_none_is_refused_by_name(
    editor: EditorClient, argument: dict[str, Any]
) -> None:
    with pytest.raises(JsonRpcException, match="`task`"):
        await run(editor, "glossator.analyze", argument)


async def test_a_refusal_says_why(editor: EditorClient) -> None:
    result = await run(editor, "glossator.ask", {"question": "refuse this"})

    assert result["refused"] == {
        "reason": "nothing-close", "message": "Nothing fits.", "nearest": [],
    }  # fmt: skip


async def test_a_session_begins(editor: EditorClient) -> None:
    assert await run(editor, "glossator.newSession") == {"sessionId": "s2"}


async def test_sessions_are_listed_with_what_was_asked_last(editor: EditorClient) -> None:
    result = await run(editor, "glossator.listSessions", {"query": "重试"})

    assert result == {
        "sessions": [
            {
                "sessionId": "s1",
                "title": "about 重试",
                "nTurns": 2,
                "updatedAt": "2026-09-21T14:13:20.250+00:00",
                "lastQuestion": "为什么？",
            }
        ]
    }


async def test_a_session_is_read_as_it_was_shown(editor: EditorClient) -> None:
    result = await run(editor, "glossator.readSession", {"sessionId": "s1"})

    [turn] = result["turns"]
    [citation] = turn.pop("citations")
    assert (result["sessionId"], result["title"]) == ("s1", "Reasons")
    assert turn == {
        "question": "Why?",
        "attachments": [],
        "markdown": "Because.",
        "byModel": True,
        "stopReason": "answered",
        "usage": {"promptTokens": 1, "completionTokens": 2, "cachedTokens": 3},
        "finishedAt": "2026-09-21T14:13:20.250+00:00",
    }
    assert (citation["text"], citation["firstLine"], citation["verdict"]) == ("a.py:1", 1, "exact")


async def test_a_session_is_renamed_exported_and_deleted(editor: EditorClient) -> None:
    session = {"sessionId": "s1"}

    renamed = await run(editor, "glossator.renameSession", session | {"title": "new"})
    exported = await run(editor, "glossator.exportSession", session | {"format": "json"})
    deleted = await run(editor, "glossator.deleteSession", session)

    assert (renamed, exported, deleted) == ({"title": "NEW"}, {"text": "s1 as json"}, {})


@pytest.mark.parametrize(
    ("command", "argument", "complaint"),
    [
        ("readSession", {}, "`sessionId` is missing"),
        ("readSession", {"sessionId": "unknown"}, "There is no session `unknown`"),
        ("renameSession", {"sessionId": "s1", "title": ""}, "`title` is missing"),
        ("exportSession", {"sessionId": "s1", "format": "pdf"}, "`format` must be"),
    ],
)
async def test_what_a_session_command_cannot_do_is_said(
    editor: EditorClient, command: str, argument: dict[str, str], complaint: str
) -> None:
    with pytest.raises(JsonRpcException, match=complaint):
        await run(editor, f"glossator.{command}", argument)


async def test_check_publishes_what_it_finds(editor: EditorClient, uri: str) -> None:
    result = await run(editor, "glossator.check", {"uri": uri})

    assert result["documents"] == [
        {"uri": uri, "path": "greeting.py", "outcome": "findings", "reason": "", "reasonCode": "",
         "nFindings": 1, "nRules": 1, "nJudged": 0, "skipped": []}
    ]  # fmt: skip
    (diagnostic,) = editor.diagnostics[uri]
    assert diagnostic.source == "glossator"
    assert diagnostic.code == "no-bad"
    assert diagnostic.range.start.character == where(editor, 3, "bad")["character"]
    if getattr(editor.capabilities.text_document.publish_diagnostics, "data_support", False):
        assert diagnostic.data["ruleId"] == "no-bad"


async def test_several_documents_are_checked_open_or_not(editor: EditorClient, uri: str) -> None:
    path: Path = editor.folder / "closed.py"
    await asyncio.to_thread(path.write_text, "bad\n", encoding="utf-8")

    result = await run(editor, "glossator.check", {"uris": [uri, path.as_uri()]})

    assert [document["uri"] for document in result["documents"]] == [uri, path.as_uri()]
    assert result["nFindings"] == 2


async def test_all_open_documents_are_checked(editor: EditorClient, uri: str) -> None:
    result = await run(editor, "glossator.check")

    assert uri in [document["uri"] for document in result["documents"]]


async def test_paths_are_checked_without_diagnostics(editor: EditorClient) -> None:
    path: Path = editor.folder / "closed.py"
    await asyncio.to_thread(path.write_text, "bad\n", encoding="utf-8")

    result = await run(editor, "glossator.check", {"paths": [str(path)]})

    assert result["nFindings"] == 1
    assert path.as_uri() not in editor.diagnostics


async def test_the_index_is_rebuilt(editor: EditorClient) -> None:
    result = await run(editor, "glossator.rebuildIndex", work_done_token="rebuild")

    assert result == {
        "nDocuments": 1, "nSections": 2, "nSkills": 3, "nRules": 4, "durationMs": 500,
        "problems": [{"path": "knowledge/a.md", "line": 3, "message": "broken"}],
    }  # fmt: skip


async def test_the_status_is_told(editor: EditorClient) -> None:
    result = await run(editor, "glossator.status")

    assert result["workspace"]["roots"] == [str(editor.folder)]
    assert result["model"]["configured"] is False


async def test_wrong_arguments_are_told_in_words(editor: EditorClient) -> None:
    with pytest.raises(JsonRpcException, match="`position` is missing") as raised:
        await run(editor, "glossator.explain", {"uri": "file:///a.py"})

    assert raised.value.code == -32602
    assert raised.value.data is None


async def test_a_problem_of_the_world_is_told_in_its_words(editor: EditorClient) -> None:
    with pytest.raises(JsonRpcException, match="The model at `here`") as raised:
        await run(editor, "glossator.ask", {"question": "fail"})

    assert raised.value.code == -32803


async def test_code_actions_are_offered_inside_a_function(editor: EditorClient, uri: str) -> None:
    actions = await code_actions(editor, uri, 2)

    assert [action.title for action in actions] == ["Explain this function", "Show call chain"]
    action = actions[0]
    command = action.command if isinstance(action, types.CodeAction) else action
    assert command.command == "glossator.explain"
    assert list(command.arguments) == [{"uri": uri, "position": {"line": 2, "character": 4}}]


async def test_a_problem_of_any_server_is_explained(editor: EditorClient, uri: str) -> None:
    start = where(editor, 3, "bad")
    place = types.Range(types.Position(**start), types.Position(**start))
    foreign = types.Diagnostic(place, "Oh 😀", types.DiagnosticSeverity.Warning, source="other")
    context = types.CodeActionContext([foreign])
    async with asyncio.timeout(10):
        found = await editor.text_document_code_action_async(
            types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context)
        )
    assert found is not None
    action = found[-1]
    assert action.title == "Explain this problem"
    command = action.command if isinstance(action, types.CodeAction) else action
    assert command is not None
    assert command.arguments is not None

    result = await run(editor, command.command, command.arguments[0])

    assert result["markdown"] == "other warning 4:17: Oh 😀"


async def test_a_finding_tells_its_rule_on_hover(editor: EditorClient, uri: str) -> None:
    await run(editor, "glossator.check", {"uri": uri})
    position = types.Position(**where(editor, 3, "bad"))
    identifier = types.TextDocumentIdentifier(uri)

    async with asyncio.timeout(10):
        hover = await editor.text_document_hover_async(types.HoverParams(identifier, position))

    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "no-bad" in hover.contents.value
    assert "Never be bad." in hover.contents.value
    assert hover.range is not None
    assert hover.range.start == position


async def test_no_code_actions_are_offered_outside(editor: EditorClient, uri: str) -> None:
    assert await code_actions(editor, uri, 5) == []


async def test_the_client_offers_decide_what_is_sent(editor: EditorClient) -> None:
    assert editor.messages == []
    assert editor.shown_documents == []
    dynamic = editor.capabilities.workspace.did_change_configuration
    wants = bool(dynamic and dynamic.dynamic_registration)
    assert (types.WORKSPACE_DID_CHANGE_CONFIGURATION in editor.registered) is wants
