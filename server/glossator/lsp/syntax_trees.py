"""Syntax trees of open documents, parsed once for each version."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glossator.core.text import SourceText

if TYPE_CHECKING:
    from glossator.code.definitions import FunctionExtent
    from glossator.code.languages import Language
    from glossator.code.syntax import Syntax
    from glossator.core.locations import Point

_MAX_KEPT = 32
# Smaller texts are parsed faster than a thread is woken.
_PARSED_ON_THE_LOOP_CHARACTERS = 4_000
# A cursor in a larger text is found as fast, unless the text is broken in an unlucky way.
_SEARCHED_ON_THE_LOOP_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class _Kept:
    """The parse of one version. `earlier` is of the last version whose parse had ended."""

    source: SourceText
    task: "asyncio.Task[Syntax]"
    earlier: "Syntax | None"

    @property
    def is_failed(self) -> bool:
        return self.task.done() and (self.task.cancelled() or self.task.exception() is not None)

    @property
    def latest(self) -> "Syntax | None":
        return self.task.result() if self.task.done() and not self.is_failed else self.earlier


class SyntaxTrees:
    """The trees of the documents that were asked about last.

    Each makes the next one of its document quick to build: an edit leaves most of it as it was.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    async def find_functions(
        self, uri: str, source: SourceText, language: "Language", start: "Point", end: "Point"
    ) -> "tuple[FunctionExtent, ...]":
        """Return the functions that touch `start`..`end` in `source`, the text of `uri` now."""
        # Imported here: grammars load when they are needed first, not at start-up.
        from glossator.code.outline import find_functions

        # One request that is cancelled must not take the tree away from the others.
        syntax = await asyncio.shield(self._keep(uri, source, language).task)
        if start == end and len(source.text) <= _SEARCHED_ON_THE_LOOP_CHARACTERS:
            return find_functions(syntax, start, end)
        return await asyncio.to_thread(find_functions, syntax, start, end)

    def forget(self, uri: str) -> None:
        """Drop the tree of a document that was closed."""
        self._kept.pop(uri, None)

    def _keep(self, uri: str, source: SourceText, language: "Language") -> _Kept:
        kept = self._kept.pop(uri, None)
        if kept is None or kept.source is not source or kept.is_failed:
            earlier = None if kept is None else kept.latest
            task = asyncio.get_running_loop().create_task(_parse(source, language, earlier))
            kept = _Kept(source, task, earlier)
        self._kept[uri] = kept
        while len(self._kept) > _MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        return kept


async def _parse(source: SourceText, language: "Language", earlier: "Syntax | None") -> "Syntax":
    from glossator.code.syntax import parse_syntax

    if len(source.text) <= _PARSED_ON_THE_LOOP_CHARACTERS:
        return parse_syntax(source.text, language, earlier)
    return await asyncio.to_thread(parse_syntax, source.text, language, earlier)
