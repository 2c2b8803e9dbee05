"""A file that a command is asked about: it has to be there."""

import os
from pathlib import Path

from glossator.app.phrasing import Phrasing
from glossator.core.errors import InvalidArguments, UnreadableFile


def locate_named(path: Path, say: Phrasing) -> Path:
    """Return the whole path of a file as it was named.

    Raises:
        UnreadableFile: there is nothing.
        InvalidArguments: it is a folder.
    """
    # Unlike the methods of Path these take a name that is too long or holds NUL.
    if not os.path.exists(path):  # noqa: PTH110
        raise UnreadableFile(say(f"`{path}` does not exist.", f"`{path}` 不存在。"))
    if os.path.isdir(path):  # noqa: PTH112
        raise InvalidArguments(
            say(f"`{path}` is a folder; name a file.", f"`{path}` 是文件夹；请指定文件。")
        )
    return path.absolute()
