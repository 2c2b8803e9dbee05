"""Output that cannot be written: a full disk, a closed pipe."""

import errno
import os
import sys
from collections.abc import Mapping
from contextlib import suppress

from glossator.app.phrasing import Phrasing

_CAUSES = frozenset(
    {errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.ECONNRESET}
)


def is_unwritable(error: BaseException) -> bool:
    """Say whether an error comes from writing output: those of files name the file."""
    return isinstance(error, OSError) and error.filename is None and error.errno in _CAUSES


def locale_of(environ: Mapping[str, str]) -> str:
    """Return the language of a terminal, as its environment names it."""
    return environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or "en"


def tell_unwritable(error: BaseException) -> None:
    """Say why the output ends here; whoever closed a pipe knows."""
    say = Phrasing.for_locale(locale_of(os.environ))
    # What is left to be written would fail once more when Python ends.
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    if isinstance(error, OSError) and error.errno != errno.EPIPE:
        reason = error.strerror or str(error)
        with suppress(OSError):
            print(
                say(
                    f"glossator: the output cannot be written: {reason}.",
                    f"glossator: 无法写入输出：{reason}。",
                ),
                file=sys.stderr,
                flush=True,
            )
