"""The sessions of one workspace: kept, listed, read, renamed and deleted by a thread of their own.

Several processes may use the same file: a turn gets its number inside the transaction that keeps
it, and what is read is what is there by then.
"""

import asyncio
import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from glossator.core.errors import GlossatorError, SessionChanged
from glossator.model.surrogates import replace_lone_surrogates
from glossator.sessions.database import (
    Database,
    Trouble,
    describe_error,
    is_damage,
    transaction,
)
from glossator.sessions.encoding import END_OF_TIME, InvalidSession, decode_turn, encode_turn
from glossator.sessions.session import FinishedTurn, Session, SessionEntry, make_title

T = TypeVar("T")

_SHOWN_CHARACTERS = 200
_MAX_QUERY_CHARACTERS = 200

_IS_THERE = "SELECT 1 FROM sessions WHERE id = ?"
_PUT_SESSION = """
    INSERT INTO sessions (id, title, created_at, updated_at, summary, n_summarized)
    VALUES (:id, :title, :now, :now, :summary, :n_summarized)
    ON CONFLICT (id) DO UPDATE SET
        updated_at = max(updated_at, excluded.updated_at),
        summary = CASE WHEN excluded.n_summarized > n_summarized
            THEN excluded.summary ELSE summary END,
        n_summarized = max(n_summarized, excluded.n_summarized)
"""
_ADD_TURN = """
    INSERT INTO turns (session_id, number, question, answer, content)
    SELECT :id, coalesce(max(number), 0) + 1, :question, :answer, :content
    FROM turns WHERE session_id = :id
"""
_CUT = (
    "DELETE FROM turns WHERE session_id = :id AND number > :last",
    "UPDATE sessions SET summary = '', n_summarized = 0 WHERE id = :id AND n_summarized > :n_kept",
)
_RENAME_UNTOUCHED = "UPDATE sessions SET title = :title WHERE id = :id AND title = :before"
_FIND = """
    SELECT id, title, updated_at,
        (SELECT count(*) FROM turns WHERE session_id = id),
        (SELECT question FROM turns WHERE session_id = id ORDER BY number DESC LIMIT 1)
    FROM sessions
    WHERE title LIKE :pattern ESCAPE '\\' OR EXISTS (
        SELECT 1 FROM turns WHERE session_id = id
        AND (question LIKE :pattern ESCAPE '\\' OR answer LIKE :pattern ESCAPE '\\')
    )
    ORDER BY updated_at DESC, id
"""


class SessionsUnavailable(GlossatorError):
    """The file with the sessions cannot be read or written at the moment, for a `reason`."""

    code = "sessions-unavailable"

    def __init__(self, reason: str) -> None:
        super().__init__(f"The kept sessions cannot be used: {reason}. Try again.")
        self.reason = reason


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A turn to be kept: after the first `n_before`, in the place of `n_replaced`."""

    turn: FinishedTurn
    n_before: int
    n_replaced: int


class SessionStore:
    """The sessions of one workspace. Without a path they end with the process."""

    def __init__(self, path: Path | None, roots: Sequence[Path] = ()) -> None:
        self._database = Database(path, roots)
        self._unkept: dict[str, list[_Waiting]] = {}
        self._unreadable: set[tuple[str, int]] = set()
        self._executor = ThreadPoolExecutor(1, "sessions")
        self._is_closed = False

    @property
    def trouble(self) -> Trouble | None:
        """Why sessions are not kept or not all to be seen, as far as it is known."""
        return self._database.trouble

    @property
    def path(self) -> Path | None:
        """The file that is used; None when nothing outlives the process."""
        return self._database.path

    @property
    def n_unreadable(self) -> int:
        """How many kept turns turned out to be torn or edited, and are left out."""
        return len(self._unreadable)

    async def append(self, session: Session, turn: FinishedTurn) -> None:
        """Keep a finished turn as the next one of a session, in the place of those it replaces.

        A turn is finished when this is reached, so it is too late for a cancel that comes while
        it is being written; before that, nothing is kept.

        Raises:
            SessionsUnavailable: it could not be written. It is part of the session in this
                process, and is written together with the next one.
            SessionChanged: the session has other turns by now than those to be replaced.
        """
        work = self._executor.submit(self._append, session, turn)
        try:
            await asyncio.shield(asyncio.wrap_future(work))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if work.cancel() or task is None:
                raise
            task.uncancel()
            await asyncio.wrap_future(work)

    async def read(self, session_id: str) -> Session | None:
        """Return a session with all its turns, if there is one with this id."""
        return await self._run(self._read, session_id)

    async def find(self, query: str = "") -> tuple[SessionEntry, ...]:
        """List sessions, the latest first; with a query those whose title or text has it."""
        return await self._run(self._find, query)

    async def rename(self, session_id: str, title: str) -> bool:
        """Give a session another title; say whether there is such a session."""
        return await self._run(self._rename, session_id, title)

    async def delete(self, session_id: str) -> bool:
        """Delete a session, from the file's free space too; say whether there was one."""
        return await self._run(self._delete, session_id)

    async def close(self) -> None:
        """Finish what is being written and close the file."""
        if not self._is_closed:
            self._is_closed = True
            await asyncio.wrap_future(self._executor.submit(self._database.close))
            self._executor.shutdown()

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, self._try_twice, work, *arguments)

    def _try_twice(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do it with the file that is there, or with a new one when that turns out to be broken."""
        try:
            try:
                return work(*arguments)
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                self._database.set_aside()
                return work(*arguments)
        except (sqlite3.Error, OSError) as error:
            # The next one begins with a connection that has seen no error.
            if self.path is not None:
                self._database.close()
            raise SessionsUnavailable(describe_error(error)) from error

    # On the thread of the store

    def _append(self, session: Session, turn: FinishedTurn) -> None:
        # Kept in memory until they are in the file.
        turns = self._unkept.setdefault(session.id, [])
        turns.append(_Waiting(turn, len(session.turns), session.n_replaced))
        is_settled = False
        try:
            self._try_twice(self._write, session, turns)
            is_settled = True
        except SessionChanged:
            is_settled = not turns[:-1]
            turns.pop()
            raise
        finally:
            if is_settled:
                del self._unkept[session.id]

    def _write(self, session: Session, turns: Sequence[_Waiting]) -> None:
        connection = self._connect()
        with transaction(connection):
            is_there = connection.execute(_IS_THERE, (session.id,)).fetchone() is not None
            # With another file in the place of the one it was read from, its turns are gone.
            is_summary_true = is_there or session.n_summarized <= len(turns)
            head = {
                "id": session.id,
                "title": _storable(session.title)
                or make_title(turns[0].turn.question)
                or session.id,
                "now": time.time(),
                "summary": _storable(session.summary) if is_summary_true else "",
                "n_summarized": session.n_summarized if is_summary_true else 0,
            }
            connection.execute(_PUT_SESSION, head)
            for waiting in turns:
                if waiting.n_replaced:
                    _cut(connection, session.id, waiting)
                content = json.dumps(encode_turn(waiting.turn), ensure_ascii=False)
                row = {
                    "id": session.id,
                    "question": _storable(waiting.turn.question),
                    "answer": _storable(waiting.turn.answer),
                    "content": content.encode("utf-8", "surrogatepass"),
                }
                connection.execute(_ADD_TURN, row)
        if any(waiting.n_replaced for waiting in turns):
            _empty_log(connection)

    def _read(self, session_id: str) -> Session | None:
        unkept = self._unkept.get(session_id, [])
        row, turns = self._read_kept(_storable(session_id))
        if row is None and not unkept:
            return None
        title, summary, n_summarized = row or (make_title(unkept[0].turn.question), "", 0)
        for waiting in unkept:
            if waiting.n_replaced:
                del turns[waiting.n_before :]
            turns.append(waiting.turn)
        return Session(
            session_id,
            str(title),
            turns,
            str(summary),
            n_summarized if isinstance(n_summarized, int) else 0,
        )

    def _read_kept(self, session_id: str) -> tuple[tuple[Any, ...] | None, list[FinishedTurn]]:
        connection = self._database.connect(create=False)
        if connection is None:
            return None, []
        select = "SELECT title, summary, n_summarized FROM sessions WHERE id = ?"
        row = connection.execute(select, (session_id,)).fetchone()
        select = "SELECT number, content FROM turns WHERE session_id = ? ORDER BY number"
        turns = []
        for number, content in connection.execute(select, (session_id,)).fetchall():
            turn = _decode(content)
            if turn is None:
                self._unreadable.add((session_id, number))
            else:
                turns.append(turn)
        return row, turns

    def _find(self, query: str) -> tuple[SessionEntry, ...]:
        connection = self._database.connect(create=False)
        if connection is None:
            return ()
        wanted = _storable(query.strip())[:_MAX_QUERY_CHARACTERS]
        for special in "\\%_":
            wanted = wanted.replace(special, "\\" + special)
        rows = connection.execute(_FIND, {"pattern": f"%{wanted}%"}).fetchall()
        return tuple(
            SessionEntry(
                id=str(id_),
                title=make_title(str(title), _SHOWN_CHARACTERS),
                n_turns=n_turns,
                updated_at=_as_time(updated_at),
                last_question=make_title(str(question or ""), _SHOWN_CHARACTERS),
            )
            for id_, title, updated_at, n_turns, question in rows
        )

    def _rename(self, session_id: str, title: str) -> bool:
        connection = self._database.connect(create=False)
        if connection is None:
            return False
        update = "UPDATE sessions SET title = ? WHERE id = ?"
        return connection.execute(update, (_storable(title), _storable(session_id))).rowcount > 0

    def _delete(self, session_id: str) -> bool:
        was_unkept = self._unkept.pop(session_id, None) is not None
        connection = self._database.connect(create=False)
        if connection is None:
            return was_unkept
        delete = "DELETE FROM sessions WHERE id = ?"
        was_kept = connection.execute(delete, (_storable(session_id),)).rowcount > 0
        if was_kept:
            _empty_log(connection)
        return was_kept or was_unkept

    def _connect(self) -> sqlite3.Connection:
        connection = self._database.connect(create=True)
        assert connection is not None
        return connection


def _cut(connection: sqlite3.Connection, session_id: str, waiting: _Waiting) -> None:
    """Take the turns out that a new one replaces; the title goes with the first question.

    Raises:
        SessionChanged: there are others than those that were to be replaced.
    """
    select = "SELECT number, question, content FROM turns WHERE session_id = ? ORDER BY number"
    rows = connection.execute(select, (session_id,)).fetchall()
    readable = [row for row in rows if _decode(row[2]) is not None]
    n_kept = waiting.n_before
    if len(readable) != n_kept + waiting.n_replaced:
        raise SessionChanged(
            "The session has gone on elsewhere meanwhile, so nothing of it was replaced. Open it "
            "again, and then ask."
        )
    last = readable[n_kept - 1][0] if n_kept else 0
    for statement in _CUT:
        connection.execute(statement, {"id": session_id, "last": last, "n_kept": n_kept})
    if not n_kept:
        title = make_title(waiting.turn.question) or session_id
        before = make_title(readable[0][1])
        names = {"id": session_id, "title": _storable(title), "before": before}
        connection.execute(_RENAME_UNTOUCHED, names)


def _empty_log(connection: sqlite3.Connection) -> None:
    """What was deleted stands in the log until that is emptied."""
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def locate_store(folder: Path, roots: Sequence[Path]) -> Path | None:
    """Return the file below `folder` for the sessions of a workspace; None when no folder is open.

    Its name says nothing about the workspace; the file itself names the roots.
    """
    if not roots:
        return None
    names = sorted(os.fsencode(os.path.normcase(os.path.realpath(root))) for root in roots)
    key = hashlib.blake2b(b"\0".join(names), digest_size=16).hexdigest()
    return folder / f"{key}.sqlite3"


def _storable(text: str) -> str:
    """Return text as SQLite can keep and search it."""
    return replace_lone_surrogates(text).replace("\0", "\ufffd")


def _decode(content: Any) -> FinishedTurn | None:
    """Return a turn, or None when it is torn or edited so that it is none any more."""
    try:
        if isinstance(content, bytes):
            content = content.decode("utf-8", "surrogatepass")
        return decode_turn(json.loads(content))
    except (TypeError, ValueError, RecursionError, InvalidSession):
        return None


def _as_time(value: Any) -> float:
    is_time = isinstance(value, int | float) and 0 <= value < END_OF_TIME
    return float(value) if is_time else 0.0
