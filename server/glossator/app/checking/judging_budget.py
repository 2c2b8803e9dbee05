"""What judging may cost within an hour, however many documents are saved."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

WINDOW_S = 3_600.0


@dataclass(slots=True)
class Spending:
    """Tokens that one request takes: estimated before it is sent, then as they were counted."""

    at: float
    n_tokens: int

    def settle(self, n_tokens: int) -> None:
        """Put what the request really took in the place of the estimate."""
        self.n_tokens = n_tokens


class JudgingBudget:
    """The tokens that judging took within the last hour. One for a process, on its event loop."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._spendings: deque[Spending] = deque()

    @property
    def n_spent(self) -> int:
        """The tokens of the last hour."""
        self._forget_old()
        return sum(spending.n_tokens for spending in self._spendings)

    def reserve(self, n_tokens: int, limit: int) -> Spending | None:
        """Set tokens aside for a request; None when more than `limit` would be spent in an hour."""
        if self.n_spent + n_tokens > limit:
            return None
        spending = Spending(self._clock(), n_tokens)
        self._spendings.append(spending)
        return spending

    def find_wait(self, n_tokens: int, limit: int) -> float:
        """Return the seconds until so many tokens can be set aside; the whole hour if never."""
        excess = self.n_spent + n_tokens - limit
        for spending in self._spendings:
            if excess <= 0:
                break
            excess -= spending.n_tokens
            if excess <= 0:
                return max(0.0, spending.at + WINDOW_S - self._clock())
        return WINDOW_S if excess > 0 else 0.0

    def _forget_old(self) -> None:
        start = self._clock() - WINDOW_S
        while self._spendings and self._spendings[0].at <= start:
            self._spendings.popleft()
