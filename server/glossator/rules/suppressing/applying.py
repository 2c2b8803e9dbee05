"""Which findings are dismissed, by what, and which dismissals are about nothing any more."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from glossator.core.text import SourceText
from glossator.rules.finding import Finding, hash_code, hash_rule, number_alike
from glossator.rules.rule import Rule
from glossator.rules.suppressing.baseline import Baseline, Entry, Kind
from glossator.rules.suppressing.directives import (
    Directive,
    covers,
    find_directives,
    holds,
    lines_of,
)
from glossator.rules.suppressing.stripping import strip_directives

# Why a dismissal is about nothing: the rule finds nothing there, its words or checks are other
# ones, the code is another one, there is no such rule, or none is named.
Cause = Literal["nothing-found", "rule-changed", "code-changed", "unknown-rule", "no-rule-named"]

_WORD = re.compile(r"\w")
_MIN_WORD_CHARS = 2
# A finding over many more lines than were dismissed is another one.
_MAX_GROWTH = 5


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that somebody dismissed, and the reason they gave."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class Unused:
    """A dismissal that dismisses nothing, as far as `rule_ids` go, and why."""

    by: Directive | Entry
    rule_ids: tuple[str, ...]
    cause: Cause

    @property
    def has_lapsed(self) -> bool:
        """Whether it was about something that is another thing now, or is no more."""
        return self.cause in ("rule-changed", "code-changed", "unknown-rule")


@dataclass(frozen=True, slots=True)
class Suppression:
    """The findings of a document, divided, and the dismissals that are of no use."""

    kept: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...] = ()
    unused: tuple[Unused, ...] = ()


def apply_suppressions(
    findings: Sequence[Finding],
    source: SourceText,
    language: str,
    baseline: Baseline,
    *,
    checked: Mapping[str, Rule],
    known: Collection[str] | None = None,
    is_gone: Callable[[str], bool] = lambda path: False,
) -> Suppression:
    """Divide the findings of `source` by the comments in it and the entries of the baseline.

    `checked` are the rules that all of the document was checked by: only about them can be said
    that nothing was found. `known` are the ids of all rules there are, None when that is not sure.
    `is_gone` says whether there is no file any more at a path below the workspace folder: entries
    of such a file count for the same code elsewhere, which probably has moved.
    """
    directives = find_directives(source, language)
    entries = _select(baseline, source.scope, findings, is_gone)
    if not directives and not entries:
        return Suppression(tuple(findings))
    used: dict[int, set[str]] = defaultdict(set)
    reasons: dict[int, str] = {}
    for number, finding in enumerate(findings):
        for directive in directives:
            if covers(directive, finding) and holds(directive, finding, source):
                used[id(directive)].add(finding.rule.id)
                reasons.setdefault(number, directive.reason)
    for number, entry in _match_entries(findings, entries, source):
        used[id(entry)].add(entry.rule)
        reasons.setdefault(number, entry.reason)
    kept = tuple(each for number, each in enumerate(findings) if number not in reasons)
    judge = _Judge(kept, checked, known)
    unused = [
        *(each for one in directives for each in judge.of_directive(one, used[id(one)])),
        *(
            Unused(entry, (entry.rule,), cause)
            for entry in entries
            if entry.path == source.scope and not used[id(entry)]
            if (cause := judge.of_entry(entry)) is not None
        ),
    ]
    suppressed = (Suppressed(findings[number], reasons[number]) for number in sorted(reasons))
    return Suppression(kept, tuple(suppressed), tuple(unused))


def make_entry(
    finding: Finding, number: int, source: SourceText, kind: Kind, reason: str, date: str
) -> Entry:
    """Return the entry that dismisses a finding; `number` is that of `number_alike`."""
    return Entry(
        path=source.scope,
        rule=finding.rule.id,
        code=hash_code(finding.code),
        rule_hash=hash_rule(finding.rule),
        number=0 if kind == "wrong" else number,
        kind=kind,
        reason=" ".join(reason.split()),
        date=date,
        lines=_lines_of_judged(finding, source) if finding.proof == "judged" else (),
    )


def _lines_of_judged(finding: Finding, source: SourceText) -> tuple[str, ...]:
    return tuple(line_hash for _, line_hash in _hash_lines(source, *lines_of(finding)))


def _select(
    baseline: Baseline, path: str, findings: Iterable[Finding], is_gone: Callable[[str], bool]
) -> list[Entry]:
    """Return the entries of a file, and of files that are gone where they may fit."""
    here = list(baseline.by_path.get(path, ()))
    codes: dict[str, set[str]] = defaultdict(set)
    judged: set[str] = set()
    for finding in findings if baseline.entries else ():
        codes[finding.rule.id].add(hash_code(finding.code))
        if finding.proof == "judged":
            judged.add(finding.rule.id)
    moved = (
        entry
        for rule_id, found in codes.items()
        for entry in baseline.by_rule.get(rule_id, ())
        if entry.path != path and (entry.code in found or (entry.lines and rule_id in judged))
    )
    return here + [entry for entry in moved if is_gone(entry.path)]


def _match_entries(
    findings: Sequence[Finding], entries: Sequence[Entry], source: SourceText
) -> Iterator[tuple[int, Entry]]:
    """Yield each finding's number with each entry that dismisses it.

    What is ignored is counted: of three alike, two that were ignored leave one, whichever it is
    after lines were added or taken away.
    """
    rule_hashes = {finding.rule.id: hash_rule(finding.rule) for finding in findings}
    fitting = [entry for entry in entries if rule_hashes.get(entry.rule) == entry.rule_hash]
    page = _Page(source)
    left: dict[tuple[str, str], list[int]] = defaultdict(list)
    counted: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    uncounted: dict[str, list[Entry]] = defaultdict(list)
    for entry in fitting:
        if entry.kind == "ignored" and not entry.lines:
            counted[entry.rule, entry.code].append(entry)
        else:
            uncounted[entry.rule].append(entry)
    for place, (finding, number) in enumerate(number_alike(findings)):
        key = (finding.rule.id, hash_code(finding.code))
        exact = next((each for each in counted.get(key, ()) if each.number == number), None)
        if exact is not None:
            counted[key].remove(exact)
            yield place, exact
        elif key in counted:
            left[key].append(place)
        for entry in uncounted[finding.rule.id]:
            if page.fits(entry, finding, key[1]):
                yield place, entry
    for key, places in left.items():
        yield from zip(places, counted[key], strict=False)


@dataclass(slots=True)
class _Page:
    """The lines of a text by their hashes, of those that say something: no closing braces."""

    source: SourceText
    _hashed: list[tuple[int, str]] | None = None

    def fits(self, entry: Entry, finding: Finding, code: str) -> bool:
        """Say whether an entry that is not counted is about a finding, whose code has a hash."""
        if not entry.lines:
            return entry.kind == "wrong" and entry.code == code
        # A model that judges the same code again quotes a line more or a line less.
        first, last = lines_of(finding)
        return finding.proof == "judged" and any(
            first <= block[-1] and block[0] <= last and last - first < _MAX_GROWTH * len(block)
            for block in self._find_blocks(entry.lines)
        )

    def _find_blocks(self, hashes: Sequence[str]) -> Iterator[Sequence[int]]:
        """Yield the lines of each place where the lines of an entry stand one below the other."""
        if self._hashed is None:
            self._hashed = list(_hash_lines(self.source, 1, len(self.source.lines)))
        found = [line_hash for _, line_hash in self._hashed]
        n = len(hashes)
        for start in range(len(found) - n + 1):
            if found[start] == hashes[0] and found[start : start + n] == list(hashes):
                yield [line for line, _ in self._hashed[start : start + n]]


def _hash_lines(source: SourceText, first: int, last: int) -> Iterator[tuple[int, str]]:
    """Yield the number and the hash of each line from `first` to `last` that says something."""
    for number in range(first, last + 1):
        line = strip_directives(source.lines[number - 1])
        if len(_WORD.findall(line)) >= _MIN_WORD_CHARS:
            data = "".join(line.split()).encode("utf-8", "surrogatepass")
            yield number, hashlib.blake2b(data, digest_size=4).hexdigest()


class _Judge:
    """Says why a dismissal is of no use, or nothing where that cannot be known."""

    def __init__(
        self,
        kept: Sequence[Finding],
        checked: Mapping[str, Rule],
        known: Collection[str] | None,
    ) -> None:
        self._kept = kept
        self._checked = checked
        self._known = known

    def of_directive(self, directive: Directive, used: Collection[str]) -> Iterator[Unused]:
        if not directive.rule_ids:
            yield Unused(directive, (), "no-rule-named")
        causes: dict[Cause, list[str]] = {}
        for rule_id in directive.rule_ids:
            if rule_id not in used and (cause := self._cause(directive, rule_id)) is not None:
                causes.setdefault(cause, []).append(rule_id)
        for cause, rule_ids in causes.items():
            yield Unused(directive, tuple(rule_ids), cause)

    def of_entry(self, entry: Entry) -> Cause | None:
        cause = self._find_rule(entry.rule)
        if cause != "nothing-found":
            return cause
        if entry.rule_hash != hash_rule(self._checked[entry.rule]):
            return "rule-changed"
        is_there = any(finding.rule.id == entry.rule for finding in self._kept)
        return "code-changed" if is_there else "nothing-found"

    def _cause(self, directive: Directive, rule_id: str) -> Cause | None:
        cause = self._find_rule(rule_id)
        if cause != "nothing-found" or not directive.digest:
            return cause
        is_there = any(
            finding.rule.id == rule_id and covers(directive, finding) for finding in self._kept
        )
        if not is_there:
            return "nothing-found"
        return "rule-changed" if directive.extent == "file" else "code-changed"

    def _find_rule(self, rule_id: str) -> Cause | None:
        if rule_id in self._checked:
            return "nothing-found"
        return "unknown-rule" if self._known is not None and rule_id not in self._known else None
