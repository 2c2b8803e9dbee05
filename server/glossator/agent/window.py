"""The part of a conversation that a model is sent: all of it while it fits, less when it does not.

What goes first: results of tools and material of earlier turns, then earlier turns whole, then the
results of earlier rounds of this turn. The system message, a summary of earlier turns, the request
with its material and the newest results stay; if even they do not fit, results and then material
are cut, the least important first.

Trimming goes on until three fifths of the room are used, and it is decided as if the conversation
grew again from its beginning. So what is sent begins the same for several turns, and servers that
cache the beginning of a prompt find it again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from itertools import chain

from glossator.agent.capacity import count_tokens
from glossator.agent.shortening import cap_results, leave_out_material, shorten_result
from glossator.core.messages import Message, ToolCall
from glossator.core.tokens import estimate_tokens

_GOAL = 0.6
_OLD_RESULT_CHARACTERS = 400
_LEAST_RESULT_TOKENS = 200
_NOTE_TOKENS = 24


@dataclass(frozen=True, slots=True)
class Trimmed:
    """What was left out of a conversation or shortened; false when nothing was.

    `n_requests` counts earlier requests whose material was left out, `n_sections` material of the
    present one.
    """

    n_results: int = 0
    n_requests: int = 0
    n_turns: int = 0
    n_rounds: int = 0
    n_sections: int = 0

    def __bool__(self) -> bool:
        return any(astuple(self))


NOTHING_TRIMMED = Trimmed()


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is sent. `size` is its estimate, which may be above the room when nothing can go."""

    messages: tuple[Message, ...]
    trimmed: Trimmed
    size: int


def fit(transcript: Sequence[Message], added: Sequence[Message], room: int) -> Fitted:
    """Return what of a transcript and of what a turn added to it is sent within `room`.

    Earlier turns and rounds go as a whole: no result loses its call, no call its result.
    """
    size = count_tokens(transcript) + count_tokens(added)
    if size <= room:
        return Fitted((*transcript, *added), NOTHING_TRIMMED, size)
    return _Window(transcript, added, room).fit()


def has_summary(transcript: Sequence[Message]) -> bool:
    """Say whether a transcript begins with a summary: a user message that nobody answered."""
    n_system = _count_leading_system(transcript)
    roles = [message.role for message in transcript[n_system : n_system + 2]]
    return roles == ["user", "user"]


def _split_transcript(
    transcript: Sequence[Message],
) -> tuple[tuple[Message, ...], list[tuple[Message, ...]], Message]:
    """Return what stays at the beginning, the earlier turns, and the request that comes last."""
    *earlier, request = transcript
    start = _count_leading_system(earlier) + has_summary(transcript)
    return tuple(earlier[:start]), list(_split_before(earlier[start:], "user")), request


def _count_leading_system(messages: Sequence[Message]) -> int:
    return next(
        (n for n, message in enumerate(messages) if message.role != "system"), len(messages)
    )


def _split_before(messages: Sequence[Message], role: str) -> Iterator[tuple[Message, ...]]:
    """Split messages into groups that begin with a message of this role."""
    group: list[Message] = []
    for message in messages:
        if message.role == role and group:
            yield tuple(group)
            group = []
        group.append(message)
    if group:
        yield tuple(group)


def _find_calls(messages: Sequence[Message]) -> list[ToolCall | None]:
    """Return the call that each message answers; None for those that answer none."""
    found: list[ToolCall | None] = []
    waiting: list[ToolCall] = []
    for message in messages:
        call = None
        if message.role == "tool":
            call = next((each for each in waiting if each.id == message.call_id), None)
        else:
            waiting = list(message.tool_calls)
        if call is not None:
            waiting.remove(call)
        found.append(call)
    return found


@dataclass(frozen=True)
class _Unit:
    """An earlier turn, or a round of this one, which is sent whole, short or not at all."""

    messages: tuple[Message, ...]

    @cached_property
    def size(self) -> int:
        return count_tokens(self.messages)

    @cached_property
    def short(self) -> tuple[Message, ...]:
        """The messages with results shortened, and requests without their material."""
        short = []
        for message, call in zip(self.messages, _find_calls(self.messages), strict=True):
            if call is not None:
                text = shorten_result(call, message.text, _OLD_RESULT_CHARACTERS)
                message = replace(message, text=text)
            elif message.role == "user":
                message, _ = leave_out_material(message)
            short.append(message)
        return tuple(short)

    @cached_property
    def gain(self) -> int:
        return self.size - count_tokens(self.short)


class _Window:
    """One conversation that does not fit.

    Earlier turns before `_turns_cut` are short, those before `_turns_out` are left out; the same
    for the rounds of this turn.
    """

    def __init__(self, transcript: Sequence[Message], added: Sequence[Message], room: int) -> None:
        self._head, past, self._request = _split_transcript(transcript)
        self._turns = [_Unit(turn) for turn in past]
        self._rounds = [_Unit(group) for group in _split_before(added, "assistant")]
        self._room = room
        self._goal = int(room * _GOAL)
        self._turns_cut = self._turns_out = self._rounds_cut = self._rounds_out = 0
        self._n_sections = 0
        self._newest = self._rounds[-1].messages if self._rounds else ()
        self._size = count_tokens(self._head)

    def fit(self) -> Fitted:
        for n_turns, turn in enumerate(self._turns):
            self._grow(turn.size, n_turns, 0)
        self._grow(count_tokens([self._request]), len(self._turns), 0)
        if self._size > self._room:
            # There has to be room for rounds, too.
            self._cut_material(self._goal)
        for n_rounds, unit in enumerate(self._rounds):
            self._grow(unit.size, len(self._turns), n_rounds)
        if self._size > self._room and self._rounds:
            self._squeeze_newest()
        if self._size > self._room:
            self._cut_material(self._room)
        return self._assemble()

    def _grow(self, size: int, n_turns: int, n_rounds: int) -> None:
        """Add what came next; where that is too much, trim the turns and rounds before it."""
        self._size += size
        if self._size <= self._room:
            return
        while self._size > self._goal and self._turns_cut < n_turns:
            self._size -= self._turns[self._turns_cut].gain
            self._turns_cut += 1
        while self._size > self._goal and self._turns_out < n_turns:
            turn = self._turns[self._turns_out]
            self._size -= turn.size - turn.gain
            self._turns_out += 1
        while self._size > self._goal and self._rounds_cut < n_rounds:
            self._size -= self._rounds[self._rounds_cut].gain
            self._rounds_cut += 1
        while self._size > self._room and self._rounds_out < n_rounds:
            unit = self._rounds[self._rounds_out]
            self._size -= unit.size - unit.gain
            self._size += 0 if self._rounds_out else _NOTE_TOKENS
            self._rounds_out += 1

    def _cut_material(self, n_tokens: int) -> None:
        """Cut the material of the request until everything takes `n_tokens`."""
        size = estimate_tokens(self._request.text)
        goal = max(0, n_tokens - (self._size - size))
        self._request, n_sections = leave_out_material(self._request, goal)
        self._n_sections += n_sections
        self._size += estimate_tokens(self._request.text) - size

    def _squeeze_newest(self) -> None:
        """Cut the newest results to what room there is, or to a little each."""
        newest = self._newest
        calls = _find_calls(newest)
        answered = [call for call in calls if call is not None]
        texts = [each.text for each, call in zip(newest, calls, strict=True) if call]
        size = sum(map(estimate_tokens, texts))
        room = max(self._room - (self._size - size), _LEAST_RESULT_TOKENS * len(texts))
        shorter = cap_results(answered, texts, room)
        self._size += sum(map(estimate_tokens, shorter)) - size
        text = iter(shorter)
        self._newest = tuple(
            replace(each, text=next(text)) if call else each
            for each, call in zip(newest, calls, strict=True)
        )

    def _assemble(self) -> Fitted:
        turns = _choose_forms(self._turns, self._turns_cut)[self._turns_out :]
        rounds = _choose_forms(self._rounds[:-1], self._rounds_cut)[self._rounds_out :]
        request = self._request
        if self._rounds_out:
            note = f"(The first {self._rounds_out} rounds of tool calls no longer fit.)"
            request = replace(request, text=f"{request.text}\n\n{note}")
        earlier, later = chain.from_iterable(turns), chain.from_iterable(rounds)
        messages = (*self._head, *earlier, request, *later, *self._newest)
        trimmed = Trimmed(
            n_results=self._count_shortened("tool"),
            n_requests=self._count_shortened("user"),
            n_turns=self._turns_out,
            n_rounds=self._rounds_out,
            n_sections=self._n_sections,
        )
        return Fitted(messages, trimmed, count_tokens(messages))

    def _count_shortened(self, role: str) -> int:
        """Return how many messages of a role are sent shorter than they were."""
        cut = [
            *self._turns[self._turns_out : self._turns_cut],
            *self._rounds[self._rounds_out : self._rounds_cut],
        ]
        pairs = [(unit.messages, unit.short) for unit in cut]
        if self._rounds:
            pairs.append((self._rounds[-1].messages, self._newest))
        return sum(
            old.role == role and old.text != new.text
            for messages, shorter in pairs
            for old, new in zip(messages, shorter, strict=True)
        )


def _choose_forms(units: Sequence[_Unit], n_short: int) -> list[tuple[Message, ...]]:
    return [unit.short if place < n_short else unit.messages for place, unit in enumerate(units)]
