"""What no test reaches of a function, for briefings: they need no model and may not wait long."""

from dataclasses import dataclass

from glossator.code.outline import Function
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.tools.reports.measuring import measure
from glossator.tools.workspace import Workspace

# Reading more would hold up a briefing by more than a tenth of a second.
MAX_BYTES = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Unreached:
    """The lines of a function that no test reached, none when all are; `report` is as shown.

    `is_doubtful` when something speaks against the report's lines being those of the text.
    """

    ranges: tuple[tuple[int, int], ...]
    report: str
    age_s: float
    is_doubtful: bool


def find_unreached(
    workspace: Workspace, source: SourceText, function: Function
) -> Unreached | None:
    """Return what no test reached of a function; None without a report that tells.

    Reads files: call it in a worker thread.
    """
    try:
        measured = measure(workspace, source, max_bytes=MAX_BYTES)
    except GlossatorError:
        return None
    first, last = function.range.start.line, function.range.end.line
    if not any(first <= line <= last for line in measured.counted):
        return None
    ranges = tuple(measured.list_ranges(first, last))
    return Unreached(ranges, measured.report, measured.age_s, bool(measured.warnings))
