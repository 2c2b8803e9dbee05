import pytest

from clock import Clock
from glossator.app.countdown import Countdown
from glossator.core.events import (
    Event,
    HelperActed,
    HelperEnded,
    RoundStarted,
    StepStarted,
    WaitingForModel,
)
from glossator.core.messages import Usage


class Ear:
    """Keeps what is told."""

    def __init__(self) -> None:
        self.heard: list[Event] = []

    def hear(self, event: Event) -> None:
        self.heard.append(event)


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


async def test_a_pause_is_told_each_second_in_whole_seconds(clock: Clock) -> None:
    ear = Ear()
    counting = Countdown(ear.hear)

    counting.hear(WaitingForModel(3.4, "busy"))
    await clock.move(10)

    assert ear.heard == [WaitingForModel(left, "busy") for left in (3.4, 3, 2, 1)]


async def test_what_happens_next_ends_the_pause(clock: Clock) -> None:
    ear = Ear()
    counting = Countdown(ear.hear)

    counting.hear(WaitingForModel(5, "busy"))
    await clock.move(1.5)
    counting.hear(StepStarted("on"))
    await clock.move(10)

    assert ear.heard == [WaitingForModel(5, "busy"), WaitingForModel(4, "busy"), StepStarted("on")]


async def test_a_second_pause_takes_the_place_of_the_first(clock: Clock) -> None:
    ear = Ear()
    counting = Countdown(ear.hear)

    counting.hear(WaitingForModel(5, "busy"))
    counting.hear(WaitingForModel(2, "slow"))
    await clock.move(10)

    assert [event.reason for event in ear.heard[1:] if isinstance(event, WaitingForModel)] == [
        "slow", "slow",
    ]  # fmt: skip


async def test_each_helper_waits_for_itself(clock: Clock) -> None:
    ear = Ear()
    counting = Countdown(ear.hear)
    for helper_id in ("h1", "h2", "h3"):
        counting.hear(HelperActed(helper_id, WaitingForModel(2, "busy")))
    ear.heard.clear()

    counting.hear(HelperActed("h1", RoundStarted(1, 1)))
    counting.hear(HelperEnded("h2", "failed", "", Usage(), 0))
    counting.hear(StepStarted("on"))
    await clock.move(10)

    assert ear.heard[3:] == [HelperActed("h3", WaitingForModel(1, "busy"))]


async def test_nothing_is_told_after_the_end(clock: Clock) -> None:
    ear = Ear()
    counting = Countdown(ear.hear)

    counting.hear(WaitingForModel(5, "busy"))
    counting.finish()
    await clock.move(10)

    assert ear.heard == [WaitingForModel(5, "busy")]
