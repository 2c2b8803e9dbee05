"""The proof of a claim: what it quotes stands in the rule, and verbatim in the code.

A claim is let through only if

- its rule was asked about;
- the words that it quotes of the rule stand in the text of that rule; other blanks and line breaks
  do not matter there;
- the code that it quotes stands in one region, character by character; only the kind of line ends
  does not matter, and blanks around the quote.

The place is that of the quoted code. Where it stands more than once, the line that the model named
chooses the nearest occurrence, and without one the first is taken: one is reported, never all.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from glossator.core.locations import Point, Range
from glossator.rules.judging.claim import AskedRule, Claim
from glossator.rules.judging.regions import Region

MAX_QUOTED_LINES = 30
"""A longer quote points at nothing."""

_LEAST_RULE_QUOTE = 4
_CJK = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_BLANK_IN_CHINESE = re.compile(rf"(?<={_CJK}) | (?={_CJK})")
_LINE_END = re.compile(r"\r\n?")
_WORD = re.compile(r"\w+")
# The line numbers that the code is shown with, if a model copies them too.
_SHOWN_NUMBER = re.compile(r"^ *\d+\| ?", re.MULTILINE)
_KEYWORDS = frozenset(
    {"abstract", "assert", "async", "await", "begin", "break", "case", "catch", "class", "const",
     "continue", "debugger", "def", "default", "defer", "del", "delete", "elif", "else", "elsif",
     "end", "ensure", "enum", "except", "export", "extends", "false", "False", "final", "finally",
     "for", "foreach", "from", "func", "function", "global", "goto", "impl", "implements",
     "import", "include", "instanceof", "interface", "internal", "lambda", "let", "loop", "match",
     "mod", "module", "mut", "new", "nil", "None", "nonlocal", "not", "null", "override",
     "package", "pass", "private", "protected", "pub", "public", "raise", "readonly", "ref",
     "require", "rescue", "return", "self", "select", "Self", "static", "struct", "super",
     "switch", "then", "this", "throw", "throws", "trait", "true", "True", "try", "type", "typeof",
     "unless", "until", "use", "using", "var", "void", "volatile", "when", "where", "while",
     "with", "yield"}
)  # fmt: skip

_Place = tuple[Region, int, int]
"""Where a quote stands: the region, the offset in its code, and the line in the text."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A claim that stands, and where: `range` is 1-based lines, 0-based columns of the text.

    `fix`, if there is one, is to stand in the place of `range`.
    """

    claim: Claim
    region: Region
    range: Range
    fix: str | None = None


def prove(claim: Claim, asked: Mapping[str, AskedRule], regions: Iterable[Region]) -> Proven | None:
    """Return where in `regions` a claim holds, or None: it is refused."""
    rule = asked.get(claim.rule_id)
    if rule is None or not stands_in_rule(claim.rule_quote, rule.text):
        return None
    regions = tuple(regions)
    for quote in _read_quotes(claim.code):
        if is_trivial(quote):
            continue
        found = [place for region in regions for place in _find_places(quote, region)]
        if found:
            region, start = _choose(found, claim.line)
            place = _locate(region, start, len(quote))
            return Proven(claim, region, place, _trim_fix(claim, quote))
    return None


def prove_all(
    claims: Iterable[Claim], asked: Mapping[str, AskedRule], regions: Iterable[Region]
) -> tuple[Proven, ...]:
    """Return the claims that hold, by place; of those of one rule that overlap, the first one."""
    regions = tuple(regions)
    kept: dict[str, list[Proven]] = {}
    for claim in claims:
        proven = prove(claim, asked, regions)
        if proven is None:
            continue
        others = kept.setdefault(claim.rule_id, [])
        if not any(_overlap(proven.range, other.range) for other in others):
            others.append(proven)
    every = (proven for others in kept.values() for proven in others)
    return tuple(sorted(every, key=lambda proven: (proven.range, proven.claim.rule_id)))


def stands_in_rule(quote: str, text: str) -> bool:
    """Say whether words stand in a rule, whatever blanks and line breaks there are."""
    words = _fold_blanks(quote)
    n_needed = min(_LEAST_RULE_QUOTE, len(_fold_blanks(text)))
    return len(words) >= max(1, n_needed) and words in _fold_blanks(text)


def is_trivial(quote: str) -> bool:
    """Say whether a quote says nothing: a bracket, a keyword, a letter."""
    words = _WORD.findall(quote)
    if len(words) != 1:
        return not words
    [word] = words
    return word in _KEYWORDS or (len(word) < 3 and word.isascii())


def _read_quotes(code: str) -> Iterator[str]:
    """Yield the quote as it is written, and without the line numbers that all its lines have."""
    quote = _LINE_END.sub("\n", code).strip()
    n_lines = quote.count("\n") + 1
    if not quote or n_lines > MAX_QUOTED_LINES:
        return
    yield quote
    bare, n_numbers = _SHOWN_NUMBER.subn("", quote)
    if n_numbers == n_lines:
        yield bare.strip()


def _trim_fix(claim: Claim, quote: str) -> str | None:
    """Return the fix for a quote without the blanks around it, which are not replaced."""
    before, found, after = _LINE_END.sub("\n", claim.code).partition(quote)
    if claim.fix is None or not found:
        return None
    fix = _LINE_END.sub("\n", claim.fix).removeprefix(before)
    fix = fix.rstrip() if after or fix.endswith("\n") else fix
    return fix if fix != quote else None


def _find_places(quote: str, region: Region) -> Iterator[_Place]:
    """Yield where a quote stands in a region; never within a word."""
    code, line, n_counted = region.code, region.first_line, 0
    start = code.find(quote)
    while start >= 0:
        end = start + len(quote)
        if _splits_word(code, start) or _splits_word(code, end):
            end = start + 1
        else:
            line += code.count("\n", n_counted, start)
            n_counted = start
            yield region, start, line
        start = code.find(quote, end)


def _splits_word(code: str, place: int) -> bool:
    around = code[max(0, place - 1) : place + 1]
    # Chinese has no blanks between words.
    return 0 < place < len(code) and around.isascii() and _WORD.fullmatch(around) is not None


def _choose(places: list[_Place], line: int | None) -> tuple[Region, int]:
    chosen = places[0] if line is None else min(places, key=lambda place: abs(place[2] - line))
    return chosen[:2]


def _locate(region: Region, start: int, length: int) -> Range:
    return Range(_find_point(region, start), _find_point(region, start + length))


def _find_point(region: Region, place: int) -> Point:
    line = region.first_line + region.code.count("\n", 0, place)
    return Point(line, place - (region.code.rfind("\n", 0, place) + 1))


def _fold_blanks(text: str) -> str:
    """Return `text` with single blanks, and none beside Chinese, where lines are broken freely."""
    return _BLANK_IN_CHINESE.sub("", " ".join(text.split()))


def _overlap(one: Range, other: Range) -> bool:
    return one.start < other.end and other.start < one.end
