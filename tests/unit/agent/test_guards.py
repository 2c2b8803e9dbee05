import pytest

from glossator.agent.budget import StopReason
from glossator.agent.guards import ADVICE, Guard, skip_surplus_calls
from glossator.core.messages import ToolCall
from glossator.tools.toolbox import ToolOutcome


def call(path: str = "a", call_id: str = "1") -> ToolCall:
    return ToolCall(call_id, "read_file", f'{{"path": "{path}"}}')


def outcome(text: str) -> ToolOutcome:
    return ToolOutcome(text, is_error=False, summary=text)


def take_rounds(guard: Guard, paths: str) -> list[str]:
    """Make one call a round, whose result is the path; return what was advised."""
    return [guard.advise([call(path)], [outcome(path)])[0] for path in paths]


def test_the_same_call_with_the_same_result_is_answered_with_advice() -> None:
    guard = Guard()

    assert take_rounds(guard, "aa") == ["", ADVICE]
    assert guard.stop_reason is None


@pytest.mark.parametrize(
    ("paths", "is_hopeless"),
    [
        ("aaa", True),
        ("abab", True),
        ("abcabc", True),
        ("aba", False),
        ("aacdd", False),
        ("abacad", False),
        ("abacada", True),
    ],
)
def test_rounds_that_bring_nothing_new_end_the_turn(paths: str, is_hopeless: bool) -> None:
    guard = Guard()

    take_rounds(guard, paths)

    assert (guard.stop_reason is StopReason.REPEATING) is is_hopeless


def test_a_round_with_one_new_call_goes_on() -> None:
    guard = Guard()

    for new in "bcde":
        guard.advise([call("a"), call(new, "2")], [outcome("a"), outcome(new)])

    assert guard.stop_reason is None


def test_arguments_are_compared_by_what_they_say() -> None:
    guard = Guard()
    first = ToolCall("1", "read_file", '{"path": "a", "last_line": 2}')
    again = ToolCall("2", "read_file", '{"last_line":2,"path":"a"}')
    guard.advise([first], [outcome("same")])

    assert guard.advise([again], [outcome("same")]) == [ADVICE]


def test_a_call_whose_result_changes_is_no_repeat() -> None:
    guard = Guard()

    advice = [guard.advise([call()], [outcome(str(n))])[0] for n in range(5)]

    assert advice == [""] * 5
    assert guard.stop_reason is None


def test_what_the_model_is_no_longer_shown_may_be_asked_for_again() -> None:
    guard = Guard()
    take_rounds(guard, "ab")

    guard.forget()

    assert take_rounds(guard, "ab") == ["", ""]


def test_the_third_round_that_is_cut_is_the_last() -> None:
    guard = Guard()
    reasons = []

    for _ in range(3):
        guard.note_cut()
        reasons.append(guard.stop_reason)

    assert reasons == [None, None, StopReason.CUT]


def test_calls_beyond_the_limit_are_answered_but_not_run() -> None:
    calls = [call(call_id=str(n)) for n in range(5)]

    kept, surplus = skip_surplus_calls(calls, 3)

    assert [each.id for each in kept] == ["0", "1", "2"]
    assert [each.is_error for each in surplus] == [True, True]
