"""Whether a document counts for a file and a question, and why: what is used is what is explained.

The same value decides what a turn is given and what *Why* shows, so that the two cannot differ.
"""

from dataclasses import dataclass
from typing import Literal

from glossator.knowledge.documents import Document

Reason = Literal[
    "always",
    "glob",
    "named",
    "elsewhere",
    "no-glob-matches",
    "not-named",
    "search",
    "shadowed",
    "untrusted",
    "over-budget",
    "empty",
    "off",
]
"""What decided: the first three speak for a document, the others against it; "search" says that
only a question's words can bring it in."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one document stands for one file and question.

    `detail` names what decided: the glob, the folder, the document that shadows it. Of a document
    that is cut, `lines` (1-based, inclusive) are those that are used.
    """

    document: Document
    counts: bool
    reason: Reason
    detail: str = ""
    n_tokens: int = 0
    lines: tuple[int, int] | None = None
