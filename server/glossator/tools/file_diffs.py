"""What differs between two versions of a file: hunks of text, or a word on why there are none."""

import codecs
import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from glossator.core.errors import GlossatorError, UnreadableRepository
from glossator.core.text import SourceText, split_lines
from glossator.tools.changes import Change, Scene
from glossator.tools.decoding import decode_text, describe_binary
from glossator.tools.git.objects import ObjectTooLarge
from glossator.tools.line_diffs import Hunk, count_changes, find_hunks
from glossator.tools.protection import holds_private_key
from glossator.tools.workspace import Workspace, describe_size

MAX_BYTES = 64 * 1024 * 1024
MAX_PAIRS = 400
_MIN_SIMILARITY = 0.6
_LFS = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n"
)

Kind = Literal["text", "binary", "unread", "none"]


@dataclass(frozen=True, slots=True)
class Version:
    """One side. Of text `lines` end in a line feed each, the last one maybe not.

    `content_hash` is SHA-256; `is_pointer` when it is of content that Git LFS keeps elsewhere.
    """

    kind: Kind
    lines: tuple[str, ...] = ()
    size_bytes: int = 0
    description: str = ""
    line_ends: tuple[str, ...] = ()
    encoding: str = ""
    content_hash: str = ""
    is_pointer: bool = False


@dataclass(frozen=True, slots=True)
class FileDiff:
    """A change and what it is in detail: hunks, or notes that say why there are none."""

    change: Change
    notes: tuple[str, ...] = ()
    hunks: tuple[Hunk, ...] = ()
    old: Version | None = None
    new: Version | None = None

    @property
    def counts(self) -> tuple[int, int]:
        """How many lines were added and removed."""
        return count_changes(self.hunks)


def describe_changes(scene: Scene, changes: Iterable[Change]) -> list[FileDiff]:
    """Return the changes in detail, files that moved joined; as far as time and memory last."""
    left_bytes = MAX_BYTES
    diffs: list[FileDiff] = []
    for change in changes:
        if change.is_protected or change.is_listed_only:
            diffs.append(FileDiff(change, change.notes))
        elif scene.is_over() or left_bytes < 0:
            diffs.append(FileDiff(change, (*change.notes, "not compared: too much at once")))
        else:
            diff = _describe(scene, change)
            left_bytes -= sum(side.size_bytes for side in (diff.old, diff.new) if side)
            if diff.notes != _SAME:
                diffs.append(diff)
    return _join_moved(scene, diffs)


_SAME = ("same",)


def _describe(scene: Scene, change: Change) -> FileDiff:
    old, new = _read_old(scene, change), _read_new(scene, change)
    if old.is_pointer and not new.is_pointer and new.kind != "none":
        # The filter that would make one of the other is a program, and none is run.
        is_same = old.content_hash == new.content_hash
        note = f"kept by Git LFS, {describe_size(new.size_bytes)}"
        return FileDiff(change, _SAME if is_same else (*change.notes, note))
    return _diff(scene, change, old, new)


def _diff(scene: Scene, change: Change, old: Version, new: Version) -> FileDiff:
    notes = list(change.notes)
    sides = [side for side in (old, new) if side.kind != "none"]
    if any(side.kind != "text" for side in sides):
        notes.append(" -> ".join(dict.fromkeys(_describe_side(side) for side in sides)))
        return FileDiff(change, tuple(notes), (), old, new)
    if len(sides) == 2:
        notes += _compare_forms(old, new)
    hunks = find_hunks(old.lines, new.lines, scene.is_over)
    if not hunks and len(sides) == 2 and len(notes) == len(change.notes):
        notes.append("the same text in other bytes")
    if not hunks and len(sides) == 1:
        notes.append("empty")
    return FileDiff(change, tuple(notes), hunks, old, new)


def _compare_forms(old: Version, new: Version) -> list[str]:
    notes = []
    if old.line_ends != new.line_ends and old.line_ends and new.line_ends:
        before, after = ("/".join(side.line_ends) for side in (old, new))
        notes.append(f"line ends {before} -> {after}")
    if new.encoding and old.encoding != new.encoding:
        notes.append(f"encoding {old.encoding} -> {new.encoding}")
    return notes


def _describe_side(side: Version) -> str:
    if side.kind == "text":
        return "text"
    return f"{side.description}, {describe_size(side.size_bytes)}"


def _read_old(scene: Scene, change: Change) -> Version:
    if change.old is None:
        return Version("none")
    try:
        data = scene.objects.read(change.old.object_id).data
    except ObjectTooLarge as error:
        return Version("unread", size_bytes=error.size_bytes, description="too large")
    except UnreadableRepository as error:
        return Version("unread", description=f"old version: {error}")
    return _make_version(data)


def _read_new(scene: Scene, change: Change) -> Version:
    workspace = scene.workspace
    if change.status == "D":
        # Not even looked at: it may stand behind a link now.
        return Version("none")
    document = scene.documents.get(str(change.real))
    if document is not None:
        workspace.note(document)
        return _make_text(document.text, "")
    try:
        if change.real.is_symlink():
            return _make_version(os.fsencode(change.real.readlink()))
        content = workspace.read_bytes(change.real)
    except (GlossatorError, OSError) as error:
        reason = str(error) if isinstance(error, GlossatorError) else "unreadable"
        return Version("unread", description=reason)
    if content.is_cut:
        return Version("unread", size_bytes=content.size_bytes, description="too large")
    return _make_version(content.data, lambda text: _note(workspace, change.real, text))


def _note(workspace: Workspace, real: Path, text: str) -> None:
    """Count a text as read: what is shown of it may be cited."""
    name, below = workspace.show(real), workspace.path_below_root(real)
    workspace.note(SourceText(name, text, path=real, below=below))


def _make_version(data: bytes, note: Callable[[str], None] = lambda text: None) -> Version:
    if holds_private_key(data):
        return Version("unread", size_bytes=len(data), description="a private key, never read")
    pointer = _LFS.match(data) if len(data) < 1024 else None
    content_hash = pointer[1].decode("ascii") if pointer else hashlib.sha256(data).hexdigest()
    decoded = decode_text(data)
    if decoded is None:
        kind = "binary" if describe_binary(data) == "binary data" else describe_binary(data)
        return Version("binary", size_bytes=len(data), description=kind, content_hash=content_hash)
    mark = " with a byte-order mark" if data.startswith(codecs.BOM_UTF8) else ""
    note(decoded.text)
    version = _make_text(decoded.text, f"{decoded.encoding.upper()}{mark}")
    return replace(
        version,
        size_bytes=len(data),
        content_hash=content_hash,
        is_pointer=pointer is not None,
    )


def _make_text(text: str, encoding: str) -> Version:
    raw = split_lines(text, keep_ends=True)
    names = {"\r\n": "CRLF", "\n": "LF", "\r": "CR"}
    ends: Counter[str] = Counter()
    lines: list[str] = []
    for line in raw:
        plain = line.rstrip("\r\n")
        end = line[len(plain) :]
        if end:
            ends[names.get(end, "LF")] += 1
        lines.append(f"{plain}\n" if end else plain)
    return Version("text", tuple(lines), len(text), "", tuple(sorted(ends)), encoding)


def _join_moved(scene: Scene, diffs: Sequence[FileDiff]) -> list[FileDiff]:
    """Show a file that is gone and one that is new with nearly the same text as one that moved."""
    gone, come = split_moved(diffs)
    if not gone or not come or len(gone) * len(come) > MAX_PAIRS:
        return list(diffs)
    pairs = sorted(
        ((_compare_texts(old.old, new.new), i, j) for i, old in enumerate(gone)
         for j, new in enumerate(come)), reverse=True,
    )  # fmt: skip
    moved: dict[int, FileDiff] = {}
    taken: set[int] = set()
    for similarity, i, j in pairs:
        if similarity < _MIN_SIMILARITY or i in taken or id(come[j]) in moved:
            continue
        taken.add(i)
        moved[id(come[j])] = _join(scene, gone[i], come[j])
    dropped = {id(gone[i]) for i in taken}
    return [moved.get(id(diff), diff) for diff in diffs if id(diff) not in dropped]


def split_moved(diffs: Sequence[FileDiff]) -> tuple[list[FileDiff], list[FileDiff]]:
    """Return the files that are gone, and those that are new: some may be the same ones."""
    gone = [diff for diff in diffs if diff.change.status == "D" and _can_move(diff.old)]
    come = [diff for diff in diffs if diff.change.status in {"A", "?"} and _can_move(diff.new)]
    return gone, come


def _join(scene: Scene, gone: FileDiff, come: FileDiff) -> FileDiff:
    notes = come.change.notes if come.change.status == "A" else (*come.change.notes, "untracked")
    change = replace(
        come.change, status="R", old=gone.change.old, old_path=gone.change.path, notes=notes
    )
    assert gone.old is not None
    assert come.new is not None
    if gone.old.lines == come.new.lines:
        return FileDiff(change, notes, (), gone.old, come.new)
    return _diff(scene, change, gone.old, come.new)


def _can_move(version: Version | None) -> bool:
    return version is not None and version.kind in {"text", "binary"} and version.size_bytes > 0


def _compare_texts(old: Version | None, new: Version | None) -> float:
    """Return the share of lines that two versions have in common; of other files whether equal."""
    if old is None or new is None or old.kind != new.kind:
        return 0.0
    if old.kind != "text":
        return float(old.content_hash == new.content_hash)
    before, after = Counter(old.lines), Counter(new.lines)
    return (before & after).total() / max(len(old.lines), len(new.lines), 1)
