"""Show results in a terminal: Markdown with colours for people, plain text when piped."""

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

_MARKS = {"exact": "✓", "moved": "~", "missing": "✗"}
_COLOURS = {"exact": "green", "moved": "yellow", "missing": "red"}
_SEVERITY_COLOURS = {"error": "red", "warning": "yellow", "information": "blue", "hint": "dim"}


class Terminal:
    """Standard output for results, standard error for progress."""

    def __init__(self) -> None:
        self.out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
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
        if self.out.is_terminal:
            self.out.print(Markdown(text))
        else:
            self.out.file.write(text if text.endswith("\n") else text + "\n")

    def show_notice(self, text: str) -> None:
        """Print one line that belongs to the answer but is not part of it."""
        if text:
            self.err.print(Text(text, style="yellow"))

    def show_error(self, text: str) -> None:
        """Print what went wrong."""
        self.err.print(Text(f"glossator: {text}", style="red"))

    def show_citations(self, citations: Sequence[Citation]) -> None:
        """Print the places an answer names with their verdicts, unless all are exact."""
        doubtful = [each for each in citations if each.verdict != "exact"]
        if not citations:
            return
        n_exact = len(citations) - len(doubtful)
        self.err.print(Text(f"{n_exact} of {len(citations)} citations verified", style="dim"))
        for each in doubtful:
            text = f"{_MARKS[each.verdict]} {each.text}: {each.verdict}"
            if each.verdict == "moved":
                text += f" to {each.place}"
            self.err.print(Text(text, style=_COLOURS[each.verdict]))

    def show_sources(self, sources: Sequence[Source]) -> None:
        """Print the sections of knowledge that an answer rests on."""
        for source in sources:
            self.err.print(Text(f"  {source.place} {source.title} ({source.score:.2f})", "dim"))

    def show_reports(self, reports: Iterable[CheckReport]) -> None:
        """Print findings as `path:line:column: severity: message [rule]`."""
        for report in reports:
            for finding in report.findings:
                severity = finding.check.severity
                start = finding.range.start
                line = Text()
                line.append(f"{report.shown_path}:{start.line}:{start.column + 1}", "bold")
                line.append(f": {severity}", _SEVERITY_COLOURS.get(severity, ""))
                line.append(f": {finding.message} ")
                line.append(f"[{finding.rule.id}]", "cyan")
                self.out.print(line)

    def _say(self, text: str, *, same_line: bool = False) -> None:
        end = "\r" if same_line else "\n"
        shown = text[: self.err.width - 1] if self.err.is_terminal else text
        padded = shown.ljust(self.err.width - 1) if same_line else shown
        self.err.print(Text(padded, style="dim"), end=end)

    def _stream(self, text: str) -> None:
        if not self.out.is_terminal:
            return
        self._streamed += text
        if self._live is None:
            self._live = Live(console=self.out, transient=True, refresh_per_second=12)
            self._live.start()
        self._live.update(Markdown(self._streamed))

    def _end_live(self) -> None:
        self._streamed = ""
        if self._live is not None:
            self._live.stop()
            self._live = None


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
