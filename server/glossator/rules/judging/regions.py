"""The parts of a text that are judged one by one: functions, types and what stands between them.

They part the text, so that a change concerns few of them and the rest keeps its verdict.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from glossator.core.tokens import estimate_tokens

MAX_REGION_TOKENS = 1_500
"""A larger function or type is cut; one line is never."""

Lines = tuple[int, int]
"""A first and a last line, 1-based and inclusive."""

_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|--|;|<!--)")


@dataclass(frozen=True, slots=True)
class Region:
    r"""Whole lines of a text, 1-based and inclusive. `code` is what stands there.

    Its lines are joined by `\n` and the last one has no end, whatever ends lines in the text.
    """

    first_line: int
    last_line: int
    code: str


@dataclass(slots=True)
class _Block:
    """A function or type with what stands in it."""

    first: int
    last: int
    inner: list["_Block"] = field(default_factory=list)


def split_regions(
    lines: Sequence[str], blocks: Iterable[Lines], *, max_tokens: int = MAX_REGION_TOKENS
) -> tuple[Region, ...]:
    """Part a text, given by its lines, along `blocks`, its functions and types.

    A block that fits is a region with the comment above it; a larger one is parted along those in
    it, or cut. Blank lines between belong to no region.
    """
    inside = [block for block in blocks if 1 <= block[0] <= block[1] and block[0] <= len(lines)]
    whole = _nest([_take_in_comment(lines, block) for block in inside], len(lines))
    spans = _part(lines, whole, max_tokens)
    return tuple(Region(*span, "\n".join(lines[span[0] - 1 : span[1]])) for span in spans)


def choose_regions(
    regions: Iterable[Region], changed: Sequence[Lines] | None
) -> tuple[Region, ...]:
    """Return the regions that hold a changed line; None is all of them."""
    if changed is None:
        return tuple(regions)
    return tuple(
        region
        for region in regions
        if any(first <= region.last_line and region.first_line <= last for first, last in changed)
    )


def _take_in_comment(lines: Sequence[str], block: Lines) -> Lines:
    first, last = block
    while first > 1 and _COMMENT.match(lines[first - 2]):
        first -= 1
    return first, min(last, len(lines))


def _nest(blocks: Iterable[Lines], n_lines: int) -> _Block:
    """Put each block into the one around it; of those that cross, the first one counts."""
    whole = _Block(1, n_lines)
    around = [whole]
    for first, last in sorted(set(blocks), key=lambda block: (block[0], -block[1])):
        while around[-1].last < first:
            around.pop()
        if last > around[-1].last:
            continue
        if around[-1].inner and around[-1].inner[-1].last >= first:
            continue
        block = _Block(first, last)
        around[-1].inner.append(block)
        around.append(block)
    return whole


def _part(lines: Sequence[str], block: _Block, max_tokens: int) -> Iterator[Lines]:
    """Yield the spans of what stands in a block: those of its inner blocks, and the gaps."""
    start = block.first
    for inner in block.inner:
        yield from _cut(lines, start, inner.first - 1, max_tokens)
        if inner.inner and not _fits(lines, inner, max_tokens):
            yield from _part(lines, inner, max_tokens)
        else:
            yield from _cut(lines, inner.first, inner.last, max_tokens)
        start = inner.last + 1
    yield from _cut(lines, start, block.last, max_tokens)


def _fits(lines: Sequence[str], block: _Block, max_tokens: int) -> bool:
    return sum(map(_measure, lines[block.first - 1 : block.last])) <= max_tokens


def _cut(lines: Sequence[str], first: int, last: int, max_tokens: int) -> Iterator[Lines]:
    """Yield the lines from `first` to `last` in pieces that fit, without blank ends."""
    while first <= last:
        end, size = first, _measure(lines[first - 1])
        while end < last and size + _measure(lines[end]) <= max_tokens:
            size += _measure(lines[end])
            end += 1
        yield from _trim(lines, first, end)
        first = end + 1


def _trim(lines: Sequence[str], first: int, last: int) -> Iterator[Lines]:
    while first <= last and not lines[first - 1].strip():
        first += 1
    while first <= last and not lines[last - 1].strip():
        last -= 1
    if first <= last:
        yield first, last


def _measure(line: str) -> int:
    return estimate_tokens(f"{line}\n")
