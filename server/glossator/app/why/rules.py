"""Which rules are checked in a file, and which are not and why."""

from collections import Counter

from glossator.app.checking.compiled import check_source, scope_of
from glossator.app.library import Library
from glossator.app.why.report import JudgedRule, RulesReport, RuleState
from glossator.code.languages import find_language
from glossator.core.globs import matches_any
from glossator.core.settings import CheckSettings
from glossator.core.text import SourceText
from glossator.rules.rule import Rule


def report_rules(
    source: SourceText | None, library: Library, settings: CheckSettings
) -> RulesReport:
    """Return the rules for a document; without one, those that are switched off."""
    active = frozenset(rule.id for rule in library.rule_set.rules)
    disabled = [rule for rule in library.rules if rule.id not in active]
    if source is None:
        return RulesReport(tuple(_judged(rule, "disabled") for rule in disabled))
    language = find_language(source.name, source.language_id)
    language_id = language.id if language else ""
    applying = library.rule_set.applies_to(scope_of(source), language_id)
    taken = {rule.id for rule in applying}
    others = Counter(
        _find_state(rule, language_id) for rule in library.rule_set.rules if rule.id not in taken
    )
    report = check_source(source, library, settings)
    return RulesReport(
        rules=(
            *(_judged(rule, "applies") for rule in applying),
            *(_judged(rule, "disabled") for rule in disabled if _is_for(rule, source)),
        ),
        n_other_files=others["other-files"],
        n_other_languages=others["other-language"],
        n_prose=others["prose"],
        reason=report.reason if report.outcome == "not-checked" else "",
    )


def _judged(rule: Rule, state: RuleState) -> JudgedRule:
    return JudgedRule(rule.id, rule.text, rule.path, rule.line, state)


def _is_for(rule: Rule, source: SourceText) -> bool:
    scope = scope_of(source)
    return not (rule.globs and scope) or matches_any(rule.globs, scope)


def _find_state(rule: Rule, language_id: str) -> RuleState:
    if not rule.checks:
        return "prose"
    if not any(language_id in check.languages for check in rule.checks):
        return "other-language"
    return "other-files"
