"""Repairs of findings: made in memory first, and offered only when they do what they promise."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Literal

from glossator.app.checking.recent_tree import RecentTree
from glossator.app.checking.suppressing import LAPSED_ID
from glossator.app.phrasing import Phrasing
from glossator.app.rewriting import CannotRewrite, read_original, render_diff, write_repaired
from glossator.code.languages import find_language
from glossator.code.syntax import count_faults, parse_syntax
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText, split_lines
from glossator.rules.finding import Finding, hash_rule
from glossator.rules.fixes import apply_edits
from glossator.tools.line_diffs import find_changes
from glossator.tools.workspace import Workspace

Edit = tuple[Range, str]
Check = Callable[[SourceText], Sequence[Finding]]

# Why a repair is not made: the text would not parse, the finding would still be there, there
# would be another one, it touches one that is made, or people are to look at it.
Refusal = Literal["breaks-syntax", "still-found", "finds-more", "overlaps", "needs-a-look"]

_MAX_PASSES = 10
_MAX_TRIALS = 200
_MAX_REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class Left:
    """A finding whose repair was not made, and why."""

    finding: Finding
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Repaired:
    """A text after all repairs that could be made; without any it is the same."""

    text: str
    fixed: tuple[Finding, ...] = ()
    left: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True)
class FileFix:
    """What was or would be done to one file; `diff` shows it, `reason` says why it was not done."""

    shown_path: str
    path: Path
    fixed: tuple[Finding, ...] = ()
    left: tuple[Left, ...] = ()
    diff: str = ""
    is_written: bool = False
    reason: str = ""


class Trials:
    """Repairs that were tried, so that none is tried twice. For any thread.

    `check` finds what is wrong in a text, the dismissed left out. Trying parses: not on the loop.
    """

    def __init__(self, recent: RecentTree) -> None:
        self._recent = recent
        self._lock = Lock()
        self._known: OrderedDict[tuple[object, ...], Refusal | None] = OrderedDict()

    def judge(self, source: SourceText, finding: Finding, check: Check) -> Refusal | None:
        """Say why the repair of a finding of `source` is not to be offered, or None if it is."""
        rule = (finding.rule.id, hash_rule(finding.rule))
        key = (source.content_hash, source.name, rule, finding.range, finding.fix)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        refusal = _Trial(source, check, self._recent).judge_one(finding)
        with self._lock:
            self._known[key] = refusal
            if len(self._known) > _MAX_REMEMBERED:
                self._known.popitem(last=False)
        return refusal


def repair(source: SourceText, check: Check, rule_id: str = "") -> Repaired:
    """Make every sure repair, of one rule or of all, again and again until nothing changes.

    A model's repairs are never made unseen. None is made that breaks the syntax or leaves more of
    any rule than there was.
    """
    fixed: list[Finding] = []
    left: dict[tuple[str, Range], Left] = {}
    recent = RecentTree()
    for _ in range(_MAX_PASSES):
        trial = _Trial(source, check, recent)
        wanted = [one for one in trial.findings if one.fix and rule_id in ("", one.rule.id)]
        left = {
            (one.rule.id, one.range): Left(one, "needs-a-look")
            for one in wanted
            if not is_sure(one)
        }
        apart = list(_take_apart([one for one in wanted if is_sure(one)]))
        made, refused = trial.choose([one for one, overlaps in apart if not overlaps])
        left |= {(one.finding.rule.id, one.finding.range): one for one in refused}
        if not made:
            overlapping = (Left(one, "overlaps") for one, overlaps in apart if overlaps)
            left |= {(one.finding.rule.id, one.finding.range): one for one in overlapping}
            break
        fixed += made
        source = replace(source, text=trial.apply(made))
    return Repaired(source.text, tuple(fixed), tuple(left.values()))


def is_sure(finding: Finding) -> bool:
    """Say whether a repair may be made together with others, unseen."""
    return bool(finding.fix) and finding.proof == "compiled" and finding.rule.id != LAPSED_ID


def fix_file(
    path: Path, workspace: Workspace, check: Check, say: Phrasing, *, writes: bool
) -> FileFix | None:
    """Repair what can be repaired in a file, or show it; None when there is nothing to repair.

    The file keeps its encoding, mark and line breaks, and is written as a whole or not at all.
    """
    shown = workspace.show(path)
    try:
        original = read_original(path, workspace, say)
    except CannotRewrite as error:
        return FileFix(shown, path, reason=str(error))
    below = workspace.path_below_root(path)
    done = repair(SourceText(shown, original.text, path, below=below), check)
    if not done.fixed and not done.left:
        return None
    fix = FileFix(shown, path, done.fixed, done.left)
    if not done.fixed:
        return fix
    fix = replace(fix, diff=render_diff(shown, original.text, done.text))
    if not writes:
        return fix
    try:
        write_repaired(original, done.text, say)
    except CannotRewrite as error:
        return replace(fix, reason=str(error))
    return replace(fix, is_written=True)


def tell_refusal(refusal: Refusal, say: Phrasing) -> str:
    """Say why a repair is not made, as a clause."""
    match refusal:
        case "breaks-syntax":
            return say("the code would not parse any more", "修改后代码无法解析")
        case "still-found":
            return say("the finding would still be there", "修改后问题仍然存在")
        case "finds-more":
            return say("there would be another finding", "修改后会出现新的问题")
        case "overlaps":
            return say("it overlaps another repair", "与另一处修复重叠")
        case "needs-a-look":
            return say("somebody should look at it first", "需要先由人查看")


def find_edits(before: str, after: str) -> tuple[Edit, ...]:
    """Return edits of whole lines that turn one text into the other."""
    old, new = split_lines(before, keep_ends=True), split_lines(after, keep_ends=True)
    edits: list[Edit] = []
    for start_old, end_old, start_new, end_new in find_changes(old, new):
        place = Range(_line_start(old, start_old), _line_start(old, end_old))
        edits.append((place, "".join(new[start_new:end_new])))
    return tuple(edits)


def _line_start(lines: Sequence[str], index: int) -> Point:
    """Return where a line begins; behind a last line without a break that is its end."""
    if index == len(lines) and lines and not lines[-1].endswith(("\n", "\r")):
        return Point(index, len(lines[-1]))
    return Point(index + 1, 0)


def _take_apart(findings: Sequence[Finding]) -> Iterator[tuple[Finding, bool]]:
    """Yield each finding, and whether its repair touches that of one before."""
    taken: list[Range] = []
    for finding in findings:
        places = [place for place, _ in finding.fix]
        overlaps = any(_touch(one, other) for one in places for other in taken[-64:])
        if not overlaps:
            taken += places
        yield finding, overlaps


def _touch(one: Range, other: Range) -> bool:
    return one.start <= other.end and other.start <= one.end


class _Trial:
    """A text, what is wrong with it, and what would be after some repairs."""

    def __init__(self, source: SourceText, check: Check, recent: RecentTree) -> None:
        self.findings = tuple(check(source))
        self._source = source
        self._check = check
        self._language = find_language(source.name, source.language_id)
        known = self._language
        self._syntax = recent.parse(source, known) if known is not None else None
        self._n_faults = count_faults(self._syntax) if self._syntax is not None else 0
        self._counts = _count(self.findings)
        self._n_trials = 0

    def apply(self, findings: Iterable[Finding]) -> str:
        """Return the text after these repairs."""
        return apply_edits(self._source.text, [edit for one in findings for edit in one.fix])

    def judge_one(self, finding: Finding) -> Refusal | None:
        """Say why one repair is not to be offered; other rules may find more after it."""
        text = self.apply([finding])
        if self._count_faults(text) > self._n_faults:
            return "breaks-syntax"
        if finding.proof == "judged":
            return "still-found" if text == self._source.text else None
        counts = _count(self._check(replace(self._source, text=text)))
        rule_id = finding.rule.id
        if counts[rule_id] < self._counts[rule_id]:
            return None
        return "still-found" if counts[rule_id] == self._counts[rule_id] else "finds-more"

    def choose(self, findings: Sequence[Finding]) -> tuple[list[Finding], list[Left]]:
        """Return those whose repairs can be made together, and those that cannot be made."""
        made: list[Finding] = []
        refused: list[Left] = []
        waiting = [list(findings)] if findings else []
        while waiting and self._n_trials < _MAX_TRIALS:
            group = waiting.pop()
            refusal = self._judge_group([*made, *group])
            if refusal is None:
                made += group
            elif len(group) == 1:
                refused.append(Left(group[0], refusal))
            else:
                middle = len(group) // 2
                waiting += [group[middle:], group[:middle]]
        return made, refused

    def _judge_group(self, findings: Sequence[Finding]) -> Refusal | None:
        self._n_trials += 1
        text = self.apply(findings)
        if self._count_faults(text) > self._n_faults:
            return "breaks-syntax"
        counts = _count(self._check(replace(self._source, text=text)))
        allowed = self._counts - _count(findings)
        if all(n <= allowed[rule_id] for rule_id, n in counts.items()):
            return None
        rule_ids = {finding.rule.id for finding in findings}
        more = any(n > allowed[rule_id] for rule_id, n in counts.items() if rule_id not in rule_ids)
        return "finds-more" if more else "still-found"

    def _count_faults(self, text: str) -> int:
        if self._language is None or self._syntax is None:
            return 0
        return count_faults(parse_syntax(text, self._language, self._syntax))


def _count(findings: Iterable[Finding]) -> Counter[str]:
    return Counter(finding.rule.id for finding in findings)
