"""The commands of code actions on findings: dismiss one for good, or show its rule."""

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.core.errors import InvalidArguments
from glossator.core.events import Emit
from glossator.lsp.actions import text_edits
from glossator.lsp.client_requests import ClientRefused
from glossator.lsp.from_lsp import Arguments

if TYPE_CHECKING:
    from glossator.app.checking.dismissing import BaselineChange
    from glossator.lsp.documents import Document
    from glossator.lsp.serving import GlossatorServer
    from glossator.rules.finding import Finding

Json = dict[str, Any]
_KINDS = ("wrong", "ignored", "unused")
_WAIT_S = 60.0
_MAX_LINE = 10_000_000


async def dismiss(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Put a finding into the baseline, or take out what is not needed; then check again."""
    uri, kind = arguments.text("uri"), arguments.choice("kind", _KINDS)
    document = server.documents.get(uri)
    if document is None:
        raise InvalidArguments(f"`{uri}` is not open and names no file.")
    application = await server.backend.application()
    if kind == "unused":
        change = await application.mending.forget_unused(document.source)
    else:
        finding = await _find(server, document, arguments)
        reason = arguments.text("reason", default="")
        change = await application.mending.dismiss(
            document.source, finding, "wrong" if kind == "wrong" else "ignored", reason
        )
    if not change.is_written:
        await _let_editor_write(server, change)
    server.diagnostics.check_again()
    return {
        "baseline": change.shown, "nAdded": change.n_added, "nRemoved": change.n_removed,
    }  # fmt: skip


async def show_rule(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Open a file at the line where a rule begins."""
    uri = arguments.text("uri")
    line = arguments.number("line", default=1, minimum=1, maximum=_MAX_LINE)
    start = types.Position(line - 1, 0)
    params = types.ShowDocumentParams(uri=uri, take_focus=True, selection=types.Range(start, start))
    try:
        shown = await server.protocol.ask_client(
            types.WINDOW_SHOW_DOCUMENT, params, timeout_s=_WAIT_S
        )
    except ClientRefused:
        return {"shown": False}
    return {"shown": bool(getattr(shown, "success", True))}


async def _find(server: "GlossatorServer", document: "Document", arguments: Arguments) -> "Finding":
    """Return the finding that is shown of a rule at a place."""
    rule_id, place = arguments.text("rule"), arguments.optional_range("range")
    published = server.diagnostics.current(document) or await server.diagnostics.recheck(document)
    for shown in published.findings if published is not None else ():
        start, end = shown.diagnostic["range"]["start"], shown.diagnostic["range"]["end"]
        ends = ((start["line"], start["character"]), (end["line"], end["character"]))
        if shown.finding is not None and shown.finding.rule.id == rule_id and ends == place:
            return shown.finding
    raise InvalidArguments(
        server.phrase()(
            f"Nothing of the rule `{rule_id}` is shown there any more.",
            f"该处已不再显示规则 `{rule_id}` 的问题。",
        )
    )


async def _let_editor_write(server: "GlossatorServer", change: "BaselineChange") -> None:
    """Have the editor change the baseline that is open in it.

    Raises:
        CannotDismiss: it does not.
    """
    from glossator.app.checking.dismissing import CannotDismiss
    from glossator.app.checking.fixing import find_edits

    say, document = server.phrase(), server.documents.find(change.file)
    told = say(
        f"The editor has `{change.shown}` open and does not change it; save and close it first.",
        f"编辑器已打开 `{change.shown}` 且未作修改；请先保存并关闭它。",
    )
    if document is None or not server.client.applies_edits:
        raise CannotDismiss(told)
    source = document.source
    edits = await asyncio.to_thread(find_edits, source.text, change.text)
    changes = [
        types.TextEdit(range=_to_range(each["range"]), new_text=each["newText"])
        for each in text_edits(server, source, edits)
    ]
    params = types.ApplyWorkspaceEditParams(
        edit=_make_edit(server, document, changes), label=say("Dismiss a finding", "忽略问题")
    )
    try:
        answer = await server.protocol.ask_client(
            types.WORKSPACE_APPLY_EDIT, params, timeout_s=_WAIT_S
        )
    except ClientRefused as error:
        raise CannotDismiss(f"{told} ({error})") from error
    if not getattr(answer, "applied", False):
        raise CannotDismiss(told)


def _make_edit(
    server: "GlossatorServer", document: "Document", changes: list[types.TextEdit]
) -> types.WorkspaceEdit:
    if not server.client.document_changes:
        return types.WorkspaceEdit(changes={document.uri: changes})
    identifier = types.OptionalVersionedTextDocumentIdentifier(
        uri=document.uri, version=document.version
    )
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, changes)])


def _to_range(value: Json) -> types.Range:
    start, end = (types.Position(**value[name]) for name in ("start", "end"))
    return types.Range(start, end)
