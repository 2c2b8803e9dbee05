"""Apply edits to a text, by lines and columns."""

from collections.abc import Sequence

from glossator.core.lines import Lines
from glossator.linting.finding import Edit

_Change = tuple[int, int, str]


def apply_edits(text: str, groups: Sequence[tuple[Edit, ...]]) -> tuple[str, tuple[int, ...]]:
    """Return the text with the groups of edits applied that do not touch each other, and which.

    Each group is applied as a whole or not at all; of two that touch, the first. New lines end as
    those of the text do.
    """
    lines = Lines(text)
    end_of_line = "\r\n" if "\r\n" in text else "\n"
    changes: list[_Change] = []
    applied: list[int] = []
    for number, group in enumerate(groups):
        wanted = [
            (
                lines.find_offset(place.start),
                lines.find_offset(place.end),
                new.replace("\n", end_of_line),
            )
            for place, new in group
        ]
        if wanted and not any(_touch(one, other) for one in wanted for other in changes):
            changes += wanted
            applied.append(number)
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text, tuple(applied)


def _touch(one: _Change, other: _Change) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]
