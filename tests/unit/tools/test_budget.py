"""What one question may cost."""

from glossator.tools.budget import Budget


def test_files_that_are_sure_are_parsed_when_time_is_up() -> None:
    budget = Budget(n_sure=2, seconds=-1.0)

    assert [budget.take() for _ in range(3)] == [True, True, False]


def test_what_is_not_paid_for_is_counted() -> None:
    budget = Budget(n_parses=1)

    assert [budget.take(), budget.take(), budget.take()] == [True, False, False]
    assert budget.n_skipped == 2
