"""Limits that keep a turn from running in circles."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from glossator.core.messages import ToolCall
from glossator.tools.toolbox import ToolOutcome

_ADVISE_AT = 2
_HOPELESS_AT = 3


class RepeatGuard:
    """Notices calls that are made again with the same arguments and the same result.

    A call whose result changed is no repeat: the file may have been edited in between.
    """

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, str, str]] = Counter()

    @property
    def is_hopeless(self) -> bool:
        """Whether the same call brought the same result three times."""
        return any(count >= _HOPELESS_AT for count in self._seen.values())

    def advise(
        self, calls: Sequence[ToolCall], outcomes: Sequence[ToolOutcome]
    ) -> list[ToolOutcome]:
        """Count the calls of one round and return the outcomes, repeats with advice added.

        The same call twice within a round counts once: no result had been seen in between.
        """
        advised = []
        keys = [
            (call.name, call.arguments, outcome.text)
            for call, outcome in zip(calls, outcomes, strict=True)
        ]
        self._seen.update(set(keys))
        for key, outcome in zip(keys, outcomes, strict=True):
            if self._seen[key] >= _ADVISE_AT:
                advice = (
                    "You made this call before and got the same result. "
                    "Use what you have, or ask for something else."
                )
                outcome = replace(outcome, text=f"{outcome.text}\n\n{advice}")
            advised.append(outcome)
        return advised


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
