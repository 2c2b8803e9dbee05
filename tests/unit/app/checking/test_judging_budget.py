from glossator.app.checking.judging_budget import JudgingBudget


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_no_more_than_the_limit_is_set_aside_within_an_hour() -> None:
    clock = Clock()
    budget = JudgingBudget(clock=clock)

    assert budget.reserve(600, 1_000)
    assert budget.reserve(500, 1_000) is None
    clock.now += 3_599
    assert budget.reserve(500, 1_000) is None
    clock.now += 1
    assert budget.reserve(1_000, 1_000)


def test_what_was_really_taken_counts_instead_of_the_estimate() -> None:
    budget = JudgingBudget(clock=Clock())
    spending = budget.reserve(900, 1_000)
    assert spending is not None

    spending.settle(100)

    assert budget.n_spent == 100
    assert budget.reserve(900, 1_000)


def test_the_wait_ends_when_enough_of_it_is_an_hour_old() -> None:
    clock = Clock()
    budget = JudgingBudget(clock=clock)
    budget.reserve(300, 1_000)
    clock.now += 600
    budget.reserve(700, 1_000)

    assert budget.find_wait(200, 1_000) == 3_000
    assert budget.find_wait(301, 1_000) == 3_600
    assert budget.find_wait(2_000, 1_000) == 3_600
    clock.now += 3_600
    assert budget.find_wait(1_000, 1_000) == 0
