"""The one request that may follow an answer whose places do not exist."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from glossator.app.results import Explanation
from glossator.core.errors import ModelUnavailable
from glossator.core.events import (
    AnswerRepaired,
    AnswerVerified,
    RoundEnded,
    StepStarted,
    TextArrived,
    TurnEnded,
)
from glossator.core.messages import Completion, ToolCall, Usage
from glossator.model.scripted import Reply, ScriptedModel
from workbench import Bench, MakeBench

REPAIRS = {"agent.repairCitations": True}
WRONG = "`save` writes (store/store.py:7) and cleans up (store/cleaning.py:3, main.py:99)."
RIGHT = "`save` writes (store/store.py:7)."
USAGE = Usage(100, 10)


async def explain(
    make_bench: MakeBench, replies: Sequence[Reply], settings: dict[str, object] = REPAIRS
) -> tuple[Explanation, Bench, ScriptedModel]:
    model = ScriptedModel(replies, usage=USAGE)
    bench = make_bench(model=model, settings=settings)
    target = bench.target("store/store.py", 6)
    return await bench.application.explain(target, emit=bench.hear), bench, model


async def test_an_answer_with_missing_places_is_written_again_when_that_is_wanted(
    make_bench: MakeBench,
) -> None:
    result, bench, model = await explain(make_bench, [WRONG, RIGHT])

    assert result.markdown == RIGHT
    assert [each.verdict for each in result.citations] == ["exact"]
    assert "asked once more, because 2 places in its first answer do not exist" in result.notice
    assert result.usage == USAGE + USAGE
    request = model.transcripts[1][-1].text
    assert "- `store/cleaning.py:3`: there is no such file" in request
    assert "- `main.py:99`: the file has 5 lines" in request
    assert model.tools_offered[1] == ()
    assert bench.heard(AnswerRepaired) == [AnswerRepaired(2, 0, is_used=True)]


async def test_unless_it_is_wanted_nobody_asks_again(make_bench: MakeBench) -> None:
    result, bench, model = await explain(make_bench, [WRONG], {})

    assert len(model.transcripts) == 1
    assert result.markdown == WRONG
    assert [each.reason for each in result.citations if each.verdict == "missing"] == [
        "there is no such file",
        "the file has 5 lines",
    ]
    assert bench.heard(AnswerRepaired) == []


async def test_an_answer_without_missing_places_is_left_alone(make_bench: MakeBench) -> None:
    result, _, model = await explain(make_bench, [RIGHT])

    assert (result.markdown, len(model.transcripts)) == (RIGHT, 1)


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(WRONG, id="no better"),
        pytest.param("I withdraw all that.", id="without the evidence that held"),
        pytest.param("", id="empty"),
        pytest.param([RIGHT, Completion("length", USAGE)], id="cut"),
    ],
)
async def test_a_second_answer_that_is_no_better_is_not_used(
    make_bench: MakeBench, second: Reply
) -> None:
    result, bench, _ = await explain(make_bench, [WRONG, second])

    assert result.markdown == WRONG
    assert "asked once more" not in result.notice
    assert result.usage == USAGE + USAGE
    [repaired] = bench.heard(AnswerRepaired)
    assert not repaired.is_used


async def test_a_model_that_fails_when_asked_again_leaves_the_first_answer(
    make_bench: MakeBench,
) -> None:
    result, bench, _ = await explain(make_bench, [WRONG, ModelUnavailable("It is down.")])

    assert (result.markdown, result.by_model) == (WRONG, True)
    assert bench.heard(AnswerRepaired) == [AnswerRepaired(2, 2, is_used=False)]
    assert [event.stop_reason for event in bench.heard(TurnEnded)] == ["answered"]


async def test_an_answer_that_was_cut_is_not_worth_another_request(make_bench: MakeBench) -> None:
    _, _, model = await explain(make_bench, [[WRONG, Completion("length", USAGE)]])

    assert len(model.transcripts) == 1


async def test_the_second_answer_is_not_shown_while_it_arrives(make_bench: MakeBench) -> None:
    _, bench, _ = await explain(make_bench, [WRONG, RIGHT])

    assert "".join(event.text for event in bench.heard(TextArrived)) == WRONG
    assert "Asking about 2 places that do not exist" in [
        event.text for event in bench.heard(StepStarted)
    ]
    assert [event.number for event in bench.heard(RoundEnded)] == [1, 2]
    [verified] = bench.heard(AnswerVerified)
    assert [verdict for _, _, verdict in verified.citations] == ["exact"]


async def test_the_session_goes_on_from_the_repaired_answer(make_bench: MakeBench) -> None:
    model = ScriptedModel([WRONG, RIGHT, "Nobody."])
    bench = make_bench(model=model, settings=REPAIRS)
    first = await bench.application.ask("What does `Store.save` do?")

    await bench.application.ask("And who calls `save`?", session_id=first.session_id)

    texts = [message.text for message in model.transcripts[2]]
    assert RIGHT in texts
    assert WRONG not in texts


async def test_a_repair_is_told_in_chinese_too(make_bench: MakeBench) -> None:
    model = ScriptedModel(["见 main.py：99。", "不确定。"])
    bench = make_bench(model=model, settings=REPAIRS)

    answer = await bench.application.ask("`main` 这个函数做什么？")

    assert answer.markdown == "不确定。"
    assert "有 1 处引用不存在" in answer.notice
    assert "没有指明任何出处" in answer.notice


async def test_an_answer_about_code_that_names_no_place_is_called_unverified(
    make_bench: MakeBench,
) -> None:
    result, _, _ = await explain(make_bench, ["It saves."], {})

    assert "The answer names no place; treat it as unverified." in result.notice


async def test_a_place_the_model_was_never_shown_is_missing(make_bench: MakeBench) -> None:
    long = "".join(f"value_{number} = {number}\n" for number in range(1, 400))
    model = ScriptedModel(
        [
            [ToolCall("1", "read_file", '{"path": "long.py"}')],
            "It begins (long.py:3), goes on (long.py:350), `value_360` follows (long.py:360).",
        ]
    )
    bench = make_bench({"long.py": long, "main.py": "def main():\n    pass\n"}, model=model)

    result = await bench.application.explain(bench.target("main.py", 1))

    assert [(each.text, each.verdict, each.reason) for each in result.citations] == [
        ("long.py:3", "exact", ""),
        ("long.py:350", "missing", "these lines were not read"),
        ("long.py:360", "exact", ""),
    ]


async def test_an_answer_is_judged_by_what_its_tools_read(make_bench: MakeBench) -> None:
    roots: list[Path] = []

    def change_the_file(*_: object) -> str:
        path = roots[0] / "store/disk.py"
        path.write_text("import sys\n\n\n" + path.read_text())
        return "It prints (store/disk.py:2)."

    model = ScriptedModel(
        [[ToolCall("1", "read_file", '{"path": "store/disk.py"}')], change_the_file]
    )
    bench = make_bench(model=model)
    roots.append(bench.root)

    result = await bench.application.explain(bench.target("store/store.py", 6))

    [citation] = result.citations
    assert (citation.verdict, str(citation.place)) == ("moved", "store/disk.py:5")
    assert citation.reason == "the file changed since it was read"
