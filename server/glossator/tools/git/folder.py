"""Where a repository keeps its things, and the only way its files are opened.

A repository is somebody else's data. No program is started, so no hook, filter, pager, helper or
monitor of it can be; its configuration is read for what the format of its files is and for nothing
else. Only files that stand in the repository's own folder are opened, judged by their handles: a
link in it cannot lead out. A `.git` file may name a folder elsewhere (a linked working tree, a
submodule) when that folder names this working tree as well, which only its owner can write there.
"""

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from glossator.core.errors import UnreadableRepository
from glossator.tools.escaping import quote_name
from glossator.tools.opening import NotAllowed, open_regular, read_content, resolve_links

if TYPE_CHECKING:  # Loaded when a repository is looked at.
    from dulwich.config import ConfigFile

_MAX_POINTER_BYTES = 4096
_MAX_CONFIG_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class GitFolder:
    """A repository. `top` has the working files, `own` HEAD and the index of these.

    `common` has the objects, branches and tags, which linked working trees share. All three are
    real paths.
    """

    top: Path
    own: Path
    common: Path

    def read(self, path: Path, *, limit_bytes: int) -> bytes | None:
        """Return what a file of the repository holds, None when it is not there.

        Raises:
            UnreadableRepository: it leads out of the repository, or is too large.
        """
        file = self.open(path)
        if file is None:
            return None
        with file:
            if os.fstat(file.fileno()).st_size > limit_bytes:
                raise UnreadableRepository(
                    f"{self._name(path)} is larger than any that Git writes; it is not read."
                )
            return file.read(limit_bytes)

    def open(self, path: Path) -> BinaryIO | None:
        """Return a file of the repository opened for reading, None when it cannot be.

        Raises:
            UnreadableRepository: it leads out of the repository.
        """
        try:
            handle, _ = open_regular(str(path), is_allowed=self._is_allowed)
        except NotAllowed as error:
            raise self._leads_out(path) from error
        except (OSError, ValueError):
            return None
        return os.fdopen(handle, "rb")

    def _is_allowed(self, real: str) -> bool:
        return any(real.startswith(f"{folder}{os.sep}") for folder in (self.own, self.common))

    def _leads_out(self, path: Path) -> UnreadableRepository:
        return UnreadableRepository(
            f"{self._name(path)} leads out of the repository, so it is not followed. "
            "Read the files themselves instead."
        )

    def _name(self, path: Path) -> str:
        folder = self.common if path.is_relative_to(self.common) else self.own
        return quote_name(f".git/{path.relative_to(folder).as_posix()}")


@dataclass(frozen=True, slots=True)
class GitFormat:
    """What the repository's configuration says about its files."""

    is_bare: bool = False
    keeps_file_mode: bool = True
    is_partial: bool = False


def find_repository(start: Path, root: Path) -> GitFolder | None:
    """Return the repository that holds `start`, a real path in or at the workspace folder `root`.

    Raises:
        UnreadableRepository: its `.git` leads where it may not be followed.
    """
    for folder in (start, *start.parents):
        entry = folder / ".git"
        if not os.path.lexists(entry):
            continue
        # What stands above the workspace belongs to whoever opened it; inside, to its author.
        area = root if folder.is_relative_to(root) else folder
        found = _enter(entry, area)
        if found is not None:
            return found
    return None


def is_bare_repository(folder: Path) -> bool:
    """Say whether `folder` is itself what `.git` is elsewhere: a repository without files."""
    return (
        (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
    )


def read_format(folder: GitFolder) -> GitFormat:
    """Return what has to be known of the configuration.

    Raises:
        UnreadableRepository: the configuration is broken, or says that the files are of a format
            that is not read here.
    """
    from dulwich.config import ConfigFile

    data = folder.read(folder.common / "config", limit_bytes=_MAX_CONFIG_BYTES) or b""
    try:
        # Nothing that it includes is read: `include.path` may name any file.
        config = ConfigFile.from_file(io.BytesIO(data), expand_includes=False)
    except ValueError as error:
        raise UnreadableRepository("`.git/config` is broken. Run `git config --list`.") from error
    extensions = _values(config, b"extensions")
    if extensions.get("objectformat", "sha1") != "sha1":
        raise UnreadableRepository(
            "This repository names its objects by SHA-256, which is not read yet. "
            "Read the files themselves instead."
        )
    if extensions.get("refstorage", "files") != "files" or (folder.common / "reftable").is_dir():
        raise UnreadableRepository(
            "This repository keeps its branches in a reftable, which is not read yet. "
            "Read the files themselves, or run `git refs migrate --ref-format=files`."
        )
    core = _values(config, b"core")
    return GitFormat(
        is_bare=core.get("bare", "false") in {"true", "yes", "on", "1"},
        keeps_file_mode=core.get("filemode", "true") not in {"false", "no", "off", "0"},
        is_partial="partialclone" in extensions,
    )


def _values(config: "ConfigFile", section: bytes) -> dict[str, str]:
    if not config.has_section((section,)):
        return {}
    return {
        name.decode("utf-8", "replace").lower(): value.decode("utf-8", "replace").lower()
        for name, value in config.items((section,))
    }


def _enter(entry: Path, area: Path) -> GitFolder | None:
    """Return the repository that a `.git` opens, None when it is none."""
    real = Path(resolve_links(entry))
    if real.is_dir():
        if not real.is_relative_to(area):
            raise _refuse_pointer()
        if not os.path.lexists(real / "HEAD"):
            return None  # As Git does: an empty folder of that name is nothing.
        if os.path.lexists(real / "commondir"):
            raise _refuse_pointer()
        return GitFolder(entry.parent, real, real)
    text = _read_pointer(entry, real.parent)
    if text is None or not text.startswith("gitdir:"):
        return None
    own = _resolve(entry.parent, text.removeprefix("gitdir:").strip())
    if not own.is_dir():
        raise UnreadableRepository(
            "The repository of this working tree, which `.git` names, does not exist. Run "
            "`git worktree repair` in the main working tree."
        )
    if not own.is_relative_to(area) and not _points_back(own, entry):
        raise _refuse_pointer()
    return GitFolder(entry.parent, own, _find_common(own, area))


def _points_back(own: Path, entry: Path) -> bool:
    """Say whether the folder that a `.git` file names has that working tree as its own."""
    pointer = _read_pointer(own / "gitdir", own)
    if pointer is not None:
        return _resolve(own, pointer) == Path(resolve_links(entry))
    from dulwich.config import ConfigFile

    try:
        data = read_content(
            str(own / "config"),
            limit_bytes=_MAX_CONFIG_BYTES,
            is_allowed=lambda real: real == str(own / "config"),
        ).data
        config = ConfigFile.from_file(io.BytesIO(data), expand_includes=False)
        tree = config.get((b"core",), b"worktree")
    except (OSError, ValueError, KeyError):
        return False
    return _resolve(own, os.fsdecode(tree)) == Path(resolve_links(entry.parent))


def _find_common(own: Path, area: Path) -> Path:
    """Return the folder that a working tree's folder shares with the main repository."""
    pointer = _read_pointer(own / "commondir", own)
    if pointer is None:
        return own
    common = _resolve(own, pointer)
    is_expected = own.parent.name == "worktrees" and common == own.parent.parent
    if not is_expected or (own.is_relative_to(area) and not common.is_relative_to(area)):
        raise _refuse_pointer()
    return common


def _read_pointer(path: Path, folder: Path) -> str | None:
    """Return the one line of a file that names a folder; the file itself must stand in `folder`."""
    try:
        content = read_content(
            str(path),
            limit_bytes=_MAX_POINTER_BYTES,
            is_allowed=lambda real: real == str(folder / path.name),
        )
    except (OSError, ValueError):
        return None
    return os.fsdecode(content.data).strip()


def _resolve(base: Path, text: str) -> Path:
    try:
        return Path(resolve_links(base / text))
    except ValueError as error:  # A NUL in it.
        raise _refuse_pointer() from error


def _refuse_pointer() -> UnreadableRepository:
    return UnreadableRepository(
        "`.git` leads to a repository elsewhere that does not name this folder as its working "
        "tree, so it is not followed. Open that repository's own folder."
    )
