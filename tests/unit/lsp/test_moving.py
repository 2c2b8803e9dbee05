"""What an edit does to the lines that are judged, and to the findings that were made before it."""

import pytest

from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.lsp.diagnostics.moving import find_changed, move_findings
from glossator.rules.finding import Finding
from glossator.rules.rule import Rule

RULE = Rule("r", "A rule.", "", "k.md", 1, 1, "workspace", "k")
TEXT = "one\ntwo\nthree\nfour\n"


def source(text: str) -> SourceText:
    return SourceText("a.py", text)


def finding(line: int, last_line: int = 0) -> Finding:
    place = Range(Point(line, 1), Point(last_line or line, 3))
    return Finding(RULE, place, "m", "warning", "c", ((place, "fixed"),), "judged")


@pytest.mark.parametrize(
    ("after", "changed"),
    [
        (TEXT, ()),
        (TEXT.replace("\n", "\r\n"), ()),
        ("zero\n" + TEXT, ((1, 1),)),
        (TEXT.replace("two", "2"), ((2, 2),)),
        (TEXT.replace("two\nthree", "2\n3\n4"), ((2, 4),)),
        (TEXT.replace("two\n", ""), ((1, 2),)),
        (TEXT + "five\nsix\n", ((5, 6),)),
        (TEXT.replace("four\n", ""), ((3, 3),)),
        ("", ((1, 1),)),
    ],
)
def test_lines_that_differ_are_found_and_those_around_a_gap(
    after: str, changed: tuple[tuple[int, int], ...]
) -> None:
    assert find_changed(source(TEXT), source(after)) == changed


@pytest.mark.parametrize(
    ("after", "lines"),
    [
        (TEXT, [1, 3]),
        ("zero\n" + TEXT, [2, 4]),
        (TEXT.replace("four", "4"), [1, 3]),
        (TEXT.replace("two", "2"), [1]),
        (TEXT.replace("three", "3"), [1]),
        (TEXT.replace("one\n", ""), [2]),
        ("", []),
    ],
)
def test_a_finding_stays_with_its_lines_unless_they_or_the_one_above_have_changed(
    after: str, lines: list[int]
) -> None:
    moved = list(move_findings([finding(1), finding(3)], source(TEXT), source(after)))

    assert [each.range.start.line for each in moved] == lines
    assert [place.start.line for each in moved for place, _ in each.fix] == lines


def test_a_finding_of_several_lines_goes_when_one_of_them_changes() -> None:
    before, after = source(TEXT), source(TEXT.replace("four", "4"))

    assert list(move_findings([finding(2, 3)], before, after)) == [finding(2, 3)]
    assert list(move_findings([finding(2, 4)], before, after)) == []
