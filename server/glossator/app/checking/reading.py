"""The text of a file that is to be checked, or why it has none."""

import os
from pathlib import Path

from glossator.app.checking.reasons import Reason
from glossator.core.errors import GlossatorError, OutsideWorkspace
from glossator.tools.decoding import decode_text, describe_binary
from glossator.tools.workspace import Workspace


def read_data(path: str, workspace: Workspace) -> bytes | Reason:
    """Return what a file holds that a walk met or that was located."""
    try:
        content = workspace.read_walked_content(Path(path))
    except OutsideWorkspace:
        return Reason("missing")  # Something else was put in its place.
    except GlossatorError as error:
        if not os.path.lexists(path):
            return Reason("missing")
        return Reason("unreadable", (str(error),))
    if content.is_cut:
        return Reason("too-large", (content.size_bytes // 1024, len(content.data) // 1024))
    return content.data


def decode_data(data: bytes) -> str | Reason:
    """Return the text that data is."""
    decoded = decode_text(data)
    if decoded is not None:
        return decoded.text
    is_unknown = describe_binary(data) == "an unknown encoding"
    return Reason("encoding" if is_unknown else "binary")
