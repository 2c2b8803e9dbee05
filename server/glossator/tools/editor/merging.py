"""What the editor's language servers say of calls, put together with what we found ourselves.

What the editor says comes first. What it does not say is kept and marked, since servers overlook
calls of what has no declared type; where it says nothing at all, ours stands as it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from glossator.code.outline import Call, Function, Outline
from glossator.core.errors import GlossatorError
from glossator.core.locations import Point
from glossator.core.text import SourceText
from glossator.tools.code_map import (
    MAX_CALLERS,
    Caller,
    CodeMap,
    Found,
    Place,
    ResolvedCall,
    Users,
)
from glossator.tools.editor.facts import Facts, Problem, Spot
from glossator.tools.editor.inquiry import Inquiry
from glossator.tools.editor.symbols import clean_name, make_function, make_outline
from glossator.tools.testcode import is_test_code, is_test_path

# So many different calls are looked up one by one, where no call hierarchy is offered.
_MAX_DEFINITIONS = 20


class EditorSupplement:
    """Supplements one code map for one turn. Asks and reads files: not on the loop."""

    def __init__(self, inquiry: Inquiry, code_map: CodeMap) -> None:
        self._inquiry = inquiry
        self._code_map = code_map

    def prepare(self, source: SourceText, function: Function) -> None:
        """Ask ahead for what is wanted of a function."""
        point = function.name_range.start
        self._inquiry.begin("incomingCalls", source, point)
        self._inquiry.begin("outgoingCalls", source, point)
        self._inquiry.begin("diagnostics", source)

    def outline(self, source: SourceText) -> Outline | None:
        """Return the structure of a text in a language that only the editor understands."""
        facts = self._inquiry.ask("documentSymbols", source)
        return None if facts is None else make_outline(facts.spots, source)

    def list_problems(self, source: SourceText) -> tuple[Problem, ...]:
        """Return what the editor's other servers report in a text."""
        facts = self._inquiry.ask("diagnostics", source)
        return () if facts is None else facts.problems

    # Callers

    def add_callers(
        self, source: SourceText, function: Function, own: Found[Caller]
    ) -> Found[Caller]:
        """Return the callers that the editor names, then those that only we found."""
        told = self._find_callers(source, function)
        if told is None:
            return own
        callers, n_left_out = told
        confirmed = {(caller.place.path, caller.line) for caller in callers}
        others = (
            replace(caller, origin="unconfirmed")
            for caller in own
            if (caller.place.path, caller.line) not in confirmed
        )
        every = dict.fromkeys((*callers, *others))
        found = Found.make(every, limit=MAX_CALLERS, n_files_left_out=own.n_files_left_out)
        found.cut += own.cut + n_left_out
        return found

    def add_users(self, source: SourceText, function: Function, own: Users) -> Users:
        """Return callers as `add_callers` does, and all tests that anybody knows of."""
        callers = self.add_callers(source, function, own.callers)
        known = {(test.place.path, test.line) for test in own.tests}
        further = [
            caller
            for caller in callers
            if caller.is_test and (caller.place.path, caller.line) not in known
        ]
        tests = Found.make(
            (*own.tests, *further),
            limit=MAX_CALLERS,
            n_files_left_out=own.tests.n_files_left_out,
        )
        tests.cut += own.tests.cut
        return Users(callers, tests)

    def _find_callers(
        self, source: SourceText, function: Function
    ) -> tuple[list[Caller], int] | None:
        point = function.name_range.start
        facts = self._inquiry.ask("incomingCalls", source, point)
        if facts is not None:
            return [caller for spot in facts.spots for caller in self._callers_in(spot)], (
                facts.n_left_out
            )
        if "incomingCalls" in self._inquiry.silences:
            return None  # Who knows references would keep us waiting as well.
        facts = self._inquiry.ask("references", source, point)
        if facts is None:
            return None
        return list(self._callers_among(facts)), facts.n_left_out

    def _callers_in(self, spot: Spot) -> Iterator[Caller]:
        if spot.path is None:
            return
        source = self._read(spot)
        if source is None:
            return
        outline = self._code_map.outline(source)
        for call in spot.calls or (spot.name_range,):
            if outline is None:
                yield _make_caller(source, make_function(spot, source), call.start.line)
            else:
                yield _make_caller(source, outline.enclosing(call.start), call.start.line)

    def _callers_among(self, references: Facts) -> Iterator[Caller]:
        """Yield the references that are calls, as far as we understand the language."""
        for spot in references.spots:
            source = self._read(spot)
            outline = None if source is None else self._code_map.outline(source)
            if source is None or outline is None:
                continue
            function = outline.enclosing(spot.range.start)
            calls = outline.module_calls if function is None else function.calls
            if any(call.point == spot.range.start for call in calls):
                yield _make_caller(source, function, spot.range.start.line)

    # Calls

    def add_calls(
        self, source: SourceText, function: Function, own: Found[ResolvedCall]
    ) -> Found[ResolvedCall]:
        """Return the calls of a function, each with what the editor says it means."""
        facts = self._inquiry.ask("outgoingCalls", source, function.name_range.start)
        if facts is not None:
            told = _index_by_call(facts.spots)
        elif "outgoingCalls" not in self._inquiry.silences:
            told = self._look_up(source, own)
        else:
            return own
        if not told:
            return own
        calls = [self._resolve(resolved, told) for resolved in own]
        known = {resolved.call.point for resolved in own}
        for point, spots in told.items():
            if point not in known and facts is not None:
                name = clean_name(spots[0].name)
                call = Call(name, "", point, name)
                calls.append(ResolvedCall(call, self._place_all(spots), "editor"))
        found = Found.make(calls, limit=10**6, n_files_left_out=own.n_files_left_out)
        found.cut += own.cut
        return found

    def _resolve(self, own: ResolvedCall, told: dict[Point, list[Spot]]) -> ResolvedCall:
        spots = told.get(own.call.point)
        if spots is None:
            return replace(own, origin="unconfirmed") if own.targets else own
        return ResolvedCall(own.call, self._place_all(spots), "editor")

    def _look_up(self, source: SourceText, own: Found[ResolvedCall]) -> dict[Point, list[Spot]]:
        calls: dict[tuple[str, str], list[Point]] = {}
        for resolved in own:
            key = (resolved.call.name, resolved.call.receiver)
            calls.setdefault(key, []).append(resolved.call.point)
        asked = list(calls.values())[:_MAX_DEFINITIONS]
        for points in asked:
            self._inquiry.begin("definitions", source, points[0])
        told: dict[Point, list[Spot]] = {}
        for points in asked:
            facts = self._inquiry.ask("definitions", source, points[0])
            if facts is not None and facts.spots:
                told |= {point: list(facts.spots) for point in points}
        return told

    def _place_all(self, spots: Sequence[Spot]) -> tuple[Place, ...]:
        places = (self._place(spot) for spot in spots)
        return tuple(dict.fromkeys(place for place in places if place is not None))

    def _place(self, spot: Spot) -> Place | None:
        source = self._read(spot)
        if source is None:
            return None
        point = spot.name_range.start
        outline = self._code_map.outline(source)
        if outline is not None:
            found = outline.enclosing(point)
            is_it = found is not None and found.name_range.start.line == point.line
            return Place(source.name, point.line, found if is_it else None)
        return Place(source.name, point.line, make_function(spot, source) if spot.name else None)

    def _read(self, spot: Spot) -> SourceText | None:
        if spot.path is None:
            return None
        try:
            return self._code_map.workspace.read(spot.path)
        except GlossatorError:  # It has become another one since, or it is gone.
            return None


def _make_caller(source: SourceText, function: Function | None, line: int) -> Caller:
    start = line if function is None else function.name_range.start.line
    is_test = is_test_path(source.name) or (
        function is not None and is_test_code(function.decorators, function.name)
    )
    return Caller(Place(source.name, start, function), line, is_test, "editor")


def _index_by_call(spots: Sequence[Spot]) -> dict[Point, list[Spot]]:
    told: dict[Point, list[Spot]] = {}
    for spot in spots:
        for call in spot.calls:
            told.setdefault(call.start, []).append(spot)
    return told
