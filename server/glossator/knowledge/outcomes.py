"""What looking for knowledge comes to: sections that answer, or none and what came nearest."""

from dataclasses import dataclass
from typing import Literal

from glossator.core.tokens import estimate_tokens
from glossator.knowledge.index import Hit
from glossator.knowledge.section_words import leave_out_examples

CLOSE_ROUTED = 0.45
CLOSE_ANYWHERE = 0.5
"""The score a section needs: in documents that the question names, and in all others; `routing`
says how they were measured."""

NEAR_BEST = 0.7
"""The part of the best section's score that the others need."""

N_NEAREST = 3


@dataclass(frozen=True, slots=True)
class Found:
    """Sections that answer, best first; `cut` more were close enough but are left out.

    `routed` are the names of the documents that were searched; empty when all were. `left_out` are
    the sections that are cut, as far as they are known; of the first hit `n_lines_cut` lines are
    missing when it is larger than all that may be given. `needed` is the score that decided.
    """

    hits: tuple[Hit, ...]
    routed: tuple[str, ...]
    cut: int
    left_out: tuple[Hit, ...] = ()
    n_lines_cut: int = 0
    needed: float = CLOSE_ANYWHERE

    @property
    def best(self) -> float:
        """The score of the surest section."""
        return max((hit.score for hit in self.hits), default=0.0)

    @property
    def n_tokens_left_out(self) -> int:
        """How many tokens the sections that are left out would take."""
        return sum(estimate_tokens(leave_out_examples(hit.section.text)) for hit in self.left_out)


@dataclass(frozen=True, slots=True)
class NoKnowledge:
    """Nothing answers. `nearest` are the best sections there are, none of them close enough.

    `routed` are the names of the documents that the question mentions. `needed` is the lowest score
    that would have done for the best of them.
    """

    reason: Literal["nothing-routed", "nothing-close"]
    nearest: tuple[Hit, ...]
    routed: tuple[str, ...] = ()
    n_documents: int = 0
    needed: float = CLOSE_ANYWHERE
