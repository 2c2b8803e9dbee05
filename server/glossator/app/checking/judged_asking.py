"""The two requests of a judging: what breaks a rule here, and is that so?

Only what the second one confirms counts, and it is asked only about claims that stand their proof.
"""

import asyncio
import math
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from glossator.agent.budget import Budget, StopReason
from glossator.agent.capacity import Capacity, count_tokens, recall_capacity
from glossator.agent.replies import Reply, read_reply
from glossator.app.checking.judging_budget import JudgingBudget, Spending
from glossator.app.checking.reasons import Reason
from glossator.core.errors import IncompleteAnswer, ModelUnavailable
from glossator.core.events import (
    CodeJudged,
    Emit,
    Event,
    RoundStarted,
    TurnEnded,
    TurnStarted,
    only_paints,
)
from glossator.core.messages import Message, Usage
from glossator.core.settings import CheckSettings
from glossator.core.tokens import estimate_tokens
from glossator.model.failures import ContextTooLong
from glossator.model.port import ChatModel
from glossator.rules.judging.claim import AskedRule
from glossator.rules.judging.prompt import (
    DETECT,
    Code,
    ask_again,
    ask_to_detect,
    ask_to_verify,
    write_rules,
)
from glossator.rules.judging.proof import Proven, prove_all
from glossator.rules.judging.regions import Region
from glossator.rules.judging.reply import MAX_CLAIMS, Claims, Verdicts, parse_claims, parse_verdicts

# Of what a save may take, the first prompt; the rest is for the reply and the second request.
_SHARE_OF_PROMPT = 0.6
_SHARE_OF_RULES = 0.5
_TOKENS_OF_A_REPLY = 1_000
_TOKENS_OF_A_LINE_NUMBER = 3
_TOKENS_OF_A_FRAME = 40

_STOPS = {
    "model-timeout": "time-limit",
    "budget": "token-limit",
    "hour-budget": "token-limit",
    "reply-cut": "cut",
    "reply-refused": "filtered",
}

P = TypeVar("P", Claims, Verdicts)
Q = TypeVar("Q", AskedRule, Region)


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a judging. `reason` says why it is not complete, if it is not.

    `rules` and `regions` are those that fitted into the request; without a reason, all that is in
    them and not `confirmed` is clean, but for the `unverified` rules: something was found and not
    confirmed or refuted. `left_out` says why not everything fitted.
    """

    rules: tuple[AskedRule, ...] = ()
    regions: tuple[Region, ...] = ()
    confirmed: tuple[Proven, ...] = ()
    reason: Reason | None = None
    left_out: Reason | None = None
    unverified: frozenset[str] = frozenset()


class _Stopped(Exception):
    """A judging cannot go on; never leaves this module."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Terms:
    """Who is asked, and what it may cost. `context_tokens` is what the model takes, 0: unknown."""

    model: ChatModel
    settings: CheckSettings
    hours: JudgingBudget
    context_tokens: int = 0


@dataclass(slots=True)
class Asking:
    """One judging of one document, as a turn that the record and telemetry hear of."""

    terms: Terms
    path: str
    language: str
    emit: Emit
    budget: Budget
    usage: Usage = field(default_factory=Usage)
    _n_rounds: int = 0
    _is_repaired: bool = False
    _n_claims: int = 0
    _n_proven: int = 0

    async def ask(self, rules: Sequence[AskedRule], regions: Sequence[Region]) -> Answered:
        """Ask about as many of the rules and regions as fit, the first ones.

        What goes wrong is told as a reason.
        """
        fitted = self._fit(rules, regions)
        if not fitted.rules or not fitted.regions:
            return fitted
        started = time.monotonic()
        self.emit(TurnStarted("judge", subject=self.path))
        answered, stop = fitted, "failed"
        try:
            answered = await self._ask_twice(fitted)
            code = answered.reason.code if answered.reason else ""
            stop = _STOPS.get(code, "failed") if code else "answered"
        except asyncio.CancelledError:
            stop = "cancelled"
            raise
        finally:
            self.emit(self._describe(answered))
            error = str(answered.reason) if stop == "failed" and answered.reason else ""
            self.emit(TurnEnded(stop, self.usage, time.monotonic() - started, error))
        return answered

    async def _ask_twice(self, fitted: Answered) -> Answered:
        asked = {rule.id: rule for rule in fitted.rules}
        request = ask_to_detect(fitted.rules, self._frame(fitted.regions))
        try:
            reply, claims = await self._read(request, parse_claims)
            proven = await asyncio.to_thread(prove_all, claims.claims, asked, fitted.regions)
            self._n_claims, self._n_proven = len(claims.claims), len(proven)
            confirmed, unverified = await self._verify(proven, asked) if proven else ((), set())
        except _Stopped as stopped:
            return replace(fitted, reason=stopped.reason)
        return replace(
            fitted,
            confirmed=confirmed,
            reason=_find_gap(claims, reply),
            unverified=frozenset(unverified),
        )

    async def _verify(
        self, proven: Sequence[Proven], asked: dict[str, AskedRule]
    ) -> tuple[tuple[Proven, ...], set[str]]:
        """Return those claims that are confirmed when the model is asked to refute them.

        Then the rules of those of which it says nothing.
        """
        rules = [asked[rule_id] for rule_id in sorted({each.claim.rule_id for each in proven})]
        regions = dict.fromkeys(each.region for each in proven)
        claims = [each.claim for each in proven]
        request = ask_to_verify(rules, self._frame(regions), claims)
        reply, verdicts = await self._read(request, parse_verdicts)
        if reply.is_cut:
            raise _Stopped(Reason("reply-cut"))
        numbered = tuple(enumerate(proven, 1))
        confirmed = tuple(each for number, each in numbered if number in verdicts.confirmed)
        untold = {each.claim.rule_id for number, each in numbered if number not in verdicts.told}
        return confirmed, untold

    async def _read(self, request: Sequence[Message], parse: Callable[[str], P]) -> tuple[Reply, P]:
        """Send a request and read the reply; one that is of no use is asked for once more."""
        reply = await self._send(request)
        parsed = parse(reply.message.text)
        if parsed.problem and reply.is_cut:
            raise _Stopped(Reason("reply-cut"))
        if parsed.problem and not self._is_repaired:
            self._is_repaired = True
            reply = await self._send(ask_again(request, reply.message.text, parsed.problem))
            parsed = parse(reply.message.text)
        if parsed.problem:
            raise _Stopped(Reason("reply-cut" if reply.is_cut else "reply-unreadable"))
        return reply, parsed

    async def _send(self, request: Sequence[Message]) -> Reply:
        """Send one request within all budgets.

        Raises:
            _Stopped: it cannot be sent, or there is no reply to be read.
        """
        capacity = recall_capacity(self.terms.model)
        estimate = count_tokens(request)
        n_prompt = capacity.scale(estimate)
        spending = self._reserve(n_prompt)
        n_before = self.budget.n_spent
        self._n_rounds += 1
        self.emit(RoundStarted(self._n_rounds, 0, self.terms.model.name))
        try:
            reply = await read_reply(
                self.terms.model, request, (), self.budget, self._hear,
                number=self._n_rounds, n_prompt_tokens=n_prompt,
            )  # fmt: skip
        except ContextTooLong as error:
            capacity.note_refusal(estimate, error)
            spending.settle(0)
            raise _Stopped(Reason("no-room")) from error
        except ModelUnavailable as error:
            # Of an answer that broke off it is not known what it took.
            if not isinstance(error, IncompleteAnswer):
                spending.settle(0)
            raise _Stopped(Reason("model-failed", (str(error),))) from error
        spending.settle(self.budget.n_spent - n_before)
        self._note(reply, capacity, estimate)
        self._require_whole(reply)
        return reply

    def _note(self, reply: Reply, capacity: Capacity, estimate: int) -> None:
        if reply.completion.usage is not None:
            self.usage += reply.completion.usage
            capacity.note_usage(estimate, reply.completion.usage.prompt_tokens)

    def _require_whole(self, reply: Reply) -> None:
        settings = self.terms.settings
        if reply.stop_reason is StopReason.TIME_LIMIT:
            raise _Stopped(Reason("model-timeout", (settings.judge_timeout_s,)))
        if reply.stop_reason is StopReason.TOKEN_LIMIT:
            raise _Stopped(_save_budget(settings))
        if reply.completion.finish in ("content_filter", "refusal"):
            raise _Stopped(Reason("reply-refused"))

    def _reserve(self, n_prompt: int) -> Spending:
        settings = self.terms.settings
        if self.budget.seconds_left() <= 0:
            raise _Stopped(Reason("model-timeout", (settings.judge_timeout_s,)))
        n_tokens = n_prompt + _TOKENS_OF_A_REPLY
        if n_tokens > self.budget.tokens_left:
            raise _Stopped(_save_budget(settings))
        limit = settings.judge_tokens_per_hour
        spending = self.terms.hours.reserve(n_tokens, limit)
        if spending is None:
            minutes = math.ceil(self.terms.hours.find_wait(n_tokens, limit) / 60)
            name = "check.judgeTokensPerHour"
            raise _Stopped(Reason("hour-budget", (name, limit, minutes)))
        return spending

    def _frame(self, regions: Iterable[Region]) -> Code:
        # Another marker for each request: nothing that was shown or written before can close it.
        ordered = tuple(sorted(regions, key=lambda region: region.first_line))
        return Code(self.path, self.language, ordered, secrets.token_hex(6))

    def _fit(self, rules: Sequence[AskedRule], regions: Sequence[Region]) -> Answered:
        """Return what fits of both, and why not everything does."""
        capacity = recall_capacity(self.terms.model)
        of_save = int(self.budget.tokens_left * _SHARE_OF_PROMPT)
        of_model = capacity.find_room(self.terms.context_tokens)
        room = min(_unscale(capacity, of_save), of_model) - estimate_tokens(DETECT)
        fitting_rules = _take(rules, _measure_rule, int(room * _SHARE_OF_RULES))
        room -= sum(map(_measure_rule, fitting_rules))
        fitting_regions = _take(regions, _measure_region, room)
        is_whole = len(fitting_rules) == len(rules) and len(fitting_regions) == len(regions)
        is_small = of_model < _unscale(capacity, of_save)
        reason = Reason("no-room") if is_small else _save_budget(self.terms.settings)
        return Answered(fitting_rules, fitting_regions, left_out=None if is_whole else reason)

    def _describe(self, answered: Answered) -> CodeJudged:
        return CodeJudged(
            n_rules=len(answered.rules),
            n_regions=len(answered.regions),
            n_claims=self._n_claims,
            n_proven=self._n_proven,
            n_confirmed=len(answered.confirmed),
        )

    def _hear(self, event: Event) -> None:
        """Pass on what a record needs; what the model writes is shown to nobody."""
        if not only_paints(event):
            self.emit(event)


def _find_gap(claims: Claims, reply: Reply) -> Reason | None:
    """Say why not all of a reply's claims are known, if that is so."""
    if claims.is_whole and not reply.is_cut:
        return None
    is_cut = reply.is_cut or len(claims.claims) == MAX_CLAIMS
    return Reason("reply-cut" if is_cut else "reply-unreadable")


def _save_budget(settings: CheckSettings) -> Reason:
    return Reason("budget", ("check.judgeTokensPerSave", settings.judge_tokens_per_save))


def _unscale(capacity: Capacity, n_tokens: int) -> int:
    """Return how much may be estimated for so many tokens as the model counts them."""
    return int(n_tokens * 1_000 / max(1, capacity.scale(1_000)))


def _take(parts: Sequence[Q], measure: Callable[[Q], int], room: int) -> tuple[Q, ...]:
    """Return the parts that fit into `room`, the first ones first; a large one is passed over."""
    taken = []
    for part in parts:
        size = measure(part)
        if size <= room:
            taken.append(part)
            room -= size
    return tuple(taken)


def _measure_rule(rule: AskedRule) -> int:
    return estimate_tokens(write_rules([rule]))


def _measure_region(region: Region) -> int:
    n_lines = region.last_line - region.first_line + 1
    return estimate_tokens(region.code) + n_lines * _TOKENS_OF_A_LINE_NUMBER + _TOKENS_OF_A_FRAME
