"""Judged rules for an application: what may be sent, who is asked, and the joined report.

What was spent and what is known outlive a change of settings; the model and its limits are those
in force when a document is judged.
"""

import asyncio
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from glossator.app.checking.compiled import scope_of
from glossator.app.checking.generated import judge_name, judge_text
from glossator.app.checking.judged import Judge, JudgedReport, skip_all
from glossator.app.checking.judged_cache import JudgedCache
from glossator.app.checking.judged_rules import list_fitting
from glossator.app.checking.judging_budget import JudgingBudget
from glossator.app.checking.reasons import Reason
from glossator.app.checking.report import (
    NO_CHECK,
    CheckReport,
    SkippedRules,
    put_findings,
    tell_only_judged,
)
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.code.languages import find_language
from glossator.core.events import Emit, ignore_event
from glossator.core.text import SourceText, split_lines
from glossator.rules.judging.regions import Lines
from glossator.rules.rule import Rule
from glossator.tools.protection import is_private_key
from glossator.tools.workspace import Workspace

# Why a document has no compiled findings, and can be judged all the same.
_LOST = frozenset({"too-deep", "crashed", "timeout"})
_NO_HINDRANCE = _LOST | NO_CHECK | {"syntax-error"}


class Judging:
    """Judges documents. One for an application, on its event loop."""

    def __init__(self) -> None:
        self._budget = JudgingBudget()
        self._caches: dict[Path | None, JudgedCache] = {}

    async def judge(
        self,
        report: CheckReport,
        source: SourceText,
        library: Library,
        parts: Parts,
        *,
        cache_folder: Path | None,
        changed: Sequence[Lines] | None = None,
        emit: Emit = ignore_event,
        is_current: Callable[[], bool] = lambda: True,
        given_up: Reason | None = None,
    ) -> CheckReport:
        """Return the report of the compiled checks joined with what a model finds.

        What is found is kept in `cache_folder`, if there is one, and looked up there. `changed` are
        1-based, inclusive lines, None all of them. A document that must not be
        checked is not judged either. Cancelling the awaiting task ends what was asked.
        `given_up` is why the model is not asked, and only what is known is reported.
        """
        if report.reason is not None and report.reason.code not in _NO_HINDRANCE:
            return report
        rules = list_fitting(library.rule_set.rules, source)
        if not rules:
            return report
        hindrance = await asyncio.to_thread(_find_hindrance, source, parts.workspace)
        if hindrance is not None:
            return join_reports(report, skip_all(rules, hindrance))
        judge = Judge(
            parts.model,
            parts.settings.check,
            self._budget,
            self._open_cache(cache_folder),
            _RuleTexts(library).read,
            context_tokens=parts.settings.model.context_tokens,
            secrets=(parts.settings.model.api_key,),
            given_up=given_up,
        )
        judged = await judge.judge(source, rules, changed=changed, emit=emit, is_current=is_current)
        if judged.n_judged and report.reason is not None and report.reason.code in _LOST:
            report = replace(report, skipped=(_skip_checks(source, library, report.reason),))
        return join_reports(report, judged)

    def close(self) -> None:
        """Close the files. Nothing may be judged any more."""
        for cache in self._caches.values():
            cache.close()

    def _open_cache(self, folder: Path | None) -> JudgedCache:
        if folder not in self._caches:
            self._caches[folder] = JudgedCache(folder)
        return self._caches[folder]


def join_reports(report: CheckReport, judged: JudgedReport) -> CheckReport:
    """Return one report; judged code is clean or has findings even where no check was run."""
    findings = tuple(
        sorted((*report.findings, *judged.findings), key=lambda finding: finding.range)
    )
    joined = replace(
        report,
        n_judged=judged.n_judged,
        skipped=(*report.skipped, *judged.skipped),
        judged_ids=judged.judged_ids,
    )
    is_checked = report.outcome != "not-checked" or judged.n_judged > 0
    return put_findings(joined, findings) if findings or is_checked else tell_only_judged(joined)


def _skip_checks(source: SourceText, library: Library, reason: Reason) -> SkippedRules:
    """Return the rules with checks that are for a document of which they found out nothing."""
    language = find_language(source.name, source.language_id)
    place = scope_of(source)
    rules = library.rule_set.applies_to(place, language.id) if language is not None else ()
    return SkippedRules(tuple(rule.id for rule in rules), reason)


def _find_hindrance(source: SourceText, workspace: Workspace) -> Reason | None:
    """Say why a document is sent to no model, though it may be checked."""
    if source.path is None or not workspace.is_inside(source.path):
        return Reason("outside")
    if workspace.is_secret(source.path) or is_private_key(source.text):
        return Reason("secret")
    if workspace.is_ignored(source.path):
        return Reason("ignored")
    return judge_name(source.path.name) or judge_text(source.text)


class _RuleTexts:
    """What the files of a library say of its rules."""

    def __init__(self, library: Library) -> None:
        self._known = library.known
        self._lines: dict[str, list[str]] = {}

    def read(self, rule: Rule) -> str:
        """Return the list item of a rule as it is written."""
        if not self._known.has_document(rule.path):
            return "\n\n".join(filter(None, [rule.text, rule.rationale]))
        if rule.path not in self._lines:
            self._lines[rule.path] = split_lines(self._known.document(rule.path).text)
        lines = self._lines[rule.path][rule.line - 1 : rule.last_line]
        return textwrap.dedent("\n".join(lines)).strip()
