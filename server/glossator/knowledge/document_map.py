"""The documents of an index by path, each made when it is asked for."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from glossator.knowledge.documents import Document
from glossator.knowledge.overlay import Overlay
from glossator.knowledge.segment import Segment


class DocumentMap(Mapping[str, Document]):
    """Documents in the order of their paths, and what is asked of all of them at once."""

    def __init__(self, segment: Segment, overlay: Overlay) -> None:
        self._segment = segment
        self._changed = overlay.documents
        self._keys = overlay.keys

    def __getitem__(self, path: str) -> Document:
        if path in self._changed:
            placed = self._changed[path]
            if placed is None:
                raise KeyError(path)
            return placed.document
        return self._segment.document(self._segment.numbers[path])

    def __contains__(self, path: object) -> bool:
        if not isinstance(path, str):
            return False
        if path in self._changed:
            return self._changed[path] is not None
        return path in self._segment.numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        if not self._changed:
            return self._segment.paths
        put = [path for path, placed in self._changed.items() if placed is not None]
        return tuple(sorted([*self._unchanged(self._segment.paths), *put]))

    def _unchanged(self, paths: tuple[str, ...] | list[str]) -> list[str]:
        return [path for path in paths if path not in self._changed]

    @cached_property
    def always(self) -> frozenset[str]:
        """The paths of documents that join every question."""
        put = [p for p, placed in self._changed.items() if placed and placed.document.always]
        return frozenset([*self._unchanged(self._segment.always), *put])

    @cached_property
    def manual(self) -> frozenset[str]:
        """The paths of documents that count only when a question names them."""
        put = [p for p, placed in self._changed.items() if placed and placed.document.manual]
        return frozenset([*self._unchanged(self._segment.manual), *put])

    @cached_property
    def globs(self) -> Mapping[str, tuple[str, ...]]:
        """The globs of documents that speak of certain files, by path, in order."""
        found = {
            path: self._segment.globs[path] for path in self._unchanged([*self._segment.globs])
        }
        for path, placed in self._changed.items():
            if placed and placed.document.globs:
                found[path] = placed.document.globs
        return dict(sorted(found.items()))

    def list_mentioned(self, said: frozenset[str], at_most: int) -> list[str]:
        """Return the paths that have any of the words `said` among their keys (`mentions`).

        A key of more documents than `at_most` tells nothing.
        """
        below = self._segment
        found: set[str] = set()
        for key in said & (below.keys.keys() | self._keys.keys()):
            paths = self._unchanged([below.paths[number] for number in below.keys.get(key, ())])
            paths += self._keys.get(key, ())
            if len(paths) <= at_most:
                found.update(paths)
        return sorted(found)
