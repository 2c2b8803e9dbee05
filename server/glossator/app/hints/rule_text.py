"""A broken rule as one reads it beside the code: what it says and why, with its examples."""

import re
from collections.abc import Callable, Iterator

from glossator.app.phrasing import Phrasing
from glossator.app.rule_words import choose_words
from glossator.app.severities import name_severity
from glossator.rules.finding import Finding
from glossator.rules.rule import Example, Rule

_MAX_EXAMPLE_LINES = 12
_WEB_PAGE = re.compile(r"https?://[^\s<>()\[\]]+\Z")

FindUri = Callable[[str], str | None]
"""Returns the URI of a file that people see under this name, if it can be opened."""


def describe_rule(finding: Finding, find_uri: FindUri, say: Phrasing) -> str:
    """Write the rule that a finding breaks as Markdown, and how the finding is ignored."""
    rule = finding.rule
    parts = [
        f"**`{rule.id}`** · {_describe_standing(finding, say)}",
        *choose_words(rule.text, rule.rationale, say),
        *_show_examples(rule, say),
        _describe_place(rule, find_uri, say),
        say(
            f"To ignore it: *Ignore `{rule.id}` here* in the quick fixes, or "
            f"`glossator: ignore[{rule.id}]` in a comment on the line.",
            f"忽略方法：快速修复中的*在此处忽略 `{rule.id}`*，"
            f"或在该行注释中写 `glossator: ignore[{rule.id}]`。",
        ),
    ]
    return "\n\n".join(part for part in parts if part)


def _describe_standing(finding: Finding, say: Phrasing) -> str:
    how = (
        say("judged by the model", "由模型判断")
        if finding.proof == "judged"
        else say("found by its check", "由检查发现")
    )
    return f"{name_severity(finding.severity, say)} · {how}"


def _show_examples(rule: Rule, say: Phrasing) -> Iterator[str]:
    """Yield the first bad and the first good example."""
    titles = (("bad", say("Not like this", "错误示例")), ("good", say("Like this", "正确示例")))
    for kind, title in titles:
        example = next((each for each in rule.examples if each.kind == kind), None)
        if example is not None:
            yield f"{title}{say(':', '：')}\n\n{_fence(example)}"


def _fence(example: Example) -> str:
    lines = example.text.rstrip("\n").split("\n")
    shown = [*lines[:_MAX_EXAMPLE_LINES], *(["…"] if len(lines) > _MAX_EXAMPLE_LINES else [])]
    fence = "```"
    while fence in example.text:
        fence += "`"
    return "\n".join([f"{fence}{example.language}", *shown, fence])


def _describe_place(rule: Rule, find_uri: FindUri, say: Phrasing) -> str:
    uri = find_uri(rule.path)
    shown = f"`{rule.path}:{rule.line}`"
    place = f"[{rule.path}:{rule.line}]({uri}#L{rule.line})" if uri is not None else shown
    text = say(f"It stands in {place}.", f"出处：{place}。")
    if _WEB_PAGE.match(rule.link):
        text += say(f" More: <{rule.link}>", f"详见：<{rule.link}>")
    return text
