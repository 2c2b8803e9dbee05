"""What stands at the cursor in a file of knowledge."""

import pytest

from glossator.app.hints.header_places import HeaderPlace, find_header_place
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText

HEADER = """\
---
name: money
keywords: [invoice, 发票金额, "rounding up"]
globs: "src/*.py, *.{ts,tsx}"
paths:
  - docs/**
  - '*.sql'
---

# Money

Amounts are kept in cents.
## Rounding
"""


def place_at(text: str, line: int, column: int = 0) -> HeaderPlace | None:
    return find_header_place(SourceText("a.md", text), Point(line, column))


@pytest.mark.parametrize("line", [1, 2, 8, 10])
def test_the_header_and_the_first_heading_stand_for_the_whole(line: int) -> None:
    place = place_at(HEADER, line)

    assert place is not None
    assert place.kind == "whole"
    assert place.range.start.line == line


@pytest.mark.parametrize("line", [9, 12, 13, 14, 99])
def test_other_text_stands_for_nothing(line: int) -> None:
    assert place_at(HEADER, line) is None


@pytest.mark.parametrize(
    ("column", "keyword", "start"),
    [(13, "invoice", 11), (11, "invoice", 11), (18, "invoice", 11), (22, "发票金额", 20),
     (30, "rounding up", 27)],
)  # fmt: skip
def test_a_keyword_is_found_by_code_points(column: int, keyword: str, start: int) -> None:
    place = place_at(HEADER, 3, column)

    assert place is not None
    assert (place.kind, place.items) == ("keyword", (keyword,))
    assert place.range == Range(Point(3, start), Point(3, start + len(keyword)))


def test_beside_the_keywords_their_line_stands_for_the_whole() -> None:
    place = place_at(HEADER, 3, 2)

    assert place is not None
    assert place.kind == "whole"


def test_the_line_of_globs_holds_all_of_them_and_braces_are_one() -> None:
    place = place_at(HEADER, 4, 0)

    assert place is not None
    assert (place.kind, place.key) == ("globs", "globs")
    assert place.items == ("src/*.py", "*.{ts,tsx}")


def test_an_item_of_a_list_stands_for_itself_and_the_key_for_the_list() -> None:
    item, key = place_at(HEADER, 6), place_at(HEADER, 5)

    assert item is not None
    assert key is not None
    assert (item.items, item.range.start.line) == (("docs/**",), 6)
    assert key.items == ("docs/**", "*.sql")
    assert (key.range.start.line, key.range.end.line) == (5, 7)


@pytest.mark.parametrize(
    ("text", "line"),
    [("# Title\n\ntext\n", 1), ("text first\n\n# Title\n", 3), ("only text\nmore\n", 1),
     ("\n\nTitle\n=====\ntext\n", 3), ("---\nglobs: *.py\nno end\n", 1)],
)  # fmt: skip
def test_files_without_a_header_or_a_heading_have_one_line_that_stands_for_them(
    text: str, line: int
) -> None:
    place = place_at(text, line)

    assert place is not None
    assert place.kind == "whole"


@pytest.mark.parametrize("text", ["", "\n", "---\n---\n", "---\nkeywords:\n---\n"])
def test_nothing_breaks_where_there_is_nothing(text: str) -> None:
    for line in range(1, 6):
        for column in (0, 5):
            place_at(text, line, column)


def test_globs_lose_the_quotes_that_each_of_them_stands_in() -> None:
    place = place_at("---\nglobs: \"src/**\", '*.ts', **/*.py\n---\n# T\n", 2)

    assert place is not None
    assert place.items == ("src/**", "*.ts", "**/*.py")
