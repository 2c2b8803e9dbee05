"""Read the library: list what stands on the shelves, read what is not known, put it together."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from glossator.app.library.assembling import assemble
from glossator.app.library.items import Item, is_of_shelf, is_same_text
from glossator.app.library.listing import (
    ShelfLook,
    find_changed_folders,
    look_again,
    look_at,
    show_below,
)
from glossator.app.library.shelf import Shelf
from glossator.app.library.signatures import Signature, is_settled
from glossator.app.library.value import Known, Library
from glossator.app.results import Problem
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.knowledge.documents import Document

Progress = Callable[[int, int], None]

# An editor that empties a file and writes it anew is done sooner.
_BEING_WRITTEN_NS = 1_000_000_000


def read_library(
    shelves: Iterable[Shelf],
    *,
    disabled_rules: Iterable[str] = (),
    previous: Library | None = None,
    known: Known | None = None,
    changed: Iterable[Path] | None = None,
    on_progress: Progress = lambda done, total: None,
    on_step: Callable[[], None] = lambda: None,
) -> Library:
    """Read every shelf. A file that cannot be used becomes a problem; the others are read.

    What `previous` or `known` has of files that are the same is taken over. With `changed`, only
    those files and folders are looked at. `on_progress` hears how far it is whenever a text is
    another one; `on_step` is called then and more often, and may raise to give up. Blocks on the
    file system: call it in a worker thread.
    """
    started = time.monotonic()
    shelves = tuple(shelves)
    known = previous.known if previous is not None else known or Known()
    key = tuple(shelf.key for shelf in shelves)
    if known.key != key:
        # Other folders, or other names for the same ones: each file is read, and compared.
        known, changed = replace(known, looks=()), None
    looks = _look(shelves, known.looks, changed)
    reader = _Reader(known, trusts_signatures=known.key == key)
    files = [
        (shelf, file, signature)
        for shelf, look in zip(shelves, looks, strict=True)
        for file, signature in look.list_files()
    ]
    for number, each in enumerate(files):
        if reader.read(*each):
            on_progress(number, len(files))
            on_step()
    reader.problems.extend(problem for look in looks for problem in look.list_problems())
    now_known = replace(
        known, key=key, items=reader.items, looks=looks, unsettled=frozenset(reader.unsettled)
    )
    return assemble(
        now_known,
        reader.documents,
        reader.problems,
        disabled_rules=frozenset(disabled_rules),
        previous=previous,
        started=started,
        on_step=on_step,
    )


def find_changes(shelves: Sequence[Shelf], library: Library) -> list[Path]:
    """Return the folders in which something came or went since the library was read."""
    return [
        Path(place)
        for shelf, look in zip(shelves, library.known.looks, strict=False)
        if shelf.files is None
        for place in find_changed_folders(look)
    ]


def _look(
    shelves: Sequence[Shelf], looks: tuple[ShelfLook, ...], changed: Iterable[Path] | None
) -> tuple[ShelfLook, ...]:
    if changed is None or len(looks) != len(shelves):
        return tuple(look_at(shelf) for shelf in shelves)
    paths = _resolve_folders(changed)
    return tuple(look_again(shelf, look, paths) for shelf, look in zip(shelves, looks, strict=True))


def _resolve_folders(paths: Iterable[Path]) -> list[str]:
    """Return the paths without links in their folders; their last names stay as they are."""
    paths = tuple(paths)
    real = {folder: os.path.realpath(folder) for folder in {path.parent for path in paths}}
    return [os.path.join(real[path.parent], path.name) for path in paths]  # noqa: PTH118 - strings are wanted


class _Reader:
    """Reads the files that are not known to be the same.

    `documents` are those that were parsed, by shown path.
    """

    def __init__(self, known: Known, *, trusts_signatures: bool) -> None:
        self.items: dict[str, Item] = {}
        self.documents: dict[str, Document] = {}
        self.problems: list[Problem] = []
        self.unsettled: list[str] = []
        self._known = known
        self._trusts_signatures = trusts_signatures

    def read(self, shelf: Shelf, file: str, signature: Signature | None) -> bool:
        """Take a file in, as the first shelf has it; say whether its text is another one."""
        if file in self.items:
            return False
        known = self._known.items.get(file)
        if known is not None and not self._known.has_document(known.path):
            known = None
        if known is not None and self._is_untouched(known, shelf, signature):
            self.items[file] = known
            return False
        now_ns = time.time_ns()
        try:
            source = shelf.read(Path(file))
            stamp = shelf.stamp(Path(file)) if shelf.stamp is not None else ""
        except (GlossatorError, OSError, ValueError) as error:
            self.problems.append(Problem(show_below(shelf, file), 1, str(error)))
            return False
        if signature is not None and (
            source.version is not None or not is_settled(signature, now_ns)
        ):
            signature = None  # It may change without a sign of it.
        if known is not None and _is_being_written(known, source, file, now_ns):
            self.unsettled.append(file)
            self.items[file] = replace(known, signature=None)
        elif known is not None and is_same_text(known, shelf, source, stamp):
            self.items[file] = replace(known, signature=signature)
        else:
            # Loaded with the first text: at most starts none is another one.
            from glossator.app.library.making import make_item

            self.items[file], document = make_item(shelf, file, source, signature, stamp)
            self.documents[source.name] = document
            return True
        return False

    def _is_untouched(self, known: Item, shelf: Shelf, signature: Signature | None) -> bool:
        return (
            self._trusts_signatures
            and signature is not None
            and known.signature == signature
            and shelf.files is None
            and is_of_shelf(known, shelf)
        )


def _is_being_written(known: Item, source: SourceText, file: str, now_ns: int) -> bool:
    """Say whether a file that had text was emptied a moment ago."""
    if source.text or source.version is not None or not known.has_text:
        return False
    try:
        emptied_ns = os.stat(file).st_mtime_ns  # noqa: PTH116 - beside the other calls of its kind
    except OSError:
        return False
    return 0 <= now_ns - emptied_ns < _BEING_WRITTEN_NS
