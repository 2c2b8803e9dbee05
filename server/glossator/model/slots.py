"""Tool calls while they arrive, each in its slot, and the whole calls at the end.

Servers disagree about every field: the index may be missing, always 0 or begin at 7; the id may
be missing, empty, repeated or used twice; the name may come late, in every chunk or decorated. So
no field alone is a key: an entry goes to the slot that it can continue, else it opens a new one.
"""

import secrets
import string
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from glossator.core.messages import ToolCall
from glossator.model.arguments import canonical, is_complete, render_arguments
from glossator.model.deltas import NOTHING
from glossator.model.surrogates import replace_lone_surrogates
from glossator.model.tool_names import find_tool_name

MAX_CALLS = 256
_ID_CHARACTERS = string.ascii_letters + string.digits
_ARGUMENTS = ("arguments", "input", "parameters")
_OWN_FIELDS = frozenset(("index", "id", "type", "function", "name", *_ARGUMENTS))


def make_call_id() -> str:
    """Return a new id: nine letters and digits, the one form that every server takes back."""
    return "".join(secrets.choice(_ID_CHARACTERS) for _ in range(9))


@dataclass(slots=True, eq=False)
class _Slot:
    """One call. `place` is the choice it came in, `index` the server's number for it, if any."""

    place: int
    index: int | str | None
    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    _is_cumulative: bool = True
    _size: int = 0

    @property
    def arguments(self) -> str:
        if self._is_cumulative and len(self.pieces) > 1 and is_complete(self.pieces[-1]):
            return self.pieces[-1]
        return "".join(self.pieces)

    def holds(self, arguments: str) -> bool:
        """Say whether `arguments` are all that is here, and whole."""
        return (
            len(arguments) == self._size and arguments == self.arguments and is_complete(arguments)
        )

    def write(self, entry: "_Entry") -> None:
        """Add the arguments of an entry, or put them in the place of what they say anew."""
        # An empty object at first is a place kept for the pieces that follow.
        is_placeholder = self.pieces == ["{}"] and entry.starts_arguments
        if entry.is_whole or is_placeholder:
            self.pieces.clear()
            self._is_cumulative, self._size = True, 0
        if entry.arguments:
            # Some servers send all arguments again in each piece. No object goes on that way.
            begins = entry.starts_arguments and entry.arguments.startswith(
                self.pieces[-1] if self.pieces else ""
            )
            self._is_cumulative = self._is_cumulative and begins
            self.pieces.append(entry.arguments)
            self._size += len(entry.arguments)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of a delta's `tool_calls`, absent and empty fields made alike."""

    place: int
    index: int | str | None
    id: str
    name: str
    arguments: str
    is_whole: bool
    extra: dict[str, Any]

    @property
    def starts_arguments(self) -> bool:
        return self.arguments.lstrip().startswith("{")

    @property
    def can_only_continue(self) -> bool:
        """Whether no call can begin with this: a piece from within an object, and nothing else."""
        is_piece = self.arguments.strip() != "" and not self.starts_arguments
        return is_piece and not (self.id or self.name)


@dataclass(slots=True)
class CallSlots:
    """The calls of one answer. `tool_names` are the tools on offer."""

    tool_names: Collection[str] = ()
    notes: list[str] = field(default_factory=list)
    _slots: list[_Slot] = field(default_factory=list)
    _last: dict[int, _Slot] = field(default_factory=dict)

    def add(self, raws: list[dict[str, Any]], place: int) -> int:
        """Take in the entries of one chunk in choice `place`; say how many held anything."""
        entries = [entry for raw in raws if (entry := _read_entry(raw, place)) is not None]
        beside: list[_Slot] = []
        for entry in entries:
            slot = self._find_slot(entry, beside)
            if slot is None:
                if len(self._slots) >= MAX_CALLS:
                    self.notes.append(f"more than {MAX_CALLS} calls: the rest was dropped")
                    break
                slot = _Slot(entry.place, entry.index)
                self._slots.append(slot)
            beside.append(slot)
            self._last[place] = slot
            _write(slot, entry)
        return len(entries)

    def has_cut_call(self) -> bool:
        """Say whether the arguments of some call are begun but not whole."""
        return any(slot.pieces and not is_complete(slot.arguments) for slot in self._slots)

    def make_calls(self, used_ids: Collection[str]) -> list[ToolCall]:
        """Return the whole calls, with ids that are neither in `used_ids` nor given twice."""
        calls: list[ToolCall] = []
        seen = set(used_ids)
        by_id: dict[str, set[tuple[str, str]]] = {}
        for slot in self._slots:
            name = find_tool_name(slot.name, self.tool_names)
            if name != slot.name:
                self.notes.append(f"the tool name `{slot.name}` was read as `{name}`")
            arguments = render_arguments(replace_lone_surrogates(slot.arguments))
            twins = by_id.setdefault(slot.id, set())
            if slot.id and (name, canonical(arguments)) in twins:
                self.notes.append(f"the call `{slot.id}` was sent twice")
                continue
            twins.add((name, canonical(arguments)))
            call_id = slot.id
            if not call_id or call_id in seen:
                call_id = make_call_id()
            call = ToolCall(call_id, name, arguments, slot.extra)
            seen.add(call_id)
            calls.append(call)
        return calls

    def _find_slot(self, entry: _Entry, beside: list[_Slot]) -> _Slot | None:
        """Return the slot that `entry` continues, or None when it opens a new one.

        `beside` are the slots that the same chunk has written already.
        """
        mine = [slot for slot in reversed(self._slots) if slot.place == entry.place]
        if entry.id:
            twins = [slot for slot in mine if slot.id == entry.id]
            same_index = [slot for slot in twins if slot.index == entry.index]
            for twin in (same_index or twins)[:1]:
                return twin if self._continues_twin(twin, entry) else None
        if entry.index is None:
            slot = self._last.get(entry.place)
            # Without an index a new id with a name is the only sign of a new call.
            if slot is not None and entry.id and slot.id and entry.name and slot.name:
                return None
        else:
            slot = next((slot for slot in mine if slot.index == entry.index), None)
            last = self._last.get(entry.place)
            if slot is None and last is not None and entry.can_only_continue:
                # Some servers number the pieces instead of the calls.
                slot = None if is_complete(last.arguments) else last
        if slot is None or (slot in beside and entry.id and slot.id):
            return None
        return slot if self._continues(slot, entry) else None

    def _continues_twin(self, twin: _Slot, entry: _Entry) -> bool:
        """Say whether an entry with the id of `twin` belongs to it: some servers reuse ids."""
        if not (entry.name and twin.name):
            return True
        if entry.name != twin.name:
            return twin.name + entry.name in self.tool_names
        if entry.index is not None and twin.index is not None:
            return entry.index == twin.index
        is_repeat = entry.arguments == twin.arguments
        return is_repeat or not (entry.starts_arguments and is_complete(twin.arguments))

    def _continues(self, slot: _Slot, entry: _Entry) -> bool:
        if entry.id and slot.id:
            # Another id at the same index: some servers number all calls 0, some make up an id
            # for every chunk.
            return not (entry.name and slot.name) or (
                entry.name == slot.name and not is_complete(slot.arguments)
            )
        if entry.name and slot.name:
            if entry.name != slot.name:
                return slot.name + entry.name in self.tool_names
            return not (entry.starts_arguments and is_complete(slot.arguments))
        return True


def _write(slot: _Slot, entry: _Entry) -> None:
    """Add to a call what an entry says of it."""
    if entry.name and slot.name and entry.name != slot.name:
        slot.name += entry.name
    elif slot.holds(entry.arguments):
        return  # The whole call once more.
    slot.id = slot.id or entry.id
    slot.name = slot.name or entry.name
    slot.extra.update(entry.extra)
    slot.write(entry)


def _read_entry(raw: dict[str, Any], place: int) -> _Entry | None:
    function = raw.get("function")
    if not isinstance(function, dict):
        function = raw
    call_id, name = raw.get("id"), function.get("name")
    arguments = next((function[key] for key in _ARGUMENTS if function.get(key) is not None), None)
    index = raw.get("index")
    if isinstance(index, float) and index.is_integer():
        index = int(index)
    is_whole = isinstance(arguments, dict | list)
    entry = _Entry(
        place=place,
        index=index if isinstance(index, int | str) else None,
        id=_read_word(call_id),
        name=_read_word(name) if isinstance(name, str) else "",
        arguments="" if arguments is None else _read_arguments(arguments),
        is_whole=is_whole,
        extra={key: value for key, value in raw.items() if key not in _OWN_FIELDS and value},
    )
    return entry if entry.id or entry.name or entry.arguments or entry.extra else None


def _read_word(value: object) -> str:
    word = str(value) if isinstance(value, int | str) else ""
    return "" if word.lower() in NOTHING else word


def _read_arguments(value: object) -> str:
    """Return arguments as text. Text is a piece and stays as it is, also where it is digits."""
    return value if isinstance(value, str) else render_arguments(value)
