"""Code lenses: *Explain* and the number of callers above each function, where that is wanted.

Where they stand is read from the syntax tree that code actions keep; who calls is counted when the
editor shows a lens, one at a time, so that a long file does not keep everything else waiting.
"""

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.core.locations import Point
from glossator.lsp.client_requests import ClientRefused

if TYPE_CHECKING:
    from glossator.lsp.documents import Document
    from glossator.lsp.serving import GlossatorServer

Json = dict[str, Any]
logger = logging.getLogger(__name__)

EXPLAIN_TITLE = ("Explain", "解释")
# A parser keeps the interpreter to itself; so much of a text is parsed in time.
_MAX_CHARACTERS = 1_000_000
# More lenses than this are of no use to anybody.
_MAX_FUNCTIONS = 1_000
# Saving all files is one piece of news.
_REFRESH_AFTER_S = 0.3


class CodeLenses:
    """The lenses of open documents."""

    def __init__(self, server: "GlossatorServer") -> None:
        self._server = server
        self._counting = asyncio.Lock()
        self._refreshing: asyncio.Task[None] | None = None
        self._are_shown = False

    async def list(self, document: "Document") -> list[Json]:
        """Return the lenses of a document; those that count are finished by `resolve`."""
        if not await self._are_wanted():
            return []
        # Imported here: grammars load when they are needed first, not at start-up.
        from glossator.code.languages import find_language

        source = document.source
        language = find_language(source.name, source.language_id)
        if language is None or len(source.text) > _MAX_CHARACTERS:
            return []
        whole = Point(1, 0), Point(len(source.lines) + 1, 0)
        functions = await self._server.syntax_trees.find_functions(
            document.uri, source, language, *whole
        )
        places, lenses = self._server.backend.places(), list[Json]()
        for function in functions[:_MAX_FUNCTIONS]:
            place = places.range_of(source, function.name_range)
            target = {"uri": document.uri, "position": place["start"]}
            lenses.append(self._explain(place, target))
            lenses.append({"range": place, "data": {**target, "version": document.version}})
        return lenses

    async def resolve(self, lens: Json) -> Json:
        """Return a lens with the number of callers; with its name alone when that is unknown."""
        target, version = _read_data(lens)
        document = self._server.documents.get(target["uri"])
        n_callers = None
        if document is not None and document.version == version:
            n_callers = await self._count(document, target)
        title = (
            self._say_callers(*n_callers) if n_callers else self._server.phrase()("Calls", "调用")
        )
        return {**lens, "command": _command(title, "glossator.callChain", target)}

    def refresh_soon(self) -> None:
        """Have the editor ask again, if it can be told and shows any: callers are other ones."""
        client = self._server.client
        is_wanted = self._server.backend.known_settings().code.lenses
        if not client.refreshes_lenses or not (is_wanted or self._are_shown):
            return
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = self._server.start_task("refresh lenses", self._refresh())

    async def _refresh(self) -> None:
        await asyncio.sleep(_REFRESH_AFTER_S)
        try:
            await self._server.protocol.ask_client(types.WORKSPACE_CODE_LENS_REFRESH, None)
        except ClientRefused as error:
            logger.info("The client does not ask for lenses again: %s", error)

    async def _are_wanted(self) -> bool:
        # The settings of the workspace's own file are known with the application.
        await self._server.backend.application_in_time()
        self._are_shown = self._server.backend.known_settings().code.lenses
        return self._are_shown

    async def _count(self, document: "Document", target: Json) -> tuple[int, bool] | None:
        from glossator.app.results import Target

        position = target["position"]
        point = document.locate(
            position["line"], position["character"], self._server.documents.encoding
        )
        application = await self._server.backend.application()
        async with self._counting:
            count = await application.count_callers(Target(document.source, point))
        return None if count is None else (count.n, count.is_least)

    def _say_callers(self, n: int, is_least: bool) -> str:
        say, more = self._server.phrase(), "+" if is_least else ""
        if n == 0 and not is_least:
            return say("no callers", "无调用者")
        noun = "caller" if n == 1 and not is_least else "callers"
        return say(f"{n}{more} {noun}", f"{n}{more} 个调用者")

    def _explain(self, place: Json, target: Json) -> Json:
        title = self._server.phrase()(*EXPLAIN_TITLE)
        return {"range": place, "command": _command(title, "glossator.explain", target)}


def _command(title: str, command: str, target: Json) -> Json:
    return {"title": title, "command": command, "arguments": [target]}


def _read_data(lens: Json) -> tuple[Json, int | None]:
    data = lens["data"]
    return {"uri": data["uri"], "position": data["position"]}, data.get("version")
