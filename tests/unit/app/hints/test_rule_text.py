"""What one reads about a broken rule."""

import pytest

from glossator.app.hints.rule_text import describe_rule
from glossator.app.phrasing import Phrasing
from glossator.core.locations import Point, Range
from glossator.rules.finding import Finding
from glossator.rules.parse import parse_rules

BOTH = "- Use the log. {#log}\n  It can be filtered.\n  中文：用日志，可以过滤。\n"
NAMED = "- Mark it. {#log}\n  Write `中文：` in front.\n"
EMPTY = "- Use the log. {#log}\n  It can be filtered.\n  中文：\n"
CHINESE = "- 用日志。 {#log}\n  中文：可以过滤。\n"


@pytest.mark.parametrize(
    ("text", "is_chinese", "words"),
    [
        (BOTH, False, "Use the log.\n\nIt can be filtered.\n\n"),
        (BOTH, True, "用日志，可以过滤。\n\n"),
        (CHINESE, False, "用日志。\n\n中文：可以过滤。\n\n"),
        ("- Use the log. {#log}\n", True, "Use the log.\n\n"),
        (NAMED, True, "Mark it.\n\nWrite `中文：` in front.\n\n"),
        (EMPTY, True, "Use the log.\n\nIt can be filtered. 中文：\n\n"),
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
