"""Judge a document by the rules that have no check: what is known already, and what a model says.

Every finding passes the proof at the moment it is reported, whether its claim is new or was kept:
what is published stands in the text that was checked.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from glossator.agent.budget import Budget
from glossator.app.checking.judged_asking import Answered, Asking, Terms
from glossator.app.checking.judged_cache import JudgedCache, Key, KeyMaker, Verdict
from glossator.app.checking.judged_matter import Matter, Piece, prepare_matter
from glossator.app.checking.judged_rules import list_fitting
from glossator.app.checking.judging_budget import JudgingBudget
from glossator.app.checking.reasons import Reason
from glossator.app.checking.report import SkippedRules
from glossator.core.events import Emit, ignore_event
from glossator.core.settings import CheckSettings
from glossator.core.text import SourceText, shorten
from glossator.model.port import ChatModel
from glossator.rules.finding import Finding
from glossator.rules.judging.claim import AskedRule, Claim
from glossator.rules.judging.proof import Proven, prove_all
from glossator.rules.judging.regions import Lines
from glossator.rules.rule import Rule
from glossator.tools.escaping import escape_invisible

_MAX_MESSAGE = 300
_MAX_FIX = 4_000


@dataclass(frozen=True, slots=True)
class JudgedReport:
    """What judging found. `n_judged` rules were judged in all the code that was asked about.

    `judged_ids` names those that were judged in the whole document. `skipped` rules apply and were
    not judged, or not in all of that code; what was found by them all the same is among `findings`.
    """

    findings: tuple[Finding, ...] = ()
    n_judged: int = 0
    skipped: tuple[SkippedRules, ...] = ()
    judged_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges documents. `model` is None when there is none; `read_rule` gives the text of a rule.

    `budget` and `cache` are shared by all that judge. `secrets` are never sent. `given_up` is why
    the model is not asked any more: then what is known is all there is.
    """

    model: ChatModel | None
    settings: CheckSettings
    budget: JudgingBudget
    cache: JudgedCache
    read_rule: Callable[[Rule], str]
    context_tokens: int = 0
    secrets: tuple[str, ...] = field(default=(), repr=False)
    given_up: Reason | None = None

    async def judge(
        self,
        source: SourceText,
        rules: Sequence[Rule],
        *,
        changed: Sequence[Lines] | None = None,
        emit: Emit = ignore_event,
        is_current: Callable[[], bool] = lambda: True,
    ) -> JudgedReport:
        """Judge the code around the `changed` lines (1-based, inclusive); None is all of it.

        Cancelling the awaiting task ends the request. When the document is not `is_current` any
        more at the end, nothing is reported of it; what was learnt is kept.
        """
        fitting = list_fitting(rules, source)
        if not fitting:
            return JudgedReport()
        if not self.settings.judge:
            return skip_all(fitting, Reason("off", ("check.judge",)))
        if self.model is None:
            return skip_all(fitting, Reason("no-model"))
        matter = await asyncio.to_thread(
            prepare_matter, source, fitting, changed, self.read_rule, self.secrets
        )
        known = await self._recall(matter, self.model)
        answered = await self._ask(matter, known, self.model, emit)
        if not is_current():
            return skip_all(fitting, Reason("stale"))
        report = _Report(matter, known.verdicts, answered, is_whole=changed is None)
        return await asyncio.to_thread(report.write)

    async def _recall(self, matter: Matter, model: ChatModel) -> "_Known":
        maker = KeyMaker(model, matter.source)
        keys = {
            (rule.id, piece.known_by): maker.make(rule, piece.known_by)
            for rule in matter.asked
            for piece in matter.pieces
        }
        found = await asyncio.to_thread(self.cache.read, list(keys.values()))
        verdicts = {pair: found[key] for pair, key in keys.items() if key in found}
        return _Known(keys, verdicts)

    async def _ask(
        self, matter: Matter, known: "_Known", model: ChatModel, emit: Emit
    ) -> Answered | None:
        """Ask about what is not known, and note the answer; None when all is known."""
        open_rules = [rule for rule in matter.asked if known.lacks(rule, matter.pieces)]
        if not open_rules:
            return None
        if self.given_up is not None:
            return Answered(tuple(open_rules), reason=self.given_up)
        # Of the same code in several places one is asked about.
        unique = {piece.known_by: piece for piece in matter.pieces}.values()
        pieces = [
            piece for piece in unique if any(known.lacks(rule, [piece]) for rule in open_rules)
        ]
        asking = Asking(
            Terms(model, self.settings, self.budget, self.context_tokens),
            matter.path,
            matter.language_id,
            emit,
            Budget(
                seconds=self.settings.judge_timeout_s, tokens=self.settings.judge_tokens_per_save
            ),
        )
        answered = await asking.ask(open_rules, [piece.region for piece in pieces])
        learnt = known.note(answered, pieces)
        await asyncio.to_thread(self.cache.write, learnt)
        return answered


@dataclass(slots=True)
class _Known:
    """The verdicts on pairs of a rule and code, and the keys that they are kept by."""

    keys: Mapping[tuple[str, str], Key]
    verdicts: dict[tuple[str, str], Verdict]

    def lacks(self, rule: AskedRule, pieces: Iterable[Piece]) -> bool:
        return any((rule.id, piece.known_by) not in self.verdicts for piece in pieces)

    def note(self, answered: Answered, pieces: Iterable[Piece]) -> dict[Key, Verdict]:
        """Take in an answer; return what of it is worth keeping: all of it, if it is complete."""
        regions = frozenset(answered.regions)
        learnt: dict[Key, Verdict] = {}
        for piece in pieces:
            if piece.region not in regions:
                continue
            for rule in answered.rules:
                pair = rule.id, piece.known_by
                verdict = tuple(
                    _make_relative(each)
                    for each in answered.confirmed
                    if each.region == piece.region and each.claim.rule_id == rule.id
                )
                if answered.reason is None and rule.id not in answered.unverified:
                    self.verdicts[pair] = learnt[self.keys[pair]] = verdict
                elif verdict:
                    self.verdicts.setdefault(pair, verdict)
        return learnt


@dataclass(frozen=True, slots=True)
class _Report:
    """Writes the report of one judging from what is known in the end."""

    matter: Matter
    verdicts: Mapping[tuple[str, str], Verdict]
    answered: Answered | None
    is_whole: bool

    def write(self) -> JudgedReport:
        skipped = (*self.matter.skipped, *self._list_skipped())
        left_ids = {rule_id for each in skipped for rule_id in each.rule_ids}
        judged = tuple(rule.id for rule in self.matter.asked if rule.id not in left_ids)
        return JudgedReport(
            findings=tuple(self._list_findings()),
            n_judged=len(judged),
            skipped=skipped,
            judged_ids=judged if self.is_whole else (),
        )

    def _list_skipped(self) -> Iterator[SkippedRules]:
        if self.matter.has_secrets:
            yield SkippedRules(tuple(rule.id for rule in self.matter.asked), Reason("secret"))
            return
        answered = self.answered
        reason = _find_reason(answered) if answered is not None else None
        if answered is None or reason is None:
            return
        broken_off = {rule.id for rule in answered.rules} if answered.reason is not None else ()
        left = tuple(
            rule.id
            for rule in self.matter.asked
            if rule.id in broken_off
            or any((rule.id, each.known_by) not in self.verdicts for each in self.matter.pieces)
        )
        if left:
            yield SkippedRules(left, reason)

    def _list_findings(self) -> Iterator[Finding]:
        asked = {rule.id: rule for rule in self.matter.asked}
        proven: list[Proven] = []
        for piece in self.matter.pieces:
            claims = [
                replace(claim, line=piece.region.first_line + (claim.line or 0))
                for rule_id in asked
                for claim in self.verdicts.get((rule_id, piece.known_by), ())
            ]
            proven += prove_all(claims, asked, [piece.region])
        for each in proven:
            yield _make_finding(each, self.matter)


def _find_reason(answered: Answered) -> Reason | None:
    if answered.reason is None and answered.unverified:
        return Reason("no-verdict")
    return answered.reason or answered.left_out


def _make_relative(proven: Proven) -> Claim:
    """Return a claim whose line counts from the first one of its region, 0."""
    line = proven.range.start.line - proven.region.first_line
    return replace(proven.claim, line=line)


def _make_finding(proven: Proven, matter: Matter) -> Finding:
    rule = matter.rules[proven.claim.rule_id]
    message = escape_invisible(" ".join(proven.claim.message.split())) or rule.text
    fix = proven.fix
    if fix is not None and "\r\n" in matter.source.text:
        fix = fix.replace("\n", "\r\n")
    is_fix = fix is not None and len(fix) <= _MAX_FIX
    return Finding(
        rule=rule,
        range=proven.range,
        message=shorten(message, _MAX_MESSAGE),
        severity=rule.severity,
        code=matter.cut(proven.range),
        fix=((proven.range, fix),) if fix is not None and is_fix else (),
        proof="judged",
    )


def skip_all(rules: Iterable[Rule], reason: Reason) -> JudgedReport:
    """Report that rules apply and were not judged, and why."""
    return JudgedReport(skipped=(SkippedRules(tuple(rule.id for rule in rules), reason),))
