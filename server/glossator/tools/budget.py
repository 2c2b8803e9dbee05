"""What one question about the code may cost."""

import time


class Budget:
    """How much one question may still cost; what it did not pay for is counted.

    `n_sure` files are parsed however long that takes: the clock alone would make the answer depend
    on what else the machine does.
    """

    def __init__(self, *, n_parses: int = 400, n_sure: int = 0, seconds: float = 3.0) -> None:
        self._n_left = n_parses
        self._n_sure = n_sure
        self._deadline = time.monotonic() + seconds
        self.n_skipped = 0

    @property
    def is_over(self) -> bool:
        """Say whether time is up."""
        return self._n_sure <= 0 and time.monotonic() > self._deadline

    def take(self) -> bool:
        """Ask for one more file to be parsed."""
        if self._n_left <= 0 or self.is_over:
            self.n_skipped += 1
            return False
        self._n_left -= 1
        self._n_sure -= 1
        return True
