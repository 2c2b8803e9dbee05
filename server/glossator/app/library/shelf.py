"""A shelf: where files of one kind stand, and how they are read."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from glossator.app.results import Problem
from glossator.core.text import SourceText
from glossator.knowledge.documents import Document, Origin

Kind = Literal["knowledge", "skill", "instructions"]


@dataclass(frozen=True, slots=True)
class Shelf:
    """Markdown files of one kind: those below `folder`, or those that `files` lists.

    `read` returns the text of a file under the name that people see, or raises GlossatorError.
    Links below `folder` may lead anywhere below `within`. `make_document` makes of a text what it
    is; `stamp` tells what it depends on beside the text. `problems` tells what listing found.
    `show` names a file as people know it, where its folder alone does not tell.
    What is not used is read all the same, and withheld.
    """

    folder: Path
    kind: Kind
    origin: Origin
    read: Callable[[Path], SourceText] = field(repr=False)
    within: Path | None = None
    files: Callable[[], Iterable[Path]] | None = field(default=None, repr=False)
    stamp: Callable[[Path], str] | None = field(default=None, repr=False)
    make_document: Callable[[SourceText, Origin], Document] | None = field(default=None, repr=False)
    problems: Callable[[], Iterable[Problem]] | None = field(default=None, repr=False)
    show: Callable[[Path], str] | None = field(default=None, repr=False)
    is_used: bool = True

    @property
    def key(self) -> tuple[str, ...]:
        """What tells this shelf from others; a library of other shelves is read anew."""
        within = "" if self.within is None else str(self.within)
        return (str(self.folder), self.kind, self.origin, within, str(self.is_used))
