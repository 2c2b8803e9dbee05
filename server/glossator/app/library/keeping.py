"""Where the library is kept from one start to the next, and when it is worth writing.

It is a copy that can be made again: whatever goes wrong here costs time at the next start and
nothing else.
"""

import hashlib
import logging
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from glossator.app.library.catalogue import pack, unpack
from glossator.app.library.items import Item
from glossator.app.library.shelf import Shelf
from glossator.app.library.value import Known, Library
from glossator.knowledge.index import KnowledgeIndex
from glossator.knowledge.snapshot import SnapshotUnusable

_log = logging.getLogger(__name__)

_UNUSED_AFTER_S = 60 * 24 * 3600
# So few changed files, beside all of them, are read again sooner than all is written.
_WORTH_WRITING = 1 / 500


class Kept:
    """The file that holds the library of some shelves. `problem` says why it cannot be written."""

    def __init__(self, folder: Path, shelves: Iterable[Shelf]) -> None:
        key = "\n".join("\t".join(shelf.key) for shelf in shelves)
        name = hashlib.blake2b(key.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
        self.file = folder / f"{name}.index"
        self.problem = ""
        self._items: Mapping[str, Item] = {}

    def recall(self) -> Known | None:
        """Return what was known at the end of an earlier run, if that can be used."""
        try:
            index = KnowledgeIndex.load(self.file)
        except SnapshotUnusable as error:
            if self.file.exists():
                _log.info("The kept index is not used, everything is read: %s", error)
            return None
        known = unpack(index)
        if known is None:
            _log.info("The kept index is of another version, everything is read.")
        else:
            self._items = known.items
        return known

    def keep(self, library: Library) -> KnowledgeIndex | None:
        """Write the library; return its index, made flat."""
        try:
            self._make_folder()
            saved = library.index.save(self.file, note=pack(library.known))
        except OSError as error:
            self._give_up(error)
            return None
        self.problem = ""
        self._items = library.known.items
        _remove_unused(self.file.parent)
        return saved

    def is_worth_writing(self, library: Library) -> bool:
        """Say whether enough is different from what the file holds."""
        items = library.known.items
        n_other = sum(self._items.get(file) is not item for file, item in items.items())
        n_other += sum(file not in items for file in self._items)
        return n_other > len(items) * _WORTH_WRITING

    def _make_folder(self) -> None:
        # What is read in a workspace is nobody else's business.
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _give_up(self, error: OSError) -> None:
        if not self.problem:
            _log.warning("The index cannot be kept in %s: %s", self.file.parent, error)
        self.problem = (
            f"The index cannot be kept in `{self.file.parent}` ({error.strerror or error}), so "
            "each start reads all files. Make room there, or let the folder be written."
        )


def rest_on(library: Library, saved: KnowledgeIndex) -> Library:
    """Return the library that was kept, with its index as it is kept."""
    return replace(library, index=saved, known=replace(library.known, index=saved))


def _remove_unused(folder: Path) -> None:
    """Remove what workspaces left that were not opened for a long time."""
    limit = time.time() - _UNUSED_AFTER_S
    with suppress(OSError), os.scandir(folder) as scan:
        for entry in scan:
            with suppress(OSError):
                if entry.is_file(follow_symlinks=False) and entry.stat().st_mtime < limit:
                    Path(entry.path).unlink()
