import math
from types import SimpleNamespace

import pytest

from glossator.agent.budget import Budget, StopReason


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands where the test puts it."""
    now = [100.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr("glossator.agent.budget.time", clock)
    return now


@pytest.mark.parametrize(
    ("passed_s", "closing", "over"),
    [
        (79, None, None),
        (81, StopReason.TIME_LIMIT, None),
        (101, StopReason.TIME_LIMIT, StopReason.TIME_LIMIT),
    ],
)
def test_after_four_fifths_of_the_time_the_answer_is_due(
    clock: list[float], passed_s: float, closing: StopReason | None, over: StopReason | None
) -> None:
    budget = Budget(seconds=100)

    clock[0] += passed_s

    assert (budget.find_closing(), budget.over) == (closing, over)


@pytest.mark.parametrize(
    ("spent", "n_next", "closing", "over"),
    [
        (799, 0, None, None),
        (800, 0, StopReason.TOKEN_LIMIT, None),
        (500, 251, StopReason.TOKEN_LIMIT, None),
        (500, 250, None, None),
        (1_000, 0, StopReason.TOKEN_LIMIT, StopReason.TOKEN_LIMIT),
    ],
)
def test_the_last_round_begins_while_there_are_tokens_for_it(
    spent: int, n_next: int, closing: StopReason | None, over: StopReason | None
) -> None:
    budget = Budget(tokens=1_000)

    budget.spend(spent)

    assert (budget.find_closing(n_next), budget.over) == (closing, over)


def test_tools_end_before_the_turn_does(clock: list[float]) -> None:
    budget = Budget(seconds=100)

    clock[0] += 85

    assert budget.seconds_for_tools == pytest.approx(5)
    assert budget.seconds_left() == pytest.approx(15)


def test_without_limits_nothing_is_ever_over() -> None:
    budget = Budget()

    budget.spend(10**9)

    assert (budget.find_closing(10**9), budget.over) == (None, None)
    assert math.isinf(budget.seconds_left())


def test_what_a_part_spends_is_spent_from_the_whole() -> None:
    whole = Budget(tokens=1_000)
    part = whole.split(0.5)

    part.spend(500)

    assert part.over is StopReason.TOKEN_LIMIT
    assert whole.tokens_left == 500
    assert whole.over is None


def test_a_part_ends_with_its_whole(clock: list[float]) -> None:
    whole = Budget(seconds=100, tokens=1_000)
    parts = [whole.split(0.9), whole.split(0.9)]

    parts[0].spend(800)

    assert parts[1].find_closing() is StopReason.TOKEN_LIMIT
    clock[0] += 101
    assert parts[1].over is StopReason.TIME_LIMIT


def test_a_part_of_nothing_is_nothing() -> None:
    whole = Budget(tokens=10)
    whole.spend(10)

    assert whole.split(0.5).over is StopReason.TOKEN_LIMIT
