"""What one turn works with, from its first event to its last."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from glossator.agent.budget import Budget
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import Analysis, Answer, Citation, Explanation
from glossator.app.sessions import Sessions
from glossator.app.verdicts import list_verdicts
from glossator.core.events import AnswerVerified, Emit, TurnEnded
from glossator.core.messages import Usage
from glossator.core.text import SourceText
from glossator.tools.editor.inquiry import Inquiry
from glossator.tools.editor.silences import describe_silences
from glossator.tools.seen_texts import SeenTexts

Outcome = TypeVar("Outcome", Explanation, Answer, Analysis)


@dataclass(frozen=True, slots=True)
class Context:
    """What one turn works with; a rebuild or a change of settings meanwhile does not touch it.

    `budget` is what the turn may spend with everything it starts. `looked_at` is the document at
    the cursor, if the turn is about one. `seen` are the texts that were read during the turn. When
    it `is_late`, something had changed that is not in the library yet. `inquiry` asks
    the editor for the turn.
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
    is_late: bool = False
    inquiry: Inquiry | None = None

    def add_notice(self, outcome: Outcome) -> Outcome:
        """Return what came of the turn, with what is to be said of all that it rests on."""
        notices = [self._describe_lateness(), self._describe_silences(), outcome.notice]
        return replace(outcome, notice=" ".join(filter(None, notices)))

    def close(self) -> None:
        """Ask nobody any more: the turn is over."""
        if self.inquiry is not None:
            self.inquiry.close()

    def _describe_silences(self) -> str:
        return self.say(*describe_silences(self.inquiry.silences)) if self.inquiry else ""

    def _describe_lateness(self) -> str:
        if not self.is_late:
            return ""
        return self.say(
            "What has just changed in the team's files or settings was not read in time: the "
            "answer rests on what was known before. Ask again in a moment.",
            "团队文件或设置刚有变动，还没有读完：本回答依据的是变动之前的内容。请稍后再问一次。",
        )

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

        def verify() -> tuple[Citation, ...]:
            # Loaded in this thread: checks start sooner without it.
            from glossator.app.verifying import verify_citations

            return verify_citations(
                text,
                self.parts.workspace,
                files=self.library.files,
                looked_at=self.looked_at,
                seen=self.seen,
                shown=shown,
                say=self.say,
            )

        return await asyncio.to_thread(verify)
