"""From the start of the process to `initialize` answered, and to the first code action."""

from collections.abc import Iterator
from statistics import median

from benchmarks.editor import Editor
from benchmarks.measuring import Goal, Result
from benchmarks.places import BARE_SERVER, OUR_SERVER, Ground, inside_functions, python_of_lines

_N_ROUNDS = 15
_GOAL = Goal(1.1, of_ratio=True)


def measure(ground: Ground) -> Iterator[Result]:
    """Start both servers in turns."""
    text = python_of_lines(300)
    line = inside_functions(text)[3]
    uri = (ground.small / "example.py").as_uri()
    ours: list[tuple[float, ...]] = []
    bare: list[tuple[float, ...]] = []
    for number in range(_N_ROUNDS + 1):
        pair = [(OUR_SERVER, ours), (BARE_SERVER, bare)]
        for command, found in pair if number % 2 else reversed(pair):
            sample = _start(ground, command, uri, text, line)
            if number:  # The first round fills the system's caches.
                found.append(sample)
    names = (
        "start to `initialize` answered",
        "start to first code action answered",
        "start to `initialize` answered, CPU",
        "start to first code action answered, CPU",
    )
    for name, mine, theirs in zip(
        names, zip(*ours, strict=True), zip(*bare, strict=True), strict=True
    ):
        yield Result(name, median(mine), "ms", median(theirs), "bare pygls", _GOAL)


def _start(
    ground: Ground, command: tuple[str, ...], uri: str, text: str, line: int
) -> tuple[float, ...]:
    """Return milliseconds to the two answers, by the clock and of CPU."""
    with Editor(command, ground.env()) as editor:
        initialized = editor.initialize(ground.small)
        initialized_cpu = editor.cpu_ms()
        editor.open(uri, text)
        pending = editor.code_actions(uri, line)
        assert pending.result, "no code action is offered"
        acted_cpu = editor.cpu_ms()
        acted = (pending.answered_at - editor.started_at) * 1000
    return initialized, acted, initialized_cpu, acted_cpu
