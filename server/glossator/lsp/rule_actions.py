"""A rule in its own file: the offer to have a check written for it, and the command for that."""

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.app.phrasing import count
from glossator.core.errors import InvalidArguments
from glossator.core.events import Emit
from glossator.core.markdown_names import is_markdown_or_rule_name
from glossator.lsp.actions import Asked, Json, command_action, text_edits
from glossator.lsp.client_requests import ClientRefused
from glossator.lsp.from_lsp import Arguments
from glossator.lsp.handshake import COMPILE_KIND

if TYPE_CHECKING:
    from glossator.app.rules.compiling import Compilation
    from glossator.lsp.documents import Document
    from glossator.lsp.serving import GlossatorServer

COMPILE_COMMAND = "glossator.compileRule"
_ANNOTATION = "glossator.check"
_WAIT_S = 300.0  # The editor may show the edit and wait for the person who looks at it.


async def offer_rule_actions(asked: Asked) -> list[Json]:
    """Offer to have a check written for the rule at the cursor, if it has none."""
    # An editor that asks by itself would draw a lightbulb beside every rule.
    if asked.only is None and asked.is_automatic:
        return []
    source = asked.document.source
    if not asked.wants(COMPILE_KIND) or not is_markdown_or_rule_name(source.name):
        return []
    application = await asked.server.backend.application()
    rule_id = await application.rules.find_uncompiled_at(source, asked.locate()[0].line)
    if not rule_id:
        return []
    title = asked.server.phrase()("Write a check for this rule…", "为这条规则编写检查…")
    argument = {"uri": asked.uri, "rule": rule_id}
    return [command_action(asked.server, title, COMPILE_KIND, COMPILE_COMMAND, argument)]


async def compile_rule(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Have the model write a check for a rule, and let the editor show it as an edit.

    Nothing is changed in an editor that makes no edits, nor with `apply` switched off: the result
    has the edit.
    """
    # Imported here: what compiles rules loads with the first of them.
    from glossator.app.rules.compilation_text import describe_compilation

    rule_id = arguments.text("rule")
    application = await server.backend.application()
    compilation = await application.rules.compile(rule_id, emit=emit)
    message = describe_compilation(compilation, server.phrase())
    edit = _make_edit(server, compilation)
    if edit is None:  # Nothing is going to be shown; whoever asked waits for something.
        server.protocol.notify(
            types.WINDOW_SHOW_MESSAGE,
            types.ShowMessageParams(type=types.MessageType.Warning, message=message),
        )
    is_applied = False
    if edit is not None and server.client.applies_edits and arguments.flag("apply", default=True):
        is_applied = await _let_editor_apply(server, edit)
    return _to_json(server, compilation, is_applied=is_applied)


def _make_edit(server: "GlossatorServer", compilation: "Compilation") -> types.WorkspaceEdit | None:
    """Return the edit, to be confirmed where the editor can ask for that.

    Raises:
        InvalidArguments: the document has changed since the check was proven in it.
    """
    source, path = compilation.source, compilation.source.path
    if compilation.edit is None or path is None:
        return None
    document = server.documents.find(path)
    if document is not None and document.source.text != source.text:
        say = server.phrase()
        raise InvalidArguments(
            say(
                f"`{source.name}` has changed meanwhile; ask for the check again.",
                f"`{source.name}` 在此期间已改动；请重新编写检查。",
            )
        )
    (told,) = text_edits(server, source, [compilation.edit])
    start = types.Position(**told["range"]["start"])
    place, text = types.Range(start, start), told["newText"]
    uri = server.backend.places().uri(path) if document is None else document.uri
    if uri is None:
        return None
    return _wrap(server, uri, document, types.TextEdit(place, text), compilation)


def _wrap(
    server: "GlossatorServer",
    uri: str,
    document: "Document | None",
    edit: types.TextEdit,
    compilation: "Compilation",
) -> types.WorkspaceEdit:
    if not server.client.document_changes:
        return types.WorkspaceEdit(changes={uri: [edit]})
    identifier = types.OptionalVersionedTextDocumentIdentifier(
        uri=uri, version=document.version if document is not None else None
    )
    if not server.client.change_annotations:
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, [edit])])
    annotated = types.AnnotatedTextEdit(_ANNOTATION, edit.range, edit.new_text)
    say, breadth = server.phrase(), compilation.breadth
    annotation = types.ChangeAnnotation(
        label=say(f"Check for `{compilation.rule_id}`", f"`{compilation.rule_id}` 的检查"),
        needs_confirmation=True,
        description=say(
            f"flags {count(breadth.n_findings, 'place')} in {breadth.n_flagged_files} of "
            f"{count(breadth.n_files, 'file')}",
            f"在 {breadth.n_files} 个文件中的 {breadth.n_flagged_files} 个里"
            f"发现 {breadth.n_findings} 处",
        ),
    )
    return types.WorkspaceEdit(
        document_changes=[types.TextDocumentEdit(identifier, [annotated])],
        change_annotations={_ANNOTATION: annotation},
    )


async def _let_editor_apply(server: "GlossatorServer", edit: types.WorkspaceEdit) -> bool:
    label = server.phrase()("Write a check", "编写检查")
    params = types.ApplyWorkspaceEditParams(edit=edit, label=label)
    try:
        answer = await server.protocol.ask_client(
            types.WORKSPACE_APPLY_EDIT, params, timeout_s=_WAIT_S
        )
    except ClientRefused:
        return False
    return bool(getattr(answer, "applied", False))


def _to_json(
    server: "GlossatorServer", compilation: "Compilation", *, is_applied: bool
) -> dict[str, Any]:
    breadth = compilation.breadth
    edits = [compilation.edit] if compilation.edit is not None else []
    return {
        "rule": compilation.rule_id,
        "outcome": compilation.outcome,
        "reason": compilation.reason,
        "edits": text_edits(server, compilation.source, edits),
        "diff": compilation.diff,
        "nFindings": breadth.n_findings,
        "nFiles": breadth.n_files,
        "places": [
            {"path": each.path, "line": each.line, "code": each.code} for each in breadth.places
        ],
        "applied": is_applied,
    }
