import threading

from glossator.core.deadlines import end_after


def test_work_that_takes_too_long_is_ended_and_known_to_be_late() -> None:
    is_ended = threading.Event()

    with end_after(0.01, is_ended.set) as is_late:
        assert is_ended.wait(30)

    assert is_late.is_set()


def test_work_that_is_done_in_time_is_never_ended() -> None:
    ended: list[str] = []

    with end_after(600, lambda: ended.append("late")) as is_late:
        pass

    assert not is_late.is_set()
    assert not ended
