"""Two hundred processes are killed while they keep sessions; no turn that was acknowledged is lost.

The moments are random: before the file is opened, or a while after so many turns were kept.
"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from glossator.app.results import Opening
from glossator.compose import build_parts
from glossator.sessions.store import SessionStore

TESTS = Path(__file__).parents[1]
N_KILLS_OF_STORES = 170
N_KILLS_OF_APPLICATIONS = 30
# Now and then there is no file yet: its making is interrupted, too.
KILLS_OF_ONE_FILE = 10

Kept = dict[str, list[str]]


class Victims:
    """The process that starts the children, and what they have acknowledged so far."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._orders: IO[str] = process.stdin
        self._lines: IO[str] = process.stdout
        self.kept: Kept = defaultdict(list)

    def kill_one(self, kind: str, place: Path, *, after_turns: int, after_s: float) -> None:
        """Start a child and kill it later; take in what it said until then."""
        self._orders.write(f"{kind} {place}\n")
        self._orders.flush()
        pid: int | None = None
        n_kept = 0
        is_killed = False
        while (line := self._lines.readline()) != "ended\n":
            word, *rest = line.rstrip("\n").split(" ", 2)
            if word == "started":
                pid = int(rest[0])
            elif word == "kept":
                self.kept[rest[0]].append(rest[1])
                n_kept += 1
            else:
                raise AssertionError(f"a child said {line!r}")
            # The child may be heard before the one who started it.
            if pid is not None and n_kept >= after_turns and not is_killed:
                time.sleep(after_s)  # The moment is what is tried: any of them, not after an event.
                os.kill(pid, signal.SIGKILL)
                is_killed = True


@pytest.fixture
def victims() -> Iterator[Victims]:
    environ = {**os.environ, "PYTHONPATH": str(TESTS)}
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("crashing.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environ,
        encoding="utf-8",
    )
    with process:
        yield Victims(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(10) == 0


def read_questions(file: Path, session_ids: list[str]) -> Kept:
    async def read() -> Kept:
        store = SessionStore(file)
        found: Kept = {}
        for session_id in session_ids:
            session = await store.read(session_id)
            found[session_id] = [turn.question for turn in session.turns] if session else []
        assert store.trouble is None
        assert store.n_unreadable == 0
        await store.close()
        return found

    return asyncio.run(read())


def require_all(kept: Kept, found: Kept) -> None:
    for session_id, questions in kept.items():
        # What was written but not yet acknowledged may be there, too.
        left = iter(found[session_id])
        assert all(question in left for question in questions), session_id


def test_stores_that_are_killed_at_any_moment_lose_no_turn(
    victims: Victims, tmp_path: Path
) -> None:
    chooser = random.Random(20_260_101)
    for number in range(N_KILLS_OF_STORES):
        if number % KILLS_OF_ONE_FILE == 0:
            file = tmp_path / f"sessions-{number}" / "a.sqlite3"
            victims.kept.clear()
        after_s = chooser.choice((0.002, 0.01, 0.05)) * chooser.random()
        victims.kill_one("store", file, after_turns=chooser.randrange(4), after_s=after_s)
        require_all(victims.kept, read_questions(file, list(victims.kept)))


def test_applications_that_are_killed_at_any_moment_go_on_with_every_turn(
    victims: Victims, tmp_path: Path
) -> None:
    chooser = random.Random(20_260_102)
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "main.py").write_text("def main():\n    return 1\n", encoding="utf-8")
    file = build_parts(Opening(roots=(folder,))).sessions_file
    assert file is not None
    for _ in range(N_KILLS_OF_APPLICATIONS):
        after_s = chooser.random() * 0.1
        victims.kill_one("application", folder, after_turns=chooser.randrange(3), after_s=after_s)
        require_all(victims.kept, read_questions(file, list(victims.kept)))

    # Each went on with the session of those before it.
    assert len(victims.kept) < sum(map(len, victims.kept.values())) // 2
