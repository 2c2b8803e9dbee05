"""Which of the rules that a model judges are for a document, whether there is a model or not."""

from collections.abc import Iterable

from glossator.app.checking.compiled import scope_of
from glossator.code.languages import find_language, identify_language
from glossator.core.text import SourceText
from glossator.rules.rule import Rule
from glossator.rules.scope import find_mismatch


def list_fitting(rules: Iterable[Rule], source: SourceText) -> tuple[Rule, ...]:
    """Return the judged rules whose scope fits a document.

    One in a language without a grammar may be prose: only rules are for it that say so.
    """
    language = find_language(source.name, source.language_id)
    language_id = identify_language(source.name, source.language_id)
    return tuple(
        rule
        for rule in rules
        if rule.kind == "judged"
        and not find_mismatch(rule, scope_of(source), language_id)
        and (language is not None or rule.files or rule.languages)
    )
