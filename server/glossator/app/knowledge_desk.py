"""The use cases of knowledge without a turn: look into it, say what applies, publish it."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.app.limits import MAX_SECTIONS, N_SECTIONS, require_length
from glossator.app.phrasing import Phrasing
from glossator.app.results import MeaningStatus
from glossator.core.errors import InvalidArguments
from glossator.core.events import Emit, StepStarted, ignore_event
from glossator.core.locations import Point
from glossator.core.text import SourceText

if TYPE_CHECKING:
    from glossator.app.environment import Environment
    from glossator.app.hints.hint import Hint
    from glossator.app.retrieval.searching import Search
    from glossator.app.retrieval.sharing import ShareReport, ShareRequest
    from glossator.app.skills.listing import ListedSkill
    from glossator.app.why.report import Why


class KnowledgeDesk:
    """Knowledge, skills and instructions of one application.

    `phrase` gives the language of a question, or the reader's for an empty one.
    """

    def __init__(
        self,
        environment: "Environment",
        phrase: Callable[[str], Phrasing],
    ) -> None:
        self._environment = environment
        self._phrase = phrase

    async def search(
        self, question: str, *, path: SourceText | Path | None = None, limit: int = N_SECTIONS
    ) -> "Search":
        """Rank what the knowledge has on a question, and say whether it would be answered.

        Needs no model. `path` is the file that is looked at.

        Raises:
            InvalidArguments: there is no question, it is as long as a book, or the limit is none.
        """
        # Imported when it is wanted, which is seldom.
        from glossator.app.retrieval.searching import search

        require_length(question)
        if not question.strip():
            raise InvalidArguments("There is nothing to search for: the question is empty.")
        if not 1 <= limit <= MAX_SECTIONS:
            raise InvalidArguments(f"The limit must be between 1 and {MAX_SECTIONS}.")
        library = await self._environment.ready()
        parts = self._environment.parts
        scope = path.scope if isinstance(path, SourceText) else None
        if isinstance(path, Path):
            scope = parts.workspace.path_below_root(path)
        find = partial(search, parts, library, question.strip(), path=scope, limit=limit)
        return await asyncio.to_thread(find, say=self._phrase(question))

    async def why(
        self,
        asked: SourceText | Path,
        question: str = "",
        *,
        say: Phrasing | None = None,
        emit: Emit = ignore_event,
    ) -> "Why":
        """Say what the model would be given for a document and a question, what not, and why.

        Needs no model. `asked` is an editor's document, or the path of a file or folder. Without
        `say` the report is told in the language of the question.

        Raises:
            OutsideWorkspace, UnreadableFile: the path leads outside, or can be none.
            InvalidArguments: the question is as long as a book.
        """
        # Imported when it is wanted, which is seldom.
        from glossator.app.why.files import explain_use
        from glossator.app.why.subject import find_subject

        require_length(question)
        say = say or self._phrase(question)
        emit(StepStarted(say("Looking at what applies", "正在查看适用的内容")))
        workspace = self._environment.parts.workspace
        subject = await asyncio.to_thread(find_subject, asked, workspace)
        library = await self._environment.complete(subject.source.path if subject.source else None)
        parts = self._environment.parts
        return await asyncio.to_thread(explain_use, subject, question.strip(), parts, library, say)

    async def hint(
        self,
        source: SourceText,
        point: Point,
        *,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> "Hint | None":
        """Say what a file of knowledge, a skill or instructions declares at a place in it.

        None where there is nothing to say. `is_cancelled` is asked from another thread.
        """
        # Imported when it is wanted: start-up is quicker without it.
        from glossator.app.hints.hint import make_hint

        if self._environment.is_secret(source):
            return None
        library = await self._environment.ready()
        parts, say = self._environment.parts, self._phrase("")
        return await asyncio.to_thread(make_hint, source, point, parts, library, say, is_cancelled)

    async def list_skills(self) -> "tuple[ListedSkill, ...]":
        """List every skill that was found, also those that do not count."""
        from glossator.app.skills.listing import list_skills

        return await asyncio.to_thread(list_skills, await self._environment.ready())

    async def prepare_meaning(self, *, emit: Emit = ignore_event) -> MeaningStatus:
        """Compute the vectors that are missing, and wait for them.

        Raises:
            InvalidArguments: nothing is found by meaning here.
            EncoderUnavailable: the encoder fails.
        """
        library, meaning = await self._environment.ready(), self._environment.parts.members.meaning
        if meaning is None:
            raise InvalidArguments(
                "Nothing is found by meaning here. Run `pip install glossator[semantic]`, or set "
                "`semantic.source` to `endpoint` with an address and a model."
            )
        say = self._phrase("")

        def tell(done: int, total: int) -> None:
            emit(StepStarted(say("Computing vectors", "正在计算向量"), done, total))

        await asyncio.to_thread(meaning.prepare, library.index, tell)
        return meaning.describe()

    async def examine_members(self) -> None:
        """Learn how those stand who find knowledge beside words; `status` then tells it."""
        await asyncio.to_thread(self._environment.parts.members.examine)

    async def share(self, request: "ShareRequest", *, emit: Emit = ignore_event) -> "ShareReport":
        """Publish the workspace's knowledge to the index that the team shares.

        Raises:
            InvalidArguments: there is nothing to publish, or a name cannot be used.
            SharedUnavailable: no database is set, or it fails; nothing is changed then.
        """
        # Imported when it is wanted, which is seldom.
        from glossator.app.retrieval.sharing import share

        library = await self._environment.ready()
        parts, say = self._environment.parts, self._phrase("")
        return await asyncio.to_thread(share, request, parts, library, say, emit)
