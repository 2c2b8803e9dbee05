"""What is watched for a library: its folders, what links lead to, and the settings beside it."""

import asyncio
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from glossator.app.library.value import Library
from glossator.app.parts import SETTINGS_FILES, Parts
from glossator.app.phrasing import Phrasing
from glossator.core.markdown_names import is_markdown_name
from glossator.instructions.places import RULE_FOLDERS
from glossator.watch.folders import FolderWatcher

# As many files are looked at before each answer; of more, only the folders.
_FEW_FILES = 2_000


class LibraryWatch:
    """Hears of the files of a library. Use it on the event loop; `check` in a worker thread."""

    def __init__(self, parts: Parts, hear: Callable[[frozenset[Path]], None]) -> None:
        self._parts = parts
        self._watcher = FolderWatcher(
            parts.workspace.roots,
            self._list_folders(None),
            hear,
            is_interesting=self.concerns,
            mode=parts.settings.knowledge.watch,
        )

    async def start(self) -> None:
        """Begin to watch."""
        await asyncio.to_thread(self._watcher.start)

    async def stop(self) -> None:
        """Watch no longer."""
        await asyncio.to_thread(self._watcher.stop)

    async def follow(self, library: Library) -> None:
        """Watch what the library was read from, links and single files included."""
        await asyncio.to_thread(self._follow, library)

    def _follow(self, library: Library) -> None:
        places = _list_places(library, self._parts)
        self._watcher.watch(self._list_folders(library), places)

    def concerns(self, path: Path) -> bool:
        """Say whether a file may be one of the library or of the settings."""
        team_files = self._parts.team_files
        is_ours = is_markdown_name(path.name) or path.name in SETTINGS_FILES
        return is_ours or (team_files is not None and team_files.concerns(path))

    def take(self) -> frozenset[Path]:
        """Return what changed and was not handed over yet."""
        return self._watcher.take()

    def needs_full_look(self, library: Library) -> bool:
        """Say whether files may have changed unheard of; watch again what was lost."""
        self._watcher.check()
        return len(library.known.items) <= _FEW_FILES or not self._watcher.is_healthy()

    def explain(self, say: Phrasing) -> str:
        """Say how changes are found when that is not by events."""
        match self._watcher.why_polling:
            case "setting":
                return say(
                    "`knowledge.watch` is `polling`: changes are found by looking every second.",
                    "按照 `knowledge.watch` 的设置，每秒查看一次知识是否变动。",
                )
            case "network":
                return say(
                    "Some knowledge is on a network drive: what changes there is found by looking "
                    "every second.",
                    "部分知识位于网络驱动器上，每秒查看一次其变动。",
                )
            case "limit":
                return say(
                    "The system watches no more folders, so changed knowledge is found by looking "
                    "every second. Raise `fs.inotify.max_user_watches`, or set `knowledge.watch` "
                    "to `polling`.",
                    "系统可监视的文件夹数量已用尽，改为每秒查看一次知识是否变动。"
                    "可调高 `fs.inotify.max_user_watches`，或将 `knowledge.watch` 设为 `polling`。",
                )
            case None:
                return ""

    def _list_folders(self, library: Library | None) -> tuple[Path, ...]:
        folders = dict.fromkeys(self._parts.watched_folders)
        if self._parts.team_files is not None:
            for root in self._parts.workspace.roots:
                folders.update(dict.fromkeys(root / folder.path for folder in RULE_FOLDERS))
        if library is not None:
            linked = (place for look in library.known.looks for place in look.list_linked())
            folders.update(dict.fromkeys(map(Path, linked)))
        return tuple(folders)


def _list_places(library: Library, parts: Parts) -> tuple[Path, ...]:
    """Return the folders of files that stand outside the watched ones, the user's settings too."""
    looks = zip(parts.shelves, library.known.looks, strict=False)
    alone: Iterable[str] = (
        file for shelf, look in looks if shelf.files is not None for file in look.listed
    )
    files = (*map(Path, alone), *parts.settings_files)
    return tuple(sorted({Path(os.path.realpath(file)).parent for file in files}))
