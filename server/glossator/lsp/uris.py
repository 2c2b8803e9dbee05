"""Paths and URIs. Only `file:` names a file; every other scheme names a document without one."""

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_DRIVE = re.compile(r"/[A-Za-z]:")


def path_from_uri(uri: str) -> Path | None:
    """Return the path a `file:` URI names, unresolved; None for any other URI.

    A file of another host is none of this machine, but for Windows, which has paths for those.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme.lower() != "file" or not parts.path:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if "\0" in path or not _can_be_a_name(path):
        return None
    host = "" if parts.netloc.lower() == "localhost" else parts.netloc
    if os.name == "nt":
        return _windows_path(host, path)
    return None if host else Path(path)


def real_path_from_uri(uri: str) -> Path | None:
    """Return the path without links, the one key by which a file is known; None without a file."""
    path = path_from_uri(uri)
    return None if path is None else Path(os.path.realpath(path))


def uri_from_path(path: Path) -> str:
    """Return the `file:` URI of an absolute path."""
    return path.as_uri()


def name_from_uri(uri: str) -> str:
    """Return how a document is called by people: the last part of its URI."""
    text = unquote(re.split(r"[?#]", uri, maxsplit=1)[0])
    # Half a surrogate pair in a name would fail wherever the name is written.
    text = text.encode("utf-8", "replace").decode("utf-8")
    return re.split(r"[/\\:]", text.rstrip("/"))[-1] or uri


def is_below(uri: str, folder_uri: str) -> bool:
    """Say whether `uri` is `folder_uri` or something inside it, as written."""
    return uri == folder_uri or uri.startswith(folder_uri.rstrip("/") + "/")


def _can_be_a_name(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:  # Half a surrogate pair.
        return False
    return True


def _windows_path(host: str, path: str) -> Path:
    if host:
        return Path(f"//{host}{path}")
    return Path(path[1:] if _DRIVE.match(path) else path)
