"""What one reads about a broken rule."""

import pytest

from glossator.app.hints.rule_text import describe_rule
from glossator.app.phrasing import Phrasing
from glossator.core.locations import Point, Range
from glossator.rules.finding import Finding
from glossator.rules.parse import parse_rules

BOTH = "- Use the log. {#log}\n  It can be filtered.\n  中文：用日志，可以过滤。\n"


@pytest.mark.parametrize(
    ("text", "is_chinese", "words"),
    [
        (BOTH, False, "Use the log.\n\nIt can be filtered.\n\n"),
        (BOTH, True, "用日志，可以过滤。\n\n"),
    ],
)
def test_a_rule_in_both_languages_is_told_in_that_of_the_reader(
    text: str, is_chinese: bool, words: str
) -> None:
    (rule,), _ = parse_rules(text, path="k.md", document="k", origin="workspace")
    place = Range(Point(1, 0), Point(1, 1))
    finding = Finding(rule, place, "Use the log.", "warning", "p", proof="judged")

    told = describe_rule(finding, lambda path: None, Phrasing(is_chinese))

    _, _, behind = told.partition("\n\n")
    assert behind.startswith(words)
