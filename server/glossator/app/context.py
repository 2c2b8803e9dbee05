"""What one turn works with, from its first event to its last."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from glossator.agent.budget import Budget
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import Citation
from glossator.app.sessions import Sessions
from glossator.app.verdicts import list_verdicts
from glossator.app.verifying import verify_citations
from glossator.core.events import AnswerVerified, Emit, TurnEnded
from glossator.core.messages import Usage
from glossator.core.text import SourceText
from glossator.tools.seen_texts import SeenTexts


@dataclass(frozen=True, slots=True)
class Context:
    """What one turn works with; a rebuild or a change of settings meanwhile does not touch it.

    `budget` is what the turn may spend with everything it starts. `looked_at` is the document at
    the cursor, if the turn is about one. `seen` are the texts that were read during the turn.
    """

    parts: Parts
    library: Library
    say: Phrasing
    emit: Emit
    started: float
    sessions: Sessions
    budget: Budget
    looked_at: SourceText | None = None
    seen: SeenTexts = field(default_factory=SeenTexts)

    def end(self, stop_reason: str, usage: Usage | None = None, error: str = "") -> None:
        """Emit that the turn is over."""
        self.emit(TurnEnded(stop_reason, usage or Usage(), time.monotonic() - self.started, error))

    async def verify(self, text: str) -> tuple[Citation, ...]:
        """Read every place that the answer names again and emit the verdicts."""
        found = await self.read_again(text)
        self.tell_verdicts(found)
        return found

    def tell_verdicts(self, citations: Sequence[Citation]) -> None:
        """Emit what was found about the places of the answer."""
        reasons = tuple(each.reason for each in citations)
        self.emit(AnswerVerified(list_verdicts(citations), reasons))

    async def read_again(
        self, text: str, shown: Sequence[str] | None = None
    ) -> tuple[Citation, ...]:
        """Read every place that `text` names again.

        `shown` is what a model was given to write it: what does not stand there is no evidence.
        """
        return await asyncio.to_thread(
            verify_citations,
            text,
            self.parts.workspace,
            files=self.library.files,
            looked_at=self.looked_at,
            seen=self.seen,
            shown=shown,
            say=self.say,
        )
