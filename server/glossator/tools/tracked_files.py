"""How one tracked file of a working tree differs from a revision."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha1
from pathlib import Path

from glossator.core.errors import GlossatorError, UnreadableRepository
from glossator.core.text import SourceText
from glossator.tools.changes import Change, Scene, is_below
from glossator.tools.decoding import decode_text
from glossator.tools.git.folder import find_repository
from glossator.tools.git.index_file import Index, IndexEntry
from glossator.tools.git.objects import ObjectReader, TreeEntry
from glossator.tools.git.revisions import References
from glossator.tools.protection import is_protected
from glossator.tools.walking import FileOnDisk

_LINK, _SUBMODULE, _FILE = 0o120000, 0o160000, 0o100000


@dataclass(slots=True)
class TrackedFiles:
    """Compares tracked files one by one; what folders are is remembered."""

    scene: Scene
    index: Index
    tree: Mapping[str, TreeEntry]
    _real_folders: dict[str, bool] = field(default_factory=dict)

    def compare(self, path: str) -> Change | None:
        """Return the change of the file at a path as Git writes it; None when there is none."""
        parts = path.split("/")
        if any(part in {"", ".", ".."} for part in parts) or "\\" in path or "\x00" in path:
            return None  # No working tree has such a file.
        real = f"{self.scene.folder.top}{os.sep}{path.replace('/', os.sep)}"
        old, entry = self.tree.get(path), self.index.entries.get(path)
        found = self._look(real)
        if is_protected(parts):
            return _compare_protected(path, real, old, entry, found)
        if path in self.index.conflicts:
            return Change("U", path, Path(real), old, notes=("merge conflict",))
        document = self.scene.documents.get(real)
        if document is None and (found is None or stat.S_ISDIR(found.st_mode)):
            return self._compare_missing(path, real, old, entry, found)
        if old is None:
            return Change("A", path, Path(real))
        if document is not None:
            return self._compare_document(path, real, old, document, found)
        assert found is not None
        return self._compare_file(path, real, old, entry, found)

    def _compare_file(
        self, path: str, real: str, old: TreeEntry, entry: IndexEntry | None, found: os.stat_result
    ) -> Change | None:
        is_link = stat.S_ISLNK(found.st_mode)
        if is_link != (old.mode == _LINK) or old.mode == _SUBMODULE:
            kind = {_LINK: "a link", _SUBMODULE: "a submodule"}.get(old.mode, "a file")
            return Change("T", path, Path(real), old, notes=(f"was {kind}",))
        notes = self._compare_modes(old, found)
        if entry is not None and entry.matches(found):
            new_id = entry.object_id
        elif is_link:
            new_id = _hash_blob(os.fsencode(Path(real).readlink()))
        else:
            file = FileOnDisk(real, found.st_size, found.st_mtime_ns)
            data = self.scene.workspace.read_walked_bytes(file)
            if data is None:
                notes = (*notes, "not compared: too large or unreadable")
                return Change("M", path, Path(real), old, notes=notes, is_listed_only=True)
            new_id = _hash_blob(data)
        is_same = new_id == old.object_id
        if is_same and not notes:
            return None
        return Change("M", path, Path(real), old, notes=notes, is_listed_only=is_same)

    def _compare_document(
        self,
        path: str,
        real: str,
        old: TreeEntry,
        document: SourceText,
        found: os.stat_result | None,
    ) -> Change | None:
        """Compare what the editor holds; its texts carry neither byte-order mark nor encoding."""
        notes = self._compare_modes(old, found) if found is not None else ()
        try:
            decoded = decode_text(self.scene.objects.read(old.object_id).data)
        except UnreadableRepository:
            decoded = None
        if decoded is None or decoded.text != document.text:
            return Change("M", path, Path(real), old, notes=(*notes, "as open in the editor"))
        if not notes:
            return None
        return Change("M", path, Path(real), old, notes=notes, is_listed_only=True)

    def _compare_modes(self, old: TreeEntry, found: os.stat_result) -> tuple[str, ...]:
        if not self.scene.format.keeps_file_mode or os.name == "nt" or old.mode & 0o170000 != _FILE:
            return ()
        new_mode = 0o755 if found.st_mode & 0o100 else 0o644
        old_mode = 0o755 if old.mode & 0o100 else 0o644
        return () if new_mode == old_mode else (f"mode {old_mode:o} -> {new_mode:o}",)

    def _compare_missing(
        self,
        path: str,
        real: str,
        old: TreeEntry | None,
        entry: IndexEntry | None,
        found: os.stat_result | None,
    ) -> Change | None:
        """Compare where no file stands: it is gone, or a submodule."""
        mode = old.mode if old is not None else entry.mode if entry is not None else 0
        if mode == _SUBMODULE and found is not None:
            return self._compare_submodule(path, real, old)
        if old is None or self._is_left_out(path, entry):
            return None
        notes = ("submodule",) if mode == _SUBMODULE else ()
        return Change("D", path, Path(real), old, notes=notes, is_listed_only=bool(notes))

    def _compare_submodule(self, path: str, real: str, old: TreeEntry | None) -> Change | None:
        old_id = old.object_id if old else ""
        new_id = self._find_head(Path(real))
        if new_id == old_id or (not new_id and old):
            return None
        note = f"submodule, {old_id[:8] or 'new'} -> {new_id[:8] or '?'}; ask with its path"
        change = Change("M", path, Path(real), old, notes=(note,), is_listed_only=True)
        return change if old else replace(change, status="A")

    def _find_head(self, top: Path) -> str:
        """Return the commit that a submodule has checked out, "" when that cannot be told."""
        try:
            folder = find_repository(top, self.scene.folder.top)
            if folder is None or folder.top != top:
                return ""
            with ObjectReader(folder) as objects:
                revision = References(folder, objects).resolve("HEAD")
        except GlossatorError:
            return ""
        return revision.commit_id if revision else ""

    def _is_left_out(self, path: str, entry: IndexEntry | None) -> bool:
        """Say whether a sparse checkout leaves out a file."""
        if entry is not None:
            return entry.is_left_out
        return any(is_below(path, folder) for folder in self.index.folders_left_out)

    def _look(self, real: str) -> os.stat_result | None:
        """Return the status of what stands at a path; behind a linked folder there is nothing."""
        if not self._is_real_folder(real.rpartition(os.sep)[0]):
            return None
        try:
            found = os.lstat(real)
        except (OSError, ValueError):
            return None
        kinds = (stat.S_ISREG, stat.S_ISLNK, stat.S_ISDIR)
        return found if any(is_kind(found.st_mode) for is_kind in kinds) else None

    def _is_real_folder(self, folder: str) -> bool:
        known = self._real_folders.get(folder)
        if known is None:
            known = folder == str(self.scene.folder.top)
            if not known:
                try:
                    known = stat.S_ISDIR(os.lstat(folder).st_mode)
                except (OSError, ValueError):
                    known = False
                known = known and self._is_real_folder(folder.rpartition(os.sep)[0])
            self._real_folders[folder] = known
        return known


def _compare_protected(
    path: str,
    real: str,
    old: TreeEntry | None,
    entry: IndexEntry | None,
    found: os.stat_result | None,
) -> Change | None:
    """Say what can be said of a protected file without reading it."""
    change = Change("M", path, Path(real), old, is_protected=True)
    if old is None:
        return replace(change, status="A") if found is not None else None
    if found is None:
        is_left_out = entry is not None and entry.is_left_out
        return None if is_left_out else replace(change, status="D")
    # It is never read, so that what only its content could tell is no change: a clone writes its
    # files and the index in the same moment.
    if entry is not None and entry.has_status(found):
        return change if entry.object_id != old.object_id else None
    return replace(change, notes=("its size or time differs",))


def _hash_blob(data: bytes) -> str:
    return sha1(b"blob %d\x00%s" % (len(data), data), usedforsecurity=False).hexdigest()
