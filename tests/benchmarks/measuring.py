"""Numbers: samples in turns, percentiles, CPU of a process, and the table of results."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Goal:
    """At most `limit`, or at least: of our own number, or of its ratio to the floor."""

    limit: float
    of_ratio: bool = False
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """One row. `against` says what the floor is; without a goal the row only informs."""

    what: str
    ours: float
    unit: str = "ms"
    floor: float | None = None
    against: str = ""
    goal: Goal | None = None

    @property
    def ratio(self) -> float | None:
        """Ours through theirs."""
        return self.ours / self.floor if self.floor else None

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is met; None when there is none."""
        if self.goal is None:
            return None
        measured = self.ratio if self.goal.of_ratio else self.ours
        if measured is None:
            return False
        limit = self.goal.limit
        return measured >= limit if self.goal.at_least else measured <= limit


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers that need columns of their own; the first row is the head."""

    title: str
    rows: tuple[tuple[str, ...], ...]


def render_table(results: Sequence[Result | Table]) -> str:
    """Return the results as a Markdown table, below those with columns of their own."""
    tables = [
        f"{each.title}:\n\n{_render_rows(each.rows)}" for each in results if isinstance(each, Table)
    ]
    rows: list[tuple[str, ...]] = [("what", "ours", "peer or floor", "ratio", "goal", "met")]
    rows += [_render_row(result) for result in results if isinstance(result, Result)]
    return "\n\n".join([*tables, _render_rows(rows)])


def _render_rows(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def percentile(samples: Sequence[float], share: float) -> float:
    """Return the smallest sample that at least `share` of all do not exceed."""
    ordered = sorted(samples)
    return ordered[max(0, -int(-len(ordered) * share // 1) - 1)]


def in_turns(n_rounds: int, *runs: Callable[[], float]) -> list[list[float]]:
    """Call each of `runs` `n_rounds` times in turns, the order reversed each time."""
    samples: list[list[float]] = [[] for _ in runs]
    for number in range(n_rounds):
        turn = list(zip(runs, samples, strict=True))
        for run, found in turn if number % 2 == 0 else reversed(turn):
            found.append(run())
    return samples


def medians(n_rounds: int, *runs: Callable[[], float]) -> list[float]:
    """Return the median of each of `runs`, called in turns."""
    return [median(found) for found in in_turns(n_rounds, *runs)]


def cpu_ms_of(work: Callable[[], object]) -> float:
    """Return the CPU time that `work` takes in this thread."""
    began = time.thread_time()
    work()
    return (time.thread_time() - began) * 1000


def cpu_ms_of_process(process_id: int) -> float:
    """Return the CPU time of another process so far, all threads together. Linux."""
    # The clock of a process, as clock_getcpuclockid(3) makes it from the id.
    return time.clock_gettime((~process_id << 3) | 2) * 1000


def _render_row(result: Result) -> tuple[str, ...]:
    floor = "" if result.floor is None else _render(result.floor, result.unit)
    if result.against:
        floor = f"{floor} ({result.against})".strip()
    goal = ""
    if result.goal is not None:
        limit = result.goal.limit
        sign = "≥" if result.goal.at_least else "≤"
        goal = f"{limit:g}x" if result.goal.of_ratio else _render(limit, result.unit)
        goal = f"{sign} {goal}"
    met = {None: "", True: "yes", False: "**no**"}[result.is_met]
    ratio = "" if result.ratio is None else f"{result.ratio:.2f}"
    return (result.what, _render(result.ours, result.unit), floor, ratio, goal, met)


def _render(value: float, unit: str) -> str:
    digits = f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
    return f"{digits} {unit}".strip()
