"""How lines are written behind a path: `:12-14`, `#L3-L9`, `, lines 3 to 9`, `第 12 行`.

Full-width punctuation and dashes are what a Chinese input method types; `#L3-L9` is how links to
code hosts are written; a diff, a compiler and an editor each add a column in their own way.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# What an editor can count: positions of the protocol are 31 bits wide.
MAX_LINE = 2**31 - 1

_BLANK = r"[ \t\u3000\xa0]"
# What closes markup or quotes around a path: "`a.py`:12", "**a.py** (line 12)", "[a](a.py):12".
_CLOSER = r"""[`"'”’」』»*)）\]】>]"""
_CLOSERS = rf"{_CLOSER}{{0,4}}"
_OPENER = r"[(（\[]"
_SIGN = r"[-‐‑‒–—―−－~～〜至到]"
_COLUMN = r"(?:C\d{1,6}|:\d{1,6}(?!\d))?"
# Behind a blank a word makes a number a count: "a.py: 3 classes", "a.py:12 – 3 callers".
_NO_COUNT = rf"(?!\d|{_BLANK}*(?!行)[^\W\d_])"
_TO = rf"""
    (?: {_BLANK}?行)?
    (?: {_SIGN}{_BLANK}? | {_BLANK}{_SIGN} | \.\.\.? | {_BLANK}(?:to|through){_BLANK}
      | {_BLANK}{_SIGN}{_BLANK}(?=\d+{_NO_COUNT}) )
    (?:第{_BLANK}?)?[Ll]?
"""
_RANGE = rf"(?P<first>\d+(?!\d)){_COLUMN} (?: {_TO}(?P<last>\d+(?!\d)){_COLUMN} )?"
# Numbers with a fraction, times, sizes (`12ms`) and counts are no lines.
_END = r"(?![\d.]*\d|:\d|[A-Za-z]|[ ]?(?:个|种|次|项|条|处|层|段|%|％))"

# `:12`, `：12`, `: 12`, `:L12`, `: line 12`, `:第12`, and `:-3`, which is nowhere.
_COLON = rf"""
    {_CLOSERS}{_BLANK}?[:：]
    (?: (?P<minus>[-−](?=\d))? | (?:[Ll]ines?{_BLANK}?|第{_BLANK}?|[Ll])
      | {_BLANK}(?:[Ll]ines?{_BLANK}|第{_BLANK}?|(?=\d{{1,18}}{_NO_COUNT})) )
"""
_FRAGMENT = r"\#L"
# `, line 12`, ` (lines 12`, ` at line 12`, ` L12`.
_WORD = rf"""
    {_CLOSERS}(?:[,，;；]{_BLANK}?{_OPENER}?|{_BLANK}{_OPENER}?|{_OPENER})
    (?: (?:(?:at|on|in|around|near|see){_BLANK})?
        (?P<word>[Ll]ines?){_BLANK}?[:：]?{_BLANK}?(?=\d)
      | L(?=\d) )
"""
# `第 12 行`, `的第 12、20 行`, `文件中第 12 行`, `（12-20 行）`.
_COUNTED = rf"""
    {_CLOSERS}[,，]?{_BLANK}?(?:文件)?{_BLANK}?[中里内]?{_BLANK}?的?{_BLANK}?[(（]?{_BLANK}?
    (?: 第{_BLANK}?(?=\d(?:[\d,，、和及与第行]|{_BLANK}|{_SIGN}){{0,60}}行)
      | (?<=[的(（,，\s])(?=\d{{1,18}}{_BLANK}?{_SIGN}{_BLANK}?\d{{1,18}}{_BLANK}?行) )
    (?P<counted>)
"""
# Looked at first, and quickly: the end of a path, and what may stand between it and its lines.
_BEHIND_PATH = (
    rf"(?<![\s:：,，;；(（《“「『<|])(?=[:：\#,，;；(（\[文中里内的第]|{_CLOSER}|{_BLANK})"
)
LINES = re.compile(
    rf"{_BEHIND_PATH} (?:{_COLON}|{_FRAGMENT}|{_WORD}|{_COUNTED}) {_RANGE}{_END}", re.VERBOSE
)

# `line 12 of src/a.py`, `第 12 行（src/a.py）`, up to the path and what opens markup around it.
_RANGE_IN_CHINESE = _RANGE.replace("<first>", "<first_zh>").replace("<last>", "<last_zh>")
LINES_OF = re.compile(
    rf"""
    (?: \b[Ll]ines?{_BLANK}{_RANGE}{_BLANK}(?:of|in|from){_BLANK}(?:the{_BLANK}file{_BLANK})?
      | 第{_BLANK}?{_RANGE_IN_CHINESE}{_BLANK}?行{_BLANK}?[(（] )
    (?P<opener>[`"'“「『*\[(]{{0,2}})
    """,
    re.VERBOSE,
)

_NEXT = re.compile(
    rf"""
    (?:{_BLANK}?行)?
    (?: {_BLANK}?[,，、;；]{_BLANK}?(?:(?:and|or){_BLANK})? | {_BLANK}(?:and|or|&){_BLANK}
      | {_BLANK}?(?:和|及|与|以及|或){_BLANK}? )
    (?:第{_BLANK}?|[Ll])?
    {_RANGE}{_END}
    """,
    re.VERBOSE,
)
# What may follow a further number that no word announced as a line.
_AFTER_LIST = re.compile(
    rf"""{_BLANK}*(?:\Z|[\r\n)）\]】`*,，、;；。.|:：'"”’」』]|and\b|or\b|&|和|及|与|以及|或|行)"""
)


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines as written from offset `start` to `end`; `first` may be 0, negative or after `last`."""

    first: int
    last: int
    start: int
    end: int


def read_lines(match: re.Match[str]) -> Lines:
    """Return the lines of a match of `LINES` or `LINES_OF`."""
    groups = match.groupdict()
    name = "first" if groups["first"] else "first_zh"
    first = _number(groups[name])
    last = _number(groups[name.replace("first", "last")] or groups[name])
    if groups.get("minus"):
        first = last = -first
    return Lines(first, last, match.start(), match.end())


def read_further_lines(text: str, match: re.Match[str]) -> Iterator[Lines]:
    """Return what a list of lines goes on with behind a match of `LINES`: `a.py:3, 7, 12-14`."""
    is_announced = match["counted"] is not None or (match["word"] or "").endswith("s")
    end = match.end()
    while found := _NEXT.match(text, end):
        if not is_announced and not _AFTER_LIST.match(text, found.end()):
            return
        first = _number(found["first"])
        yield Lines(
            first, _number(found["last"] or found["first"]), found.start("first"), found.end()
        )
        end = found.end()


def _number(digits: str) -> int:
    return min(int(digits), MAX_LINE) if len(digits) <= 10 else MAX_LINE
