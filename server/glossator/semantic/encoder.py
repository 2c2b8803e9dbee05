"""The port: what turns texts into vectors, wherever it runs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from glossator.core.errors import GlossatorError

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[tuple[int, int], np.dtype[np.float32]]


class EncoderUnavailable(GlossatorError):
    """Texts cannot be turned into vectors now; the text names the reason and the next step.

    `wait_s` is how long to leave the encoder alone, 0 not at all; None leaves it to the caller.
    """

    code = "encoder-unavailable"

    def __init__(self, message: str, *, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class Encoder(Protocol):
    """Turns texts into vectors of length one, so that a product is a cosine.

    Vectors of the same `name` can be compared with each other and with no others.
    """

    @property
    def name(self) -> str:
        """The model, and where it is asked if that matters."""
        ...

    @property
    def batch_size(self) -> int:
        """How many texts are best given at once."""
        ...

    @property
    def least_cosine(self) -> float:
        """Below this nothing is close, whatever the sections are; 0 where it was not measured."""
        ...

    def encode(self, texts: Sequence[str], *, timeout_s: float) -> "Matrix":
        """Return a row for each text. Blocks: call it in a worker thread.

        Raises:
            EncoderUnavailable: there is no whole answer in time.
        """
        ...

    def close(self) -> None:
        """End what runs for it; a call that waits is refused."""
        ...
