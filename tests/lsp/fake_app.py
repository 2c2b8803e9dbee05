"""A server whose application does what the question says; run as a script, it serves stdio.

`explain` and `ask` look for a word: `stream` (many pieces of text), `hang` (until cancelled),
`stubborn` (swallows the first cancel), `fail`, `crash`, `exit`, `memory`, `think` (tools and
rounds), `help` (a plan and helpers), `print` (to stdout), `threads` (large messages from several
threads).
"""

import asyncio
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glossator.app.results import Opening, Target
    from glossator.core.events import Emit
    from glossator.core.text import SourceText


class FakeMending:
    """Every repair does what it promises; no comment can stand anywhere."""

    async def judge_fix(self, source: "SourceText", finding: Any) -> None:
        return None

    async def write_comment(self, source: "SourceText", finding: Any, extent: str) -> None:
        return None

    async def repair(self, source: "SourceText", rule_id: str = "") -> Any:
        from glossator.app.checking.fixing import Repaired

        return Repaired(source.text.replace("bad", "good"))


class FakeSessions:
    """One kept session, whichever is asked for."""

    def begin(self) -> Any:
        from glossator.sessions.session import Session

        return Session("s2")

    async def find(self, query: str = "") -> Any:
        from glossator.sessions.session import SessionEntry

        return (SessionEntry("s1", f"about {query}", 2, 1_790_000_000.25, "为什么？"),)

    async def read(self, session_id: str) -> Any:
        from glossator.core.errors import UnknownSession
        from glossator.core.locations import Span
        from glossator.core.messages import Message, Usage
        from glossator.sessions.session import FinishedTurn, Session

        if session_id == "unknown":
            raise UnknownSession("There is no session `unknown`; begin a new one.")
        turn = FinishedTurn(
            "Why?",
            (Message("user", "<material> Why?"), Message("assistant", "Because.")),
            by_model=True,
            stop_reason="answered",
            usage=Usage(1, 2, 3),
            citations=(("a.py:1", Span("a.py", 1, 1), "exact"),),
            finished_at=1_790_000_000.25,
        )
        return Session(session_id, "Reasons", [turn])

    async def rename(self, session_id: str, title: str) -> str:
        return title.upper()

    async def delete(self, session_id: str) -> None:
        await self.read(session_id)

    async def export(self, session_id: str, form: str) -> str:
        return f"{session_id} as {form}"


class FakeApplication:
    """The methods of the application, without anything behind them."""

    def __init__(self, opening: "Opening") -> None:
        self.opening = opening
        self.settings_seen: list[Mapping[str, Any]] = [opening.editor_settings]
        self.roots = opening.roots
        self.n_cancelled = 0
        self.n_started = 0
        self.sessions = FakeSessions()

    async def start(self) -> None:
        await self.rebuild_index()

    async def close(self) -> None:
        return None

    async def explain(self, target: "Target", *, editor_model: str = "", emit: "Emit") -> Any:
        from glossator.app.results import Citation, Explanation
        from glossator.core.locations import Span

        await self._behave(target.source.text, emit)
        lines = target.source.lines
        line = lines[target.point.line - 1] if target.point.line <= len(lines) else ""
        selected = target.selection
        return Explanation(
            title=f"Explain {target.source.name}",
            markdown=f"at `{line[: target.point.column]}|{line[target.point.column :]}`",
            function=_first_function(target.source),
            by_model=False,
            notice="No model is set up.",
            stop_reason="no-model" if selected is None else "selection",
            citations=(
                Citation("a.py:1", Span("a.py", 1, 1), target.source.path, "exact"),
                Citation(
                    "gone.py:9", Span("gone.py", 9, 9), None, "missing", "there is no such file"
                ),
            ),
        )

    async def explain_complaint(self, target: "Target", complaint: Any, *, emit: "Emit") -> Any:
        explanation = await self.explain(target, emit=emit)
        place = complaint.range.start
        told = f"{complaint.source} {complaint.severity} {place.line}:{place.column}"
        return replace(explanation, markdown=f"{told}: {complaint.message}")

    async def call_chain(self, target: "Target", *, depth: int = 2, emit: "Emit") -> Any:
        from glossator.app.results import CallChain
        from glossator.core.errors import InvalidArguments
        from glossator.tools.call_chains import CallNode

        await self._behave(target.source.text, emit)
        function = _first_function(target.source)
        if function is None:
            raise InvalidArguments("The cursor is in no function.")
        place = (target.source.name, target.source.path, function.range.start.line)
        leaf = CallNode("print", "", None, 0, None)
        root = CallNode(function.name, *place, function.range, children=(leaf,))
        return CallChain(root, (root,), (leaf,), f"chain of depth {depth}", "graph TD")

    async def ask(
        self,
        question: str,
        *,
        session_id: str = "",
        target: "Target | None" = None,
        editor_model: str = "",
        attachments: Any = (),
        keep_turns: int | None = None,
        of_turns: int | None = None,
        emit: "Emit",
    ) -> Any:
        from glossator.app.results import Answer, Refusal
        from glossator.core.errors import UnknownSession

        if session_id == "unknown":
            raise UnknownSession("There is no session `unknown`; begin a new one.")
        await self._behave(question, emit)
        refused = Refusal("nothing-close", "Nothing fits.") if "refuse" in question else None
        return Answer(session_id or "s1", f"echo {question}", False, "", "answered", refused)

    async def analyze(
        self,
        task: str,
        *,
        path: str = "",
        revision: str = "",
        question: str = "",
        session_id: str = "",
        keep_turns: int | None = None,
        of_turns: int | None = None,
        emit: "Emit",
    ) -> Any:
        from glossator.app.results import Analysis, AnalysisPart, Citation
        from glossator.core.locations import Span
        from glossator.core.messages import Usage

        await self._behave(question, emit)
        citation = Citation("a.py:1", Span("a.py", 1, 1), None, "exact")
        part = AnalysisPart("`a/`", ("a/a.py",), "See a.py:1.", "answered", (citation,), Usage(1))
        return Analysis(
            session_id or "s1",
            f"{task} {path}{revision}",
            "All of it.",
            by_model=True,
            notice="",
            stop_reason="answered",
            parts=(part,),
            citations=(citation,),
            usage=Usage(1, 2, 3),
        )

    async def check(self, source: "SourceText") -> Any:
        from glossator.app.checking.reasons import Reason
        from glossator.app.checking.report import CheckReport

        if "slow-check" in source.text:
            await asyncio.sleep(0.3)
        if "too-large" in source.text:
            return CheckReport(
                source.name,
                source.path,
                source.version,
                "not-checked",
                (),
                Reason("too-large", (2, 1)),
            )
        findings = _find_bad(source, self._rule_path())
        outcome = "findings" if findings else "clean"
        return CheckReport(source.name, source.path, source.version, outcome, findings, n_rules=1)

    @property
    def judges(self) -> bool:
        """Nothing is judged here; what judging shows is tested with the real application."""
        return False

    @property
    def checks(self) -> "FakeApplication":
        return self

    @property
    def linting(self) -> "FakeApplication":
        return self

    @property
    def mending(self) -> "FakeMending":
        return FakeMending()

    async def lint(self, source: "SourceText") -> Any:
        from glossator.app.linting.linter import not_linted

        return not_linted(source.name, source.path, "Nothing is linted here.")

    async def check_paths(self, paths: Sequence[Path], *, emit: "Emit") -> Any:
        from glossator.core.events import StepStarted
        from glossator.core.text import SourceText

        reports = []
        for done, path in enumerate(paths):
            emit(StepStarted(path.name, done, len(paths)))
            text = path.read_text(encoding="utf-8")
            reports.append(await self.check(SourceText(path.name, text, path)))
        return tuple(reports)

    def hear_of_files(self, changed: "frozenset[Path]") -> None:
        return None

    async def rebuild_index(self, *, emit: "Emit | None" = None) -> Any:
        from glossator.app.results import IndexReport, Problem
        from glossator.core.events import IndexRebuilt

        self.opening.on_event(IndexRebuilt(1, 2, 3, 4, 1, 0.5))
        return IndexReport(1, 2, 3, 4, (Problem("knowledge/a.md", 3, "broken"),), 0.5)

    def status(self) -> Any:
        from glossator.app.results import ModelStatus, Status

        state = f"cancelled={self.n_cancelled} started={self.n_started}"
        settings = str(dict(self.settings_seen[-1]))
        model = ModelStatus(False, message="No model is set up.")
        problems = (state, settings, f"buffers={sorted(map(str, self.opening.buffers))}")
        is_trusted = self.opening.trusted is True
        return Status("0", model, None, self.roots, is_trusted, problems)

    def find_trust_question(self) -> None:
        return None

    async def change_settings(self, editor_settings: Mapping[str, Any]) -> None:
        self.settings_seen.append(editor_settings)

    async def change_roots(self, roots: tuple[Path, ...]) -> None:
        self.roots = roots

    def _rule_path(self) -> str:
        return str(self.roots[0] / "skills" / "rules.md") if self.roots else "skills/rules.md"

    @property
    def settings(self) -> Any:
        """The settings in use, from the editor alone."""
        from glossator.core.setting_layers import apply_settings
        from glossator.core.settings import Settings

        layer = self.settings_seen[-1]
        return apply_settings(Settings(), layer, source="editor", scope="user")[0]

    def find_file(self, shown: str) -> Path | None:
        """Find what ships with the application."""
        return Path("/bundled") / shown.removeprefix("bundled/") if "bundled/" in shown else None

    async def _behave(self, text: str, emit: "Emit") -> None:
        from glossator.core import events

        self.n_started += 1
        emit(events.TurnStarted("fake", "s1"))
        emit(events.StepStarted("Looking", 1, 2))
        try:
            for word, act in WAITS.items():
                if word in text:
                    await act(emit)
        except asyncio.CancelledError:
            self.n_cancelled += 1
            raise
        for word, do in DEEDS.items():
            if word in text:
                do(emit)
        emit(events.BriefingReady("done"))


async def _hang(emit: "Emit") -> None:
    await asyncio.Event().wait()


async def _swallow_one_cancel(emit: "Emit") -> None:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        await asyncio.sleep(1.5)


async def _stream(emit: "Emit") -> None:
    from glossator.core.events import TextArrived

    for number in range(200):
        emit(TextArrived(f"字{number} "))
        if number % 10 == 0:
            await asyncio.sleep(0.005)


def _fail(emit: "Emit") -> None:
    from glossator.core.errors import ModelUnavailable

    raise ModelUnavailable("The model at `here` does not answer. Start it.")


def _crash(emit: "Emit") -> None:
    raise ZeroDivisionError("secret/path.py")


def _exit(emit: "Emit") -> None:
    sys.exit(7)


def _use_all_memory(emit: "Emit") -> None:
    raise MemoryError


def _print(emit: "Emit") -> None:
    print("this must not reach the client", flush=True)
    subprocess.run([sys.executable, "-c", "print('nor this')"], check=True)


def _log_from_threads(emit: "Emit") -> None:
    """Send large messages from several threads while the loop goes on."""
    logger = logging.getLogger("glossator.fake")

    def log() -> None:
        for _ in range(12):
            logger.warning("字" * 7000)

    for _ in range(4):
        threading.Thread(target=log).start()


def _think(emit: "Emit") -> None:
    from glossator.core import events
    from glossator.core.locations import Span
    from glossator.core.messages import Usage

    span = Span("a.py", 1, 2)
    emit(events.KnowledgeFound((("Errors › Naming", span, 0.5),)))
    emit(events.RoundStarted(1, 7))
    emit(events.ReasoningArrived("hm"))
    emit(events.WaitingForModel(1.5, "rate limit"))
    emit(events.ToolStarted("c1", "read_file", '{"path": "a.py"}'))
    emit(events.ToolFinished("c1", "read_file", False, "2 lines", "1 a", 0.01))
    emit(events.RoundEnded(1, "stop", 1, Usage(1, 2, 3), 0.2, 0.1))
    emit(events.AnswerVerified((("a.py:1", span, "exact"),)))
    emit(events.TurnEnded("answered", Usage(1, 2, 3), 0.5))


def _help(emit: "Emit") -> None:
    """Make a plan, and let two helpers work on it, one after the other."""
    from glossator.core import events
    from glossator.core.messages import Usage

    emit(events.PlanChanged((events.PlanStep("Read", "done"), events.PlanStep("读", "active"))))
    for helper in ("h1", "h2"):
        emit(events.HelperStarted(helper, f"look at {helper}"))
        for inner in (
            events.RoundStarted(1, 4),
            events.TextArrived("not the answer"),
            events.ToolStarted("c1", "read_file", "{}"),
            events.ToolFinished("c1", "read_file", False, "2 lines", "1 a", 0.01),
        ):
            emit(events.HelperActed(helper, inner))
        emit(events.HelperEnded(helper, "answered", "Found.", Usage(1, 2, 3), 0.5))


WAITS = {"hang": _hang, "stubborn": _swallow_one_cancel, "stream": _stream}
DEEDS = {
    "fail": _fail,
    "crash": _crash,
    "exit": _exit,
    "memory": _use_all_memory,
    "print": _print,
    "threads": _log_from_threads,
    "think": _think,
    "help": _help,
}


def _first_function(source: "SourceText") -> Any:
    from glossator.code.languages import find_language
    from glossator.code.outline import parse_outline

    language = find_language(source.name, source.language_id)
    functions = parse_outline(source.text, language).functions if language else ()
    return functions[0] if functions else None


def _find_bad(source: "SourceText", rule_path: str) -> Any:
    """Find each `bad`, to be replaced by `good`; a model judged those on lines that say so."""
    from glossator.core.locations import Point, Range
    from glossator.rules.finding import Finding
    from glossator.rules.rule import Check, Rule

    rule = Rule("no-bad", "Never be bad.", "", rule_path, 3, 5, "workspace", "rules")
    check = Check(("python",), "warning", "This is bad.", {})
    findings = []
    for number, line in enumerate(source.lines, 1):
        if (column := line.find("bad")) >= 0:
            place = Range(Point(number, column), Point(number, column + 3))
            fix = ((place, "good"),)
            finding = Finding(rule, place, "This is bad.", check.severity, "bad", fix)
            findings.append(replace(finding, proof="judged") if "judged" in line else finding)
    return tuple(findings)


def open_fake(opening: "Opening") -> Any:
    """Open a fake application, or fail, as the environment says."""
    if os.environ.get("FAKE_APP") == "broken":
        raise RuntimeError("this is broken")
    if os.environ.get("FAKE_APP") == "slow":
        threading.Event().wait(2)
    return FakeApplication(opening)


if __name__ == "__main__":
    from glossator.lsp.server import run

    sys.exit(run(open_fake))
