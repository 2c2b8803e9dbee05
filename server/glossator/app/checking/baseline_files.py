"""Where the baseline of a workspace folder stands, and what it holds at this moment."""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from glossator.app.phrasing import Phrasing
from glossator.rules.suppressing.baseline import Baseline, Problem, parse_baseline
from glossator.tools.opening import read_content
from glossator.tools.workspace import Workspace

_MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """The baseline that counts for a document: `shown` is how the setting names it."""

    root: Path
    file: Path
    shown: str

    def is_gone(self, path: str) -> bool:
        """Say whether no file stands at a path below the folder any more."""
        return not os.path.lexists(self.root / path)


class Baselines:
    """The baselines of all folders, each read again when it is another one. For any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: dict[Path, tuple[Any, Baseline]] = {}

    def read(self, place: BaselineFile, workspace: Workspace) -> Baseline:
        """Return what a baseline holds: in the editor if it is open there, else on the disk."""
        source = workspace.buffers.get(place.file)
        if source is not None:
            return self._look_up(place.file, source, lambda: parse_baseline(source.text))
        try:
            status = place.file.stat()
        except FileNotFoundError:
            return Baseline()
        except OSError as error:
            return _unreadable(error.strerror or str(error))
        return self._look_up(place.file, _sign(status), lambda: _read_file(place.file))

    def has_read(self, place: BaselineFile, workspace: Workspace) -> bool:
        """Say whether `read` would take no time: what the baseline holds is known, or nothing."""
        known, _ = self._known.get(place.file, (None, None))
        source = workspace.buffers.get(place.file)
        if source is not None:
            return source is known
        try:
            return _sign(place.file.stat()) == known
        except OSError:
            return True

    def _look_up(self, file: Path, signature: Any, read: Callable[[], Baseline]) -> Baseline:
        with self._lock:
            known, baseline = self._known.get(file, (None, Baseline()))
            if known is None or known != signature:
                baseline = read()
                self._known[file] = (signature, baseline)
            return baseline


def _sign(status: os.stat_result) -> tuple[int, int, int]:
    return (status.st_mtime_ns, status.st_size, status.st_ino)


def find_baseline(path: Path | None, workspace: Workspace, setting: str) -> BaselineFile | None:
    """Return the baseline for a file of the workspace; None where there is none to have.

    The setting names a file below the workspace folder; one that leads out of it is none.
    """
    root = workspace.find_root(path) if path is not None else None
    if root is None or not setting.strip():
        return None
    try:
        file = _resolve(root, setting)
    except (OSError, ValueError):
        return None
    return BaselineFile(root, file, setting) if file is not None else None


def _resolve(root: Path, setting: str) -> Path | None:
    """Return the real path of the file below a root, which has no links in it itself."""
    place = str(root)
    # With every save: mostly there is no baseline, or no link on the way to it.
    for name in setting.split("/"):
        place = f"{place}{os.sep}{name}"
        try:
            is_plain = name not in ("", ".", "..") and not stat.S_ISLNK(os.lstat(place).st_mode)
        except FileNotFoundError:
            is_plain = True
        if not is_plain:
            file = Path(os.path.realpath(root / setting))
            return file if file.is_relative_to(root) else None
    return _join(root, setting)


# With every save it is the same path, and to make one takes longer than to look it up.
@lru_cache(maxsize=64)
def _join(root: Path, setting: str) -> Path:
    return root / setting


def tell_problem(problem: Problem, shown: str, say: Phrasing) -> str:
    """Say what is wrong with a baseline and what follows from it."""
    place = f"`{shown}:{problem.line}`"
    match problem.trouble:
        case "conflict":
            return say(
                f"{place} holds the marks of a merge conflict. The entries of both sides count; "
                "nothing is written there until the conflict is resolved.",
                f"{place} 含有合并冲突标记。双方的条目都有效；解决冲突之前不会写入。",
            )
        case "syntax":
            return say(
                f"{place} is not JSON ({problem.detail}). The lines that can be read count; "
                "nothing is written there until it is repaired.",
                f"{place} 不是合法的 JSON（{problem.detail}）。能读取的行有效；修复之前不会写入。",
            )
        case "version":
            return say(
                f"`{shown}` is of version {problem.detail}, which this Glossator does not know. "
                "What can be read counts; nothing is written there.",
                f"`{shown}` 的版本是 {problem.detail}，此版 Glossator 不认识。能读取的部分有效；"
                "不会写入。",
            )
        case "entry":
            return say(
                f"{place} is not an entry: it needs `path`, `rule`, `code` and `ruleHash`. The "
                "others count; nothing is written there until it is repaired.",
                f"{place} 不是合法的条目：需要 `path`、`rule`、`code` 和 `ruleHash`。其余条目有效；"
                "修复之前不会写入。",
            )
        case "unreadable":
            return say(
                f"`{shown}` cannot be read: {problem.detail}. Nothing is dismissed by it.",
                f"无法读取 `{shown}`：{say.translate(problem.detail)}。其中的条目不起作用。",
            )
        case "shape":
            return say(
                f"`{shown}` is no baseline: it has no list `findings`. Nothing is written there.",
                f"`{shown}` 不是基线文件：没有 `findings` 列表。不会写入。",
            )


def _read_file(file: Path) -> Baseline:
    try:
        content = read_content(
            str(file), limit_bytes=_MAX_BYTES, is_allowed=lambda real: real == str(file)
        )
        if content.is_cut:
            return _unreadable(f"it is larger than {_MAX_BYTES // 1024 // 1024} MB")
        return parse_baseline(content.data.decode("utf-8"))
    except OSError as error:
        return _unreadable(error.strerror or str(error))
    except UnicodeDecodeError:
        return _unreadable("it is not UTF-8")


def _unreadable(detail: str) -> Baseline:
    return Baseline(problem=Problem("unreadable", 1, detail))
