"""Assembly of tool calls against an independent reference, over random dialects.

The generator tags every entry with the call it belongs to; the reference only follows the tags, so
it cannot share a mistake with the slots.
"""

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.core.messages import ToolCall
from glossator.model.slots import MAX_CALLS, CallSlots, find_tool_name, make_call_id

_TOOLS = ("read_file", "list_directory", "r", "w")


@dataclass(frozen=True)
class Dialect:
    """How a server writes its calls. `index` and `id` decide what can be told apart at all."""

    index: str  # right, from-seven, text, zero, missing
    id: str  # first, every, missing, empty-later, fresh, same
    name: str  # first, every, late
    pieces: str  # whole, cut, object
    header: bool  # id and name come in an entry of their own
    interleaved: bool

    @property
    def has_index(self) -> bool:
        return self.index in ("right", "from-seven", "text")


def _is_decidable(dialect: Dialect) -> bool:
    """Say whether the calls can be told apart in this dialect, by any reader."""
    if not dialect.has_index:
        if dialect.name == "late" or dialect.id in ("fresh", "same"):
            return False
        # With one index for all, a new id before the call is whole may be the same call.
        if dialect.interleaved and (dialect.id != "every" or dialect.index == "zero"):
            return False
        if dialect.id == "missing" and dialect.header:
            return False
    # An id in every chunk that other calls have too, beside a name that is still to come.
    return not (dialect.id == "same" and dialect.name == "late")


_dialects = st.builds(
    Dialect,
    index=st.sampled_from(["right", "from-seven", "text", "zero", "missing"]),
    id=st.sampled_from(["first", "every", "missing", "empty-later", "fresh", "same"]),
    name=st.sampled_from(["first", "every", "late"]),
    pieces=st.sampled_from(["whole", "cut", "object"]),
    header=st.booleans(),
    interleaved=st.booleans(),
).filter(_is_decidable)
_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)
_arguments = st.dictionaries(st.text(max_size=3), _values, max_size=3)


@st.composite
def _streams(draw: st.DrawFn) -> tuple[Dialect, list[tuple[int, dict[str, Any]]]]:
    dialect = draw(_dialects)
    calls = draw(st.lists(st.tuples(st.sampled_from(_TOOLS), _arguments), min_size=1, max_size=4))
    queues = [_write(draw, dialect, n, *made) for n, made in enumerate(calls)]
    entries: list[tuple[int, dict[str, Any]]] = []
    while any(queues):
        waiting = [n for n, queue in enumerate(queues) if queue]
        n = draw(st.sampled_from(waiting)) if dialect.interleaved else waiting[0]
        entries.append((n, queues[n].pop(0)))
    return dialect, entries


def _write(
    draw: st.DrawFn, dialect: Dialect, n: int, name: str, arguments: dict[str, Any]
) -> list[dict[str, Any]]:
    text = json.dumps(arguments, ensure_ascii=draw(st.booleans()))
    pieces: list[Any] = [text]
    if dialect.pieces == "object":
        pieces = [arguments]
    elif dialect.pieces == "cut":
        cuts = sorted(draw(st.sets(st.integers(1, max(1, len(text) - 1)), max_size=4)))
        edges = [0, *cuts, len(text)]
        pieces = [text[a:b] for a, b in pairwise(edges) if text[a:b]]
    if dialect.header:
        pieces.insert(0, draw(st.sampled_from(["", None])))
    entries = []
    for position, piece in enumerate(pieces):
        is_first, is_last = position == 0, position == len(pieces) - 1
        entry: dict[str, Any] = {"function": {"arguments": piece}}
        index = {"right": n, "from-seven": n + 7, "text": f"{n}", "zero": 0}.get(dialect.index)
        if index is not None:
            entry["index"] = index
        if dialect.id == "every" or (dialect.id in ("first", "empty-later", "fresh") and is_first):
            entry["id"] = f"call_{n}"
        elif dialect.id == "same" and is_first:
            entry["id"] = "call"
        elif dialect.id == "fresh":
            entry["id"] = f"call_{n}_{position}"
        elif dialect.id == "empty-later":
            entry["id"] = ""
        shows_name = {"first": is_first, "every": True, "late": is_last}[dialect.name]
        entry["function"]["name"] = name if shows_name else draw(st.sampled_from(["", None]))
        entries.append(entry)
    return entries


def _reference(entries: list[tuple[int, dict[str, Any]]]) -> list[tuple[str, Any]]:
    """Return names and arguments by tag, in the order in which the calls began."""
    names: dict[int, str] = {}
    texts: dict[int, str] = {}
    for tag, entry in entries:
        function = entry["function"]
        piece = function["arguments"]
        if not (entry.get("id") or function["name"] or (piece is not None and piece != "")):
            continue  # Nothing in it: it begins no call.
        names[tag] = names.get(tag) or function["name"] or ""
        written = json.dumps(piece) if isinstance(piece, dict) else piece or ""
        texts[tag] = texts.get(tag, "") + written
    return [(names[tag], json.loads(text)) for tag, text in texts.items()]


def _drop_twins(calls: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    said = [json.dumps(made, sort_keys=True) for made in calls]
    return [made for n, made in enumerate(calls) if said[n] not in said[:n]]


@settings(max_examples=400)
@given(_streams())
def test_calls_come_out_as_they_were_meant_in_every_dialect(
    made: tuple[Dialect, list[tuple[int, dict[str, Any]]]],
) -> None:
    dialect, entries = made
    slots = CallSlots(_TOOLS)
    for _, entry in entries:
        slots.add([entry], 0)

    calls = slots.make_calls(())

    found = [(call.name, json.loads(call.arguments)) for call in calls]
    expected = _reference(entries)
    # The same call under the same id is one call.
    assert found == (_drop_twins(expected) if dialect.id == "same" else expected)
    assert len({call.id for call in calls}) == len(calls)
    if dialect.id in ("first", "every", "empty-later", "fresh"):
        assert {call.id for call in calls} == {f"call_{tag}" for tag, _ in entries}


_junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)
_junk_entries = st.dictionaries(
    st.sampled_from(["index", "id", "type", "function", "name", "arguments", "x"]),
    _junk | st.fixed_dictionaries({}, optional={"name": _junk, "arguments": _junk}),
)


@given(st.lists(_junk_entries, max_size=6))
def test_no_entry_whatever_is_in_it_raises(entries: list[dict[str, Any]]) -> None:
    slots = CallSlots(_TOOLS)
    for entry in entries:
        slots.add([entry], 0)

    calls = slots.make_calls({"a"})

    assert all(isinstance(call, ToolCall) and call.id for call in calls)
    assert len({call.id for call in calls}) == len(calls)


def test_ids_of_earlier_turns_are_replaced() -> None:
    slots = CallSlots(_TOOLS)
    slots.add([{"index": 0, "id": "call_1", "function": {"name": "r", "arguments": "{}"}}], 0)

    (call,) = slots.make_calls({"call_1"})

    assert call.id != "call_1"
    assert len(call.id) == len(make_call_id()) == 9


def test_a_second_header_with_the_same_id_opens_a_second_call() -> None:
    slots = CallSlots(_TOOLS)
    for index in (0, 1):
        slots.add([{"index": index, "id": "c", "function": {"name": "r", "arguments": ""}}], 0)
    for index in (0, 1):
        slots.add([{"index": index, "function": {"arguments": f'{{"x":{index}}}'}}], 0)

    assert [call.arguments for call in slots.make_calls(())] == ['{"x":0}', '{"x":1}']


def test_a_name_is_only_undecorated_to_a_tool_on_offer() -> None:
    names = ["functions.read_file", "default_api:read_file", "read_file:12", "tools/r", "nothing.x"]

    assert [find_tool_name(name, _TOOLS) for name in names] == [
        "read_file", "read_file", "read_file", "r", "nothing.x",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        "assistant<|channel|>commentary to=functions.read_file", "<function=read_file>",
        "read_file</tool_call>", "mcp__workspace__read_file", "read_file.", "read_file#1",
        "read_file\u200b", "READ_FILE", "readFile", "read-file", "**read_file**",
    ],
)  # fmt: skip
def test_a_name_is_found_in_any_frame_and_spelling(name: str) -> None:
    assert find_tool_name(name, _TOOLS) == "read_file"


@pytest.mark.parametrize(
    "name", ["search_web", "read_file and r", "read_file|r", "write read_file", "", "to=functions."]
)
def test_what_names_no_tool_or_several_is_left_as_it_is(name: str) -> None:
    assert find_tool_name(name, _TOOLS) == name


def test_a_flood_of_calls_is_bounded() -> None:
    slots = CallSlots(_TOOLS)
    for index in range(2 * MAX_CALLS):
        slots.add([{"index": index, "id": f"c{index}", "function": {"name": "r"}}], 0)

    assert len(slots.make_calls(())) == MAX_CALLS
    assert slots.notes
