"""Findings of a small rule, compiled or as a model would judge them, in whatever text."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from glossator.core.lines import Lines
from glossator.core.locations import Range
from glossator.core.text import SourceText
from glossator.rules.finding import Finding
from glossator.rules.matching import RuleSet
from glossator.rules.parse import parse_rules
from glossator.rules.rule import Rule
from glossator.rules.suppressing.applying import Suppression, apply_suppressions
from glossator.rules.suppressing.baseline import Baseline

LANGUAGES = "[python, javascript, typescript, tsx, go, java, rust, csharp, ruby]"


def make_rule(rule_id: str = "no-eval", call: str = "eval", text: str = "No eval.") -> Rule:
    markdown = (
        f"- {text} {{#{rule_id}}}\n\n  ```check\n  language: {LANGUAGES}\n"
        f"  rule: {{pattern: {call}($$$A)}}\n"
        "  ```\n"
    )
    rules, problems = parse_rules(markdown, path="k.md", document="k", origin="workspace")
    assert problems == ()
    return rules[0]


EVAL = make_rule()
EMPTY = Baseline()
EXEC = make_rule("no-exec", "exec", "No exec.")


def find(source: SourceText, language: str = "python", *rules: Rule) -> tuple[Finding, ...]:
    return RuleSet(rules or (EVAL,)).find(source.text, language, source.scope)


def judge(source: SourceText, quote: str, rule: Rule = EVAL) -> Finding:
    start = source.text.index(quote)
    lines = Lines(source.text)
    place = Range(lines.find_point(start), lines.find_point(start + len(quote)))
    return Finding(rule, place, "Not so.", "warning", quote, proof="judged")


def divide(
    text: str,
    *judged: str,
    name: str = "a.py",
    language: str = "python",
    rules: tuple[Rule, ...] = (EVAL,),
    baseline: Baseline = EMPTY,
    known: Collection[str] | None = None,
    is_gone: Callable[[str], bool] = lambda path: False,
    checked: Iterable[Rule] | None = None,
) -> Suppression:
    source = SourceText(name, text)
    findings = (
        tuple(judge(source, quote, rules[0]) for quote in judged)
        if judged
        else find(source, language, *rules)
    )
    return apply_suppressions(
        findings,
        source,
        language,
        baseline,
        checked={rule.id: rule for rule in (rules if checked is None else checked)},
        known=known,
        is_gone=is_gone,
    )


def change(rule: Rule) -> Rule:
    return replace(rule, text=rule.text + " Ever.")
