"""Have a model turn a rule in prose into a check; keep only what is proven by examples and code."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from glossator.agent.budget import Budget, StopReason
from glossator.agent.capacity import count_tokens
from glossator.agent.replies import Reply, read_reply
from glossator.app.checking.report import CheckReport
from glossator.app.rewriting import render_diff
from glossator.core.errors import InvalidArguments
from glossator.core.events import (
    Emit,
    Event,
    RoundStarted,
    StepStarted,
    TurnEnded,
    TurnStarted,
    only_paints,
)
from glossator.core.lines import Lines
from glossator.core.locations import Range
from glossator.core.messages import Message, Usage
from glossator.core.text import SourceText
from glossator.model.port import ChatModel
from glossator.rules.drafting import (
    INSTRUCTIONS,
    Draft,
    draft_check,
    find_refusal,
    read_again,
    read_blocks,
    write_objection,
    write_request,
)
from glossator.rules.rule import Rule

CompilationOutcome = Literal["compiled", "impossible", "unproven"]

MAX_FINDINGS = 100
"""A check that flags more places of the workspace than this is not offered."""
_N_REPAIRS = 2
_MAX_SHARE_OF_FILES = 0.5
_LEAST_FILES = 10
_N_SHOWN = 5
# A small model may repeat itself for ever; one that thinks aloud needs a few thousands.
_MAX_REPLY_TOKENS = 8_000


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the workspace that a check flags; `line` is 1-based."""

    path: str
    line: int
    code: str


@dataclass(frozen=True, slots=True)
class Breadth:
    """What a check flags in the workspace. `n_files` were checked; `places` are the first few."""

    n_findings: int = 0
    n_flagged_files: int = 0
    n_files: int = 0
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Compilation:
    """What came of compiling one rule. Only a `compiled` one has an `edit` and a `diff`.

    `reason` says why there is none: what the model said, or what was wrong with its last draft.
    `source` is the version of the rule's file that the edit is for.
    """

    rule_id: str
    source: SourceText
    outcome: CompilationOutcome
    n_rounds: int
    breadth: Breadth = field(default_factory=Breadth)
    reason: str = ""
    edit: tuple[Range, str] | None = None
    text: str = ""

    @property
    def diff(self) -> str:
        """The edit as a unified diff, or nothing."""
        if self.edit is None:
            return ""
        return render_diff(self.source.name, self.source.text, self.text)


Try = Callable[[Rule], Awaitable[Sequence[CheckReport]]]
"""Checks the whole workspace with one rule."""


@dataclass(slots=True)
class Compiler:
    """Compiles rules with one model. `others` are the rules whose examples show ordinary code."""

    model: ChatModel
    others: Sequence[Rule]
    try_rule: Try
    budget: Budget
    emit: Emit
    max_findings: int = MAX_FINDINGS
    _usage: Usage = field(default_factory=Usage)
    _n_rounds: int = 0

    async def compile(self, rule: Rule, source: SourceText) -> Compilation:
        """Have a check written for `rule`, which stands in `source`, and prove it.

        What does not stand is told to the model with the exact failure, twice at most, and no more
        when it says the same again.

        Raises:
            InvalidArguments: the rule is not in the text, or has a check already.
            ModelUnavailable: the model failed.
        """
        rule = find_uncompiled(rule, source)
        started, stop, error = time.monotonic(), "failed", ""
        self.emit(TurnStarted("compile", subject=f"{rule.path}:{rule.line}"))
        try:
            compilation = await self._compile(rule, source)
            stop = "answered"
        except asyncio.CancelledError:
            stop = "cancelled"
            raise
        except Exception as failure:  # Whatever it is, whoever listens hears that it is over.
            error = str(failure) or type(failure).__name__
            raise
        finally:
            self.emit(TurnEnded(stop, self._usage, time.monotonic() - started, error))
        return compilation

    async def _compile(self, rule: Rule, source: SourceText) -> Compilation:
        request = write_request(rule, source.text)
        transcript = [Message("system", INSTRUCTIONS), Message("user", request)]
        faults: Sequence[str] = ()
        breadth = Breadth()
        for _ in range(1 + _N_REPAIRS):
            answer = await self._ask(transcript)
            broken_off = self._tell_if_broken_off(answer)
            if broken_off:
                return self._give_up(rule, source, "unproven", broken_off)
            reply = answer.message.text
            refusal = find_refusal(reply)
            if refusal:
                return self._give_up(rule, source, "impossible", refusal)
            draft = await asyncio.to_thread(
                draft_check, rule, source.text, read_blocks(reply), self.others
            )
            faults, breadth = draft.faults, Breadth()
            if not faults:
                breadth = await self._measure(draft.rule)
                faults = self._find_explosion(breadth)
            if not faults:
                return self._offer(source, draft, breadth)
            if reply in (message.text for message in transcript):
                break  # It knows no better, however often it is asked.
            transcript += [
                Message("assistant", reply or "(nothing)"),
                Message("user", write_objection(faults)),
            ]
        given_up = self._give_up(rule, source, "unproven", "\n".join(faults))
        return replace(given_up, breadth=breadth)

    async def _ask(self, transcript: Sequence[Message]) -> Reply:
        self._n_rounds += 1
        n_prompt = count_tokens(transcript)
        self.emit(RoundStarted(self._n_rounds, 0, self.model.name))
        reply = await read_reply(
            self.model,
            transcript,
            (),
            Budget(tokens=n_prompt + _MAX_REPLY_TOKENS, whole=self.budget),
            self._hear,
            number=self._n_rounds,
            n_prompt_tokens=n_prompt,
        )
        if reply.completion.usage is not None:
            self._usage += reply.completion.usage
        return reply

    async def _measure(self, rule: Rule) -> Breadth:
        self.emit(StepStarted(rule.id))
        reports = [each for each in await self.try_rule(rule) if each.outcome != "not-checked"]
        found = [
            (report, finding)
            for report in reports
            for finding in report.findings
            if finding.rule.id == rule.id
        ]
        places = (
            Place(report.shown_path, each.range.start.line, each.code.split("\n")[0])
            for report, each in found[:_N_SHOWN]
        )
        flagged = {report.shown_path for report, _ in found}
        return Breadth(len(found), len(flagged), len(reports), tuple(places))

    def _find_explosion(self, breadth: Breadth) -> Sequence[str]:
        share = breadth.n_flagged_files / max(1, breadth.n_files)
        is_in_most_files = breadth.n_files >= _LEAST_FILES and share > _MAX_SHARE_OF_FILES
        if breadth.n_findings <= self.max_findings and not is_in_most_files:
            return ()
        told = (
            f"The check is far too broad: it flags {breadth.n_findings} places in "
            f"{breadth.n_flagged_files} of {breadth.n_files} files of the workspace, such as:"
        )
        places = (f"  {each.path}:{each.line}: {each.code}" for each in breadth.places)
        return ("\n".join([told, *places]),)

    def _offer(self, source: SourceText, draft: Draft, breadth: Breadth) -> Compilation:
        point = Lines(source.text).find_point(draft.offset)
        return Compilation(
            rule_id=draft.rule.id,
            source=source,
            outcome="compiled",
            n_rounds=self._n_rounds,
            breadth=breadth,
            edit=(Range(point, point), draft.insertion),
            text=draft.text,
        )

    def _give_up(
        self, rule: Rule, source: SourceText, outcome: CompilationOutcome, reason: str
    ) -> Compilation:
        return Compilation(rule.id, source, outcome, self._n_rounds, reason=reason)

    def _tell_if_broken_off(self, reply: Reply) -> str:
        """Return why a reply has no end, or nothing: what came by then is no draft."""
        if reply.stop_reason is StopReason.TIME_LIMIT:
            return "The model had not ended its reply when the time was over: `agent.turnTimeoutS`."
        if reply.stop_reason is not StopReason.TOKEN_LIMIT:
            return ""
        if self.budget.over is StopReason.TOKEN_LIMIT:
            return "The model had not ended its reply when `agent.turnTokens` were used up."
        return f"The model's reply had no end: it was broken off after {_MAX_REPLY_TOKENS} tokens."

    def _hear(self, event: Event) -> None:
        """Pass on what a record needs; what the model writes is shown when it is proven."""
        if not only_paints(event):
            self.emit(event)


def find_uncompiled(rule: Rule, source: SourceText) -> Rule:
    """Return `rule` as it stands in its file now.

    Raises:
        InvalidArguments: it is not there any more, has a check already, or one that is broken.
    """
    rules, problems = read_again(rule, source.text)
    found = next((each for each in rules if each.id == rule.id), None)
    if found is None:
        raise InvalidArguments(f"The rule `{rule.id}` is not in `{source.name}` any more.")
    if found.checks:
        raise InvalidArguments(f"The rule `{rule.id}` has a check already.")
    problem = next((each for each in problems if each.rule_id == rule.id), None)
    if problem is not None:
        raise InvalidArguments(
            f"Something is wrong with the rule `{rule.id}`; repair it first: {problem.message}"
        )
    return found
