"""A path as a model, a user or an editor writes it, made into spellings that can be tried.

Nothing is expanded: `~`, `$HOME` and their like are names as good as any other, and refused when
no file has them.
"""

import os
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes, urlsplit

from glossator.core.errors import OutsideWorkspace, UnreadableFile
from glossator.tools.escaping import quote_name

_MAX_NAME_BYTES = 255
_MAX_PATH_BYTES = 4096
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?://|(?<=^file:)/)")
_ESCAPED_BYTE = re.compile(r"\\x([89a-f][0-9a-f])")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


def candidate_spellings(text: str) -> Iterator[str]:
    """Yield the ways to take `text` as a path, the literal one first.

    Raises:
        OutsideWorkspace: it is an address that is no local file.
        UnreadableFile: it can be no path.
    """
    path = _decode_uri(text) if _SCHEME.match(text) else text
    if "\x00" in path:
        raise UnreadableFile(f"{quote_name(text)} is not a path: it holds a NUL character.")
    try:
        data = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise UnreadableFile(
            f"{quote_name(text)} is not a path: it holds half a character."
        ) from None
    if len(data) > _MAX_PATH_BYTES or any(len(name) > _MAX_NAME_BYTES for name in data.split(b"/")):
        raise UnreadableFile(f"{quote_name(text)} is not a path: it is too long.")
    yield path or "."
    for form in ("NFC", "NFD"):
        # One name may be written in two ways that look alike; macOS writes the other one.
        if not path.isascii() and (same := unicodedata.normalize(form, path)) != path:
            yield same
    if path != path.strip() and path.strip():
        yield path.strip()
    if "\\" in path and os.sep == "/":
        # Bytes that are not UTF-8 as `show` writes them, then Windows separators.
        raw = _ESCAPED_BYTE.sub(lambda match: chr(0xDC00 + int(match[1], 16)), path)
        if raw != path:
            yield raw
        if _DRIVE.match(path):
            raise OutsideWorkspace(
                f"{quote_name(text)} is outside the workspace. Use a path below the workspace "
                "folder, such as `src/main.py`."
            )
        yield path.replace("\\", "/")


def _decode_uri(text: str) -> str:
    """Return the path of a `file:` URI; anything lossy or remote is refused."""
    try:
        parts = urlsplit(text)
    except ValueError:
        raise UnreadableFile(f"{quote_name(text)} is not a valid URI.") from None
    if parts.scheme.lower() != "file":
        raise OutsideWorkspace(
            f"{quote_name(text)} is not a local file. Use a path below the workspace folder."
        )
    # Four slashes are how some programs write another machine's share.
    if parts.netloc.lower() not in {"", "localhost"} or parts.path.startswith("//"):
        raise OutsideWorkspace(
            f"{quote_name(text)} is on another machine. Use a path below the workspace folder."
        )
    if _BROKEN_ESCAPE.search(parts.path):
        raise UnreadableFile(f"{quote_name(text)} is not a valid URI: a broken `%` escape.")
    try:
        path = unquote_to_bytes(parts.path).decode("utf-8")
    except UnicodeError:
        raise UnreadableFile(f"{quote_name(text)} is not a valid URI: it is not UTF-8.") from None
    if os.sep == "\\":
        return path.removeprefix("/")
    return path
