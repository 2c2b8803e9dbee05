"""Write a file of ours or of the workspace in one step: never does anybody see half of it."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Put `data` in the place of a file; only its owner may read it unless `mode` says more.

    Raises OSError; the old file is then as it was, and nothing stands beside it.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if mode is not None:
            Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
