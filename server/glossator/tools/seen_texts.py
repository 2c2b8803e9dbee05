"""The texts that one turn has read: its answer is judged by them, not by the disk of later."""

import threading
from pathlib import Path

from glossator.core.text import SourceText

# Enough for every file that a turn reads in earnest; beyond it the disk has to do.
_MAX_CHARACTERS = 50_000_000


class SeenTexts:
    """Texts by file, each version once. Threads may add and ask at the same time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_path: dict[Path, list[SourceText]] = {}
        self._n_characters = 0
        self._given: dict[str, SourceText] = {}

    def add(self, source: SourceText) -> None:
        """Remember a text that has a file; an open document is seen as its editor holds it."""
        if source.path is None:
            return
        with self._lock:
            versions = self._by_path.setdefault(source.path, [])
            known = next((each for each in versions if each.text == source.text), None)
            if known is not None:
                versions.remove(known)
            elif self._n_characters + len(source.text) > _MAX_CHARACTERS:
                return
            else:
                self._n_characters += len(source.text)
            versions.append(source)

    def add_given(self, source: SourceText) -> None:
        """Remember a text that has no file here: it came from elsewhere, as it is."""
        with self._lock:
            self._given[source.name] = source

    def find_given(self, name: str) -> SourceText | None:
        """Return the text that was given under a name, or under the one that ends with it."""
        with self._lock:
            exact = self._given.get(name)
            ending = [text for shown, text in self._given.items() if shown.endswith(f"/{name}")]
        return exact or (ending[0] if len(ending) == 1 else None)

    def versions_of(self, path: Path) -> tuple[SourceText, ...]:
        """Return the texts that were read of a file, the newest first."""
        with self._lock:
            return tuple(reversed(self._by_path.get(path, ())))

    def files_ending_with(self, name: str) -> tuple[Path, ...]:
        """Return the files that were read whose shown path is `name` or ends with it."""
        with self._lock:
            newest = [(path, texts[-1].name) for path, texts in self._by_path.items() if texts]
        return tuple(path for path, shown in newest if shown == name or shown.endswith(f"/{name}"))
