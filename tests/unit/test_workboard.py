from glossator.app.phrasing import Phrasing
from glossator.core.events import (
    HelperActed,
    HelperEnded,
    HelperStarted,
    PlanChanged,
    PlanStep,
    SkillActivated,
    TextArrived,
    ToolFinished,
    ToolStarted,
    WaitingForModel,
)
from glossator.core.messages import Usage
from glossator.workboard import Work, WorkBoard


def hear(board: WorkBoard, *events: Work) -> list[str]:
    return [line for event in events for line in board.hear(event)]


def test_a_plan_is_told_whole_and_then_what_changed_of_it() -> None:
    board = WorkBoard(Phrasing(is_chinese=False))
    read, say = PlanStep("Read", "active"), PlanStep("Say", "pending")

    first = hear(board, PlanChanged((read, say)))
    second = hear(board, PlanChanged((PlanStep("Read", "done"), say)))

    assert first == ["  › Read", "  · Say"]
    assert second == ["  ✓ Read"]
    assert board.list_lines() == ["  ✓ Read", "  · Say"]


def test_helpers_stand_in_the_list_with_what_they_do_until_they_end() -> None:
    board = WorkBoard(Phrasing(is_chinese=False))
    assert board.is_idle

    hear(board, HelperStarted("h1", "look at a"), HelperStarted("h2", "look at b"))
    call = ToolStarted("c", "read_file", '{"path": "a.py"}')
    told = hear(
        board,
        HelperActed("h1", call),
        HelperActed("h1", ToolFinished("c", "read_file", True, "no such file", "", 0.1)),
        HelperActed("h2", SkillActivated("sql", "model", 120)),
        HelperActed("h2", WaitingForModel(3, "rate limit")),
        HelperActed("h1", TextArrived("It")),
    )
    lines = board.list_lines()
    ended = hear(
        board,
        HelperEnded("h1", "answered", "It is.", Usage(), 1.25),
        HelperEnded("h2", "failed", "", Usage(), 2.0),
    )

    assert told == [
        '  h1 → read_file {"path": "a.py"}',
        "  h1 ✗ read_file: no such file",
        "  h2 · skill sql",
        "  h2 · waiting 3 s: rate limit",
    ]
    assert lines == [
        "h1 look at a", "   0 s, 1 call writing its report",
        "h2 look at b", "   0 s, 0 calls waiting 3 s: rate limit",
    ]  # fmt: skip
    assert ended == ["✓ h1 look at a: answered (1.2 s)", "✗ h2 look at b: failed (2.0 s)"]
    assert board.is_idle


def test_what_a_helper_does_that_nobody_started_is_passed_over() -> None:
    board = WorkBoard(Phrasing(is_chinese=False))

    assert hear(board, HelperActed("h9", ToolStarted("c", "diff", "{}"))) == []


def test_what_helpers_do_is_told_in_chinese_too() -> None:
    board = WorkBoard(Phrasing(is_chinese=True))

    told = hear(
        board,
        HelperStarted("h1", "看 a"),
        HelperActed("h1", SkillActivated("sql", "model", 120)),
        HelperActed("h1", WaitingForModel(0.4, "`host` cannot be reached (“no route”)")),
        HelperEnded("h1", "failed", "", Usage(), 2.0),
    )

    assert told == [
        "→ h1 看 a",
        "  h1 · 技能 sql",
        "  h1 · 等待 1 秒：无法连接 `host`（“no route”）",
        "✗ h1 看 a：失败（2.0 秒）",
    ]
