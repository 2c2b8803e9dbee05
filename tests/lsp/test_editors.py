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


async def test_a_refusal_says_why(editor: EditorClient) -> None:
    result = await run(editor, "glossator.ask", {"question": "refuse this"})

    assert result["refused"] == {
        "reason": "nothing-close", "message": "Nothing fits.", "nearest": [],
    }  # fmt: skip


async def test_a_session_begins(editor: EditorClient) -> None:
    assert await run(editor, "glossator.newSession") == {"sessionId": "s2"}


async def test_check_publishes_what_it_finds(editor: EditorClient, uri: str) -> None:
    result = await run(editor, "glossator.check", {"uri": uri})

    assert result["documents"] == [
        {"uri": uri, "path": "greeting.py", "outcome": "findings", "reason": "", "nFindings": 1,
         "nRules": 1}
    ]  # fmt: skip
    (diagnostic,) = editor.diagnostics[uri]
    assert diagnostic.source == "glossator"
    assert diagnostic.code == "no-bad"
    assert diagnostic.range.start.character == where(editor, 3, "bad")["character"]
    if getattr(editor.capabilities.text_document.publish_diagnostics, "data_support", False):
        assert diagnostic.data["ruleId"] == "no-bad"


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


async def test_no_code_actions_are_offered_outside(editor: EditorClient, uri: str) -> None:
    assert await code_actions(editor, uri, 5) == []


async def test_the_client_offers_decide_what_is_sent(editor: EditorClient) -> None:
    assert editor.messages == []
    assert editor.shown_documents == []
    dynamic = editor.capabilities.workspace.did_change_configuration
    wants = bool(dynamic and dynamic.dynamic_registration)
    assert (types.WORKSPACE_DID_CHANGE_CONFIGURATION in editor.registered) is wants
