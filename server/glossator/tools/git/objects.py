"""The objects of a repository: commits, trees, tags and the content of files, by their ids.

What a file may say about its own size is not believed: inflating stops at a limit, so a small
file cannot fill the memory. Objects that another repository lends (`objects/info/alternates`) or
a server holds back (partial clones) are missing here; nothing is followed or fetched.
"""

import io
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Literal, Self

from glossator.core.errors import UnreadableRepository
from glossator.tools.git.folder import GitFolder

if TYPE_CHECKING:  # Loaded when a repository is looked at.
    from dulwich.pack import PackIndex

MAX_OBJECT_BYTES = 8 * 1024 * 1024
# Larger ones stay on the disk: a mapped file that somebody cuts off would end the process.
MAX_INDEX_IN_MEMORY = 64 * 1024 * 1024
_MAX_PACKS = 1000
_MAX_CHAIN = 512
_MAX_DELTAS = 4  # All deltas of a chain together, in largest objects.
_MAX_CACHED_BYTES = 32 * 1024 * 1024

Kind = Literal["commit", "tree", "blob", "tag"]
_KINDS: dict[int, Kind] = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}


class MissingObject(UnreadableRepository):
    """An object that is not in this repository."""


class ObjectTooLarge(UnreadableRepository):
    """An object of more bytes than are read."""

    def __init__(self, size_bytes: int) -> None:
        self.size_bytes = size_bytes
        super().__init__(f"An object of the repository has {size_bytes} bytes; it is not read.")


@dataclass(frozen=True, slots=True)
class Stored:
    """An object as it is stored."""

    kind: Kind
    data: bytes


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """What a tree says about one name: `mode` as Git writes it, and the id of the object."""

    mode: int
    object_id: str


class ObjectReader:
    """Reads objects by id. Not safe for threads; to be closed after use."""

    def __init__(self, folder: GitFolder, *, limit_bytes: int = MAX_OBJECT_BYTES) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._packs: list[_Pack] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for pack in self._packs or ():
            pack.close()

    def read(self, object_id: str) -> Stored:
        """Return an object.

        Raises:
            MissingObject, ObjectTooLarge: it is not here, or has too many bytes.
            UnreadableRepository: it is broken, or leads out of the repository.
        """
        with _reporting_broken(object_id):
            stored = self._read_loose(object_id)
            if stored is not None:
                return stored
            raw_id = bytes.fromhex(object_id)
            for pack in self._find_packs():
                offset = pack.find(raw_id)
                if offset is not None:
                    return self._read_packed(pack, offset)
        raise MissingObject(
            f"The object `{object_id[:10]}` is not in this repository. {self._explain_missing()}"
        )

    def read_tree(self, object_id: str) -> dict[bytes, TreeEntry]:
        """Return what stands in a tree by name; names that no file can have are left out.

        Raises:
            MissingObject, ObjectTooLarge, UnreadableRepository: as `read`.
        """
        from dulwich.objects import parse_tree

        stored = self.read(object_id)
        if stored.kind != "tree":
            raise _broken(object_id)
        with _reporting_broken(object_id):
            return {
                name: TreeEntry(mode, entry_id.decode("ascii"))
                for name, mode, entry_id in parse_tree(stored.data, 20)
                if name not in {b"", b".", b".."} and b"/" not in name and b"\\" not in name
            }

    def find_by_prefix(self, prefix: str) -> set[str]:
        """Return the ids of the objects that begin with `prefix`, of four digits at least."""
        found: set[str] = set()
        with _reporting_broken(prefix):
            names = _list_names(self._folder.common / "objects" / prefix[:2])
            found.update(
                prefix[:2] + name
                for name in names
                if len(name) == 38 and name.startswith(prefix[2:]) and _is_hex(name)
            )
            for pack in self._find_packs():
                found.update(pack.find_by_prefix(prefix))
        return found

    def _read_loose(self, object_id: str) -> Stored | None:
        from dulwich.objects import ShaFile

        path = self._folder.common / "objects" / object_id[:2] / object_id[2:]
        if not os.path.lexists(path):
            return None
        data = self._folder.read(path, limit_bytes=2 * self._limit_bytes)
        if data is None:
            return None
        size = _read_loose_size(data)
        if size > self._limit_bytes:
            raise ObjectTooLarge(size)
        found = ShaFile.from_file(io.BytesIO(data), max_size=self._limit_bytes + 100)
        return Stored(_KINDS[found.type_num], found.as_raw_string())

    def _read_packed(self, pack: "_Pack", offset: int) -> Stored:
        """Return the object at `offset`: its base and then each change to that."""
        from dulwich.pack import apply_delta

        deltas: list[tuple[int, bytes]] = []
        n_bytes = 0
        while True:
            kind, data, base = pack.read_at(offset, self._limit_bytes)
            if kind in _KINDS:
                break
            n_bytes += len(data)
            if len(deltas) > _MAX_CHAIN or n_bytes > _MAX_DELTAS * self._limit_bytes:
                raise ValueError("an endless chain of deltas")
            size = _read_delta_size(data)
            if size > self._limit_bytes:
                raise ObjectTooLarge(size)
            deltas.append((offset, data))
            at_base = pack.find(base) if isinstance(base, bytes) else base
            if at_base is None:
                raise ValueError("a delta that builds on nothing")
            offset = at_base
        for at, delta in reversed(deltas):
            data = b"".join(apply_delta(data, delta))
            pack.keep(at, kind, data)
        return Stored(_KINDS[kind], data)

    def _find_packs(self) -> "list[_Pack]":
        if self._packs is None:
            self._packs = []
            folder = self._folder.common / "objects" / "pack"
            names = sorted(name for name in _list_names(folder) if name.endswith(".idx"))
            if len(names) > _MAX_PACKS:
                raise UnreadableRepository(
                    f"The repository has {len(names)} packs, too many to look into. Run `git gc`."
                )
            for name in names:
                pack = _Pack.open(self._folder, folder / name)
                if pack is not None:
                    self._packs.append(pack)
        return self._packs

    def _explain_missing(self) -> str:
        objects = self._folder.common / "objects"
        if os.path.lexists(objects / "info" / "alternates"):
            return (
                "It borrows objects from another repository, which is not followed; "
                "`git repack -a -d` copies them here."
            )
        if os.path.lexists(self._folder.common / "shallow"):
            return "The clone is shallow: older history was not copied. Name a later revision."
        return (
            "It was not copied (a partial clone) or is lost; nothing is fetched. "
            "`git fsck` tells more."
        )


class _Pack:
    """A pack and its index; the pack itself is opened when something in it is wanted."""

    def __init__(self, folder: GitFolder, path: Path, index: "PackIndex") -> None:
        self._folder = folder
        self._path = path
        self._index = index
        self._file: BinaryIO | None = None
        self._cache: dict[int, tuple[int, bytes]] = {}
        self._n_cached_bytes = 0

    @classmethod
    def open(cls, folder: GitFolder, path: Path) -> "_Pack | None":
        from dulwich.object_format import SHA1
        from dulwich.pack import load_pack_index_file

        file: BinaryIO | None = folder.open(path)
        if file is None:
            return None
        if os.fstat(file.fileno()).st_size <= MAX_INDEX_IN_MEMORY:
            with file:
                file = io.BytesIO(file.read(MAX_INDEX_IN_MEMORY))
        try:
            return cls(folder, path, load_pack_index_file(str(path), file, SHA1))
        except BaseException:
            file.close()
            raise

    def find(self, raw_id: bytes) -> int | None:
        """Return where in the pack an object stands."""
        from dulwich.objects import RawObjectID

        try:
            return self._index.object_offset(RawObjectID(raw_id))
        except KeyError:
            return None

    def find_by_prefix(self, prefix: str) -> Iterator[str]:
        for raw_id in self._index.iter_prefix(bytes.fromhex(prefix[: len(prefix) // 2 * 2])):
            object_id = raw_id.hex()
            if object_id.startswith(prefix):
                yield object_id

    def read_at(self, offset: int, limit_bytes: int) -> tuple[int, bytes, int | bytes | None]:
        """Return type, content and, for a change to another object, where or what that is."""
        from dulwich.pack import unpack_object

        if offset in self._cache:
            kind, data = self._cache[offset]
            return kind, data, None
        if self._file is None:
            self._file = self._folder.open(self._path.with_suffix(".pack"))
            if self._file is None:
                raise MissingObject(f"The pack `{self._path.stem[:20]}` is gone. Run `git fsck`.")
        file = self._file
        file.seek(offset)
        size = _read_size(file.read(16))
        if size > limit_bytes:
            raise ObjectTooLarge(size)
        file.seek(offset)
        unpacked, _ = unpack_object(file.read, sha1, file.read, zlib_bufsize=4096)
        data = b"".join(unpacked.decomp_chunks)
        base = unpacked.delta_base
        if isinstance(base, int):
            if not 0 < base <= offset:
                raise ValueError("a delta that builds on nothing")
            base = offset - base
        elif base is None:
            self.keep(offset, unpacked.pack_type_num, data)
        return unpacked.pack_type_num, data, base

    def keep(self, offset: int, kind: int, data: bytes) -> None:
        """Remember an object: many are stored as changes to the same one."""
        if self._n_cached_bytes > _MAX_CACHED_BYTES:
            self._cache.clear()
            self._n_cached_bytes = 0
        self._cache[offset] = kind, data
        self._n_cached_bytes += len(data)

    def close(self) -> None:
        self._index.close()
        if self._file is not None:
            self._file.close()


@contextmanager
def _reporting_broken(object_id: str) -> Iterator[None]:
    """Turn what the library raises for bytes that are no object into one error of ours."""
    from dulwich.errors import ApplyDeltaError, FileFormatException
    from dulwich.pack import PackFileDisappeared

    try:
        yield
    except UnreadableRepository:
        raise
    except (
        ApplyDeltaError, FileFormatException, PackFileDisappeared, zlib.error, struct.error,
        AssertionError, ValueError, LookupError, TypeError, OverflowError, OSError,
    ) as error:  # fmt: skip
        raise _broken(object_id) from error


def _list_names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


def _broken(object_id: str) -> UnreadableRepository:
    return UnreadableRepository(
        f"The object `{object_id[:10]}` of the repository is broken. Run `git fsck`."
    )


def _read_loose_size(data: bytes) -> int:
    """Return the size that a loose object gives itself, before it is inflated."""
    header = zlib.decompressobj().decompress(data, 64)
    return int(header.partition(b"\x00")[0].partition(b" ")[2] or b"0")


def _read_size(header: bytes) -> int:
    """Return the size in the first bytes of a packed object: four bits, then seven a byte."""
    size, shift = header[0] & 0x0F, 4
    for position, byte in enumerate(header):
        if position:
            size |= (byte & 0x7F) << shift
            shift += 7
        if not byte & 0x80:
            return size
    raise ValueError("no end of the size")


def _read_delta_size(delta: bytes) -> int:
    """Return the size of what a delta makes: the second of the numbers that it begins with."""
    sizes: list[int] = []
    size = shift = 0
    for byte in delta[:32]:
        size |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            sizes.append(size)
            if len(sizes) == 2:
                return size
            size = shift = 0
    raise ValueError("no end of the sizes")


def _is_hex(text: str) -> bool:
    return all(character in "0123456789abcdef" for character in text)
