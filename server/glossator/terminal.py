"""Show results in a terminal: Markdown with colours for people, plain text when piped."""

import io
import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text
from rich.theme import Theme

from glossator.app.checking.formats.text import list_lines
from glossator.app.checking.report import CheckReport
from glossator.app.countdown import Countdown
from glossator.app.phrasing import Phrasing, count
from glossator.app.plain import render_json, to_plain
from glossator.app.results import AnalysisPart, Citation, Source
from glossator.app.stop_reasons import name_stop
from glossator.app.verdicts import describe_verdict, summarize_verdicts
from glossator.core.events import (
    CodeJudged,
    ContextTrimmed,
    Event,
    HelperActed,
    HelperEnded,
    HelperStarted,
    PlanChanged,
    RoundStarted,
    SkillActivated,
    StepStarted,
    TextArrived,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    WaitingForModel,
)
from glossator.core.messages import Usage
from glossator.tools.escaping import escape_invisible
from glossator.workboard import Work, WorkBoard, tell_wait

if TYPE_CHECKING:  # They load much, and only a conversation on a terminal needs them.
    from rich.live import Live
    from rich.markdown import Markdown

_COLOURS = {"exact": "green", "moved": "yellow", "missing": "red"}
_STREAMED_SHOWN = 8_000
# What these tools do has events of its own.
_SHOWN_AS_WORK = frozenset({"plan", "delegate"})
_ACTIVATED_BY = {
    "trigger": ("automatic", "自动启用"),
    "user": ("asked for", "由您指定"),
    "model": ("by the model", "由模型启用"),
}
_SEVERITY_COLOURS = {"error": "red", "warning": "yellow", "information": "blue", "hint": "dim"}


class Terminal:
    """Standard output for results, standard error for progress.

    Whatever stands in files, names and answers is made harmless before it is written. Progress is
    told in the language of `say`.
    """

    def __init__(self, say: Phrasing) -> None:
        self._say = say
        _replace_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            # What an encoding of the terminal's cannot write is written out, and nothing fails.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        self.out = Console(
            highlight=False,
            soft_wrap=not sys.stdout.isatty(),
            theme=Theme({"markdown.code": "cyan"}),
        )
        self.err = Console(stderr=True, highlight=False, soft_wrap=True)
        self._live: Live | None = None
        self._streamed = ""
        self._board = WorkBoard(say)
        self._live_board: Live | None = None
        self._countdown = Countdown(self._show)
        self._is_line_open = False

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._countdown.finish()
        self._close_line()
        self._end_board()
        self._end_live()

    def hear(self, event: Event) -> None:
        """Show progress; the answer is shown as it grows where there is a terminal."""
        if self.err.is_terminal:
            self._countdown.hear(event)
        else:
            self._show(event)

    def _show(self, event: Event) -> None:
        match event:
            case StepStarted():
                count = f" {event.done + 1}/{event.total}" if event.total else ""
                if self._live_board is not None:
                    self._board.head = f"{event.text}{count}"
                elif not event.total or self.err.is_terminal:
                    self._write(f"· {event.text}{count}", same_line=bool(event.total))
            case ToolStarted() if event.name not in _SHOWN_AS_WORK:
                self._end_live()
                self._write(f"→ {event.name} {event.arguments}")
            case ToolFinished() if event.is_error or event.name not in _SHOWN_AS_WORK:
                mark = "✗" if event.is_error else "✓"
                self._write(f"{mark} {event.name}: {event.summary} ({event.duration_s:.1f} s)")
            case TextArrived():
                self._end_board()
                self._stream(event.text)
            case PlanChanged() | HelperStarted() | HelperActed() | HelperEnded():
                self._show_work(event)
            case _:
                self._hear_of_model(event)

    def _hear_of_model(self, event: Event) -> None:
        match event:
            case RoundStarted():
                self._end_live()
                self._write(self._say(f"· round {event.number}", f"· 第 {event.number} 轮"))
            case SkillActivated():
                n_tokens = f"{event.n_tokens:,}"
                by = self._say(*_ACTIVATED_BY[event.by])
                self._write(
                    self._say(
                        f"· skill {event.name} ({by}, {n_tokens} tokens)",
                        f"· 技能 {event.name}（{by}，{n_tokens} 个词元）",
                    )
                )
            case WaitingForModel():
                self._show_wait(event)
            case ContextTrimmed():
                self._write(
                    self._say(
                        "· what does not fit the model is left out", "· 模型容纳不下的内容已略去"
                    )
                )
            case CodeJudged() if event.n_claims:
                self._write(
                    self._say(
                        f"· {count(event.n_claims, 'claim')} of the model: {event.n_proven} "
                        f"proven by what it quotes, {event.n_confirmed} confirmed",
                        f"· 模型提出 {event.n_claims} 处：{event.n_proven} 处由引文证实，"
                        f"{event.n_confirmed} 处得到确认",
                    )
                )
            case TurnEnded() if event.usage.prompt_tokens:
                self._end_board()
                self._end_live()
                took = self._say(f" ({event.duration_s:.1f} s)", f"（{event.duration_s:.1f} 秒）")
                self._write(f"· {_describe_usage(event.usage, self._say)}{took}")

    def show_markdown(self, text: str) -> None:
        """Print Markdown: rendered on a terminal, as it is when piped."""
        self._close_line()
        self._end_board()
        self._end_live()
        text = make_harmless(text)
        if self.out.is_terminal:
            self.out.print(_render(text))
        else:
            self.out.file.write(text if text.endswith("\n") else text + "\n")

    def show_line(self, text: str) -> None:
        """Print one line of a result."""
        self.out.print(Text(_on_one_line(text)))

    def show_notice(self, text: str) -> None:
        """Print what belongs to the answer but is not part of it."""
        self._close_line()
        if text:
            self.err.print(Text(make_harmless(text), style="yellow"))

    def show_error(self, text: str) -> None:
        """Print what went wrong."""
        self._close_line()
        self.err.print(Text(make_harmless(f"glossator: {text}"), style="red"))

    def show_citations(self, citations: Sequence[Citation], say: Phrasing) -> None:
        """Print what came of the places that an answer names; exact ones are only counted."""
        summary = summarize_verdicts(citations, say)
        if summary:
            self.err.print(Text(summary, style="dim"))
        for each in citations:
            if each.verdict != "exact":
                text = _on_one_line(describe_verdict(each))
                self.err.print(Text(text, style=_COLOURS[each.verdict]))

    def show_parts(self, parts: Sequence[AnalysisPart]) -> None:
        """Print what an analysis was made from, one line for each part."""
        for part in parts:
            mark = "✗" if part.stop_reason == "failed" else "✓"
            stop = name_stop(part.stop_reason, self._say)
            text = f"  {mark} {part.title}{self._say(': ', '：')}{stop}"
            if part.citations:
                n_exact = sum(each.verdict == "exact" for each in part.citations)
                n = len(part.citations)
                text += self._say(
                    f", {n_exact} of {n} citations verified", f"，{n} 处引用中 {n_exact} 处已核实"
                )
            self.err.print(Text(_on_one_line(text), "dim"))

    def show_sources(self, sources: Sequence[Source]) -> None:
        """Print the sections of knowledge that an answer rests on."""
        for source in sources:
            text = f"  {source.place} {source.title} ({source.score:.2f})"
            self.err.print(Text(make_harmless(text), "dim"))

    def show_reports(self, reports: Iterable[CheckReport], say: Phrasing) -> None:
        """Print findings as `path:line:column: severity: message [rule]`, both counted from 1."""
        self._close_line()
        lines = list_lines(reports, say)
        if not self.out.is_terminal:
            # Where nothing is laid out, thousands of lines need no library for it.
            self.out.file.write("".join(f"{line}\n" for line in lines))
            return
        for line in lines:
            pieces = (
                (line.place, "bold"),
                (f": {line.severity}", _SEVERITY_COLOURS.get(line.severity, "")),
                (f": {line.message} ", ""),
                (f"[{line.rule_id}]", "cyan"),
            )
            self.out.print(Text.assemble(*pieces))

    def _show_work(self, event: Work) -> None:
        """Show plan and helpers: as a list that lives on a terminal, line by line when piped."""
        lines = list(self._board.hear(event))
        if self.err.is_terminal and self._live_board is None and not self._board.is_idle:
            self._end_live()
            from rich.live import Live

            self._live_board = Live(
                console=self.err,
                transient=True,
                refresh_per_second=8,
                get_renderable=self._render_board,
            )
            self._live_board.start()
        for line in lines:
            # What ended stays; what is under way stands in the list.
            if not self.err.is_terminal or isinstance(event, HelperEnded):
                self._write(line)

    def _show_wait(self, event: WaitingForModel) -> None:
        """Show how long a pause goes on: in one place on a terminal, once when piped."""
        if self._live_board is not None:
            self._board.head = tell_wait(event, self._say)
        elif self.err.is_terminal:
            hint = self._say(", Ctrl+C ends it", "，按 Ctrl+C 停止")
            self._write(f"· {tell_wait(event, self._say, hint)}", same_line=True)
        else:
            self._write(f"· {tell_wait(event, self._say)}")

    def _render_board(self) -> Text:
        width = self.err.width - 1
        lines = [_on_one_line(line)[:width] for line in self._board.list_lines()]
        return Text("\n".join(lines), style="dim")

    def _end_board(self) -> None:
        if self._live_board is not None:
            self._live_board.stop()
            self._live_board = None

    def _write(self, text: str, *, same_line: bool = False) -> None:
        self._close_line()
        text = _on_one_line(text)
        shown = text[: self.err.width - 1] if self.err.is_terminal else text
        self.err.print(Text(shown, style="dim"), end="\r" if same_line else "\n")
        self._is_line_open = same_line

    def _close_line(self) -> None:
        """Wipe the line that the next one takes the place of."""
        if self._is_line_open:
            self.err.print(" " * (self.err.width - 1), end="\r")
            self._is_line_open = False

    def _stream(self, text: str) -> None:
        if not self.out.is_terminal:
            return
        self._close_line()
        self._streamed += text
        if self._live is None:
            # Rendered when it is painted: once for each piece would be too often.
            from rich.live import Live

            self._live = Live(
                console=self.out,
                transient=True,
                refresh_per_second=12,
                get_renderable=lambda: _render(make_harmless(self._streamed[-_STREAMED_SHOWN:])),
            )
            self._live.start()

    def _end_live(self) -> None:
        self._streamed = ""
        if self._live is not None:
            self._live.stop()
            self._live = None


def _replace_closed_streams() -> None:
    """Let what goes to a stream that is closed go nowhere, and never into another file."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # The lowest number that is free: this one.
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)


def _describe_usage(usage: Usage, say: Phrasing) -> str:
    text = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} {say('tokens', '词元')}"
    if not usage.cached_tokens:
        return text
    return text + say(
        f", {usage.cached_tokens:,} cached", f"，其中 {usage.cached_tokens:,} 来自缓存"
    )


def make_harmless(text: str) -> str:
    """Write out what would command a terminal or not be seen; keep line ends and tabs."""
    return escape_invisible(text.replace("\r\n", "\n").replace("\r", "\n"))


def _on_one_line(text: str) -> str:
    return escape_invisible(text.replace("\n", "\\n"))


def _render(text: str) -> "Markdown":
    from rich.markdown import Markdown

    # Targets are shown: behind a label, a link could lead anywhere.
    return Markdown(text, hyperlinks=False)


def print_json(value: Any) -> None:
    """Print results as one JSON value that any terminal and any reader takes."""
    text = render_json(value)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(to_plain(value), indent=2)
    print(text)
