"""Code actions in an open document of 2,000 lines."""

from collections.abc import Iterator
from statistics import median

from benchmarks.editor import Editor
from benchmarks.measuring import Goal, Result, percentile
from benchmarks.places import Ground, inside_functions, python_of_lines

_N_ROUNDS = 150
_GOAL = Goal(10)


def measure(ground: Ground) -> Iterator[Result]:
    """Ask both servers in turns: where nothing changed, and right after an edit."""
    text = python_of_lines(2_000)
    lines = inside_functions(text)
    uri = (ground.small / "long.py").as_uri()
    with ground.ours() as ours, ground.bare() as bare:
        for editor in (ours, bare):
            editor.initialize(ground.small)
            editor.open(uri, text)
            editor.code_actions(uri, lines[0]).wait()
        ours.wait_until_ready()
        for title, is_edited in (("", False), (" after an edit", True)):
            mine: list[float] = []
            theirs: list[float] = []
            for number in range(_N_ROUNDS):
                line = lines[number // 2 % len(lines)]
                edit = _Edit(text, line, number) if is_edited else None
                for editor, found in ((ours, mine), (bare, theirs)):
                    found.append(_ask(editor, uri, line, edit))
            mine, theirs = mine[5:], theirs[5:]
            what = f"code action{title}, 2,000 lines"
            yield Result(f"{what}, p50", median(mine), "ms", median(theirs), "bare pygls", _GOAL)
            worst = percentile(theirs, 0.95)
            yield Result(f"{what}, p95", percentile(mine, 0.95), "ms", worst, "bare pygls", _GOAL)


class _Edit:
    """Every other time a statement comes before a line, and goes again the next time."""

    def __init__(self, text: str, line: int, number: int) -> None:
        old = text.splitlines()[line]
        indent = old[: len(old) - len(old.lstrip())]
        self.version = number + 2
        self.first = line
        self.end, self.text = (line, f"{indent}pass\n") if number % 2 == 0 else (line + 1, "")


def _ask(editor: Editor, uri: str, line: int, edit: _Edit | None) -> float:
    """Return milliseconds to the answer, counted from before the edit if there is one."""
    if edit is None:
        return editor.code_actions(uri, line).wait()
    began = editor.change(uri, edit.version, edit.first, edit.end, edit.text)
    pending = editor.code_actions(uri, line)
    pending.wait()
    return (pending.answered_at - began) * 1000
