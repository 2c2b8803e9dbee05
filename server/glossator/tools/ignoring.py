"""Which files Git ignores, by the rules of `.gitignore` at every level.

Also ignored is what `.glossatorignore` names in the same way, and folders that tools generate and
no one reads, whether or not Git is told.
"""

import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.core.globs import compile_patterns
from glossator.core.text import split_lines
from glossator.tools.decoding import decode_text
from glossator.tools.opening import read_content

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

GENERATED_FOLDERS = frozenset(
    {"node_modules", "__pycache__", ".venv", ".tox", ".nox", ".mypy_cache", ".ruff_cache",
     ".pytest_cache", ".hypothesis", ".gradle", ".next", ".terraform", ".git", ".hg", ".svn"}
)  # fmt: skip
OWN_FILE = ".glossatorignore"
_MAX_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class _Layer:
    """Patterns that apply below `base`, a folder's path that ends with a separator."""

    base: str
    patterns: "GitIgnoreSpec"
    is_own: bool = False


Layers = tuple[_Layer, ...]


class IgnoreRules:
    """The ignore rules below one workspace root; files are read again when they change."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._lock = threading.Lock()
        self._cache: dict[str, tuple[tuple[int, int], GitIgnoreSpec | None]] = {}

    def layers_at_root(self) -> Layers:
        """Return the rules that apply in the root itself, those of folders above included."""
        return self.enter_all(_find_repository_folders(self._root), ())

    def enter(self, folder: str, layers: Layers) -> Layers:
        """Return `layers` with the rules added that begin in `folder`."""
        base = folder.rstrip(os.sep) + os.sep
        for name in (".gitignore", ".git/info/exclude", OWN_FILE):
            patterns = self._read(base + name)
            if patterns is not None:
                layers = (*layers, _Layer(base, patterns, name == OWN_FILE))
        return layers

    def layers_in(self, folder: Path) -> Layers:
        """Return the rules that apply to what stands in `folder`."""
        below = [str(above) for above in [folder, *folder.parents] if self._is_below(above)]
        return self.enter_all(reversed(below), self.layers_at_root())

    def enter_all(self, folders: Iterable[str], layers: Layers) -> Layers:
        """Enter folders from the outermost to the innermost.

        Who asks for what stands in an ignored folder means it: the rules above end there.
        """
        for folder in folders:
            name = folder.rpartition(os.sep)[2]
            if is_name_ignored(folder, name, layers, is_folder=True):
                layers = ()
            layers = self.enter(folder, layers)
        return layers

    def is_ignored(self, path: Path) -> bool:
        """Say whether `path` or a folder above it is ignored; it must stand below the root."""
        layers = self.layers_at_root()
        parts = path.relative_to(self._root).parts
        folder = self._root.rstrip(os.sep)
        for depth, name in enumerate(parts):
            is_folder = depth < len(parts) - 1 or path.is_dir()
            entry = f"{folder}{os.sep}{name}"
            if is_name_ignored(entry, name, layers, is_folder=is_folder):
                return True
            if is_folder:
                layers = self.enter(entry, layers)
            folder = entry
        return False

    def _is_below(self, folder: Path) -> bool:
        return str(folder) != self._root and folder.is_relative_to(self._root)

    def _read(self, path: str) -> "GitIgnoreSpec | None":
        try:
            status = os.lstat(path)
        except OSError:
            return None
        key = (status.st_mtime_ns, status.st_size)
        with self._lock:
            cached = self._cache.get(path)
        if cached is not None and cached[0] == key:
            return cached[1]
        patterns = _read_patterns(path)
        with self._lock:
            self._cache[path] = (key, patterns)
        return patterns


def is_name_ignored(
    path: str, name: str, layers: Layers, *, is_folder: bool, by_git: bool = False
) -> bool:
    """Say whether `path`, whose last name is `name`, is ignored; the folders above are not asked.

    As in Git the innermost rule that speaks about the path decides. `by_git` asks for Git alone.
    """
    if is_folder and name in GENERATED_FOLDERS:
        return True
    for layer in reversed(layers):
        if by_git and layer.is_own:
            continue
        below = path[len(layer.base) :]
        if os.sep == "\\":
            below = below.replace("\\", "/")
        verdict = layer.patterns.check_file(f"{below}/" if is_folder else below).include
        if verdict is not None:
            return verdict
    return False


def _find_repository_folders(root: str) -> Iterable[str]:
    """Return the folders from the repository's top down to `root`; only `root` outside of Git."""
    top = Path(root)
    chain = [top, *top.parents]
    for number, folder in enumerate(chain):
        if os.path.lexists(folder / ".git"):
            return [str(above) for above in reversed(chain[: number + 1])]
    return [root]


def _read_patterns(path: str) -> "GitIgnoreSpec | None":
    try:
        # Git does not follow a link here either.
        content = read_content(
            path, limit_bytes=_MAX_BYTES, is_allowed=lambda real: real == os.path.realpath(path)
        )
    except OSError:
        return None
    decoded = decode_text(content.data, is_complete=not content.is_cut)
    if decoded is None:
        return None
    lines = split_lines(decoded.text)
    try:
        return compile_patterns(lines)
    except ValueError:
        return compile_patterns(_keep_valid(lines))


def _keep_valid(lines: Iterable[str]) -> list[str]:
    """Return the lines that are patterns: one broken line must not switch the others off."""
    kept = []
    for line in lines:
        try:
            compile_patterns([line])
        except ValueError:
            continue
        kept.append(line)
    return kept
