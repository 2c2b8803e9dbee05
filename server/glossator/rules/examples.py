"""The examples of a rule as its proof: each bad one is flagged, no good one is."""

from glossator.rules.matching import MAX_DEPTH, RuleSet, TooDeeplyNested
from glossator.rules.rule import Rule, RuleProblem


def check_examples(rule: Rule) -> tuple[RuleProblem, ...]:
    """Return what the examples of `rule` disprove: each bad one is flagged, no good one is."""
    if not rule.checks:
        return ()
    rule_set = RuleSet([rule])
    problems = []
    for example in rule.examples:
        if not rule_set.applies_to("", example.language):
            message = f"No check of `{rule.id}` is for {example.language}; this proves nothing."
            problems.append(RuleProblem(rule.path, example.line, rule.id, message))
            continue
        try:
            findings = rule_set.find(example.text, example.language, "")
        except TooDeeplyNested:
            message = f"This example of `{rule.id}` nests brackets more than {MAX_DEPTH} deep."
            problems.append(RuleProblem(rule.path, example.line, rule.id, message))
            continue
        if example.kind == "bad" and not findings:
            message = f"The check of `{rule.id}` does not flag this bad example."
            problems.append(RuleProblem(rule.path, example.line, rule.id, message))
        elif example.kind == "good" and findings:
            line = example.line + findings[0].range.start.line - 1
            message = f"The check of `{rule.id}` flags this good example."
            problems.append(RuleProblem(rule.path, line, rule.id, message))
    return tuple(problems)
