"""Conversations: what was asked and answered, in memory, by session."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field

from glossator.core.errors import UnknownSession
from glossator.core.messages import Message

_MAX_SESSIONS = 100


@dataclass(slots=True)
class Session:
    """One conversation. `turns` hold the question and the answer of each finished turn."""

    id: str
    turns: list[tuple[Message, ...]] = field(default_factory=list)
    was_about_code: bool = False

    def remember(self, question: str, answer: str, *, about_code: bool) -> None:
        """Keep a finished turn; turns that failed or were cancelled are never kept."""
        self.turns.append((Message("user", question), Message("assistant", answer)))
        self.was_about_code = about_code


class Sessions:
    """The conversations of this process; the oldest are forgotten beyond a hundred."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def begin(self) -> Session:
        """Start a conversation."""
        session = Session(secrets.token_hex(8))
        self._sessions[session.id] = session
        while len(self._sessions) > _MAX_SESSIONS:
            self._sessions.popitem(last=False)
        return session

    def find(self, session_id: str) -> Session:
        """Return the conversation with this id.

        Raises:
            UnknownSession: it was never started here or is forgotten.
        """
        session = self._sessions.get(session_id)
        if session is None:
            raise UnknownSession(
                f"There is no session `{session_id}` (any more). Start a new session."
            )
        self._sessions.move_to_end(session_id)
        return session
