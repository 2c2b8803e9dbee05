"""What `glossator check` said last, said again at once while nothing that it rests on has changed.

An answer rests on its command line and environment, on every file and folder that was looked at,
and on the program itself. Their status is compared, as Git does it; nothing of them is read.
Whatever is not certain is no kept answer, and the check runs. Imports little: it is asked first.
"""

import hashlib
import io
import json
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

VERSION = 1
FOLDER = "answers"
_MAX_KEPT = 32
_MAX_BYTES = 32 * 1024 * 1024
# What changed so shortly before it was looked at may change once more and look the same.
_RACY_NS = 2_000_000_000
# These ask for nothing but what was found, whatever stands behind them.
_PLAIN_OPTIONS = frozenset({"--json", "--no-model"})
_OPTIONS_WITH_VALUE = frozenset({"--cache-dir", "--fail-on", "--format", "--jobs", "--root"})
# Each shell has others, and no answer differs by them.
_IGNORED_VARIABLES = frozenset({"_", "OLDPWD", "SHLVL"})
_LOOKED_AT = frozenset({"open", "os.listdir", "os.scandir"})

Look = tuple[int, ...] | None
"""The status of what stands at a path, and of what a link there leads to; None for nothing."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written to standard output and standard error, and the exit code."""

    output: str
    notices: str
    exit_code: int

    def give(self) -> int:
        """Write it all once more and return the exit code."""
        for stream, text in ((sys.stdout, self.output), (sys.stderr, self.notices)):
            if text:
                if isinstance(stream, io.TextIOWrapper):
                    stream.reconfigure(errors="backslashreplace")  # As the terminal does.
                stream.write(text)
                stream.flush()
        return self.exit_code


class Basis:
    """What an answer rests on. Hears of it from when it is made until the answer is kept."""

    def __init__(self, file: Path, key: str) -> None:
        self._file = file
        self._key = key
        self._began_ns = time.time_ns()
        self._noted: dict[str, Look] = {}
        self._heard: dict[str, Look] = {}
        self._is_listening = True

    @classmethod
    def listen(cls, arguments: Sequence[str], cache_folder: Path) -> "Basis | None":
        """Begin to hear what the interpreter opens; None where no answer would be kept."""
        file = _locate(arguments, cache_folder)
        if file is None:
            return None
        basis = cls(file, file.name)
        sys.addaudithook(basis._hear)
        return basis

    def note(self, paths: Iterable[str | os.PathLike[str]]) -> None:
        """Note files and folders that count, whether they are there or not."""
        for path in paths:
            name = os.path.abspath(path)  # noqa: PTH100 - thousands of files go through here
            if name not in self._noted:
                self._noted[name] = _look(name)

    def keep(self, answer: Written, inside: Sequence[str]) -> None:
        """Keep the answer unless anything may have changed while it was made.

        Of what was heard of, what is or stands in one of the folders `inside` counts.
        """
        self._is_listening = False
        own = f"{os.path.realpath(self._file.parent.parent)}{os.sep}"
        tops = tuple(f"{folder.rstrip(os.sep)}{os.sep}" for folder in inside)
        heard = {
            path: look
            for path, look in self._heard.items()
            if f"{path}{os.sep}".startswith(tops) and not path.startswith(own)
        }
        before = heard | self._noted | {path: _look(path) for path in _list_modules()}
        after = {path: _look(path) for path in before}
        latest = self._began_ns - _RACY_NS
        if after != before or any(_changed_ns(look) > latest for look in after.values()):
            return
        value = {
            "version": VERSION,
            "key": self._key,
            "paths": list(after),
            "digest": _digest(after.values()),
            "answer": [answer.output, answer.notices, answer.exit_code],
        }
        with suppress(OSError):
            _write(self._file, json.dumps(value).encode("ascii"))

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._is_listening or event not in _LOOKED_AT:
            return
        path = arguments[0]
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        is_whole = isinstance(path, str) and os.path.isabs(path)  # noqa: PTH117 - for each open
        if is_whole and path not in self._heard:
            self._heard[path] = _look(path)


class Overheard:
    """A stream that remembers what was written to it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._parts: list[str] = []

    def write(self, text: str) -> int:
        """Write to the stream."""
        self._parts.append(text)
        return self._stream.write(text)

    @property
    def text(self) -> str:
        """All that was written."""
        return "".join(self._parts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def find_answer(arguments: Sequence[str], cache_folder: Path) -> Written | None:
    """Return the answer that was kept for the command line, if it is still the right one."""
    file = _locate(arguments, cache_folder)
    if file is None:
        return None
    try:
        if file.stat().st_size > _MAX_BYTES:
            return None
        value = json.loads(file.read_bytes())
        if value["version"] != VERSION or value["key"] != file.name:
            return None
        if value["digest"] != _digest(map(_look, value["paths"])):
            return None
        answer = Written(*value["answer"])
        os.utime(file)  # What was not asked for longest makes room.
    # It is not there, not whole, or not ours.
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return answer


def _locate(arguments: Sequence[str], cache_folder: Path) -> Path | None:
    """Return the file for the answer to a command line; None when none is kept for it."""
    named: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        option, has_value, value = argument.partition("=")
        if option in _OPTIONS_WITH_VALUE:
            value = value if has_value else next(waiting, "")
            if option == "--cache-dir":
                cache_folder = Path(value)
            named.append(value)
        elif not argument.startswith("-"):
            named.append(argument)
        elif argument not in _PLAIN_OPTIONS:
            return None
    try:
        return cache_folder.absolute() / FOLDER / _make_key(arguments, named)
    except (OSError, ValueError):  # The folder that we are in is gone, or a path is none.
        return None


def _make_key(arguments: Sequence[str], named: Sequence[str]) -> str:
    """Return what is another one when the same files may be answered otherwise."""
    variables = sorted(pair for pair in os.environ.items() if pair[0] not in _IGNORED_VARIABLES)
    streams = [(stream is not None and stream.isatty()) for stream in (sys.stdout, sys.stderr)]
    width = tuple(os.get_terminal_size()) if streams[0] else ()
    asked = [VERSION, sys.version, sys.executable, str(Path.cwd()), list(arguments), streams, width]
    led_to = [os.path.realpath(name) for name in named]
    text = json.dumps([asked, led_to, variables])
    return hashlib.blake2b(text.encode("ascii"), digest_size=16).hexdigest()


def _look(path: str) -> Look:
    try:
        found = os.lstat(path)
        look = _sign(found)
        if not stat.S_ISLNK(found.st_mode):
            return look
        return look + _sign(os.stat(path))  # noqa: PTH116 - thousands of files, see above
    except (OSError, ValueError):
        return None


def _sign(found: os.stat_result) -> tuple[int, ...]:
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_mode, found.st_ino)


def _changed_ns(look: Look) -> int:
    """Return when what was looked at changed last, in ns since 1970; 0 where nothing is."""
    return 0 if look is None else max(*look[:2], *look[5:7])


def _digest(looks: Iterable[Look]) -> str:
    return hashlib.blake2b(repr([*looks]).encode("ascii"), digest_size=16).hexdigest()


def _list_modules() -> Iterator[str]:
    """Yield the files of the program and of what it uses; another Python has another key."""
    standard = f"{Path(os.__file__).parent}{os.sep}"
    for module in [*sys.modules.values()]:
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and (not file.startswith(standard) or "-packages" in file):
            yield file


def _write(file: Path, data: bytes) -> None:
    """Write the file as a whole; the answers that were not asked for longest make room."""
    folder = file.parent
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        out.write(data)
    draft.replace(file)
    others = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime_ns, reverse=True)
    for old in others[_MAX_KEPT:]:
        old.unlink(missing_ok=True)
