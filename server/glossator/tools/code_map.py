"""Who calls whom across the workspace.

Words find the files, their text rules most of them out, and only what is left is parsed and
kept by content. Nothing is read before the first question, and an idle map does nothing.

A briefing is given within a tenth of a second in a large workspace, too: there the nearest files
are looked into first, and those that were not looked into are counted.
"""

import copy
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol, TypeVar

from glossator.code.outline import Call, Function, Outline
from glossator.core.text import SourceText
from glossator.tools.budget import Budget
from glossator.tools.editor.facts import Origin, Problem
from glossator.tools.facts import Facts
from glossator.tools.reaching import Reach
from glossator.tools.resolving import Resolver
from glossator.tools.scopes import Site
from glossator.tools.source_files import (
    MAX_REMEMBERED,
    Definition,
    SourceFile,
    SourceFiles,
    list_definitions,
)
from glossator.tools.testcode import TEST_MARKS, is_test_code, is_test_path
from glossator.tools.workspace import Workspace

MAX_CALLERS = 200
MAX_CALLERS_FOLLOWED = 20
MAX_DEFINITIONS = 50
# Longer than any question's run of Chinese; each of its pieces is looked up.
_MAX_RUN = 100
# In a workspace of so many files names are shared by hundreds of them. What is asked there is
# answered in a tenth of a second, from the nearest files, and more fully when asked again.
LARGE = 1_000

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file, `path` as shown; `function` is what stands there, None for a type."""

    path: str
    line: int
    function: Function | None


@dataclass(frozen=True, slots=True)
class ResolvedCall:
    """A call and what it may mean: several targets are candidates, () is not in the workspace."""

    call: Call
    targets: tuple[Place, ...]
    origin: Origin = "own"


@dataclass(frozen=True, slots=True)
class Caller:
    """A call of a function. `place` is the function it stands in, or the call at module level."""

    place: Place
    line: int
    is_test: bool
    origin: Origin = "own"


class Found(tuple[_T, ...]):
    """Results, and how many more there may be.

    `cut` results were left out, and `n_files_left_out` files (or callers, among tests) were
    not looked into: too many, too large, or time was up.
    """

    cut: int
    n_files_left_out: int

    @classmethod
    def make(cls, items: Iterable[_T], *, limit: int, n_files_left_out: int = 0) -> "Found[_T]":
        """Keep the first `limit` of `items` and count the rest."""
        every = tuple(items)
        found = cls(every[:limit])
        found.cut = max(len(every) - limit, 0)
        found.n_files_left_out = n_files_left_out
        return found


@dataclass(frozen=True, slots=True)
class Users:
    """Who depends on a function: its callers, tests and recursion included, and its tests."""

    callers: Found[Caller]
    tests: Found[Caller]


NO_USERS = Users(Found.make((), limit=0), Found.make((), limit=0))


class Supplement(Protocol):
    """Who knows more of calls than the text tells: what the code map found is put to it."""

    def prepare(self, source: SourceText, function: Function) -> None:
        """Get ready to be asked about a function."""

    def outline(self, source: SourceText) -> Outline | None:
        """Return the structure of a text that we do not understand, if it does."""

    def list_problems(self, source: SourceText) -> tuple[Problem, ...]:
        """Return what is reported in a text."""

    def add_callers(
        self, source: SourceText, function: Function, own: Found[Caller]
    ) -> Found[Caller]:
        """Return the callers of a function, those that were found included."""

    def add_users(self, source: SourceText, function: Function, own: Users) -> Users:
        """Return callers and tests of a function, those that were found included."""

    def add_calls(
        self, source: SourceText, function: Function, own: Found[ResolvedCall]
    ) -> Found[ResolvedCall]:
        """Return the calls of a function with what they mean."""


class CodeMap:
    """Definitions, calls, callers and tests by name. May be used from several threads.

    Methods read files: call them in a worker thread. Changes on the disk are seen after
    `revalidate_after_s` at the latest, or at once after `expire`; open documents always count as
    they are.
    """

    def __init__(self, workspace: Workspace, *, revalidate_after_s: float = 1.0) -> None:
        self._workspace = workspace
        self._sources = SourceFiles(workspace, revalidate_after_s=revalidate_after_s)
        self._is_in_tests = lru_cache(MAX_REMEMBERED)(
            lambda path: is_test_path(workspace.show(Path(path)))
        )
        self._lock = threading.RLock()
        self._supplement: Supplement | None = None

    def with_supplement(self, supplement: Supplement) -> "CodeMap":
        """Return the same map, whose calls and callers `supplement` adds to."""
        other = copy.copy(self)
        other._supplement = supplement
        return other

    @property
    def workspace(self) -> Workspace:
        """The workspace whose code this is."""
        return self._workspace

    def outline(self, source: SourceText) -> Outline | None:
        """Return the outline of a text, or None when its structure is not understood.

        Never waits for another question: it needs neither the index nor other files.
        """
        facts = self._sources.facts_of(source)
        return None if facts is None else facts.outline

    def understand(self, source: SourceText) -> Outline | None:
        """Return the outline of a text, from the supplement where its language is not known."""
        outline = self.outline(source)
        if outline is None and self._supplement is not None:
            return self._supplement.outline(source)
        return outline

    def list_problems(self, source: SourceText) -> tuple[Problem, ...]:
        """Return what others report in a text, as the supplement knows it."""
        return () if self._supplement is None else self._supplement.list_problems(source)

    def resolve_calls(self, source: SourceText, function: Function) -> Found[ResolvedCall]:
        """Return the calls that `function` makes, in their order, each with its targets."""
        if self._supplement is None:
            return self._resolve_calls(source, function)
        own = self._resolve_calls(source, function)
        return self._supplement.add_calls(source, function, own)

    def _resolve_calls(self, source: SourceText, function: Function) -> Found[ResolvedCall]:
        with self._lock:
            facts = self._start(source)
            if facts is None:
                return Found.make([ResolvedCall(call, ()) for call in function.calls], limit=10**6)
            budget = self._budget(n_sure=5, seconds=0.03)
            resolver = Resolver(self._sources, budget)
            site = Site(facts, function)
            known: dict[tuple[str, str], tuple[Place, ...]] = {}
            for call in function.calls:
                key = (call.name, call.receiver)
                if key not in known:
                    targets = resolver.resolve(call, site)
                    known[key] = tuple(self._place(target) for target in targets)
            resolved = [
                ResolvedCall(call, known[call.name, call.receiver]) for call in function.calls
            ]
            return Found.make(resolved, limit=10**6, n_files_left_out=budget.n_skipped)

    def find_callers(
        self, source: SourceText, function: Function, *, is_brief: bool = False
    ) -> Found[Caller]:
        """Return the calls of `function` in the workspace; tests and recursion are included.

        Where `is_brief`, one of several functions is asked about: a quarter of a second is enough.
        """
        own = self._find_own_callers(source, function, is_brief=is_brief)
        if self._supplement is None:
            return own
        return self._supplement.add_callers(source, function, own)

    def _find_own_callers(
        self, source: SourceText, function: Function, *, is_brief: bool
    ) -> Found[Caller]:
        with self._lock:
            facts = self._start(source)
            if facts is None:
                return Found.make((), limit=MAX_CALLERS)
            budget = self._brief_budget() if is_brief else Budget()
            callers = [caller for _, caller in self._find_callers(facts, function, budget)]
            return self._found(callers, budget)

    def find_users(self, source: SourceText, function: Function) -> Users:
        """Return who calls `function`, and the tests that reach it.

        A test reaches it directly or through one function between.
        """
        if self._supplement is None:
            return self._find_own_users(source, function)
        self._supplement.prepare(source, function)
        own = self._find_own_users(source, function)
        return self._supplement.add_users(source, function, own)

    def _find_own_users(self, source: SourceText, function: Function) -> Users:
        with self._lock:
            facts = self._start(source)
            if facts is None:
                return NO_USERS
            budget = self._budget(n_sure=5, seconds=0.03)
            direct = self._find_callers(facts, function, budget)
            callers = self._found((caller for _, caller in direct), budget)
            budget = self._budget(n_sure=2, seconds=0.01)
            tests = self._find_tests(direct, budget)
            return Users(callers, self._found(dict.fromkeys(tests), budget))

    def _budget(self, *, n_sure: int, seconds: float) -> Budget:
        """Return what a part of a briefing may cost: in a large workspace little."""
        if self._sources.index.n_files < LARGE:
            return Budget()
        return Budget(n_sure=n_sure, seconds=seconds)

    def _brief_budget(self) -> Budget:
        """Return what one of many questions may cost: to look at all files of many takes longer."""
        is_large = self._sources.index.n_files >= LARGE
        return Budget(n_sure=0 if is_large else 5, seconds=0.25)

    def _find_tests(self, direct: list[tuple[Facts, Caller]], budget: Budget) -> list[Caller]:
        tests = [caller for _, caller in direct if caller.is_test]
        between: dict[tuple[str, int], tuple[Facts, Function]] = {}
        for facts, caller in direct:
            if not caller.is_test and caller.place.function is not None:
                between[caller.place.path, caller.place.line] = (facts, caller.place.function)
        for number, (facts, calling) in enumerate(between.values()):
            if number >= MAX_CALLERS_FOLLOWED or budget.is_over:
                budget.n_skipped += len(between) - number
                break
            further = self._find_callers(facts, calling, budget, only_tests=True)
            tests += [caller for _, caller in further if caller.is_test]
        return tests

    def find_definitions(self, name: str) -> Found[Place]:
        """Return the functions and types of that name, in any language."""
        with self._lock:
            self._sources.refresh()
            budget = Budget()
            files = [
                file
                for family in self._sources.families()
                for file in self._sources.definers(name, family)
            ]
            outlines = (self._sources.facts_at(file, name, "definition", budget) for file in files)
            found = [
                self._place(definition)
                for facts in outlines
                if facts is not None
                for definition in list_definitions(facts, name)
            ]
            found.sort(key=lambda place: (place.path, place.line))
            return Found.make(
                found,
                limit=MAX_DEFINITIONS,
                n_files_left_out=budget.n_skipped + self._sources.index.n_left_out,
            )

    def find_files_with(self, part: str) -> frozenset[str]:
        """Return the source files, as shown, with a word that has a part beginning with `part`."""
        with self._lock:
            self._sources.refresh()
            index = self._sources.index
            paths = [index.path_of(number) for number in index.find_by_part(part)]
        return frozenset(self._workspace.show(Path(path)) for path in paths)

    def find_words(self, part: str) -> frozenset[str]:
        """Return the words of source files and open documents that have `part`, in any case."""
        with self._lock:
            self._sources.refresh()
            return frozenset(self._sources.find_words(part.casefold()))

    def find_words_within(self, run: str) -> tuple[str, ...]:
        """Return the words of source files that stand anywhere in a run of letters, longest first.

        Chinese has no blanks between words. Single characters are none.
        """
        run = run[:_MAX_RUN]
        pieces = (
            run[start:end] for start in range(len(run)) for end in range(start + 2, len(run) + 1)
        )
        with self._lock:
            self._sources.refresh()
            found = set(self._sources.find_known(pieces))
        return tuple(sorted(found, key=lambda word: (-len(word), run.find(word))))

    def expire(self) -> None:
        """Look at the disk again at the next question: something changed there."""
        with self._lock:
            self._sources.index.expire()

    def forget(self) -> None:
        """Drop everything that was learned."""
        with self._lock:
            self._sources.forget()

    def _start(self, source: SourceText) -> Facts | None:
        facts = self._sources.facts_of(source)
        if facts is not None:
            self._sources.refresh()
        return facts

    def _find_callers(
        self, facts: Facts, function: Function, budget: Budget, *, only_tests: bool = False
    ) -> list[tuple[Facts, Caller]]:
        """Return callers with the facts of the file each stands in, in the order of files."""
        resolver = Resolver(self._sources, budget)
        target = Definition(facts, function)
        found: list[tuple[Facts, Caller]] = []
        for name in _list_call_names(function):
            for other in self._files_calling(name, target, resolver, budget, only_tests=only_tests):
                for calling, call in _list_calls(other, name):
                    site = Site(other, calling)
                    if resolver.rules_out(call, site, target):
                        continue
                    targets = resolver.resolve(call, site)
                    if any(_means(item, facts, function) for item in targets):
                        found.append((other, self._caller(other, calling, call)))
        return sorted(found, key=lambda item: (item[1].place.path, item[1].line))

    def _files_calling(
        self, name: str, target: Definition, resolver: Resolver, budget: Budget, *, only_tests: bool
    ) -> Iterator[Facts]:
        if not self._workspace.is_inside(Path(target.facts.native_path)):
            yield target.facts  # A document of its own: no folder that is searched holds it.
        reach = Reach(target, name, self._sources, resolver)
        files = [file for file in reach.files if not only_tests or self._may_test(file)]
        for number, file in enumerate(files):
            if budget.is_over:
                budget.n_skipped += len(files) - number
                return
            if not reach.may_call(file):
                continue
            other = self._sources.facts_at(file, name, "call", budget)
            if other is not None:
                yield other

    def _may_test(self, file: SourceFile) -> bool:
        return self._is_in_tests(file.path) or any(
            self._sources.file_mentions(file, mark) for mark in TEST_MARKS
        )

    def _caller(self, facts: Facts, calling: Function | None, call: Call) -> Caller:
        line = call.point.line
        shown = self._show(facts)
        start = line if calling is None else calling.name_range.start.line
        is_test = is_test_path(shown) or (
            calling is not None and is_test_code(calling.decorators, calling.name)
        )
        return Caller(Place(shown, start, calling), line, is_test)

    def _place(self, definition: Definition) -> Place:
        return Place(self._show(definition.facts), definition.line, definition.function)

    def _show(self, facts: Facts) -> str:
        return self._workspace.show(Path(facts.native_path))

    def _found(self, callers: Iterable[Caller], budget: Budget) -> Found[Caller]:
        return Found.make(
            callers,
            limit=MAX_CALLERS,
            n_files_left_out=budget.n_skipped + self._sources.index.n_left_out,
        )


def _list_call_names(function: Function) -> list[str]:
    """Return the names a function is called by: a constructor by its type's."""
    if function.kind == "constructor":
        return [function.container.rpartition(".")[2] or function.name]
    return [function.name]


def _list_calls(facts: Facts, name: str) -> list[tuple[Function | None, Call]]:
    """Return the calls of `name` in a file, those under a name it was imported as included."""
    aliases = {item.alias for item in facts.outline.imports if item.name == name and item.alias}
    return [call for one in (name, *sorted(aliases - {name})) for call in facts.calls.get(one, ())]


def _means(item: Definition, facts: Facts, function: Function) -> bool:
    """Say whether a definition is `function`, or that of which `function` is a prototype."""
    if item.key == (facts.path, function.name_range.start.line):
        return True
    other = item.function
    return (
        other is not None
        and not function.has_body
        and other.qualified_name == function.qualified_name
    )
