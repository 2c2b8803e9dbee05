"""Explain, call chain and check over every function of real packages.

    cd tests && python -m benchmarks.real_packages DIR [DIR ...] [--briefings FOLDER] [--cpu]

Each DIR holds the unpacked sources of one package, as a registry has them; it is opened as a
workspace of its own, without a model. For every function of every file that Glossator knows the
language of, the function is explained and its call chain followed two levels deep; every file is
checked. What is printed is a Markdown table with one row for each package, then the slowest
briefings and call chains and whatever went wrong. Exit code 1: something crashed or hung.

A crash is recorded with its traceback and the run goes on. A call that takes longer than 20 s is
a hang: the stacks of all threads go to standard error, and a call that does not come back within
another minute ends the package.

`--briefings` writes every briefing to a Markdown file for each source file: numbers say that
answers came, only reading them says that they are right.

Times are those of the first question about each function, in the order of the files. The first
briefing of a package reads the whole workspace and counts like the others. `--cpu` takes the CPU
time of this process instead of the clock: on a machine that is busy with other things that is the
number that means something.
"""

import argparse
import asyncio
import faulthandler
import os
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TypeVar

from benchmarks.measuring import percentile
from glossator.app.application import Application
from glossator.app.checking.report import CheckReport
from glossator.app.parts import Parts
from glossator.app.results import CallChain, Explanation, Opening, Target
from glossator.code.languages import find_language
from glossator.code.outline import Function
from glossator.compose import build_parts
from glossator.core.errors import UnreadableFile
from glossator.core.text import SourceText

_HANG_S = 20.0
_GIVE_UP_S = 60.0
_DEPTH = 2
_N_SLOWEST = 3
_TITLES = (
    "package",
    "files",
    "functions",
    "calls",
    "to the workspace",
    "callers",
    "findings",
    "briefing p50",
    "p95",
    "max",
    "chain p50",
    "p95",
    "max",
    "crashes",
    "hangs",
)

_T = TypeVar("_T")
Clock = Callable[[], float]


class _Stuck(Exception):
    """A call did not come back: the run ends."""


@dataclass(slots=True)
class _Tally:
    """What was counted in one package. Times are in milliseconds, with the place."""

    name: str
    n_files: int = 0
    n_functions: int = 0
    n_calls: int = 0
    n_resolved: int = 0
    n_callers: int = 0
    n_findings: int = 0
    briefings: list[tuple[float, str]] = field(default_factory=list)
    chains: list[tuple[float, str]] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)
    hangs: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def row(self) -> tuple[str, ...]:
        counts = (self.n_files, self.n_functions, self.n_calls, self.n_resolved)
        return (
            self.name,
            *map(str, (*counts, self.n_callers, self.n_findings)),
            *_summarise(self.briefings),
            *_summarise(self.chains),
            str(len(self.crashes)),
            str(len(self.hangs)),
        )


def main() -> int:
    """Go over the packages that were named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--briefings", type=Path, metavar="FOLDER", help="write the briefings here")
    parser.add_argument("--cpu", action="store_true", help="measure CPU time, not the clock")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        if not folder.is_dir():
            parser.error(f"{folder} is not a folder")
    clock = time.process_time if arguments.cpu else time.perf_counter
    tallies = asyncio.run(_walk_all(arguments.folders, arguments.briefings, clock))
    print(_render(tallies))
    return int(any(tally.crashes or tally.hangs for tally in tallies))


async def _walk_all(folders: Sequence[Path], briefings: Path | None, clock: Clock) -> list[_Tally]:
    tallies: list[_Tally] = []
    for folder in folders:
        print(f"{folder.name} ...", file=sys.stderr, flush=True)
        walk = _Walk(folder.resolve(), briefings, clock)
        tallies.append(walk.tally)
        try:
            await walk.run()
        except _Stuck:
            # A thread that hangs cannot be ended, and an orderly end would wait for it.
            print(_render(tallies), flush=True)
            os._exit(1)
    return tallies


class _Walk:
    """One package, function by function."""

    def __init__(self, folder: Path, briefings: Path | None, clock: Clock) -> None:
        self._clock = clock
        self._folder = folder
        self._briefings = briefings / folder.name if briefings else None
        self.tally = _Tally(folder.name)

    async def run(self) -> None:
        # The parts are kept at hand: what is counted comes from the same code map.
        opening = Opening(
            roots=(self._folder,), watch=False, editor_settings={"audit.enabled": False}
        )
        self._parts: Parts = build_parts(opening)
        application = Application(opening, lambda _: self._parts)
        await application.start()
        try:
            for path in self._list_files():
                await self._walk_file(application, path)
        finally:
            await application.close()

    def _list_files(self) -> list[Path]:
        return [path for path in self._parts.workspace.walk() if find_language(path.name)]

    async def _walk_file(self, application: Application, path: Path) -> None:
        try:
            source = application.read(path)
        except UnreadableFile as error:
            self.tally.remarks.append(f"not read: {error}")
            return
        outline = self._parts.code_map.outline(source)
        if outline is None:
            return
        self.tally.n_files += 1
        report = await self._watch(f"check {source.name}", application.checks.check(source))
        if isinstance(report, CheckReport):
            self.tally.n_findings += len(report.findings)
        written = [
            await self._walk_function(application, source, function)
            for function in outline.functions
        ]
        if self._briefings is not None and written:
            file = self._briefings / (source.name.replace("/", "+") + ".md")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n---\n\n".join(written), encoding="utf-8")

    async def _walk_function(
        self, application: Application, source: SourceText, function: Function
    ) -> str:
        tally = self.tally
        tally.n_functions += 1
        place = f"{source.name}:{function.name_range.start.line} {function.qualified_name}"
        target = Target(source, function.name_range.start)
        began = self._clock()
        explanation = await self._watch(f"explain {place}", application.explain(target))
        tally.briefings.append(((self._clock() - began) * 1000, place))
        began = self._clock()
        chain = await self._watch(
            f"call chain {place}", application.call_chain(target, depth=_DEPTH)
        )
        tally.chains.append(((self._clock() - began) * 1000, place))
        await self._watch(f"count {place}", asyncio.to_thread(self._count, source, function))
        return self._describe(place, function, explanation, chain)

    def _count(self, source: SourceText, function: Function) -> None:
        """Count calls and callers as the briefing found them; its answers are kept."""
        calls = self._parts.code_map.resolve_calls(source, function)
        self.tally.n_calls += len(calls)
        self.tally.n_resolved += sum(bool(call.targets) for call in calls)
        self.tally.n_callers += len(self._parts.code_map.find_callers(source, function))

    def _describe(
        self,
        place: str,
        function: Function,
        explanation: Explanation | None,
        chain: CallChain | None,
    ) -> str:
        """Return the briefing, and note what cannot be right whatever the code says."""
        if explanation is None:
            return f"## {place}\n"
        if explanation.function != function:
            found = explanation.function.qualified_name if explanation.function else "nothing"
            self.tally.remarks.append(f"at the name of {place} stands {found}")
        wrong = [each.text for each in explanation.citations if each.verdict != "exact"]
        if wrong:
            self.tally.remarks.append(f"wrong places in the briefing of {place}: {wrong}")
        if chain is not None and chain.root.name != function.qualified_name:
            self.tally.remarks.append(f"the chain of {place} is that of {chain.root.name}")
        return explanation.markdown

    async def _watch(self, what: str, work: Awaitable[_T]) -> _T | None:
        """Wait for `work`; a crash or a hang is recorded and gives None."""
        # Owned here: it is awaited below, or the process ends.
        task = asyncio.ensure_future(work)  # noqa: TID251
        done, _ = await asyncio.wait([task], timeout=_HANG_S)
        if not done:
            print(f"hangs: {what}", file=sys.stderr, flush=True)
            faulthandler.dump_traceback(sys.stderr)
            self.tally.hangs.append(what)
            # Not cancelled: a thread cannot be, and what comes back late says how late.
            done, _ = await asyncio.wait([task], timeout=_GIVE_UP_S)
            if not done:
                self.tally.remarks.append(f"given up: {what}")
                raise _Stuck
        error = task.exception()
        if error is None:
            return task.result()
        text = "".join(traceback.format_exception(error))
        print(f"crashes: {what}\n{text}", file=sys.stderr, flush=True)
        self.tally.crashes.append(f"{what}: {error!r}")
        return None


def _render(tallies: Sequence[_Tally]) -> str:
    lines = ["| " + " | ".join(_TITLES) + " |", "|---" * len(_TITLES) + "|"]
    lines += ["| " + " | ".join(tally.row) + " |" for tally in tallies]
    lines += ["", "Times in milliseconds.", ""]
    for tally in tallies:
        lines += [f"**{tally.name}**", "", *_render_notes(tally), ""]
    return "\n".join(lines)


def _render_notes(tally: _Tally) -> Iterator[str]:
    for what, samples in (("briefing", tally.briefings), ("call chain", tally.chains)):
        for taken, place in sorted(samples, reverse=True)[:_N_SLOWEST]:
            yield f"- {what}, {taken:.0f} ms: {place}"
    for what, found in (
        ("crash", tally.crashes),
        ("hang", tally.hangs),
        ("remark", tally.remarks),
    ):
        yield from (f"- {what}: {each}" for each in found)


def _summarise(samples: Sequence[tuple[float, str]]) -> tuple[str, str, str]:
    times = [taken for taken, _ in samples]
    if not times:
        return ("", "", "")
    return (f"{median(times):.1f}", f"{percentile(times, 0.95):.0f}", f"{max(times):.0f}")


if __name__ == "__main__":
    sys.exit(main())
