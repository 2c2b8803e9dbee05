"""Which rules are checked in a file, and which are not and why."""

from collections import Counter

from glossator.app.checking.compiled import scope_of
from glossator.app.checking.finishing import check_compiled
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.rule_words import choose_words
from glossator.app.why.report import JudgedRule, RulesReport, RuleUse
from glossator.code.languages import identify_language
from glossator.core.text import SourceText
from glossator.rules.rule import Rule
from glossator.rules.scope import find_mismatch, is_in_scope


def report_rules(
    source: SourceText | None, library: Library, parts: Parts, say: Phrasing
) -> RulesReport:
    """Return the rules for a document; without one, those that are switched off."""
    active = frozenset(rule.id for rule in library.rule_set.rules)
    disabled = [rule for rule in library.rules if rule.id not in active]
    if source is None:
        return RulesReport(tuple(_judged(rule, "disabled", say) for rule in disabled))
    language_id = identify_language(source.name, source.language_id)
    applying = library.rule_set.applies_to(scope_of(source), language_id)
    taken = {rule.id for rule in applying}
    others = Counter(
        _find_state(rule, scope_of(source), language_id)
        for rule in library.rule_set.rules
        if rule.id not in taken
    )
    report = check_compiled(source, library, parts, say)
    return RulesReport(
        rules=(
            *(_judged(rule, "applies", say) for rule in applying),
            *(_judged(rule, "disabled", say) for rule in disabled if _is_for(rule, source)),
        ),
        n_other_files=others["other-files"],
        n_other_languages=others["other-language"],
        n_judged=others["judged"],
        n_prose=others["prose"],
        reason=report.reason,
    )


def _judged(rule: Rule, state: RuleUse, say: Phrasing) -> JudgedRule:
    text, _ = choose_words(rule.text, rule.rationale, say)
    return JudgedRule(rule.id, text, rule.path, rule.line, state)


def _is_for(rule: Rule, source: SourceText) -> bool:
    return is_in_scope(rule, scope_of(source))


def _find_state(rule: Rule, scope: str, language_id: str) -> RuleUse:
    if rule.kind == "prose":
        return "prose"
    return find_mismatch(rule, scope, language_id) or ("applies" if rule.checks else "judged")
