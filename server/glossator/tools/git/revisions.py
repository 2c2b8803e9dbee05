"""Branches, tags and commits by the names that people give them: `main`, `v1.2`, `HEAD~2`."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from glossator.core.errors import InvalidArguments, UnreadableRepository
from glossator.tools.escaping import quote_name
from glossator.tools.git.folder import GitFolder
from glossator.tools.git.objects import ObjectReader
from glossator.tools.opening import resolve_links

_MAX_REF_BYTES = 4096
_MAX_PACKED_BYTES = 64 * 1024 * 1024
_MAX_HOPS = 5
_MAX_STEPS = 10_000
_MAX_NAMED = 20
_HASH = re.compile(r"[0-9a-f]{40}")
_SHORT_HASH = re.compile(r"[0-9a-fA-F]{4,40}")
_STEP = re.compile(r"\^\{(?:commit)?\}|([~^])(\d*)")
_PLACES = ("", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/")
# What Git keeps beside HEAD, of each working tree.
_SPECIAL = re.compile(r"(?:[A-Z]+_)*HEAD")


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit. `name` is how it was asked for, `time_s` when it was made, since 1970."""

    name: str
    commit_id: str
    tree_id: str
    parents: tuple[str, ...]
    subject: str
    date: str
    time_s: int

    @property
    def label(self) -> str:
        """The revision in words: its name, short id, subject and date."""
        return f"{quote_name(self.name)} ({self.commit_id[:8]} {self.subject}, {self.date})"


class References:
    """The names of commits in one repository."""

    def __init__(
        self,
        folder: GitFolder,
        objects: ObjectReader,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        self._folder = folder
        self._objects = objects
        self._is_over = is_over
        self._packed: dict[str, str] | None = None
        self._borders: frozenset[str] | None = None

    @property
    def is_shallow(self) -> bool:
        """Whether older history was not copied."""
        return bool(self._list_borders())

    def list_parents(self, commit: Revision) -> tuple[str, ...]:
        """Return the commits before one; none where a shallow clone ends."""
        return () if commit.commit_id in self._list_borders() else commit.parents

    def _list_borders(self) -> frozenset[str]:
        """Return the commits of a shallow clone whose parents were not copied."""
        if self._borders is None:
            path = self._folder.common / "shallow"
            data = self._folder.read(path, limit_bytes=_MAX_PACKED_BYTES) or b""
            self._borders = frozenset(data.decode("ascii", "replace").split())
        return self._borders

    def resolve(self, text: str) -> Revision | None:
        """Return the commit that `text` names; None for HEAD while there are no commits.

        Raises:
            InvalidArguments: nothing has that name, or it is of a kind that is not understood.
            UnreadableRepository: the repository is broken, or history does not go so far.
        """
        name = text.strip() or "HEAD"
        base, steps = self._split(name)
        object_id = self._find(base)
        if object_id is None:
            if base == "HEAD" and not steps and self._is_unborn():
                return None
            raise InvalidArguments(self._describe_unknown(name))
        commit = self.read_commit(object_id, name)
        n_steps = 0
        for kind, number in steps:
            for _ in range(number if kind == "~" else min(number, 1)):
                parent = number if kind == "^" else 1
                if parent > len(commit.parents):
                    raise InvalidArguments(
                        f"{quote_name(name)} does not exist: history begins before it. "
                        "Name a later revision."
                    )
                n_steps += 1
                if n_steps > _MAX_STEPS or self._is_over():
                    raise InvalidArguments(f"{quote_name(name)} is too far back. Give a hash.")
                commit = self.read_commit(commit.parents[parent - 1], name)
        return commit

    def read_commit(self, object_id: str, name: str) -> Revision:
        """Return a commit, or the one that a tag is put on.

        Raises:
            InvalidArguments: the object is no commit.
            UnreadableRepository: it is missing or broken.
        """
        from dulwich.errors import FileFormatException
        from dulwich.objects import Commit, ShaFile, Tag

        numbers = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
        for _ in range(_MAX_HOPS):
            stored = self._objects.read(object_id)
            try:
                found = ShaFile.from_raw_string(numbers[stored.kind], stored.data)
                if isinstance(found, Tag):
                    object_id = found.object[1].decode("ascii")
                    continue
                if isinstance(found, Commit):
                    return _describe(found, object_id, name)
            # A time that the system cannot tell is an `OSError`.
            except (FileFormatException, ValueError, LookupError, TypeError, AttributeError,
                    OSError, OverflowError, AssertionError) as error:  # fmt: skip
                raise UnreadableRepository(
                    f"The commit of {quote_name(name)} is broken. Run `git fsck`."
                ) from error
            break
        raise InvalidArguments(f"{quote_name(name)} is no commit. Name a branch, tag or commit.")

    def _is_unborn(self) -> bool:
        """Say whether HEAD names a branch, as it does before that has its first commit."""
        data = self._folder.read(self._folder.own / "HEAD", limit_bytes=_MAX_REF_BYTES) or b""
        name = os.fsdecode(data).strip()
        if name.startswith("ref:") and _is_ref(name.removeprefix("ref:").strip()):
            return True
        raise UnreadableRepository("`HEAD` of the repository is broken. Run `git status`.")

    def _split(self, name: str) -> tuple[str, list[tuple[str, int]]]:
        """Return the name that a revision begins with, and the steps back from there."""
        if ".." in name:
            raise InvalidArguments(
                f"{quote_name(name)} is a range. Give one revision: the working tree is compared "
                "with it."
            )
        if "@{" in name or name.startswith(":") or "^{/" in name:
            raise InvalidArguments(
                f"{quote_name(name)} is not understood. Give a branch, a tag or a hash, with `~2` "
                "for commits before it."
            )
        match = re.search(r"[~^]", name)
        base, rest = (name, "") if match is None else (name[: match.start()], name[match.start() :])
        steps: list[tuple[str, int]] = []
        while rest:
            step = _STEP.match(rest)
            if step is None or len(rest) > 100:
                raise InvalidArguments(f"{quote_name(name)} is no revision. Try `HEAD~2`.")
            if step[1]:
                steps.append((step[1], int(step[2]) if step[2] else 1))
            rest = rest[step.end() :]
        return ("HEAD" if base in {"", "@"} else base), steps

    def _find(self, name: str) -> str | None:
        """Return the id that a name without steps stands for."""
        if _HASH.fullmatch(name):
            return name
        for place in _PLACES:
            found = self._read_ref(place + name)
            if found is not None:
                return found
        remote = self._read_ref(f"refs/remotes/{name}/HEAD")
        if remote is not None or not _SHORT_HASH.fullmatch(name):
            return remote
        ids = self._objects.find_by_prefix(name.lower())
        if len(ids) > 1:
            ids = {one for one in ids if self._objects.read(one).kind in {"commit", "tag"}}
        if len(ids) > 1:
            raise InvalidArguments(
                f"{quote_name(name)} begins {len(ids)} commits. Give more of it."
            )
        return next(iter(ids), None)

    def _read_ref(self, name: str, n_hops: int = 0) -> str | None:
        if not _is_ref(name) or n_hops > _MAX_HOPS:
            return None
        folder = self._folder.common if name.startswith("refs/") else self._folder.own
        data = self._folder.read(folder / name, limit_bytes=_MAX_REF_BYTES)
        if data is None:
            return self._read_packed().get(name)
        text = os.fsdecode(data).strip()
        if text.startswith("ref:"):
            return self._read_ref(text.removeprefix("ref:").strip(), n_hops + 1)
        # FETCH_HEAD has more behind the id.
        if not _HASH.fullmatch(text[:40]):
            raise UnreadableRepository(
                f"{quote_name(name)} of the repository is broken. Run `git fsck`."
            )
        return text[:40]

    def _read_packed(self) -> dict[str, str]:
        if self._packed is None:
            path = self._folder.common / "packed-refs"
            data = self._folder.read(path, limit_bytes=_MAX_PACKED_BYTES) or b""
            pairs = (line.split(b" ", 1) for line in data.splitlines() if line[:1] not in b"#^")
            self._packed = {
                os.fsdecode(pair[1]): pair[0].decode("ascii", "replace")
                for pair in pairs
                if len(pair) == 2
            }
        return self._packed

    def _describe_unknown(self, name: str) -> str:
        names = self._list_branches()
        there = ", ".join(quote_name(one) for one in names[:_MAX_NAMED]) or "none"
        more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
        return f"There is no revision {quote_name(name)}. The branches are: {there}{more}."

    def _list_branches(self) -> list[str]:
        prefix = "refs/heads/"
        names = {name for name in self._read_packed() if name.startswith(prefix)}
        top = self._folder.common / "refs" / "heads"
        # Behind a link stand names that are nobody's branches.
        is_real = resolve_links(top) == str(top)
        for folder, folders, files in os.walk(top) if is_real else ():
            if len(names) > 1000:
                break
            folders.sort()
            below = Path(folder).relative_to(top).as_posix()
            names.update(f"{prefix}{below}/{file}".replace("/./", "/") for file in files)
        return sorted(name.removeprefix(prefix) for name in names)


def _is_ref(name: str) -> bool:
    """Say whether Git would take this as the name of a branch or the like, as no path elsewhere."""
    from dulwich.refs import check_ref_format

    if _SPECIAL.fullmatch(name):
        return True
    try:
        data = os.fsencode(name)
    except UnicodeEncodeError:  # Half a character.
        return False
    return name.startswith("refs/") and check_ref_format(data)  # type: ignore[arg-type] # its own type for a name


def _describe(commit: object, object_id: str, name: str) -> Revision:
    from dulwich.objects import Commit

    assert isinstance(commit, Commit)
    message = commit.message.decode("utf-8", "replace").strip()
    subject = message.partition("\n")[0][:80]
    return Revision(
        name=name,
        commit_id=object_id,
        tree_id=commit.tree.decode("ascii"),
        parents=tuple(parent.decode("ascii") for parent in commit.parents),
        subject=quote_name(subject)[1:-1],
        date=datetime.fromtimestamp(commit.commit_time, UTC).date().isoformat(),
        time_s=commit.commit_time,
    )
