"""Fenced code in an answer: what stands in it is shown, not claimed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(
    r"^[ \t>*+\-]{0,40}?(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$", re.MULTILINE
)
# An answer that stands in a fence as a whole is an answer all the same.
_PROSE = frozenset({"markdown", "md"})


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block from the beginning of its first line to the end of its last one."""

    start: int
    end: int
    body: str


def find_fences(answer: str) -> Iterator[Fence]:
    """Yield the blocks of code; one that is never closed goes to the end, as it is shown."""
    position = 0
    while opening := _FENCE.search(answer, position):
        if opening["info"].strip().lower() in _PROSE:
            position = opening.end()
            continue
        closing = _find_closing(answer, opening)
        end = closing.end() if closing else len(answer)
        body = answer[opening.end() + 1 : closing.start() if closing else end]
        yield Fence(opening.start(), end, body)
        position = end


def close_fence(answer: str) -> str:
    """Return `answer` with the block closed that is still open at its end."""
    position, last = 0, None
    while opening := _FENCE.search(answer, position):
        last = _find_closing(answer, opening)
        if last is None:
            return f"{answer}\n{opening['fence']}"
        position = last.end()
    return answer


def _find_closing(answer: str, opening: re.Match[str]) -> re.Match[str] | None:
    fence = opening["fence"]
    for found in _FENCE.finditer(answer, opening.end()):
        if found["fence"].startswith(fence) and not found["info"].strip():
            return found
    return None
