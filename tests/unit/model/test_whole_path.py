"""From the bytes of an answer to its pieces, in random dialects, split anywhere.

An answer is planned first and then written down as some server would; what must come out is the
plan. Nothing here reads what was written, so no mistake of the reader can be shared. A failure
names the seed, which makes the same answer again.
"""

import json
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.core.messages import Completion, ReasoningDelta, TextDelta, ToolCall, Usage
from glossator.model.answers import AnswerReader
from glossator.model.assembly import Assembly
from glossator.model.endpoints import Endpoint

_N_EXAMPLES = 2000 if settings.get_current_profile_name() == "ci" else 200
_ENDPOINT = Endpoint("http://localhost:1/v1", "", "tiny", "environment")
_TOOLS = ("read_file", "list_directory", "r", "w")
_WORDS = (
    "a", "the ", "data: ", "\n\n", "\r\n", "\n", "中文", "😀", "👩\u200d🚀", '"', "\\", "{", "}",
    "`x`", "</think>", "<b>", "\u2028", "\x0c", "é", "[DONE]", ": ", "event: error\n", " ",
)  # fmt: skip
_FINISHES = {
    "stop": ("stop", "STOP", "end_turn", "eos"),
    "tool_calls": ("tool_calls", "function_call", "tool_use", "stop"),
    "length": ("length", "max_tokens", "MAX_TOKENS"),
    "content_filter": ("content_filter", "SAFETY"),
}


@dataclass(frozen=True)
class Answer:
    """What a server means to say."""

    reasoning: str
    text: str
    calls: tuple[tuple[str, dict[str, Any]], ...]
    finish: str
    usage: Usage | None


@dataclass(frozen=True)
class Dialect:
    """How it says it."""

    reasoning: str  # reasoning_content, reasoning, parts, tag
    content: str  # text, parts, object
    index: str  # right, from-seven, text, zero, missing
    id: str  # first, every
    name: str  # first, every
    arguments: str  # cut, whole, object
    usage: str  # own, last, choice, every
    padding: str  # none, nulls, role
    container: str  # delta, message
    line_end: bytes
    prefix: bytes  # data: with a blank or without
    is_ascii: bool
    is_spread: bool  # an object over several lines of data
    has_bom: bool
    has_done: bool
    has_noise: bool
    is_interleaved: bool


def _plan(random: Random) -> Answer:
    def write(n_most: int) -> str:
        return "".join(random.choice(_WORDS) for _ in range(random.randint(0, n_most)))

    calls = tuple(
        (
            random.choice(_TOOLS),
            {random.choice("abc"): write(3) for _ in range(random.randint(0, 2))},
        )
        for _ in range(random.choice((0, 0, 1, 2, 3)))
    )
    finish = random.choice(("length", "content_filter")) if random.random() < 0.2 else "stop"
    if calls and finish == "stop":
        finish = "tool_calls"
    usage = Usage(random.randint(1, 9), random.randint(1, 9), random.randint(0, 9))
    # Blanks at the start may belong to a tag; with one, text begins after the blanks.
    text = write(8)
    return Answer(
        write(4).strip(), f"T{text}" if text else "", calls, finish, random.choice((None, usage))
    )


def _choose_dialect(random: Random) -> Dialect:
    return Dialect(
        reasoning=random.choice(("reasoning_content", "reasoning", "parts", "tag")),
        content=random.choice(("text", "text", "parts", "object")),
        index=random.choice(("right", "from-seven", "text", "zero", "missing")),
        id=random.choice(("first", "every")),
        name=random.choice(("first", "every")),
        arguments=random.choice(("cut", "whole", "object")),
        usage=random.choice(("own", "last", "choice", "every")),
        padding=random.choice(("none", "nulls", "role")),
        container=random.choice(("delta", "delta", "message")),
        line_end=random.choice((b"\n", b"\r\n", b"\r")),
        prefix=random.choice((b"data: ", b"data:")),
        is_ascii=random.random() < 0.5,
        is_spread=random.random() < 0.2,
        has_bom=random.random() < 0.2,
        has_done=random.random() < 0.8,
        has_noise=random.random() < 0.5,
        is_interleaved=random.random() < 0.5,
    )


def _cut(random: Random, text: str) -> list[str]:
    """Cut text anywhere; as JavaScript counts, so that a pair may come in two halves."""
    units = text.encode("utf-16-le")
    n_units = len(units) // 2
    cuts = sorted(random.randint(0, n_units) for _ in range(random.randint(0, 4)))
    edges = [0, *cuts, n_units]
    pieces = [
        units[2 * start : 2 * stop].decode("utf-16-le", "surrogatepass")
        for start, stop in pairwise(edges)
        if stop > start
    ]
    is_doubtful = any(later.startswith(before) for before, later in pairwise(pieces))
    # That each piece repeats the text before is another test's matter.
    return [text] if is_doubtful else pieces


def _write_deltas(random: Random, answer: Answer, dialect: Dialect) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = []
    if dialect.reasoning == "tag" and answer.reasoning and "</think>" not in answer.reasoning:
        joined = f"<think>{answer.reasoning}</think>\n\n{answer.text}"
        deltas += [{"content": piece} for piece in _cut(random, joined)]
    else:
        for piece in _cut(random, answer.reasoning):
            deltas.append(_write_reasoning(dialect, piece))
        for piece in _cut(random, answer.text):
            part = {"type": "text", "text": piece}
            deltas.append(
                {"content": {"parts": [part], "object": part}.get(dialect.content, piece)}
            )
    queues = [_write_call(random, dialect, n, *call) for n, call in enumerate(answer.calls)]
    n_begun = 0
    while any(queues):
        waiting = [n for n, queue in enumerate(queues[: n_begun + 1]) if queue]
        n = random.choice(waiting) if _can_interleave(dialect) else waiting[0]
        n_begun = max(n_begun, n + 1)
        deltas.append({"tool_calls": [queues[n].pop(0)]})
    padding = {"none": {}, "nulls": {"tool_calls": None, "refusal": None, "content": None}}.get(
        dialect.padding, {"role": "assistant"}
    )
    return [{**padding, **each} for each in deltas]


def _write_reasoning(dialect: Dialect, piece: str) -> dict[str, Any]:
    if dialect.reasoning == "parts":
        return {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": piece}]}]}
    return {"reasoning" if dialect.reasoning == "reasoning" else "reasoning_content": piece}


def _can_interleave(dialect: Dialect) -> bool:
    return dialect.is_interleaved and (
        dialect.index in ("right", "from-seven", "text")
        or (dialect.index == "missing" and dialect.id == "every")
    )


def _write_call(
    random: Random, dialect: Dialect, n: int, name: str, arguments: dict[str, Any]
) -> list[dict[str, Any]]:
    text = json.dumps(arguments, ensure_ascii=False)
    pieces: list[Any] = [text]
    if dialect.arguments == "object":
        pieces = [arguments]
    elif dialect.arguments == "cut":
        pieces = _cut(random, text)
    entries: list[dict[str, Any]] = []
    for position, piece in enumerate(pieces):
        entry: dict[str, Any] = {"function": {"arguments": piece}}
        index = {"right": n, "from-seven": n + 7, "text": f"{n}", "zero": 0}.get(dialect.index)
        if index is not None:
            entry["index"] = index
        if position == 0 or dialect.id == "every":
            entry["id"] = f"call_{n}"
        if position == 0 or dialect.name == "every":
            entry["function"]["name"] = name
        entries.append(entry)
    return entries


def _write_chunks(random: Random, answer: Answer, dialect: Dialect) -> list[dict[str, Any]]:
    container = "delta" if answer.calls else dialect.container
    chunks: list[dict[str, Any]] = [
        {"id": "c", "choices": [{"index": 0, container: each, "finish_reason": None}]}
        for each in _write_deltas(random, answer, dialect)
    ]
    word = random.choice(_FINISHES[answer.finish])
    last: dict[str, Any] = {"choices": [{"index": 0, container: {}, "finish_reason": word}]}
    if chunks and random.random() < 0.3:
        last = chunks[-1]
        last["choices"][0]["finish_reason"] = word
    else:
        chunks.append(last)
    if answer.usage is not None:
        counts = answer.usage
        report = {
            "prompt_tokens": counts.prompt_tokens,
            "completion_tokens": counts.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": counts.cached_tokens},
        }
        if dialect.usage == "own":
            chunks.append({"choices": [], "usage": report})
        elif dialect.usage == "choice":
            last["choices"][0]["usage"] = report
        else:
            last["usage"] = report
        if dialect.usage == "every" and chunks[0] is not last:
            chunks[0]["usage"] = {**report, "completion_tokens": 0}
    return chunks


def _write_bytes(random: Random, answer: Answer, dialect: Dialect) -> list[bytes]:
    """Return the events, each as bytes."""
    end, prefix = dialect.line_end, dialect.prefix
    noise = (
        b": keep-alive" + 2 * end, b":" + end, b"retry: 10" + 2 * end, b"id: 3" + end,
        b"event: ping" + 2 * end, prefix + 2 * end, prefix + b": ping" + 2 * end,
        prefix + b'{"choices":[]}' + 2 * end, prefix + b'{"choices":[{"delta":null}]}' + 2 * end,
    )  # fmt: skip
    written = [b"\xef\xbb\xbf"] if dialect.has_bom else []
    for chunk in _write_chunks(random, answer, dialect):
        text = json.dumps(
            chunk, ensure_ascii=dialect.is_ascii, indent=1 if dialect.is_spread else None
        )
        if not dialect.is_ascii:
            # Half a pair has no bytes of its own, so it is escaped even here.
            text = "".join(
                f"\\u{ord(each):04x}" if "\ud800" <= each <= "\udfff" else each for each in text
            )
        lines = text.encode().split(b"\n")
        if dialect.has_noise and random.random() < 0.3:
            written.append(random.choice(noise))
        written.append(b"".join(prefix + line + end for line in lines) + end)
    if dialect.has_done:
        written.append(prefix + b"[DONE]" + 2 * end)
    return written


def _split(random: Random, data: bytes) -> list[bytes]:
    """Split bytes as a network may: whole, anywhere, or one by one."""
    way = random.random()
    if way < 0.1:
        return [data]
    if way < 0.2:
        return [bytes([byte]) for byte in data]
    cuts = sorted(random.randint(0, len(data)) for _ in range(random.randint(1, 8)))
    return [data[start:stop] for start, stop in pairwise([0, *cuts, len(data)])]


def _read(pieces: list[bytes]) -> tuple[list[Any], AnswerReader]:
    """Return what was shown, the end too if the answer is whole."""
    reader = AnswerReader(_ENDPOINT, Assembly(tool_names=_TOOLS))
    shown: list[Any] = []
    for piece in pieces:
        if reader.failure is None and not reader.is_done:
            reader.feed(piece)
            shown += reader.assembly.take_pieces()
    reader.close()
    shown += reader.assembly.take_pieces()
    return shown + (reader.assembly.conclude() if reader.failure is None else []), reader


def _join(shown: list[Any], kind: type) -> str:
    return "".join(piece.text for piece in shown if isinstance(piece, kind))


@settings(max_examples=_N_EXAMPLES)
@given(st.integers(0, 2**64))
def test_what_a_server_means_to_say_comes_out(seed: int) -> None:
    random = Random(seed)
    answer, dialect = _plan(random), _choose_dialect(random)
    data = b"".join(_write_bytes(random, answer, dialect))

    shown, reader = _read(_split(random, data))

    assert reader.failure is None, (dialect, reader.failure)
    assert _join(shown, TextDelta) == answer.text
    assert _join(shown, ReasoningDelta) == answer.reasoning
    end = shown[-1]
    assert isinstance(end, Completion)
    assert (end.finish, end.usage) == (answer.finish, answer.usage)
    calls = [
        (each.name, json.loads(each.arguments)) for each in shown if isinstance(each, ToolCall)
    ]
    assert calls == (list(answer.calls) if answer.finish == "tool_calls" else [])
    cut = [(each.name, json.loads(each.arguments)) for each in end.cut_calls]
    assert cut == (list(answer.calls) if answer.finish == "length" else [])


@settings(max_examples=_N_EXAMPLES)
@given(st.integers(0, 2**64))
def test_an_answer_that_is_cut_anywhere_runs_nothing_and_shows_no_more_than_was_meant(
    seed: int,
) -> None:
    random = Random(seed)
    answer, dialect = _plan(random), _choose_dialect(random)
    events = _write_bytes(random, answer, dialect)
    whole = b"".join(events)
    data = whole[: random.randint(0, len(whole))]

    shown, reader = _read(_split(random, data))

    if reader.failure is None:
        # All that was missing came after the finish.
        assert reader.assembly.has_ended
        assert _join(shown, TextDelta) == answer.text
    else:
        assert not [piece for piece in shown if isinstance(piece, ToolCall)]
        assert answer.text.startswith(_join(shown, TextDelta).removesuffix("\ufffd"))
        assert answer.reasoning.startswith(_join(shown, ReasoningDelta))


_DAMAGE = (
    b"data: ", b"data:" * 50, b"[DONE]", b"{", b"}", b"[" * 500, b"]", b'"', b"null", b"\r", b"\n",
    b"\xff", b"\xef\xbb\xbf", b"\\ud83d", b"event: error\n", b"1e999", b"NaN", b"[]", b"error",
)  # fmt: skip


@settings(max_examples=_N_EXAMPLES)
@given(st.integers(0, 2**64))
def test_no_damage_to_an_answer_raises(seed: int) -> None:
    random = Random(seed)
    data = b"".join(_write_bytes(random, _plan(random), _choose_dialect(random)))
    for _ in range(random.randint(1, 8)):
        start = random.randint(0, len(data))
        end = start + random.choice((0, 0, 1, 12))
        data = data[:start] + random.choice((*_DAMAGE, b"", b"x")) + data[end:]

    shown, reader = _read(_split(random, data))

    assert reader.failure is not None or isinstance(shown[-1], Completion)


@pytest.mark.parametrize("n_bytes", [1, 2, 3, 7])
def test_an_answer_may_come_in_pieces_of_any_size(n_bytes: int) -> None:
    random = Random(7)
    answer = Answer("Hm. 中", "Yes 😀\r\n.", (("r", {"a": "é"}),), "tool_calls", Usage(3, 2, 1))
    data = b"".join(_write_bytes(random, answer, _choose_dialect(random)))

    shown, _ = _read([data[start : start + n_bytes] for start in range(0, len(data), n_bytes)])

    assert (_join(shown, ReasoningDelta), _join(shown, TextDelta)) == (
        answer.reasoning,
        answer.text,
    )
