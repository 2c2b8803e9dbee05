"""Code actions as the protocol wants them, as far as this client can do what is in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.lsp import from_lsp
from glossator.lsp.documents import Document

if TYPE_CHECKING:
    from glossator.lsp.diagnostics import Published, Shown
    from glossator.lsp.serving import GlossatorServer

Json = dict[str, Any]
_ANNOTATION = "glossator"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for code actions: where, and which kinds are wanted."""

    server: "GlossatorServer"
    document: Document
    params: types.CodeActionParams

    @property
    def uri(self) -> str:
        """The document's URI, as the client wrote it now."""
        return self.params.text_document.uri

    @property
    def only(self) -> Sequence[str | types.CodeActionKind] | None:
        """The kinds that are asked for, None for all."""
        return self.params.context.only

    @property
    def is_automatic(self) -> bool:
        """Whether nobody opened a menu: the editor asks by itself."""
        return self.params.context.trigger_kind == types.CodeActionTriggerKind.Automatic

    def wants(self, kind: str) -> bool:
        """Say whether a client that asks for these kinds gets this one; each covers sub-kinds."""
        if self.only is None:
            return True
        names = [
            each.value if isinstance(each, types.CodeActionKind) else each for each in self.only
        ]
        return any(name in ("", kind) or kind.startswith(f"{name}.") for name in names)

    def locate(self) -> tuple[Point, Point]:
        """Return the two ends of what is selected, in order."""
        encoding = self.server.documents.encoding
        ends = (self.params.range.start, self.params.range.end)
        start, end = sorted(
            self.document.locate(*from_lsp.position(each), encoding) for each in ends
        )
        return start, end

    def find_touched(self, published: "Published") -> "list[Shown]":
        """Return what is shown at the cursor or in the selection."""
        start, end = self.locate()
        return [
            shown
            for shown in published.findings
            if shown.range.start <= end and start <= shown.range.end
        ]


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an edit is about, for editors that show it before they make it."""

    label: str
    needs_confirmation: bool = False
    description: str = ""


def text_edits(
    server: "GlossatorServer", source: SourceText, edits: Iterable[tuple[Range, str]]
) -> list[Json]:
    """Return edits of a text as the editor counts."""
    places = server.backend.places()
    return [{"range": places.range_of(source, place), "newText": text} for place, text in edits]


def workspace_edit(
    server: "GlossatorServer",
    uri: str,
    version: int,
    edits: list[Json],
    annotation: Annotation | None = None,
) -> Json:
    """Return edits of one version of a document, annotated where the client shows that."""
    if not server.client.document_changes:
        return {"changes": {uri: edits}}
    identifier = {"uri": uri, "version": version}
    if annotation is None or not server.client.change_annotations:
        return {"documentChanges": [{"textDocument": identifier, "edits": edits}]}
    annotated = [{**edit, "annotationId": _ANNOTATION} for edit in edits]
    told: Json = {
        "label": annotation.label,
        "needsConfirmation": annotation.needs_confirmation,
    }
    if annotation.description:
        told["description"] = annotation.description
    return {
        "documentChanges": [{"textDocument": identifier, "edits": annotated}],
        "changeAnnotations": {_ANNOTATION: told},
    }


def command_action(
    server: "GlossatorServer", title: str, kind: str, command: str, argument: Json
) -> Json:
    """Return an action that runs one of our commands."""
    call = {"title": title, "command": command, "arguments": [argument]}
    if not server.client.code_action_literals:
        return call
    return {"title": title, "kind": kind, "command": call}
