"""A process whose children keep finished turns until they are killed; run as a script.

Each line on standard input starts a child: `store FILE` writes to the store itself, `application
FOLDER` asks an application over that folder. A child says `kept SESSION QUESTION` when a turn has
been acknowledged, this process `started PID` and `ended`. Forked from here, a child has loaded
everything already and begins at once.
"""

import asyncio
import os
import sys
from pathlib import Path

from glossator.app.application import Application
from glossator.app.results import Opening
from glossator.compose import build_parts
from glossator.sessions.session import Session
from glossator.sessions.store import SessionStore
from turns import make_turn

# Longer than a page of the database, so that a turn is written in several pieces.
_ANSWER = "Because. " * 700


def say(*words: object) -> None:
    # In one piece, so that the lines of parent and child do not mix.
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


async def use_store(file: Path) -> None:
    store = SessionStore(file)
    for number in range(1_000_000):
        # The same session every time, and one that is new.
        for session_id in ("s1", f"s-{os.getpid()}"):
            question = f"{os.getpid()}-{number}"
            await store.append(Session(session_id), make_turn(question, _ANSWER))
            say("kept", session_id, question)


async def use_application(folder: Path) -> None:
    opening = Opening(
        roots=(folder,),
        editor_settings={"knowledge": {"bundled": False}, "audit": {"enabled": False}},
        watch=False,
    )
    application = Application(opening, build_parts)
    kept = await application.sessions.find()
    session_id = kept[0].id if kept else ""
    for number in range(1_000_000):
        question = f"Explain `main` {os.getpid()}-{number}"
        answer = await application.ask(question, session_id=session_id)
        session_id = answer.session_id
        say("kept", session_id, question)


def main() -> None:
    for line in sys.stdin:
        kind, place = line.split()
        pid = os.fork()
        if pid == 0:
            asyncio.run(use_store(Path(place)) if kind == "store" else use_application(Path(place)))
            os._exit(0)
        say("started", pid)
        os.waitpid(pid, 0)
        say("ended")


if __name__ == "__main__":
    main()
