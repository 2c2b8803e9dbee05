"""Why something the team wrote is used for a file and a question, or is not.

Nothing is judged here: what a turn would be given is found by the functions of a turn, and what
they left out is looked up beside it. `files` joins them, `text` puts it into words.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from glossator.app.checking.reasons import Reason
from glossator.app.results import Problem
from glossator.knowledge.documents import Family, Origin

Use = Literal["used", "by-question", "unused"]
"""Given to the model, or given only when a question calls for it, or not given."""

Code = Literal[
    # These speak for a file.
    "always",
    "glob",
    "named",
    "invoked",
    "keyword",
    "description",
    "score",
    "catalogue",
    "search",
    "for-files",
    # These against it.
    "no-glob-matches",
    "elsewhere",
    "not-named",
    "not-called-for",
    "not-mentioned",
    "too-low",
    "outranked",
    "no-file-matches",
    "over-limit",
    "over-budget",
    "user-only",
    "no-description",
    "shadowed",
    "repeated",
    "covered",
    "untrusted",
    "off",
    "empty",
    "unreadable",
    "refused",
    # These are only said.
    "imported",
    "ignored",
    "note",
]

Place = Literal["file", "unsaved", "missing", "protected", "folder", "workspace"]
"""What is looked at: a file, a document without one, one that is not there or is never read."""

RuleUse = Literal["applies", "disabled", "judged", "other-files", "other-language", "prose"]
"""What is made of a rule for a file: checked as it applies, judged by a model, or nothing."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing that decided. `detail` names it: the glob, the keyword, the document before it.

    A keyword may be named by another word: `said` is the one that stands in the question.
    `score` is that of the nearest section and `needed` what it has to reach, between 0 and 1.
    """

    code: Code
    detail: str = ""
    score: float | None = None
    needed: float | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of knowledge that was found; not given where `cause` says why.

    `found_by` names who found it where not words alone were asked. Of a section that is larger
    than all that may be given, `n_lines_cut` lines are missing.
    """

    title: str
    first_line: int
    last_line: int
    score: float
    n_tokens: int
    is_given: bool
    cause: Cause | None = None
    found_by: tuple[str, ...] = ()
    n_lines_cut: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What comes of a file: whether it is used, why, and how much of it is given.

    `lines` (1-based, inclusive) are those that are given where the rest is cut.
    """

    use: Use
    causes: tuple[Cause, ...]
    n_tokens_given: int = 0
    lines: tuple[int, int] | None = None
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """One file of the team's and how it stands; `n_tokens` is what the whole file takes.

    `n_files` of the files that are there are those it is for, where that was counted.
    """

    path: str
    file: Path | None
    name: str
    family: Family
    origin: Origin
    verdict: Verdict
    n_tokens: int = 0
    n_lines: int = 0
    globs: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    n_files: int | None = None

    @property
    def use(self) -> Use:
        """Whether it is used."""
        return self.verdict.use


@dataclass(frozen=True, slots=True)
class JudgedRule:
    """A rule that could be checked in the file, or that is switched off."""

    id: str
    text: str
    path: str
    line: int
    state: RuleUse


@dataclass(frozen=True, slots=True)
class RulesReport:
    """The rules for a file. Of those that no check is run for there only the number is told.

    `n_judged` are for the file and judged by a model, where there is one.
    `reason` says why nothing is checked in it, if so.
    """

    rules: tuple[JudgedRule, ...] = ()
    n_other_files: int = 0
    n_other_languages: int = 0
    n_judged: int = 0
    n_prose: int = 0
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """What one kind of text takes of the tokens there are for it; a `limit` of 0 is none."""

    kind: Literal["instructions", "knowledge", "skills"]
    n_tokens: int
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Why:
    """What the model would be given for a file and a question, and what it would not, and why.

    `path` is as people see it, "" for the whole workspace. `refused` is the reason for which the
    question would be refused, and `message` what the asker would read. `problems` are of files
    that could not be read, `notices` tell what else is to be known. `n_files` were looked at to
    count for how many each document is.
    """

    path: str
    place: Place
    question: str
    files: tuple[Judged, ...]
    rules: RulesReport
    shares: tuple[Share, ...]
    is_ignored: bool = False
    refused: str = ""
    message: str = ""
    problems: tuple[Problem, ...] = ()
    notices: tuple[str, ...] = ()
    n_files: int = 0

    def select(self, use: Use) -> tuple[Judged, ...]:
        """Return the files of one group, in the order of their weight."""
        return tuple(each for each in self.files if each.use == use)
