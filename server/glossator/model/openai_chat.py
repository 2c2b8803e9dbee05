"""A model behind an OpenAI-compatible server.

The bytes of the answer are read directly: chunk objects of the SDK would cost ten times as much,
and its helpers fail on what many servers send. Retries and time limits are our own, so that the
user sees each pause and can end it.
"""

import asyncio
import json
import logging
import random
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from glossator.core.messages import Completion, Message, Piece, ToolSpec, Usage, Waiting
from glossator.core.prices import Price
from glossator.core.settings import ModelSettings
from glossator.model.answers import AnswerReader
from glossator.model.assembly import Assembly
from glossator.model.connection import Connection, RequestFailed, preload
from glossator.model.dialects import find_dialect, recall
from glossator.model.endpoints import Endpoint
from glossator.model.failures import Failure
from glossator.model.pauses import render_wait
from glossator.model.probing import read_model_list
from glossator.model.reports import cut, strip_markup
from glossator.model.sending import add_nudge, make_body
from glossator.model.surrogates import replace_lone_surrogates

__all__ = ["OpenAIChat", "preload"]

_log = logging.getLogger(__name__)

MAX_RETRIES = 3
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 8.0
# After the finish only the usage can follow: an answer is not held up for it.
_GRACE_S = 2.0
_DRAIN_S = 0.05
_NUDGE = (
    "(Your last tool call could not be read. Write its arguments as one valid JSON object, "
    "or answer in text.)"
)
_REFUSED_REQUEST = frozenset((400, 422))
# Remarks that are known to have been logged; a server that makes up ever new ones fills no memory.
_MAX_NOTED = 200
_MAX_NOTE_LENGTH = 200


@dataclass(slots=True)
class _Deadlines:
    """When waiting ends, in the event loop's time."""

    settings: ModelSettings
    total: float
    first_token: float = 0.0
    idle: float | None = None
    grace: float | None = None
    goes_on: bool = False
    n_content: int = 0

    @classmethod
    def start(cls, settings: ModelSettings) -> "_Deadlines":
        return cls(settings, _now() + settings.total_timeout_s)

    def begin_request(self) -> None:
        self.first_token = _now() + self.settings.first_token_timeout_s
        self.idle = self.grace = None
        self.goes_on, self.n_content = False, 0

    def note_progress(self, assembly: Assembly) -> None:
        """Count the silence from now on: what the listener did with the pieces is not silence."""
        is_new, self.n_content = assembly.n_content > self.n_content, assembly.n_content
        if assembly.n_content:
            self.idle = _now() + self.settings.idle_timeout_s
        if not assembly.has_ended or self.goes_on:
            return
        if self.grace is None:
            self.grace = _now() + _GRACE_S
        elif is_new:
            # Some servers send a finish with every piece: it is no sign of the end.
            self.grace, self.goes_on = None, True

    def make_timeout(self) -> asyncio.Timeout:
        """Return what bounds the next wait."""
        return asyncio.timeout_at(min(self.grace or self.idle or self.first_token, self.total))

    def explain(self, host: str) -> Failure:
        """Say which limit was reached."""
        if _now() >= self.total:
            text = f"`{host}` took longer than {self.settings.total_timeout_s:g} s"
            name = "model.totalTimeoutS"
        elif self.idle is not None:
            text = f"`{host}` fell silent for {self.settings.idle_timeout_s:g} s within its answer"
            name = "model.idleTimeoutS"
        else:
            limit_s = self.settings.first_token_timeout_s
            text = f"`{host}` sent no answer within {limit_s:g} s"
            name = "model.firstTokenTimeoutS"
        return Failure("timeout", text, f"Ask again, or raise `{name}` if the model is slow.")


@dataclass(slots=True)
class _Request:
    """One request as it is being retried."""

    body: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    n_retries: int = 0
    has_shown: bool = False


class OpenAIChat:
    """A `ChatModel` that asks an OpenAI-compatible server. Belongs to one event loop."""

    def __init__(
        self,
        endpoint: Endpoint,
        settings: ModelSettings,
        *,
        max_tokens: int | None = None,
        connection: Connection | None = None,
        prices: Mapping[str, Price] | None = None,
    ) -> None:
        self.name = endpoint.model
        self.endpoint = endpoint.base_url
        self._endpoint = endpoint
        self._settings = settings
        self._max_tokens = max_tokens
        self._prices = prices or {}
        self._dialect = find_dialect(endpoint)
        self._learnt = recall(endpoint)
        self._connection = connection or Connection(endpoint, settings.connect_timeout_s)
        self._noted: set[str] = set()

    def with_model(self, name: str) -> "OpenAIChat":
        """Return another model of the same server, asked over the same connections.

        Closing one closes both.
        """
        endpoint = replace(self._endpoint, model=name)
        return OpenAIChat(
            endpoint,
            self._settings,
            max_tokens=self._max_tokens,
            connection=self._connection,
            prices=self._prices,
        )

    async def list_models(self) -> tuple[str, ...]:
        """Return the names of the models that the server offers, none if it tells nothing of them.

        Raises:
            ModelUnavailable: the server cannot be reached, or refuses.
        """
        try:
            return read_model_list(await self._connection.get("/models"))
        except RequestFailed as failed:
            raise failed.failure.to_error(shown=False) from failed

    async def close(self) -> None:
        """Close the connections; answers that are being read end with an error."""
        await self._connection.close()

    async def stream(
        self, transcript: Sequence[Message], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[Piece, None]:
        """Yield text as it arrives, then each complete tool call, then one `Completion`.

        The request is made again only as long as nothing of an answer was shown. No call is
        yielded from an answer that is cut, filtered or refused.
        """
        deadlines = _Deadlines.start(self._settings)
        request = _Request(self._make_body(transcript, tools))
        while True:
            assembly = Assembly(
                tool_names=frozenset(tool.name for tool in tools),
                used_ids=frozenset(call.id for item in transcript for call in item.tool_calls),
                is_cumulative=self._learnt.is_cumulative,
            )
            try:
                async with aclosing(self._ask(request.body, assembly, deadlines)) as pieces:
                    async for piece in pieces:
                        request.has_shown = True
                        if isinstance(piece, Completion):
                            piece = self._conclude(piece, request, assembly)
                        yield piece
                return
            except RequestFailed as failed:
                failure = failed.failure
            if request.has_shown:
                raise failure.to_error(shown=True)
            if self._learn(request, failure):
                request.body = self._make_body(transcript, tools)
                continue
            pause_s = self._choose_pause(request, failure, deadlines)
            yield Waiting(pause_s, failure.cause)
            await asyncio.sleep(pause_s)

    def _make_body(
        self, transcript: Sequence[Message], tools: Sequence[ToolSpec]
    ) -> dict[str, Any]:
        return make_body(
            self.name,
            transcript,
            tools,
            dialect=self._dialect,
            learnt=self._learnt,
            temperature=self._settings.temperature,
            max_tokens=self._max_tokens,
        )

    def _conclude(self, end: Completion, request: _Request, assembly: Assembly) -> Completion:
        """Add what was noted on the way, learn from it, and log it: each remark once."""
        self._learnt.is_cumulative = assembly.is_cumulative
        notes = (*request.notes, *end.notes)
        for note in notes:
            level = logging.DEBUG if note in self._noted else logging.WARNING
            shown = cut(strip_markup(note), _MAX_NOTE_LENGTH)
            _log.log(level, "`%s` at `%s`: %s", self.name, self._endpoint.host, shown)
        if len(self._noted) < _MAX_NOTED:
            self._noted.update(notes)
        return replace(end, notes=notes, usage=self._price(end.usage))

    def _price(self, usage: Usage | None) -> Usage | None:
        """Add what the tokens cost by the user's prices, unless the server has said it."""
        price = self._prices.get(self.name)
        if usage is None or usage.cost is not None or price is None:
            return usage
        return replace(usage, cost=price.cost(usage))

    def _learn(self, request: _Request, failure: Failure) -> bool:
        if failure.status not in _REFUSED_REQUEST:
            return False
        if failure.kind not in ("bad-request", "unknown-model"):
            return False
        note = self._learnt.learn(request.body, failure.detail)
        if note:
            request.notes.append(note)
        return note is not None

    def _choose_pause(self, request: _Request, failure: Failure, deadlines: _Deadlines) -> float:
        """Return the pause before the next try, or raise because there is none."""
        n_allowed = {"never": 0, "once": 1, "later": MAX_RETRIES}[failure.retry]
        longest_s = self._settings.max_retry_wait_s
        if request.n_retries >= n_allowed:
            raise failure.to_error(shown=False)
        if failure.wait_s is not None and failure.wait_s > longest_s:
            remedy = (
                f"It asks to wait {render_wait(failure.wait_s)}, longer than the {longest_s:g} s "
                "that `model.maxRetryWaitS` allows; ask again later."
            )
            raise replace(failure, remedy=remedy).to_error(shown=False)
        pause_s = failure.wait_s
        if pause_s is None:
            backoff_s = min(_FIRST_PAUSE_S * 2**request.n_retries, _LONGEST_PAUSE_S, longest_s)
            pause_s = backoff_s * random.uniform(0.75, 1.0)
        if _now() + pause_s >= deadlines.total:
            raise failure.to_error(shown=False)
        if failure.kind == "unreadable-call":
            request.body = add_nudge(request.body, _NUDGE)
        request.n_retries += 1
        return pause_s

    async def _ask(
        self, body: dict[str, Any], assembly: Assembly, deadlines: _Deadlines
    ) -> AsyncGenerator[Piece, None]:
        """Make one request and yield its answer, or raise RequestFailed."""
        deadlines.begin_request()
        data = replace_lone_surrogates(json.dumps(body, ensure_ascii=False)).encode()
        try:
            async with deadlines.make_timeout():
                response = await self._connection.post(data, self.name)
        except TimeoutError as error:
            raise RequestFailed(deadlines.explain(self._endpoint.host)) from error
        try:
            async with aclosing(response.aiter_bytes()) as chunks:
                reader = AnswerReader(
                    self._endpoint, assembly, response.headers.get("content-type", "")
                )
                while not reader.is_closed:
                    progressed = await self._read_some(reader, chunks, deadlines)
                    for piece in assembly.take_pieces():
                        yield piece
                    if reader.failure is not None:
                        raise RequestFailed(reader.failure)
                    if progressed:
                        deadlines.note_progress(assembly)
            for last in assembly.conclude():
                yield last
        finally:
            await response.aclose()

    async def _read_some(
        self, reader: AnswerReader, chunks: AsyncIterator[bytes], deadlines: _Deadlines
    ) -> bool:
        """Read what has arrived, to the end if this is it; say whether there was progress."""
        data = None
        try:
            async with deadlines.make_timeout():
                data = await self._connection.read(chunks)
        except (TimeoutError, RequestFailed) as error:
            # After the finish nothing of the answer can be missing.
            if not reader.assembly.has_ended:
                if isinstance(error, RequestFailed):
                    raise
                raise RequestFailed(deadlines.explain(self._endpoint.host)) from error
        progressed = data is not None and reader.feed(data)
        if data is None:
            reader.close()
        elif reader.is_done:
            await self._drain(reader, chunks)
            reader.close()
        return progressed

    async def _drain(self, reader: AnswerReader, chunks: AsyncIterator[bytes]) -> None:
        """Read the end of the body, if it is there, so that the connection can be used again."""
        with suppress(TimeoutError, RequestFailed):
            async with asyncio.timeout(_DRAIN_S):
                while (data := await self._connection.read(chunks)) is not None:
                    reader.feed(data)


def _now() -> float:
    return asyncio.get_running_loop().time()
