"""Outlines of open documents, parsed once for each version."""

import asyncio
from typing import TYPE_CHECKING

from glossator.core.text import SourceText

if TYPE_CHECKING:
    from glossator.code.languages import Language
    from glossator.code.outline import Outline

_MAX_KEPT = 32
# Smaller texts are parsed faster than a thread is woken.
_PARSED_ON_THE_LOOP_CHARACTERS = 4_000


class Outlines:
    """The outlines of the documents that were asked about last."""

    def __init__(self) -> None:
        self._outlines: dict[str, tuple[SourceText, asyncio.Task[Outline]]] = {}

    async def get(self, uri: str, source: SourceText, language: "Language") -> "Outline":
        """Return the outline of `source`, which is the text of `uri` at this moment."""
        kept = self._outlines.pop(uri, None)
        if kept is None or kept[0] is not source or kept[1].cancelled():
            task = asyncio.get_running_loop().create_task(_parse(source, language))
            kept = (source, task)
        self._outlines[uri] = kept
        while len(self._outlines) > _MAX_KEPT:
            del self._outlines[next(iter(self._outlines))]
        # One request that is cancelled must not take the outline away from the others.
        return await asyncio.shield(kept[1])

    def forget(self, uri: str) -> None:
        """Drop the outline of a document that was closed."""
        self._outlines.pop(uri, None)


async def _parse(source: SourceText, language: "Language") -> "Outline":
    # Imported here: grammars load when the first outline is asked for, not at start-up.
    from glossator.code.outline import parse_outline

    if len(source.text) <= _PARSED_ON_THE_LOOP_CHARACTERS:
        return parse_outline(source.text, language)
    return await asyncio.to_thread(parse_outline, source.text, language)
