"""Rounds, requests and prompt tokens of twenty tasks, with the briefing and without it.

The model is a script that follows its context: it has facts to find for each task (the code of a
function, where it is called, where what it calls is defined), looks for them in what it was sent,
calls tools for those that are missing, as many at once as can be asked for, and answers when it has
seen them or has asked for all of them. Without the briefing it is sent the same request with the
material taken out. The tools and the workspace, packages of the standard library, are real.
"""

import asyncio
import email
import http
import json
import logging
import re
import shutil
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from benchmarks.measuring import Goal, Result
from benchmarks.places import Ground
from glossator.agent.capacity import count_tokens
from glossator.app.application import Application
from glossator.app.results import Opening, Target
from glossator.code.outline import Function
from glossator.compose import build_parts
from glossator.core.locations import Point
from glossator.core.messages import Completion, Message, Piece, TextDelta, ToolCall, ToolSpec
from glossator.core.text import SourceText
from glossator.tools.code_map import CodeMap

_PACKAGES = (email, http, json, logging)
_N_EXPLAINED, _N_ASKED_FOR_CALLERS, _N_ASKED_WHAT = 12, 4, 4
_N_FACTS = 3
_QUIET = {"audit.enabled": False, "sessions.keep": False}
_MATERIAL = re.compile(r"<material (\w+) [^>]*>\n.*?</material \1>\n*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Task:
    """A function, and the facts that are needed to speak of it: places as `path:line`.

    `question` is empty when the function is to be explained at its place.
    """

    function: Function
    path: str
    callers: tuple[str, ...]
    callees: Mapping[str, str]
    question: str = ""

    @property
    def first_line(self) -> int:
        return self.function.range.start.line

    @property
    def head(self) -> str:
        return f"def {self.function.name}("


class _Reader:
    """The script for one task; counts what it was sent."""

    def __init__(self, task: _Task, *, sees_material: bool) -> None:
        self.n_requests = self.n_rounds = self.n_tokens = 0
        self._task = task
        self._sees_material = sees_material
        self._asked: set[str] = set()
        self._numbers = count(1)

    async def stream(
        self, transcript: Sequence[Message], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[Piece, None]:
        """Call tools for what is missing, or answer."""
        if not self._sees_material:
            transcript = [
                replace(each, text=_MATERIAL.sub("", each.text)) if each.role == "user" else each
                for each in transcript
            ]
        self.n_requests += 1
        self.n_tokens += count_tokens(transcript)
        calls = list(self._look_up("\n".join(each.text for each in transcript[1:])))
        if calls and tools:
            self.n_rounds += 1
            for call in calls:
                yield call
            yield Completion("tool_calls")
        else:
            yield TextDelta(f"It is at {self._task.path}:{self._task.first_line}.")
            yield Completion("stop")

    def _look_up(self, seen: str) -> Iterator[ToolCall]:
        task = self._task
        if task.head in seen and self._wants_code(task):
            yield from self._find_callees(seen)
        elif self._wants_code(task):
            yield from self._find_code(seen)
        if task.callers and not all(place in seen for place in task.callers):
            yield from self._call("search_files", query=f"{task.function.name}(")

    def _wants_code(self, task: _Task) -> bool:
        return bool(task.callees) or not task.callers

    def _find_code(self, seen: str) -> Iterator[ToolCall]:
        task, span = self._task, self._task.function.range
        if task.path in seen:
            yield from self._call(
                "read_file", path=task.path, first_line=span.start.line, last_line=span.end.line
            )
        else:
            yield from self._call("search_files", query=task.head)

    def _find_callees(self, seen: str) -> Iterator[ToolCall]:
        for name, place in self._task.callees.items():
            if place not in seen:
                yield from self._call("search_files", query=f"def {name}(")

    def _call(self, tool: str, **arguments: object) -> Iterator[ToolCall]:
        written = json.dumps(arguments)
        if written not in self._asked:
            self._asked.add(written)
            yield ToolCall(f"call{next(self._numbers)}", tool, written)


class _Seat:
    """The model of the application; the reader in it answers."""

    name = endpoint = "reader"

    def __init__(self) -> None:
        self.reader: _Reader

    def stream(
        self, transcript: Sequence[Message], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[Piece, None]:
        return self.reader.stream(transcript, tools)


def measure(ground: Ground) -> Iterator[Result]:
    """Do every task twice, one after the other."""
    root = _copy_packages(ground.folder / "library")
    tasks = _choose_tasks(root)
    with_it, without = asyncio.run(_do_all(root, tasks))
    against, title = "without the briefing", f"{len(tasks)} tasks"
    half = Goal(0.5, of_ratio=True)
    for what, ours, floor, goal in zip(
        ("rounds with tools", "requests", "prompt tokens"),
        with_it,
        without,
        (half, None, None),
        strict=True,
    ):
        yield Result(f"{title}: {what}", ours, "", floor, against, goal)


async def _do_all(root: Path, tasks: Sequence[_Task]) -> tuple[list[int], list[int]]:
    """Return rounds, requests and tokens of all tasks, with the briefing and without."""
    seat = _Seat()
    opening = Opening((root,), watch=False, editor_settings=_QUIET)
    application = Application(opening, lambda each: replace(build_parts(each), model=seat))
    with_it, without = [0, 0, 0], [0, 0, 0]
    try:
        for task in tasks:
            for sees_material, sums in ((True, with_it), (False, without)):
                seat.reader = reader = _Reader(task, sees_material=sees_material)
                await _do(application, root, task)
                found = (reader.n_rounds, reader.n_requests, reader.n_tokens)
                sums[:] = [before + more for before, more in zip(sums, found, strict=True)]
    finally:
        await application.close()
    return with_it, without


async def _do(application: Application, root: Path, task: _Task) -> None:
    if task.question:
        answer = await application.ask(task.question)
        assert answer.by_model, answer.markdown
    else:
        source = application.read(root / task.path)
        line = task.first_line
        await application.explain(Target(source, Point(line, len(source.lines[line - 1]))))


def _copy_packages(folder: Path) -> Path:
    for package in _PACKAGES:
        source = Path(str(package.__file__)).parent
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def _choose_tasks(root: Path) -> list[_Task]:
    """Choose functions that are called in the workspace and call something there."""
    parts = build_parts(Opening((root,), watch=False))
    names: set[str] = set()
    found = []
    for file in sorted(root.rglob("*.py")):
        source = parts.workspace.read(file)
        outline = parts.code_map.outline(source)
        for function in outline.functions if outline else ():
            task = _describe(parts.code_map, source, function)
            if task.callers and task.callees and function.name not in names:
                names.add(function.name)
                found.append(task)
    n_tasks = _N_EXPLAINED + _N_ASKED_FOR_CALLERS + _N_ASKED_WHAT
    chosen = found[:: len(found) // n_tasks][:n_tasks]
    n_explained, n_asked = _N_EXPLAINED, _N_EXPLAINED + _N_ASKED_FOR_CALLERS
    return [
        *chosen[:n_explained],
        *(
            replace(task, callees={}, question=f"Who calls `{task.function.name}`?")
            for task in chosen[n_explained:n_asked]
        ),
        *(
            replace(task, callers=(), question=f"`{task.function.name}` 做什么？")
            for task in chosen[n_asked:]
        ),
    ]


def _describe(code_map: CodeMap, source: SourceText, function: Function) -> _Task:
    callers = code_map.find_callers(source, function)
    callees: dict[str, str] = {}
    for resolved in code_map.resolve_calls(source, function):
        for place in resolved.targets[:1]:
            if place.function is not None and place.function.name != function.name:
                callees.setdefault(place.function.name, f"{place.path}:{place.line}")
    return _Task(
        function,
        source.name,
        tuple(f"{caller.place.path}:{caller.line}" for caller in callers[:_N_FACTS]),
        dict(list(callees.items())[:_N_FACTS]),
    )
