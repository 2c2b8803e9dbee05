"""A conversation and its finished turns, as values."""

import re
import unicodedata
from dataclasses import dataclass, field

from glossator.core.locations import Span
from glossator.core.messages import Message, Usage

_TITLE_CHARACTERS = 60
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Attachment:
    """What came with a question: a `file`, a `selection` of its lines, or a `symbol`.

    The lines (1-based, inclusive) are those that were read, 0 when none were; `problem` then says
    why. `n_lines_left_out` more had no room. `path` is as people see it.
    """

    kind: str
    path: str
    first_line: int = 0
    last_line: int = 0
    symbol: str = ""
    n_lines_left_out: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """A question that was answered; turns that failed or were cancelled are never kept.

    `messages` is what was sent and received: the request first, the answer last, calls and results
    between; sent again as it is, the servers' prefix caches hit. `citations` are those of the
    answer: (as written, place, verdict). `finished_at` is in seconds since 1970, to milliseconds.
    `skills` names those that were activated or called for again, the latest last.
    """

    question: str
    messages: tuple[Message, ...]
    by_model: bool
    stop_reason: str
    is_about_code: bool = False
    usage: Usage | None = None
    citations: tuple[tuple[str, Span, str], ...] = ()
    finished_at: float = 0.0
    skills: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()

    @property
    def answer(self) -> str:
        """The text of the last message."""
        return self.messages[-1].text


@dataclass(slots=True)
class Session:
    """One conversation. `summary` stands for its first `n_summarized` turns, if there is one.

    `n_replaced` turns follow those here, and the next one takes their place when it is kept.
    """

    id: str
    title: str = ""
    turns: list[FinishedTurn] = field(default_factory=list)
    summary: str = ""
    n_summarized: int = 0
    n_replaced: int = field(default=0, compare=False)

    def rewind(self, n_kept: int) -> "Session":
        """Return the session after its first `n_kept` turns: the next turn replaces the rest."""
        is_summary_true = self.n_summarized <= n_kept
        return Session(
            self.id,
            self.title,
            self.turns[:n_kept],
            self.summary if is_summary_true else "",
            self.n_summarized if is_summary_true else 0,
            n_replaced=len(self.turns) - n_kept,
        )

    @property
    def skills(self) -> tuple[str, ...]:
        """The names of all skills that were activated in it, the latest last."""
        named = [name for turn in self.turns for name in turn.skills]
        return tuple(reversed(dict.fromkeys(reversed(named))))

    @property
    def last_question_of_knowledge(self) -> str:
        """The last question, unless it was about code; empty when there is none."""
        return self.turns[-1].question if self.turns and not self.was_about_code else ""

    @property
    def was_about_code(self) -> bool:
        """Whether the last question was about code."""
        return bool(self.turns) and self.turns[-1].is_about_code


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """A session in a list. `updated_at` is in seconds since 1970."""

    id: str
    title: str
    n_turns: int
    updated_at: float
    last_question: str


def make_title(text: str, n_characters: int = _TITLE_CHARACTERS) -> str:
    """Return the first line of `text` that says something, as one short line to show."""
    for line in text.splitlines():
        shown = _SPACE.sub(" ", "".join(filter(_is_shown, line.replace("\t", " ")))).strip()
        if len(shown) > n_characters:
            return shown[: n_characters - 1].rstrip() + "…"
        if shown:
            return shown
    return ""


def _is_shown(character: str) -> bool:
    """Leave out what commands a terminal, turns text around, is half a character or nothing."""
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co"}
