"""Limits that keep a turn from running in circles."""

from collections.abc import Sequence

from glossator.agent.budget import StopReason
from glossator.core.messages import ToolCall
from glossator.model.arguments import canonical
from glossator.tools.toolbox import ToolOutcome

ADVICE = (
    "You made this call before and got the same result. "
    "Use what you have, or ask for something else."
)
_STALE_IN_A_ROW = 2
_STALE_IN_ALL = 3
_MOST_CUT = 2


class Guard:
    """Notices rounds that lead nowhere, because they bring nothing new or are cut time and again.

    Nothing is new when each call was made before and had the same result. A call whose result
    changed is no repeat: the file may have been edited in between. Neither is the same call twice
    within a round: no result had been seen in between.
    """

    def __init__(self) -> None:
        self._seen: set[tuple[str, str, str]] = set()
        self._n_in_a_row = 0
        self._n_in_all = 0
        self._n_cut = 0

    @property
    def stop_reason(self) -> StopReason | None:
        """Why no further round makes sense: nothing new twice in a row or thrice, or cut thrice."""
        if self._n_in_a_row >= _STALE_IN_A_ROW or self._n_in_all >= _STALE_IN_ALL:
            return StopReason.REPEATING
        return StopReason.CUT if self._n_cut > _MOST_CUT else None

    def note_cut(self) -> None:
        """Take in a round whose calls were cut at the length limit."""
        self._n_cut += 1

    def advise(self, calls: Sequence[ToolCall], outcomes: Sequence[ToolOutcome]) -> list[str]:
        """Take in one round; return for each call what to tell the model about it, if anything."""
        keys = [
            (call.name, canonical(call.arguments), outcome.text)
            for call, outcome in zip(calls, outcomes, strict=True)
        ]
        are_known = [key in self._seen for key in keys]
        self._seen.update(keys)
        self._n_in_a_row = self._n_in_a_row + 1 if all(are_known) else 0
        self._n_in_all += all(are_known)
        return [ADVICE if is_known else "" for is_known in are_known]

    def forget(self) -> None:
        """Let calls be made again, because the model is no longer shown what they returned."""
        self._seen.clear()


def skip_surplus_calls(
    calls: Sequence[ToolCall], limit: int
) -> tuple[Sequence[ToolCall], list[ToolOutcome]]:
    """Split off the calls beyond `limit`; each of those is answered with what to do instead."""
    surplus = [
        ToolOutcome(
            text=f"Not run: at most {limit} calls are run in one round. Call it again if needed.",
            is_error=True,
            summary="not run: too many calls at once",
        )
        for _ in calls[limit:]
    ]
    return calls[:limit], surplus
