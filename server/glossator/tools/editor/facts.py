"""The port to the editor's other language servers, and what comes of it.

Nothing here is ours: names and messages were written by others, places may be wrong. Whoever asks
gets only what fits the text that was asked about.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, get_args

from glossator.core.locations import Point, Range
from glossator.core.text import SourceText

if TYPE_CHECKING:
    from glossator.tools.workspace import Workspace

Subject = Literal[
    "definitions", "references", "incomingCalls", "outgoingCalls", "diagnostics", "documentSymbols"
]
SUBJECTS: tuple[Subject, ...] = get_args(Subject)

Origin = Literal["own", "editor", "unconfirmed"]
"""Who says so: Glossator, the editor, or Glossator alone where the editor does not say it."""

Silence = Literal["slow", "stale", "refused", "unfit"]
"""Why there is no answer: it took too long, is of another version, was refused, is nonsense."""

Severity = Literal["error", "warning", "information", "hint"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that the editor names. `path` is None outside the workspace, which is never read.

    `name` and `kind` (LSP's number of a symbol's kind, 0 without one) are of what stands there.
    `range` is all of it, `name_range` its name. `calls` are where it is called, or calls.
    `depth` is how deep a symbol is nested.
    """

    path: Path | None
    range: Range
    name_range: Range
    name: str = ""
    kind: int = 0
    calls: tuple[Range, ...] = ()
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """A diagnostic of another language server. `source` says which one, as far as it says so."""

    range: Range
    severity: Severity
    message: str
    source: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """An answer. `n_left_out` things were too many, outdated or did not fit their file."""

    spots: tuple[Spot, ...] = ()
    problems: tuple[Problem, ...] = ()
    n_left_out: int = 0


class EditorSilent(Exception):
    """The editor has no answer that can be used; `silence` says why."""

    def __init__(self, silence: Silence) -> None:
        super().__init__(silence)
        self.silence: Silence = silence


class Editor(Protocol):
    """The editor's other language servers. `offers` is what can be asked."""

    offers: frozenset[Subject]

    async def ask(
        self,
        subject: Subject,
        source: SourceText,
        point: Point | None,
        workspace: "Workspace",
        *,
        timeout_s: float,
    ) -> Facts | None:
        """Return what is known of `source`, or of what stands at `point`; None: nobody knows.

        Cancelling the call withdraws the question.

        Raises:
            EditorSilent: there is no answer in time, or none that fits this text.
        """
        ...


def select_offers(names: Collection[str]) -> frozenset[Subject]:
    """Return the subjects among some names."""
    return frozenset(subject for subject in SUBJECTS if subject in names)
