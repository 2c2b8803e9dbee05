"""Conversations: begun here, kept by the store, and found again by their ids."""

import secrets
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from glossator.app.phrasing import Phrasing, count
from glossator.core.errors import InvalidArguments, SessionChanged, UnknownSession
from glossator.sessions.export import export_json, export_markdown
from glossator.sessions.session import FinishedTurn, Session, SessionEntry, make_title
from glossator.sessions.store import SessionStore, SessionsUnavailable

ExportFormat = Literal["markdown", "json"]

_MAX_BEGUN = 1000
_TITLE_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Kept:
    """What came of keeping a turn: its number in the session, from 1, if it was kept."""

    number: int | None
    notice: str = ""


NOT_KEPT = Kept(None)


class Sessions:
    """The sessions of one workspace. One without a finished turn is no more than an id."""

    def __init__(self, store: SessionStore) -> None:
        self._store = store
        self._begun: OrderedDict[str, None] = OrderedDict()
        self._deleted: set[str] = set()

    def begin(self) -> Session:
        """Start a conversation."""
        session = Session(secrets.token_hex(8))
        self._begun[session.id] = None
        while len(self._begun) > _MAX_BEGUN:
            self._begun.popitem(last=False)
        return session

    async def open(self, session_id: str) -> Session:
        """Return the session with this id; without one, begin a session.

        Raises:
            UnknownSession: there is none with this id in this workspace.
            SessionsUnavailable: it cannot be read at the moment.
        """
        return await self.read(session_id) if session_id else self.begin()

    async def rewind(self, session_id: str, n_kept: int, n_turns: int | None) -> Session:
        """Return a session after its first `n_kept` turns; the next turn replaces the others.

        Raises:
            SessionChanged: it has fewer turns than that, or not the `n_turns` it is said to have.
            UnknownSession: there is none with this id in this workspace.
        """
        session = await self.read(session_id)
        if n_kept > len(session.turns) or n_turns not in (None, len(session.turns)):
            raise SessionChanged(
                f"The session has {count(len(session.turns), 'turn')} by now, so nothing of it was "
                "replaced. Open it again, and then ask."
            )
        return session.rewind(n_kept)

    async def read(self, session_id: str) -> Session:
        """Return a conversation as it is by now; other processes may have gone on with it.

        Raises:
            UnknownSession: there is none with this id in this workspace.
            SessionsUnavailable: it cannot be read at the moment.
        """
        session = await self._store.read(session_id)
        if session is not None:
            return session
        if session_id not in self._begun:
            raise _unknown(session_id)
        self._begun.move_to_end(session_id)
        return Session(session_id)

    async def remember(self, session: Session, turn: FinishedTurn, say: Phrasing) -> Kept:
        """Keep a finished turn; there is a notice when it will not outlive the process.

        What is deleted while it answers stays deleted.
        """
        if session.id in self._deleted:
            return Kept(
                None,
                say(
                    "This session was deleted meanwhile, so this turn was not kept.",
                    "此会话已被删除，因此这一轮没有保存。",
                ),
            )
        number = len(session.turns) + 1
        turn = replace(turn, finished_at=round(time.time(), 3))
        try:
            await self._store.append(session, turn)
        except SessionChanged as error:
            return Kept(None, say.translate(str(error)))
        except SessionsUnavailable as error:
            return Kept(
                number,
                say(
                    f"This turn could not be kept: {error.reason}. As long as this process runs, "
                    "it is tried again with the next one.",
                    f"这一轮未能保存：{error.reason}。在本进程结束之前，下一轮会再次尝试保存。",
                ),
            )
        return Kept(number, self._describe_trouble(say))

    def _describe_trouble(self, say: Phrasing) -> str:
        trouble = self._store.trouble
        if trouble is None or self._store.path is not None:
            return ""
        return say(
            f"This session ends with the process: `{trouble.path}` cannot be used "
            f"({trouble.reason}). Correct that, or turn `sessions.keep` off.",
            f"此会话将随进程结束：无法使用 `{trouble.path}`（{trouble.reason}）。"
            "请排除此问题，或关闭 `sessions.keep`。",
        )

    async def find(self, query: str = "") -> tuple[SessionEntry, ...]:
        """List the sessions, the latest first; with a query those whose title or text has it."""
        return await self._store.find(query)

    async def examine(self) -> None:
        """Find out early whether what was kept can be read; `list_problems` then tells."""
        with suppress(SessionsUnavailable):
            await self._store.find()

    async def rename(self, session_id: str, title: str) -> str:
        """Give a session another title; return it as it is kept.

        Raises:
            InvalidArguments: the title says nothing.
            UnknownSession: there is none with this id, or nothing was answered in it.
        """
        shown = make_title(title, _TITLE_CHARACTERS)
        if not shown:
            raise InvalidArguments("The title is empty.")
        if not await self._store.rename(session_id, shown):
            raise _unknown(session_id)
        return shown

    async def delete(self, session_id: str) -> None:
        """Delete a session.

        Raises:
            UnknownSession: there is none with this id.
        """
        was_begun = session_id in self._begun
        self._begun.pop(session_id, None)
        # Before anything is awaited: a turn that ends by then is not kept.
        self._deleted.add(session_id)
        is_deleted = False
        try:
            is_deleted = await self._store.delete(session_id) or was_begun
        finally:
            if not is_deleted:
                self._deleted.discard(session_id)
        if not is_deleted:
            raise _unknown(session_id)

    async def export(self, session_id: str, form: ExportFormat) -> str:
        """Return a session as text.

        Raises:
            UnknownSession: there is none with this id.
        """
        session = await self.read(session_id)
        if form == "json":
            return export_json(session)
        first_question = session.turns[0].question if session.turns else ""
        return export_markdown(session, Phrasing.for_question(first_question))

    @property
    def file(self) -> Path | None:
        """The file that sessions are kept in; None when they end with the process."""
        return self._store.path

    def list_problems(self) -> tuple[str, ...]:
        """Say what people should know about how sessions are kept."""
        problems = []
        trouble, n_unreadable = self._store.trouble, self._store.n_unreadable
        if trouble is not None and trouble.kind == "set-aside":
            problems.append(
                f"Sessions could not be read, and their file was set aside as `{trouble.path}`. "
                "Delete it when you do not need it."
            )
        elif trouble is not None:
            remedy = "Update Glossator" if trouble.kind == "newer" else "Correct that"
            problems.append(
                f"Sessions end with the process: `{trouble.path}` cannot be used "
                f"({trouble.reason}). {remedy} and start it again."
            )
        if n_unreadable:
            problems.append(f"{count(n_unreadable, 'turn')} of kept sessions could not be read.")
        return tuple(problems)

    async def close(self) -> None:
        """Close the store."""
        await self._store.close()


def _unknown(session_id: str) -> UnknownSession:
    return UnknownSession(f"There is no session `{session_id}` (any more). Start a new session.")
