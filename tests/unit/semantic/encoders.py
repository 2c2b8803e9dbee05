"""An encoder that knows a few meanings, so that tests know what is near."""

import threading
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from glossator.semantic.encoder import EncoderUnavailable

if TYPE_CHECKING:
    from glossator.semantic.encoder import Matrix


class MeaningEncoder:
    """Puts texts that share a meaning close together; `meanings` maps each to its words.

    `fail` makes it refuse until it is empty again, and sets `refused`; `asked` counts texts. It
    waits while `hold` is not set.
    """

    name = "meanings-1"
    batch_size = 2
    least_cosine = 0.3

    def __init__(self, meanings: Sequence[Sequence[str]]) -> None:
        self._meanings = meanings
        self.asked = 0
        self.fail = ""
        self.refused = threading.Event()
        self.hold = threading.Event()
        self.hold.set()

    def encode(self, texts: Sequence[str], *, timeout_s: float) -> "Matrix":
        if self.fail:
            self.refused.set()
            raise EncoderUnavailable(self.fail)
        if not self.hold.wait(timeout_s):
            raise EncoderUnavailable("It took too long.")
        self.asked += len(texts)
        return np.stack([self._encode(text) for text in texts])

    def close(self) -> None:
        self.fail = "closed"

    def _encode(self, text: str) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
        vector = np.random.default_rng(zlib.crc32(text.encode())).normal(0, 0.02, 64)
        for number, words in enumerate(self._meanings):
            vector[number] += any(word in text for word in words)
        return (vector / np.linalg.norm(vector)).astype(np.float32)
