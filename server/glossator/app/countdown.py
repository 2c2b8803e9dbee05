"""A pause that a server asks for, told again each second with what is left of it."""

import asyncio
import math
from collections.abc import Callable

from glossator.core.events import Emit, Event, HelperActed, HelperEnded, WaitingForModel

_EVERY_S = 1.0
_WAITS = (WaitingForModel, HelperActed)


class Countdown:
    """Passes events on, and the pauses among them once a second until something else happens."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        # By the helper that waits; nothing for the turn itself.
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def hear(self, event: Event) -> None:
        """Pass one event on; it ends the pause of whoever it comes from."""
        # Most events are pieces of text, and nobody waits.
        if self._timers or isinstance(event, _WAITS):
            self._count(event)
        self._emit(event)

    def finish(self) -> None:
        """Tell nothing more."""
        for owner in list(self._timers):
            self._stop(owner)

    def _count(self, event: Event) -> None:
        match event:
            case HelperActed(helper_id, WaitingForModel() as wait):
                self._begin(helper_id, wait, lambda left: HelperActed(helper_id, left))
            case HelperActed(helper_id) | HelperEnded(helper_id):
                self._stop(helper_id)
            case WaitingForModel():
                self._begin("", event, lambda left: left)
            case _:
                self._stop("")

    def _begin(
        self, owner: str, wait: WaitingForModel, make_event: Callable[[WaitingForModel], Event]
    ) -> None:
        self._stop(owner)
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + wait.seconds

        def tell() -> None:
            left_s = round(ends_at - loop.time())
            if left_s > 0:
                self._emit(make_event(WaitingForModel(left_s, wait.reason)))
                self._timers[owner] = loop.call_later(_EVERY_S, tell)
            else:
                del self._timers[owner]

        # What is told is then a whole number of seconds.
        first_s = wait.seconds - math.ceil(wait.seconds) + _EVERY_S
        self._timers[owner] = loop.call_later(first_s, tell)

    def _stop(self, owner: str) -> None:
        timer = self._timers.pop(owner, None)
        if timer is not None:
            timer.cancel()
