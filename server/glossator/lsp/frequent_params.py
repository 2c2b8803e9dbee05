"""The parameters that come with every key and every save, read without the converter.

The converter tries each form of each union, which takes longer than to apply the change. What is
not exactly as it mostly is, is left to it: it also says what is wrong.
"""

from collections.abc import Callable, Mapping
from typing import Any

from lsprotocol import types

from glossator.lsp.positions import LARGEST_POSITION

Json = Mapping[str, Any]


def read_did_change(params: Any) -> types.DidChangeTextDocumentParams | None:
    """Return the parameters of `textDocument/didChange`, or None for the converter to read."""
    try:
        document = params["textDocument"]
        identifier = types.OptionalVersionedTextDocumentIdentifier(
            uri=_text(document["uri"]), version=_version(document.get("version"))
        )
        changes = [_read_change(change) for change in params["contentChanges"]]
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return types.DidChangeTextDocumentParams(
        text_document=identifier,  # type: ignore[arg-type]  # Clients before 3.16 may have none.
        content_changes=changes,
    )


def read_did_save(params: Any) -> types.DidSaveTextDocumentParams | None:
    """Return the parameters of `textDocument/didSave`, or None for the converter to read."""
    try:
        identifier = types.TextDocumentIdentifier(uri=_text(params["textDocument"]["uri"]))
        text = params.get("text")
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    if text is not None and not isinstance(text, str):
        return None
    return types.DidSaveTextDocumentParams(text_document=identifier, text=text)


READERS: Mapping[str, Callable[[Any], Any]] = {
    types.TEXT_DOCUMENT_DID_CHANGE: read_did_change,
    types.TEXT_DOCUMENT_DID_SAVE: read_did_save,
}


def _read_change(change: Json) -> types.TextDocumentContentChangeEvent:
    text = _text(change["text"])
    if len(change) == 1:
        return types.TextDocumentContentChangeWholeDocument(text=text)
    place = change["range"]
    range_ = types.Range(start=_position(place["start"]), end=_position(place["end"]))
    length = change.get("rangeLength")
    if length is not None:
        _whole(length)
    return types.TextDocumentContentChangePartial(range=range_, text=text, range_length=length)


def _position(value: Json) -> types.Position:
    line, character = _whole(value["line"]), _whole(value["character"])
    return types.Position(min(line, LARGEST_POSITION), min(character, LARGEST_POSITION))


def _version(value: Any) -> int | None:
    return None if value is None else _whole(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(value)
    return value
