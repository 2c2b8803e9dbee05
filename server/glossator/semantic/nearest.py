"""Vectors of sections side by side: which of them are nearest to a question."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from glossator.semantic.encoder import Matrix

    Stored = np.ndarray[tuple[int, int], np.dtype[np.float16]]
    Rows = np.ndarray[tuple[int, int], np.dtype[np.floating[Any]]]

_BLOCK = 4096
_FAST_BYTES = 128 * 1024 * 1024
"""Up to so much, rows are held as 32-bit numbers: of 50,000 sections the nearest are then found
in 20 ms. Beyond it they stay as they are kept, which takes half the memory and ten times as long.
"""

Place = tuple[str, int]
"""Where a section stands: the path of its document and its first line."""


def text_to_encode(heading_path: Sequence[str], text: str) -> str:
    """Return what is encoded of a section: its headings, which say what it is about, and it."""
    return " › ".join(heading_path) + "\n" + text if heading_path else text


def hash_text(text: str) -> bytes:
    """Return a hash by which the vector of a text is found again."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def pack(matrix: "Matrix") -> list[bytes]:
    """Return each row as it is kept: 16-bit numbers, which change a cosine by less than 0.001."""
    import numpy as np

    return [row.tobytes() for row in matrix.astype(np.float16)]


def unpack(vectors: Sequence[bytes]) -> "Stored":
    """Return rows that were packed as one matrix."""
    import numpy as np

    return np.frombuffer(b"".join(vectors), dtype=np.float16).reshape(len(vectors), -1)


@dataclass(frozen=True, slots=True)
class VectorTable:
    """An immutable table: row n of `matrix` is the vector of the section at `places[n]`.

    `hashes` are those of the encoded texts.
    """

    places: tuple[Place, ...] = ()
    hashes: tuple[bytes, ...] = ()
    matrix: "Rows | None" = field(default=None, repr=False)

    def rearrange(
        self, wanted: Sequence[tuple[Place, bytes]], found: Mapping[bytes, bytes]
    ) -> "VectorTable":
        """Return a table of what is `wanted`, as far as it is here or was `found` elsewhere."""
        import numpy as np

        rows = {hash_: row for row, hash_ in enumerate(self.hashes)}
        n_columns = self.matrix.shape[1] if self.matrix is not None else 0
        # A model may have changed its mind behind the same name.
        fitting = {hash_: data for hash_, data in found.items() if len(data) == 2 * n_columns}
        if found and not fitting:
            rows, n_columns = {}, len(next(iter(found.values()))) // 2
            fitting = {hash_: data for hash_, data in found.items() if len(data) == 2 * n_columns}
        numbers = {hash_: len(rows) + n for n, hash_ in enumerate(fitting)}
        kept = [(place, hash_) for place, hash_ in wanted if hash_ in numbers or hash_ in rows]
        if not kept:
            return VectorTable()
        parts: list[Rows] = [unpack(list(fitting.values()))] if fitting else []
        if rows and self.matrix is not None:
            parts.insert(0, self.matrix)
        order = [numbers[hash_] if hash_ in numbers else rows[hash_] for _, hash_ in kept]
        is_small = 4 * len(order) * parts[0].shape[1] <= _FAST_BYTES
        kind = np.float32 if is_small else np.float16
        matrix: Rows = np.concatenate(parts)[order].astype(kind, copy=False)
        places, hashes = zip(*kept, strict=True)
        return VectorTable(places, hashes, matrix)

    def find_nearest(self, question: "Matrix", limit: int) -> list[tuple[int, float]]:
        """Return the rows with the highest cosines, best first. Ties stand in their order."""
        import numpy as np

        if self.matrix is None or not self.places:
            return []
        cosines = self._measure(question)[:, 0]
        limit = min(limit, len(cosines))
        best = np.argpartition(-cosines, limit - 1)[:limit]
        ordered = sorted(best.tolist(), key=lambda row: (-cosines[row], self.places[row]))
        return [(row, float(cosines[row])) for row in ordered]

    def find_highest(self, questions: "Matrix | Stored") -> list[float]:
        """Return the highest cosine of each question with any row."""
        if self.matrix is None or not self.places:
            return [0.0] * len(questions)
        return [float(value) for value in self._measure(questions).max(axis=0)]

    def _measure(self, questions: "Matrix | Stored") -> "Matrix":
        """Return the cosine of each row with each question; in blocks, so that memory is bounded.

        32-bit numbers are multiplied many times faster than 16-bit ones.
        """
        import numpy as np

        assert self.matrix is not None
        turned = np.ascontiguousarray(questions.T, dtype=np.float32)
        blocks = [
            self.matrix[start : start + _BLOCK].astype(np.float32, copy=False) @ turned
            for start in range(0, len(self.matrix), _BLOCK)
        ]
        return np.concatenate(blocks)
