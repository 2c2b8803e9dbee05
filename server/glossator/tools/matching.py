"""Where a query matches in texts: keywords here, regular expressions in a process of their own.

A regular expression from a model can take for ever, and Python's `re` cannot be interrupted. So
it runs in a child process that is killed when its time is over. Keywords need no such care.
"""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from glossator.core.errors import InvalidArguments
from glossator.core.text import split_lines
from glossator.tools.escaping import quote_name
from glossator.tools.processes import kept_short

_WORKER = Path(__file__).with_name("regex_worker.py")


@dataclass(frozen=True, slots=True)
class LineMatch:
    """A line that matches, and which part of it (columns count from 0)."""

    line: int
    start: int
    end: int


class TimeIsUp(Exception):
    """The pattern took longer than it may."""


class Matcher(Protocol):
    """Finds the lines that match, at most `limit` in each text."""

    def find(self, texts: Sequence[str]) -> list[list[LineMatch]]:
        """Return the matching lines of each text."""
        ...


class KeywordMatcher:
    """Finds a piece of text, whatever its case; it may run over line ends."""

    def __init__(self, keyword: str, *, limit: int) -> None:
        self._limit = limit
        self._lowered = keyword.lower()
        parts = [re.escape(part) for part in split_lines(keyword)]
        self._pattern = re.compile(r"(?:\r\n|\r|\n)".join(parts), re.IGNORECASE)
        self._has_break = len(parts) > 1

    def find(self, texts: Sequence[str]) -> list[list[LineMatch]]:
        """Return the matching lines of each text."""
        return [self._find(text) for text in texts]

    def _find(self, text: str) -> list[LineMatch]:
        # Most files do not have it, and looking for a plain string is many times faster.
        if not self._has_break and self._lowered not in text.lower():
            return []
        hits: list[LineMatch] = []
        line, counted = 1, 0
        for match in self._pattern.finditer(text):
            line += _count_breaks(text, counted, match.start())
            counted = match.start()
            if hits and hits[-1].line == line:
                continue
            if len(hits) >= self._limit:
                break
            before = max(text.rfind("\n", 0, counted), text.rfind("\r", 0, counted)) + 1
            hits.append(LineMatch(line, counted - before, match.end() - before))
        return hits


class RegexMatcher:
    """Finds the lines that a regular expression matches, whatever their case.

    A context manager; leaving it ends the child process.

    Raises:
        InvalidArguments: on entering, when the expression is none.
        TimeIsUp: when `timeout_s` seconds have passed since entering, or `stop` is set.
    """

    def __init__(
        self, pattern: str, *, limit: int, timeout_s: float, stop: threading.Event
    ) -> None:
        self._pattern = pattern
        self._limit = limit
        self._timeout_s = timeout_s
        self._stop = stop
        self._resources = ExitStack()

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-I", str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with ExitStack() as resources:
            resources.enter_context(kept_short(self._process, self._stop, self._timeout_s))
            request = {"pattern": self._pattern, "limit": self._limit}
            error = self._exchange(json.dumps(request).encode() + b"\n")["error"]
            if error is not None:
                raise InvalidArguments(
                    f"{quote_name(self._pattern)} is not a regular expression: {error}. "
                    "Escape special characters with a backslash, or search with regex=false."
                )
            self._resources = resources.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._resources.close()

    def find(self, texts: Sequence[str]) -> list[list[LineMatch]]:
        """Return the matching lines of each text."""
        bodies = [text.encode("utf-8", "surrogatepass") for text in texts]
        header = json.dumps([len(body) for body in bodies]).encode() + b"\n"
        answer = self._exchange(header + b"".join(bodies))
        return [[LineMatch(*hit) for hit in hits] for hits in answer]

    def _exchange(self, data: bytes) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(data)
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except OSError:
            answer = b""
        if not answer.endswith(b"\n"):
            # It was killed, by the timer or for want of memory.
            raise TimeIsUp
        return json.loads(answer)


def _count_breaks(text: str, start: int, end: int) -> int:
    r"""Return how many lines end between two places; `\r\n` ends one line."""
    count = text.count("\n", start, end)
    if "\r" in text:
        count += text.count("\r", start, end) - text.count("\r\n", start, end)
        is_cut_pair = start > 0 and text[start - 1 : start + 1] == "\r\n" and end > start
        # The first half was counted before.
        count -= is_cut_pair
    return count
