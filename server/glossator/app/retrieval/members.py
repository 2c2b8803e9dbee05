"""Who finds knowledge beside words: vectors of the sections, and an index that a team shares."""

import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from glossator.app.library import Library
from glossator.app.results import MeaningStatus, SharedStatus
from glossator.core.text import SourceText
from glossator.knowledge.documents import Section

if TYPE_CHECKING:  # They load what only a question needs.
    from glossator.app.retrieval.meaning import Meaning
    from glossator.shared.desk import SharedDesk

_MAX_GIVEN = 200
_EXAMINE_S = 5.0


class Given:
    """What was given of documents without a file, as texts that citations are judged by.

    Only the lines that were given hold anything. The latest documents are remembered, so that a
    later turn of a session may cite what an earlier one was given.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: dict[str, dict[int, str]] = {}

    def add(self, sections: Iterable[Section]) -> None:
        """Remember sections of shared documents; all others have files."""
        with self._lock:
            for section in sections:
                lines = self._lines.pop(section.path, {})
                texts = section.text.split("\n")
                lines |= dict(enumerate(texts, section.first_line))
                self._lines[section.path] = lines
            while len(self._lines) > _MAX_GIVEN:
                del self._lines[next(iter(self._lines))]

    def list_texts(self) -> tuple[SourceText, ...]:
        """Return the documents, each with the lines that were given in their places."""
        with self._lock:
            return tuple(
                SourceText(
                    path, "\n".join(lines.get(n, "") for n in range(1, max(lines) + 1)) + "\n"
                )
                for path, lines in self._lines.items()
            )


@dataclass(frozen=True, slots=True)
class Members:
    """Who is asked beside words. `said` holds what people were told already, until it passes.

    `expects_meaning`: people chose to find by meaning, so that it is news where it is not done yet.
    """

    meaning: "Meaning | None" = None
    shared: "SharedDesk | None" = None
    said: dict[str, str] = field(default_factory=dict)
    given: Given = field(default_factory=Given, repr=False)
    expects_meaning: bool = False

    def follow(self, library: Library, *, compute: bool) -> None:
        """Prepare for questions to `library`; returns at once."""
        if self.meaning is not None:
            items = library.known.items.values()
            versions = {item.path: f"{item.content_hash} {item.stamp}" for item in items}
            self.meaning.follow(library.index, compute=compute, versions=versions)

    def describe_meaning(self) -> MeaningStatus | None:
        """Return how far the vectors are, where there are any."""
        return self.meaning.describe() if self.meaning is not None else None

    def describe_shared(self) -> SharedStatus | None:
        """Return what is known about the shared index, without asking it."""
        if self.shared is None:
            return None
        seen = self.shared.seen
        return SharedStatus(
            collection=self.shared.collection,
            address=self.shared.address.shown,
            n_documents=seen.n_documents if seen else 0,
            n_sections=seen.n_sections if seen else 0,
            vectors=seen.vectors if seen else (),
            problem=self.shared.problem,
        )

    def list_problems(self) -> list[str]:
        """Say why a member finds less than it could."""
        problems = [self.meaning.describe().problem] if self.meaning is not None else []
        problems += [self.shared.problem] if self.shared is not None else []
        return [problem for problem in problems if problem]

    def examine(self) -> None:
        """Learn how things are, as long as that takes seconds; `describe_…` then tell it."""
        if self.meaning is not None:
            self.meaning.wait(_EXAMINE_S)
            self.meaning.measure_cache()
        if self.shared is not None:
            from glossator.shared.connecting import SharedUnavailable

            with suppress(SharedUnavailable):
                self.shared.survey()

    def close(self) -> None:
        """End what runs for them."""
        if self.meaning is not None:
            self.meaning.close()
        if self.shared is not None:
            self.shared.close()
