"""Show results in a terminal: Markdown with colours for people, plain text when piped."""

import io
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.markdown import Markdown
from rich.text import Text
from rich.theme import Theme

from glossator.app.results import CheckReport, Citation, Source
from glossator.core.events import (
    Event,
    RoundStarted,
    StepStarted,
    TextArrived,
    ToolFinished,
    ToolStarted,
    WaitingForModel,
)
from glossator.tools.escaping import escape_invisible

_MARKS = {"exact": "✓", "moved": "~", "missing": "✗"}
_COLOURS = {"exact": "green", "moved": "yellow", "missing": "red"}
_STREAMED_SHOWN = 8_000
_SEVERITY_COLOURS = {"error": "red", "warning": "yellow", "information": "blue", "hint": "dim"}


class Terminal:
    """Standard output for results, standard error for progress.

    Whatever stands in files, names and answers is made harmless before it is written.
    """

    def __init__(self) -> None:
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

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._end_live()

    def hear(self, event: Event) -> None:
        """Show progress; the answer is shown as it grows where there is a terminal."""
        match event:
            case StepStarted():
                count = f" {event.done + 1}/{event.total}" if event.total else ""
                if not event.total or self.err.is_terminal:
                    self._say(f"· {event.text}{count}", same_line=bool(event.total))
            case RoundStarted():
                self._end_live()
                self._say(f"· round {event.number}")
            case ToolStarted():
                self._end_live()
                self._say(f"→ {event.name} {event.arguments}")
            case ToolFinished():
                mark = "✗" if event.is_error else "✓"
                self._say(f"{mark} {event.name}: {event.summary} ({event.duration_s:.1f} s)")
            case WaitingForModel():
                self._say(f"· waiting {event.seconds:.0f} s: {event.reason}")
            case TextArrived():
                self._stream(event.text)

    def show_markdown(self, text: str) -> None:
        """Print Markdown: rendered on a terminal, as it is when piped."""
        self._end_live()
        text = make_harmless(text)
        if self.out.is_terminal:
            self.out.print(_render(text))
        else:
            self.out.file.write(text if text.endswith("\n") else text + "\n")

    def show_notice(self, text: str) -> None:
        """Print what belongs to the answer but is not part of it."""
        if text:
            self.err.print(Text(make_harmless(text), style="yellow"))

    def show_error(self, text: str) -> None:
        """Print what went wrong."""
        self.err.print(Text(make_harmless(f"glossator: {text}"), style="red"))

    def show_citations(self, citations: Sequence[Citation]) -> None:
        """Print how many of the places an answer names are exact, and the others one by one."""
        if not citations:
            return
        doubtful = [each for each in citations if each.verdict != "exact"]
        n_exact = len(citations) - len(doubtful)
        self.err.print(Text(f"{n_exact} of {len(citations)} citations verified", style="dim"))
        for each in doubtful:
            text = f"{_MARKS[each.verdict]} {each.text}: {each.verdict}"
            if each.verdict == "moved":
                text += f" to {each.place}"
            self.err.print(Text(make_harmless(text), style=_COLOURS[each.verdict]))

    def show_sources(self, sources: Sequence[Source]) -> None:
        """Print the sections of knowledge that an answer rests on."""
        for source in sources:
            text = f"  {source.place} {source.title} ({source.score:.2f})"
            self.err.print(Text(make_harmless(text), "dim"))

    def show_reports(self, reports: Iterable[CheckReport]) -> None:
        """Print findings as `path:line:column: severity: message [rule]`, both counted from 1."""
        for report in reports:
            for finding in report.findings:
                severity = finding.check.severity
                start = finding.range.start
                line = Text()
                path = _on_one_line(report.shown_path)
                line.append(f"{path}:{start.line}:{start.column + 1}", "bold")
                line.append(f": {severity}", _SEVERITY_COLOURS.get(severity, ""))
                line.append(f": {_on_one_line(finding.message)} ")
                line.append(f"[{finding.rule.id}]", "cyan")
                self.out.print(line)

    def _say(self, text: str, *, same_line: bool = False) -> None:
        end = "\r" if same_line else "\n"
        text = _on_one_line(text)
        shown = text[: self.err.width - 1] if self.err.is_terminal else text
        padded = shown.ljust(self.err.width - 1) if same_line else shown
        self.err.print(Text(padded, style="dim"), end=end)

    def _stream(self, text: str) -> None:
        if not self.out.is_terminal:
            return
        self._streamed += text
        if self._live is None:
            # Rendered when it is painted: once for each piece would be too often.
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


def make_harmless(text: str) -> str:
    """Write out what would command a terminal or not be seen; keep line ends and tabs."""
    return escape_invisible(text.replace("\r\n", "\n").replace("\r", "\n"))


def _on_one_line(text: str) -> str:
    return escape_invisible(text.replace("\n", "\\n"))


def _render(text: str) -> Markdown:
    # Targets are shown: behind a label, a link could lead anywhere.
    return Markdown(text, hyperlinks=False)


def to_plain(value: Any) -> Any:
    """Return results as JSON values; names become camelCase, paths and keys text."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            _camel_case(item.name): to_plain(getattr(value, item.name)) for item in fields(value)
        }
    if isinstance(value, Mapping):
        return {str(key): to_plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | frozenset | set):
        return [to_plain(inner) for inner in value]
    if isinstance(value, Path):
        return str(value)
    return value


def _camel_case(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)
