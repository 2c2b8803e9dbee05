"""Briefings in a workspace of 5,000 files: `glossator.explain` without a model."""

import os
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.editor import Editor
from benchmarks.measuring import Goal, Result, percentile
from benchmarks.places import Ground

_N_FUNCTIONS = 50
_N_AFTER_PAUSE = 20
# The code map looks at the disk again when its last look is older than a second.
_PAUSE_S = 1.1
_GOAL = Goal(100)
_HEAD = re.compile(r"^\s*(?:export function|def|func|async)\s+(?:\(.*?\)\s*)?(\w+)\(", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A function to be explained; `line` counts from 0."""

    path: Path
    name: str
    line: int


def measure(ground: Ground) -> Iterator[Result]:
    """Explain fifty functions in turns with `grep` for their names in the same files."""
    functions = _choose(ground.codebase)
    greps = [_grep(ground.codebase, each.name) for each in functions]
    floor, worst = median(greps), percentile(greps, 0.95)
    against = "grep -rlw NAME"
    with ground.ours() as editor:
        editor.initialize(ground.codebase)
        editor.wait_until_ready()
        cold = _explain(editor, functions[0])
        yield Result("briefing, cold: first of a process", cold, "ms", floor, against)
        rounds: list[tuple[str, Sequence[float]]] = [
            ("each function for the first time", [_explain(editor, each) for each in functions]),
            ("each function once more", [_explain(editor, each) for each in functions]),
            ("after a pause, function is new", _after_pauses(editor, _choose(ground.codebase, 9))),
        ]
        for title, found in rounds:
            samples = found[1:]
            what = f"briefing, warm: {title}"
            yield Result(f"{what}, p50", median(samples), "ms", floor, against, _GOAL)
            slow = percentile(samples, 0.95)
            yield Result(f"{what}, p95", slow, "ms", worst, f"{against}, p95", _GOAL)


def _choose(folder: Path, seed: int = 3) -> list[_Asked]:
    """Choose functions of all languages; some have names that many functions have."""
    random = Random(seed)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    chosen: list[_Asked] = []
    while len(chosen) < _N_FUNCTIONS:
        path = random.choice(files)
        text = path.read_text(encoding="utf-8")
        heads = list(_HEAD.finditer(text))
        if heads:
            head = random.choice(heads)
            chosen.append(_Asked(path, head[1], text.count("\n", 0, head.start(1))))
    return chosen


def _explain(editor: Editor, function: _Asked) -> float:
    pending = editor.command(
        "glossator.explain",
        uri=function.path.as_uri(),
        position={"line": function.line, "character": 6},
    )
    taken = pending.wait()
    found = pending.result["function"]
    assert found is not None, f"no function at {function}"
    return taken


def _after_pauses(editor: Editor, functions: Sequence[_Asked]) -> list[float]:
    samples = []
    for function in functions[:_N_AFTER_PAUSE]:
        time.sleep(_PAUSE_S)
        samples.append(_explain(editor, function))
    return samples


def _grep(folder: Path, name: str) -> float:
    began = time.perf_counter()
    subprocess.run(
        ["grep", "-rlw", name, "."],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    )
    return (time.perf_counter() - began) * 1000
