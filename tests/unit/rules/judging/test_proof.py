"""What a model claims is published only where both its quotes stand."""

import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.rules.judging.claim import AskedRule, Claim
from glossator.rules.judging.proof import is_trivial, prove, prove_all, stands_in_rule
from glossator.rules.judging.regions import Region, split_regions

RULE = AskedRule(
    "log-errors", "- Log every error that is\n  swallowed, **with** its cause. {#log-errors}"
)
ASKED = {RULE.id: RULE}
CODE = """\
def load(path):
    try:
        return read(path)
    except OSError:
        pass


def save(path):
    try:
        return write(path)
    except OSError:
        pass
"""
LOAD = Region(1, 5, "\n".join(CODE.split("\n")[:5]))
SAVE = Region(8, 12, "\n".join(CODE.split("\n")[7:12]))
REGIONS = (LOAD, SAVE)
SWALLOWED = "except OSError:\n        pass"


def claim(
    code: str = SWALLOWED,
    line: int | None = None,
    *,
    rule: str = RULE.id,
    quote: str = "Log every error",
    fix: str | None = None,
) -> Claim:
    return Claim(rule, quote, code, line, "Swallowed.", fix)


def test_a_claim_whose_quotes_stand_is_placed_by_what_it_quotes() -> None:
    proven = prove(claim("return read(path)"), ASKED, REGIONS)

    assert proven is not None
    assert proven.range == Range(Point(3, 8), Point(3, 25))


def test_a_wrong_line_does_not_move_the_place() -> None:
    proven = prove(claim("return read(path)", 11), ASKED, REGIONS)

    assert proven is not None
    assert proven.range.start.line == 3


@pytest.mark.parametrize(
    "wrong",
    [
        claim(rule="no-such-rule"),
        claim(quote="Never log an error"),
        claim(quote=""),
        claim(quote=" \n"),
        claim(quote="Log"),  # Too little to be evidence.
        claim("except Exception:\n        pass"),  # Invented, or of another version.
        claim("except OSError:\n    pass"),  # Other indentation.
        claim("except  OSError:\n        pass"),
        claim("except OSError: pass"),
        claim("pass\n\n\ndef save"),  # Across the regions.
        claim("    # a comment that is not there"),
        claim(""),
        claim("\n \n"),
        claim("pass"),
        claim("):"),
        claim("eturn read(pat"),  # Within words.
        claim(CODE * 9),
    ],
)
def test_what_is_not_proven_is_refused(wrong: Claim) -> None:
    assert prove(wrong, ASKED, REGIONS) is None


def test_code_outside_the_regions_proves_nothing() -> None:
    assert prove(claim("return write(path)"), ASKED, [LOAD]) is None


@pytest.mark.parametrize(
    ("line", "place"), [(None, 4), (0, 4), (4, 4), (7, 4), (9, 11), (11, 11), (99_999, 11)]
)
def test_of_equal_code_the_named_line_chooses_the_nearest_and_without_one_the_first(
    line: int | None, place: int
) -> None:
    proven = prove(claim(line=line), ASKED, REGIONS)

    assert proven is not None
    assert proven.range.start.line == place


def test_the_same_claim_many_times_is_one_finding_for_each_place() -> None:
    claims = [claim(), claim(), claim(line=4), claim(line=11), claim("except OSError:", 4)] * 1_000

    proven = prove_all(claims, ASKED, REGIONS)

    assert [each.range.start.line for each in proven] == [4, 11]


def test_code_that_repeats_itself_is_searched_in_time_that_grows_with_its_length() -> None:
    region = Region(1, 5_000, "\n".join(["a b a b"] * 5_000))
    started = time.monotonic()

    proven = prove_all([claim("a b", 4_000 + n) for n in range(50)], ASKED, [region])

    assert len(proven) == 50
    assert time.monotonic() - started < 30


def test_line_numbers_that_were_copied_with_the_code_are_not_part_of_it() -> None:
    proven = prove(claim("    4|     except OSError:\n    5|         pass"), ASKED, REGIONS)

    assert proven is not None
    assert proven.range == Range(Point(4, 4), Point(5, 12))


def test_line_ends_do_not_matter_but_in_the_text_they_stay_as_they_are() -> None:
    source = SourceText("a.py", CODE.replace("\n", "\r\n"))
    regions = split_regions(source.lines, [(1, 5), (8, 12)])

    proven = prove(claim(SWALLOWED.replace("\n", "\r\n")), ASKED, regions)

    assert proven is not None
    assert proven.range == Range(Point(4, 4), Point(5, 12))


@pytest.mark.parametrize(
    ("code", "fix", "expected"),
    [
        ("return read(path)", "return read(path) or None", "return read(path) or None"),
        ("    return read(path)\n", "    return None\n", "return None"),
        ("return read(path)", "return read(path)", None),
        ("return read(path)", None, None),
        ("return read(path)", "", ""),
    ],
)
def test_a_fix_stands_in_the_place_of_the_quote(
    code: str, fix: str | None, expected: str | None
) -> None:
    proven = prove(claim(code, fix=fix), ASKED, REGIONS)

    assert proven is not None
    assert proven.fix == expected


@pytest.mark.parametrize(
    "quote",
    ["Log every error that is swallowed", "log".title() + "  every\n error", "**with** its cause"],
)
def test_blanks_and_line_breaks_of_a_rule_do_not_matter(quote: str) -> None:
    assert stands_in_rule(quote, RULE.text)


def test_chinese_rules_are_broken_into_lines_anywhere() -> None:
    rule = "- 禁止吞掉异常，必须\n  记录日志 并说明原因。"

    assert stands_in_rule("禁止吞掉异常，必须记录日志并说明原因", rule)
    assert not stands_in_rule("允许吞掉异常", rule)
    assert not stands_in_rule("异", rule)


@pytest.mark.parametrize("quote", ["}", "{", ");", "return", "  else", "i", "x)", "&&", "…"])
def test_brackets_keywords_and_letters_say_nothing(quote: str) -> None:
    assert is_trivial(quote)


@pytest.mark.parametrize("quote", ["eval(x)", "return None", "foo", "x = 1", "名", "# 待办"])
def test_a_name_or_a_few_words_say_something(quote: str) -> None:
    assert not is_trivial(quote)


# Code in which much stands more than once, and quotes that nearly stand there.
_alphabet = st.sampled_from(
    [*string.ascii_lowercase[:3], "foo", "(", ")", " ", "\n", "中", "# ", "😀"]
)
_texts = st.lists(_alphabet, min_size=1, max_size=40).map("".join)


@st.composite
def _checks(draw: st.DrawFn) -> tuple[tuple[str, ...], list[Region], str]:
    """Return the lines of a text, those regions of it that are asked about, and a quote."""
    text = draw(_texts)
    lines = SourceText("a", text).lines
    block = st.tuples(st.integers(1, 9), st.integers(1, 9))
    regions = split_regions(lines, draw(st.lists(block, max_size=3)), max_tokens=9)
    asked = [region for region in regions if draw(st.integers(0, 3))]
    start = draw(st.integers(0, len(text) - 1))
    copied = st.integers(1, 12).map(lambda length: text[start : start + length])
    return lines, asked, draw(copied | _texts)


@given(_checks(), st.none() | st.integers(0, 20))
def test_what_is_proven_stands_verbatim_at_its_place_and_inside_a_region(
    check: tuple[tuple[str, ...], list[Region], str], line: int | None
) -> None:
    lines, regions, quote = check

    proven = prove(claim(quote, line), ASKED, regions)

    if proven is None:
        bare = quote.strip()
        assert is_trivial(bare) or not any(f" {bare} " in f" {each.code} " for each in regions)
        return
    start, end = proven.range.start, proven.range.end
    assert proven.region in regions
    assert proven.region.first_line <= start.line <= end.line <= proven.region.last_line
    found = list(lines[start.line - 1 : end.line])
    found[-1] = found[-1][: end.column]
    found[0] = found[0][start.column :]
    assert "\n".join(found) == quote.strip()
    assert not is_trivial("\n".join(found))


@given(_texts, _texts)
def test_a_rule_that_was_not_asked_or_not_quoted_proves_nothing(text: str, quote: str) -> None:
    regions = split_regions(SourceText("a", text).lines, ())
    other = claim(text, rule="other")
    unquoted = claim(text, quote=f"{quote}§")

    assert prove(other, ASKED, regions) is None
    assert prove(unquoted, ASKED, regions) is None
