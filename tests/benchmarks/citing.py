"""Reading the citations of an answer again, against reading the cited files alone."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.measuring import Goal, Result, cpu_ms_of, medians
from benchmarks.places import Ground
from glossator.app.verifying import verify_citations
from glossator.tools.workspace import Workspace

_N_PLACES = 300
_N_ROUNDS = 5
_DEFINITION = re.compile(r"^ *def (\w+)", re.MULTILINE)
# Of a place that is right, of one that has drifted, and of a file's name alone.
_FORMS = (
    ("cited with their paths", "- `{name}` ({path}:{line})"),
    ("cited nine lines too low", "- `{name}` ({path}:{low})"),
    ("cited by the files' names alone", "- `{name}`（{file}：{line}）"),
)


def measure(ground: Ground) -> Iterator[Result]:
    """Verify answers with 300 places in as many files of a workspace of 5,000."""
    root = ground.codebase
    places = _choose_places(root)
    workspace = Workspace([root])
    read = partial(_read_all, [root / path for path, _, _ in places])
    for title, form in _FORMS:
        answer = "\n".join(
            form.format(name=name, path=path, file=Path(path).name, line=line, low=line + 9)
            for path, name, line in places
        )
        verify = partial(verify_citations, answer, workspace, files={}, shown=[answer])
        ours, floor = medians(
            _N_ROUNDS, lambda verify=verify: cpu_ms_of(verify), lambda: cpu_ms_of(read)
        )
        yield Result(
            f"{_N_PLACES} places of an answer, {title}", ours,
            floor=floor, against="reading the files", goal=Goal(1_000),
        )  # fmt: skip


def _choose_places(root: Path) -> list[tuple[str, str, int]]:
    """Return path, name and line of one definition in each of some files."""
    files = sorted(root.rglob("*.py"))
    places = []
    for file in Random(3).sample(files, len(files)):
        text = file.read_text(encoding="utf-8")
        if found := _DEFINITION.search(text):
            line = text.count("\n", 0, found.start()) + 1
            places.append((file.relative_to(root).as_posix(), found[1], line))
        if len(places) == _N_PLACES:
            break
    return places


def _read_all(files: Sequence[Path]) -> list[str]:
    return [file.read_text(encoding="utf-8") for file in files]
