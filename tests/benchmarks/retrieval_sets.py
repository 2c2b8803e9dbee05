"""Sets of sections with questions, as files: `data/README.md` describes them."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
TUNED_ON = ("fastapi-en", "fastapi-zh", "vue-en", "vue-zh")
"""Parameters were chosen on these; the repositories of the others were held out."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A section: its name in the set, and its text."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, of what kind it is, and the sections that answer it."""

    kind: str
    question: str
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Foreign:
    """A question that no set answers. Those of the kind `near` are about similar tools."""

    kind: str
    language: str
    question: str


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """Sections, the questions they answer, and questions that they do not answer."""

    name: str
    pieces: tuple[Piece, ...]
    asked: tuple[Asked, ...]
    foreign: tuple[Foreign, ...]


def read_set(folder: Path) -> RetrievalSet:
    """Read a set; questions that it does not answer may stand in the folder above it."""
    pieces = tuple(Piece(row["id"], row["text"]) for row in _read_rows(folder, "sections"))
    asked = tuple(
        Asked(row.get("kind", "heading"), row["question"], frozenset(row["answers"]))
        for row in _read_rows(folder, "questions")
    )
    rows = list(_read_rows(folder, "foreign")) or list(_read_rows(folder.parent, "foreign"))
    foreign = tuple(
        Foreign(row.get("kind", "foreign"), row.get("language", ""), row["question"])
        for row in rows
    )
    return RetrievalSet(folder.name, pieces, asked, foreign)


def list_sets(folder: Path = DATA) -> list[Path]:
    """Return the folders of the sets that are shipped."""
    return sorted(path.parent for path in folder.glob("*/sections.jsonl*"))


def _read_rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of all files whose name begins so, plain or compressed."""
    for path in sorted(folder.glob(f"{name}*.jsonl*")):
        content = path.read_bytes()
        text = gzip.decompress(content) if path.suffix == ".gz" else content
        for line in text.decode("utf-8").splitlines():
            if line.strip():
                yield json.loads(line)
