"""A question that takes the place of earlier turns."""

import pytest

from glossator.core.errors import SessionChanged
from glossator.sessions.session import FinishedTurn
from workbench import FILES, OWN_ONLY, Bench, MakeBench, script


async def ask_three(bench: Bench) -> str:
    session_id = ""
    for name in ("main", "save", "count"):
        answer = await bench.application.ask(f"What does `{name}` do?", session_id=session_id)
        session_id = answer.session_id
    return session_id


async def read_turns(bench: Bench, session_id: str) -> list[FinishedTurn]:
    return (await bench.application.sessions.read(session_id)).turns


async def test_a_question_replaces_the_turns_after_those_that_are_kept(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)
    session_id = await ask_three(bench)

    answer = await bench.application.ask(
        "Explain `write`", session_id=session_id, keep_turns=1, of_turns=3
    )

    turns = await read_turns(bench, session_id)
    assert [turn.question for turn in turns] == ["What does `main` do?", "Explain `write`"]
    assert answer.number == 2


async def test_the_title_goes_with_a_first_question_that_was_replaced(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)
    session_id = await ask_three(bench)

    await bench.application.ask("Explain `write`", session_id=session_id, keep_turns=0)

    [entry] = await bench.application.sessions.find()
    assert (entry.title, entry.n_turns) == ("Explain `write`", 1)


async def test_a_model_is_not_told_of_the_turns_that_are_replaced(make_bench: MakeBench) -> None:
    model = script("First, main.py:4.", "Second, main.py:4.", "Third, main.py:4.")
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)
    first = await bench.application.ask("What does `main` do?")
    again = {"session_id": first.session_id}
    await bench.application.ask("And `save`?", **again)

    await bench.application.ask("And `count`?", session_id=first.session_id, keep_turns=1)

    sent = "\n".join(message.text for message in model.transcripts[-1])
    assert "First, main.py:4." in sent
    assert "Second" not in sent


async def test_nothing_is_lost_when_the_new_turn_is_not_kept(make_bench: MakeBench) -> None:
    bench = make_bench({"knowledge/a.md": "# Money\n\nRound.\n", **FILES}, settings=OWN_ONLY)
    session_id = await ask_three(bench)

    answer = await bench.application.ask(
        "What is the capital of France?", session_id=session_id, keep_turns=0
    )

    assert answer.refused is not None
    assert answer.number is None
    assert len(await read_turns(bench, session_id)) == 3


async def test_a_session_that_has_gone_on_elsewhere_is_left_as_it_is(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)
    session_id = await ask_three(bench)

    with pytest.raises(SessionChanged, match="3 turns"):
        await bench.application.ask(
            "Explain `write`", session_id=session_id, keep_turns=1, of_turns=2
        )

    assert len(await read_turns(bench, session_id)) == 3
