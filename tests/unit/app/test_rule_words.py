"""A rule that says everything in two languages is told in that of the reader."""

import pytest

from glossator.app.phrasing import Phrasing
from glossator.app.rule_words import choose_lines, choose_words

TO_CHINESE = ("Use the log.", "It can be filtered. 中文：用日志，可以过滤。")
TO_ENGLISH = ("用日志。", "可以过滤。 English: use the log: it can be filtered.")


@pytest.mark.parametrize(
    ("rule", "is_chinese", "words"),
    [
        (TO_CHINESE, False, ("Use the log.", "It can be filtered.")),
        (TO_CHINESE, True, ("用日志，可以过滤。", "")),
        (TO_ENGLISH, True, ("用日志。", "可以过滤。")),
        (TO_ENGLISH, False, ("Use the log: it can be filtered.", "")),
        (("用 `log`。", "English: `log` can be filtered."), False, ("`log` can be filtered.", "")),
    ],
)
def test_the_readers_half_is_chosen(
    rule: tuple[str, str], *, is_chinese: bool, words: tuple[str, str]
) -> None:
    assert choose_words(*rule, Phrasing(is_chinese)) == words


@pytest.mark.parametrize("is_chinese", [False, True])
@pytest.mark.parametrize(
    "rule",
    [
        ("Use the log.", ""),
        ("Mark it.", "Write `中文：` in front."),
        ("Use the log.", "It can be filtered. 中文："),
        ("用日志。", "中文：可以过滤。"),
        ("Speak one language.", "English: it is what all of us read."),
        ("Use the log.", "中文：a heading without its text"),
    ],
)
def test_what_is_not_said_again_stays_whole(rule: tuple[str, str], *, is_chinese: bool) -> None:
    assert choose_words(*rule, Phrasing(is_chinese)) == rule


ITEMS = """\
- Use the log.
  It can be filtered.
  中文：用日志，可以过滤。
- Never print.
  - Not even once. 中文：只是一个词。

中文：a line of its own.
* 用日志。
  English: use the log.
  ```python
  log.info(1)
  ```
```
- Use a.
  中文：用甲。
```
1. [ ] Use one:
   | a | b |
   |---|---|
   中文：用一个：
   - 甲"""


@pytest.mark.parametrize(
    ("is_chinese", "first", "middle", "last"),
    [
        (
            False,
            ["- Use the log.", "  It can be filtered."],
            ["* Use the log."],
            ["1. [ ] Use one:", "   | a | b |", "   |---|---|", "   - 甲"],
        ),
        (True, ["- 用日志，可以过滤。"], ["* 用日志。"], ["1. [ ] 用一个：", "   - 甲"]),
    ],
)
def test_each_item_of_a_list_is_told_in_one_language(
    *, is_chinese: bool, first: list[str], middle: list[str], last: list[str]
) -> None:
    lines = ITEMS.split("\n")

    assert choose_lines(lines, Phrasing(is_chinese)) == [
        *first,
        *lines[3:7],
        *middle,
        *lines[9:16],
        *last,
    ]


def test_no_lines_are_none() -> None:
    assert choose_lines([], Phrasing(is_chinese=True)) == []
