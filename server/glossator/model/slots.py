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
from glossator.model.surrogates import replace_lone_surrogates
from glossator.model.tool_names import find_tool_name

MAX_CALLS = 256
_ID_CHARACTERS = string.ascii_letters + string.digits
_OWN_FIELDS = frozenset(("index", "id", "type", "function", "name", "arguments"))


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

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)


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


@dataclass(slots=True)
class CallSlots:
    """The calls of one answer. `tool_names` are the tools on offer."""

    tool_names: Collection[str] = ()
    notes: list[str] = field(default_factory=list)
    _slots: list[_Slot] = field(default_factory=list)
    _last: dict[int, _Slot] = field(default_factory=dict)

    def add(self, raw: dict[str, Any], place: int) -> bool:
        """Take in one entry of choice `place`; say whether there was anything in it."""
        entry = _read_entry(raw, place)
        if entry is None:
            return False
        slot = self._find_slot(entry)
        if slot is None:
            if len(self._slots) >= MAX_CALLS:
                self.notes.append(f"more than {MAX_CALLS} calls: the rest was dropped")
                return True
            slot = _Slot(entry.place, entry.index)
            self._slots.append(slot)
        self._last[place] = slot
        if entry.name and slot.name and entry.name != slot.name:
            slot.name += entry.name
        elif entry.name and entry.arguments == slot.arguments and is_complete(entry.arguments):
            return True  # The whole call once more.
        slot.id = slot.id or entry.id
        slot.name = slot.name or entry.name
        slot.extra.update(entry.extra)
        if entry.is_whole:
            slot.pieces.clear()
        if entry.arguments:
            slot.pieces.append(entry.arguments)
        return True

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

    def _find_slot(self, entry: _Entry) -> _Slot | None:
        """Return the slot that `entry` continues, or None when it opens a new one."""
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
        return slot if slot is not None and self._continues(slot, entry) else None

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


def _read_entry(raw: dict[str, Any], place: int) -> _Entry | None:
    function = raw.get("function")
    if not isinstance(function, dict):
        function = raw
    call_id, name, arguments = raw.get("id"), function.get("name"), function.get("arguments")
    index = raw.get("index")
    if isinstance(index, float) and index.is_integer():
        index = int(index)
    is_whole = arguments is not None and not isinstance(arguments, str)
    entry = _Entry(
        place=place,
        index=index if isinstance(index, int | str) else None,
        id=str(call_id) if isinstance(call_id, int | str) else "",
        name=name if isinstance(name, str) else "",
        arguments=render_arguments(arguments) if is_whole else arguments or "",
        is_whole=is_whole,
        extra={key: value for key, value in raw.items() if key not in _OWN_FIELDS and value},
    )
    return entry if entry.id or entry.name or entry.arguments or entry.extra else None
