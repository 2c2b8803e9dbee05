"""Read files to be repaired and write them back as they were: encoding, mark and line breaks."""

from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError
from glossator.core.text import split_lines
from glossator.tools.decoding import decode_text
from glossator.tools.replacing import replace_file
from glossator.tools.workspace import Workspace


class CannotRewrite(Exception):
    """A file is not read or written; the text says why, in the reader's language."""


@dataclass(frozen=True, slots=True)
class Original:
    """A file before its repair. `text` is without the byte-order mark, `data` has all of it."""

    path: Path
    data: bytes
    text: str
    encoding: str

    def encode(self, text: str) -> bytes:
        """Return another text as this file would hold it."""
        n_marks = len(self.data) - len(self.text.encode(self.encoding))
        return self.data[:n_marks] + text.encode(self.encoding)


def read_original(path: Path, workspace: Workspace, say: Phrasing) -> Original:
    """Read a regular text file of the workspace.

    Raises:
        CannotRewrite: it stands outside, is a link, no text, or would not be written as it was.
    """
    try:
        workspace.locate(str(path))  # Refuses what stands outside or is never read.
        if path.is_symlink() or not path.is_file():
            raise CannotRewrite(say("it is no regular file", "不是普通文件"))
        data = path.read_bytes()
    except GlossatorError as error:
        raise CannotRewrite(say.translate(str(error))) from error
    except OSError as error:
        raise CannotRewrite(_tell_cause(error, say)) from error
    decoded = decode_text(data)
    if decoded is None:
        raise CannotRewrite(
            say("it is neither UTF-8 nor another encoding that is known", "编码无法识别")
        )
    original = Original(path, data, decoded.text, decoded.encoding)
    if original.encode(original.text) != data:
        raise CannotRewrite(
            say(f"it is not clean {decoded.encoding}", f"不是规范的 {decoded.encoding} 编码")
        )
    return original


def write_repaired(original: Original, text: str, say: Phrasing) -> None:
    """Put the new text in the place of the old one, in one step.

    Raises:
        CannotRewrite: the file has changed meanwhile, or cannot be written.
    """
    path = original.path
    try:
        if path.read_bytes() != original.data:
            raise CannotRewrite(say("it has changed meanwhile", "文件在此期间已改动"))
        replace_file(path, original.encode(text), mode=path.stat().st_mode & 0o777)
    except OSError as error:
        told = say("it cannot be written", "无法写入")
        raise CannotRewrite(f"{told}{say(': ', '：')}{_tell_cause(error, say)}") from error
    except UnicodeEncodeError as error:
        raise CannotRewrite(
            say(
                f"{original.encoding} has no {error.object[error.start]!r}",
                f"{original.encoding} 无法表示 {error.object[error.start]!r}",
            )
        ) from error


def render_diff(name: str, before: str, after: str) -> str:
    """Return a unified diff of two texts of the file that people see as `name`."""
    lines = unified_diff(
        split_lines(before), split_lines(after), f"a/{name}", f"b/{name}", lineterm=""
    )
    return "\n".join(lines) + "\n"


def _tell_cause(error: OSError, say: Phrasing) -> str:
    return error.strerror or say.translate(str(error))
