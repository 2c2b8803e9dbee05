"""How far a turn may go, what it may spend, and why it ended."""

import math
import time
from dataclasses import dataclass
from enum import StrEnum

_CLOSING_AT = 0.8
_TOOLS_END_AT = 0.9


class StopReason(StrEnum):
    """Why a turn ended."""

    ANSWERED = "answered"
    ROUND_LIMIT = "round-limit"
    REPEATING = "repeating"
    TIME_LIMIT = "time-limit"
    TOKEN_LIMIT = "token-limit"
    CUT = "cut"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one turn may go.

    `call_timeout_s` bounds each call, except those of `slow_tools`, which may take what the turn
    has left. `context_tokens` is what the model takes; 0: what is known of it.
    """

    tool_rounds: int = 8
    calls_per_round: int = 16
    call_timeout_s: float = 60.0
    slow_tools: frozenset[str] = frozenset({"delegate"})
    context_tokens: int = 0


class Budget:
    """The seconds and tokens of one turn, shared by everything that the turn starts.

    The time runs from the moment the budget is made. When four fifths are spent the model is asked
    for its answer; tools are given up at nine tenths, so that there is time left to write it.
    """

    def __init__(
        self, *, seconds: float = math.inf, tokens: int = 0, whole: "Budget | None" = None
    ) -> None:
        """Begin to spend. No `tokens` means no limit of them; a part also spends its `whole`."""
        self.n_spent = 0
        self._seconds = seconds
        self._tokens = tokens or math.inf
        self._whole = whole
        self._started = time.monotonic()

    def split(self, share: float, *, of_time: float | None = None) -> "Budget":
        """Return a budget of a `share` of what is left here; what it spends is spent here too.

        Parts that are worked on side by side share the tokens but not the time: `of_time` may be
        a larger share.
        """
        tokens = self.tokens_left * share
        return Budget(
            seconds=self.seconds_left() * (share if of_time is None else of_time),
            # Nothing left is not the same as no limit.
            tokens=0 if math.isinf(tokens) else max(1, int(tokens)),
            whole=self,
        )

    def spend(self, n_tokens: int) -> None:
        """Count tokens of a request, sent and received."""
        self.n_spent += n_tokens
        if self._whole is not None:
            self._whole.spend(n_tokens)

    def seconds_left(self, share: float = 1.0) -> float:
        """Return how long it is until `share` of the time is over; 0 when it is."""
        left = max(0.0, self._seconds * share - (time.monotonic() - self._started))
        return left if self._whole is None else min(left, self._whole.seconds_left(share))

    @property
    def seconds_for_tools(self) -> float:
        """How long tools may still run."""
        return self.seconds_left(_TOOLS_END_AT)

    @property
    def tokens_left(self) -> float:
        """How many tokens may still be spent, infinity without a limit; 0 when none."""
        left = max(0.0, self._tokens - self.n_spent)
        return left if self._whole is None else min(left, self._whole.tokens_left)

    @property
    def over(self) -> StopReason | None:
        """Why nothing more may be asked, or None."""
        if self.seconds_left() <= 0:
            return StopReason.TIME_LIMIT
        return StopReason.TOKEN_LIMIT if self.tokens_left <= 0 else None

    def find_closing(self, n_next_tokens: int = 0) -> StopReason | None:
        """Return why the next request has to be the last one, or None.

        That one will be about as large as `n_next_tokens`; another one has to fit behind it.
        """
        if self.seconds_left(_CLOSING_AT) <= 0:
            return StopReason.TIME_LIMIT
        is_closing = self._is_mostly_spent or self.tokens_left < 2 * n_next_tokens
        return StopReason.TOKEN_LIMIT if is_closing else None

    @property
    def _is_mostly_spent(self) -> bool:
        is_mostly = self.n_spent >= self._tokens * _CLOSING_AT
        return is_mostly or (self._whole is not None and self._whole._is_mostly_spent)
