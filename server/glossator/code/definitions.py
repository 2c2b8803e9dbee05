"""What an outline is made of: functions, types, imports and calls, as they stand in the text."""

from dataclasses import dataclass
from typing import Literal

from glossator.core.locations import Point, Range

FunctionKind = Literal["function", "method", "constructor", "lambda"]
TypeKind = Literal["class", "interface", "struct", "enum", "trait", "module", "namespace"]


@dataclass(frozen=True, slots=True)
class Call:
    """A call: `client.users.get(1)` has the name `get` and the receiver `client.users`.

    `point` is where the name stands. `text` is the call as written, on one line, cut when long.
    """

    name: str
    receiver: str
    point: Point
    text: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function, method or lambda that has a name.

    `range` is the whole definition with its decorators, without a comment before it. `container`
    is the qualified name of what the function stands in; names are joined by dots in every
    language. `signature` is the head on one line. `calls` leaves out the calls of nested
    functions that have a name. `has_body` is false for prototypes, overload signatures and
    abstract methods.
    """

    name: str
    qualified_name: str
    kind: FunctionKind
    range: Range
    name_range: Range
    signature: str
    documentation: str
    decorators: tuple[str, ...]
    is_async: bool
    container: str
    calls: tuple[Call, ...]
    has_body: bool = True


@dataclass(frozen=True, slots=True)
class FunctionExtent:
    """Where a function stands: a cursor from `start` to `end` is in it, or in a nested one.

    The indentation before the function counts as inside.
    """

    start: Point
    end: Point
    name_range: Range

    def __contains__(self, point: Point) -> bool:
        return self.start <= point <= self.end


@dataclass(frozen=True, slots=True)
class TypeDefinition:
    """A class, interface, struct, enum, trait, module or namespace."""

    name: str
    qualified_name: str
    kind: TypeKind
    range: Range
    name_range: Range
    documentation: str


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name: `from a.b import c as d` is `("a.b", "c", "d")`.

    `name` is empty when the module itself is imported, "*" for everything in it, and "default"
    for a JavaScript default import.
    """

    module: str
    name: str
    alias: str
    line: int
