from glossator.agent.guards import RepeatGuard, skip_surplus_calls
from glossator.core.messages import ToolCall
from glossator.tools.toolbox import ToolOutcome


def call(name: str = "read_file", arguments: str = '{"path": "a"}', id: str = "1") -> ToolCall:  # noqa: A002
    return ToolCall(id, name, arguments)


def outcome(text: str) -> ToolOutcome:
    return ToolOutcome(text, is_error=False, summary=text)


def test_the_same_call_with_the_same_result_is_answered_with_advice() -> None:
    guard = RepeatGuard()
    guard.advise([call()], [outcome("same")])

    [advised] = guard.advise([call(id="2")], [outcome("same")])

    assert advised.text.startswith("same\n\nYou made this call before")
    assert not guard.is_hopeless


def test_the_third_identical_result_is_hopeless() -> None:
    guard = RepeatGuard()

    for _ in range(3):
        guard.advise([call()], [outcome("same")])

    assert guard.is_hopeless


def test_a_call_whose_result_changes_is_no_repeat() -> None:
    guard = RepeatGuard()

    results = [guard.advise([call()], [outcome(str(n))])[0].text for n in range(5)]

    assert results == ["0", "1", "2", "3", "4"]
    assert not guard.is_hopeless


def test_calls_beyond_the_limit_are_answered_but_not_run() -> None:
    calls = [call(id=str(n)) for n in range(5)]

    kept, surplus = skip_surplus_calls(calls, 3)

    assert [each.id for each in kept] == ["0", "1", "2"]
    assert [each.is_error for each in surplus] == [True, True]
