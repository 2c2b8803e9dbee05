"""From the editor's terms to ours: arguments of commands, positions, documents."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types

from glossator.core.errors import InvalidArguments
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.lsp.documents import Change, locate
from glossator.lsp.positions import PositionEncoding

if TYPE_CHECKING:
    from glossator.app.results import AttachmentKind, AttachmentRequest, Target

Choice = TypeVar("Choice", bound=str)
_ATTACHMENT_KINDS: "tuple[AttachmentKind, ...]" = ("file", "selection", "symbol")
LspPosition = tuple[int, int]
LspRange = tuple[LspPosition, LspPosition]


class Arguments:
    """The object a command is called with. Each reader says in words what does not fit."""

    def __init__(self, fields: Mapping[str, Any], command: str) -> None:
        self._fields = fields
        self._command = command

    def text(self, name: str, *, default: str | None = None) -> str:
        """Return a text; an empty one is as good as none."""
        value = self._fields.get(name)
        if value is None or value == "":
            if default is None:
                raise self._unfit(name, "is missing")
            return default
        if not isinstance(value, str):
            raise self._unfit(name, "must be text")
        return value

    def choice(self, name: str, choices: tuple[Choice, ...]) -> Choice:
        """Return one of some texts; it must be there."""
        value = self.text(name)
        for each in choices:
            if value == each:
                return each
        raise self._unfit(name, f"must be one of {', '.join(choices)}")

    def number(self, name: str, *, default: int, minimum: int, maximum: int) -> int:
        """Return a whole number between `minimum` and `maximum`."""
        value = self._fields.get(name, default)
        if value is None:
            return default
        number = _whole_number(value)
        if number is None or not minimum <= number <= maximum:
            raise self._unfit(name, f"must be a whole number from {minimum} to {maximum}")
        return number

    def flag(self, name: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self._fields.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self._unfit(name, "must be true or false")
        return value

    def texts(self, name: str) -> tuple[str, ...] | None:
        """Return a list of texts, or None when it is absent."""
        value = self._fields.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise self._unfit(name, "must be a list of texts")
        return tuple(value)

    def words(self, name: str) -> str:
        """Return a text or a number as text; anything else, as nothing at all, is empty."""
        value = self._fields.get(name)
        is_told = isinstance(value, str | int) and not isinstance(value, bool)
        return str(value) if is_told else ""

    def inner(self, name: str) -> "Arguments":
        """Return the readers of an object inside; one that is absent has no fields."""
        value = self._fields.get(name)
        if value is not None and not isinstance(value, Mapping):
            raise self._unfit(name, "must be an object")
        return Arguments(value or {}, self._command)

    def inner_list(self, name: str) -> "list[Arguments]":
        """Return the readers of the objects of a list, which may be absent."""
        value = self._fields.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
            raise self._unfit(name, "must be a list of objects")
        return [Arguments(each, self._command) for each in value]

    def token(self, name: str) -> str | int | None:
        """Return a progress token, or None when it is absent."""
        value = self._fields.get(name)
        if value is None or (isinstance(value, str | int) and not isinstance(value, bool)):
            return value
        raise self._unfit(name, "must be text or a whole number")

    def position(self, name: str) -> LspPosition:
        """Return a position that must be there."""
        value = self._fields.get(name)
        if value is None:
            raise self._unfit(name, "is missing")
        return self._read_position(name, value)

    def optional_position(self, name: str) -> LspPosition | None:
        """Return a position, or None when it is absent."""
        value = self._fields.get(name)
        return None if value is None else self._read_position(name, value)

    def optional_range(self, name: str) -> LspRange | None:
        """Return a range, or None when it is absent."""
        value = self._fields.get(name)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self._unfit(name, "must be an object with `start` and `end`")
        return (
            self._read_position(f"{name}.start", value.get("start")),
            self._read_position(f"{name}.end", value.get("end")),
        )

    def records(self, name: str) -> "tuple[Arguments, ...]":
        """Return a list of objects; one that is absent is empty."""
        value = self._fields.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
            raise self._unfit(name, "must be a list of objects")
        return tuple(
            Arguments(each, f"{self._command}`: `{name}[{number}]")
            for number, each in enumerate(value)
        )

    def _read_position(self, name: str, value: Any) -> LspPosition:
        if isinstance(value, Mapping):
            line, character = (
                _whole_number(value.get("line")),
                _whole_number(value.get("character")),
            )
            if line is not None and character is not None and line >= 0 and character >= 0:
                return line, character
        raise self._unfit(
            name, "must be an object whose `line` and `character` are whole numbers from 0"
        )

    def _unfit(self, name: str, problem: str) -> InvalidArguments:
        return InvalidArguments(f"`{self._command}`: `{name}` {problem}.")


def command_arguments(command: str, arguments: Sequence[Any] | None) -> Arguments:
    """Return the one object a command takes; none at all is the empty object."""
    if not arguments:
        return Arguments({}, command)
    if len(arguments) > 1 or not isinstance(arguments[0], Mapping):
        raise InvalidArguments(f"`{command}` takes exactly one argument, an object.")
    return Arguments(arguments[0], command)


def changes(
    events: Sequence[
        types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument
    ],
) -> list[Change]:
    """Return the changes of a `didChange`, still in the editor's units."""
    return [
        Change(
            event.text,
            (event.range.start.line, event.range.start.character),
            (event.range.end.line, event.range.end.character),
        )
        if isinstance(event, types.TextDocumentContentChangePartial)
        else Change(event.text)
        for event in events
    ]


def point(source: SourceText, position: LspPosition, encoding: PositionEncoding) -> Point:
    """Return the point of `position`; past the end of a line or of the text means that end."""
    line, units = position
    if line >= len(source.lines) and source.text.endswith(("\n", "\r")):
        return Point(len(source.lines) + 1, 0)
    return locate(source.lines, line, units, encoding)


def range_(source: SourceText, lsp_range: LspRange, encoding: PositionEncoding) -> Range:
    """Return the range between two positions, in order."""
    start, end = sorted(point(source, position, encoding) for position in lsp_range)
    return Range(start, end)


def position(value: types.Position) -> LspPosition:
    """Return a position as a pair."""
    return value.line, value.character


def target(
    source: SourceText,
    cursor: LspPosition,
    selection: LspRange | None,
    encoding: PositionEncoding,
) -> "Target":
    """Return the place to explain; a selection without extent is none."""
    # Imported here because it brings rules and grammars along, which start-up does not need.
    from glossator.app.results import Target

    selected = range_(source, selection, encoding) if selection else None
    if selected is not None and selected.start == selected.end:
        selected = None
    return Target(source=source, point=point(source, cursor, encoding), selection=selected)


def attachment(
    arguments: Arguments, find_unsaved: "Callable[[str], SourceText | None]"
) -> "AttachmentRequest":
    """Return what is attached to a question. `find_unsaved` knows the documents without a file."""
    from glossator.app.results import AttachmentRequest

    kind = arguments.choice("kind", _ATTACHMENT_KINDS)
    selection = arguments.optional_range("range")
    uri = arguments.text("uri", default="")
    name = arguments.text("symbol") if kind == "symbol" else ""
    path = uri or arguments.text("path", default="" if kind == "symbol" else None)
    if kind == "selection" and selection is None:
        raise InvalidArguments("A `selection` that is attached needs a `range`.")
    lines = None if kind == "file" or selection is None else _lines_of(selection)
    return AttachmentRequest(kind, path, lines, name, find_unsaved(uri) if uri else None)


def _lines_of(selection: LspRange) -> tuple[int, int]:
    """Return whole lines, 1-based and inclusive: an end before the first character is no line."""
    (first, _), (last, units) = sorted(selection)
    return first + 1, last if units == 0 and last > first else last + 1


def _whole_number(value: Any) -> int | None:
    """Return `value` as an int when it is a whole number; some clients send 4.0."""
    if isinstance(value, int):
        return None if isinstance(value, bool) else value
    if not isinstance(value, float) or not math.isfinite(value):
        return None
    return int(value) if value == int(value) else None
