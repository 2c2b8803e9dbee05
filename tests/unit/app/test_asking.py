import pytest

from glossator.core.errors import ModelUnavailable, UnknownSession
from glossator.model.scripted import ScriptedModel
from workbench import MakeBench

RELEASES = """\
---
keywords: [release, 发布]
---
# Releases

## Freeze

Nothing is released on a Friday. 周五不发布。
"""
WITH_KNOWLEDGE = {"knowledge/releases.md": RELEASES, "main.py": "def main():\n    return 1\n"}
OWN_ONLY = {"knowledge": {"bundled": False}}


async def test_a_foreign_question_is_refused_and_the_model_is_never_asked(
    make_bench: MakeBench,
) -> None:
    model = ScriptedModel(["Paris."])
    bench = make_bench(WITH_KNOWLEDGE, model=model, settings=OWN_ONLY)

    answer = await bench.application.ask("What is the capital of France?")

    assert answer.refused is not None
    assert answer.stop_reason == "refused"
    assert model.transcripts == []


async def test_a_chinese_question_is_refused_in_chinese(make_bench: MakeBench) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)

    answer = await bench.application.ask("年假有几天？")

    assert answer.refused is not None
    assert "不知道" in answer.markdown


async def test_the_setting_lets_a_model_answer_from_the_code_alone_and_say_so(
    make_bench: MakeBench,
) -> None:
    model = ScriptedModel(["I do not know."])
    settings = {"knowledge": {"bundled": False, "whenUnknown": "code"}}
    bench = make_bench(WITH_KNOWLEDGE, model=model, settings=settings)

    answer = await bench.application.ask("What is our travel policy?")

    assert answer.refused is None
    assert "rests on the code alone" in answer.notice
    assert "No team knowledge matches" in model.transcripts[0][-1].text


@pytest.mark.parametrize("question", ["When may we release?", "周五可以发布吗？"])
async def test_knowledge_answers_without_a_model_in_both_languages(
    make_bench: MakeBench, question: str
) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)

    answer = await bench.application.ask(question)

    assert answer.refused is None
    assert "Nothing is released on a Friday." in answer.markdown
    assert [str(source.place) for source in answer.sources] == ["knowledge/releases.md:6-8"]


async def test_a_name_of_the_workspace_makes_it_a_question_about_code(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)

    answer = await bench.application.ask("Explain `main`")

    assert answer.refused is None
    assert "main.py:1-2" in answer.markdown


async def test_the_next_question_carries_the_conversation(make_bench: MakeBench) -> None:
    model = ScriptedModel(["`main` returns 1 (main.py:2).", "Nobody."])
    bench = make_bench(WITH_KNOWLEDGE, model=model, settings=OWN_ONLY)
    first = await bench.application.ask("What does `main` do?")

    await bench.application.ask("And who calls it?", session_id=first.session_id)

    texts = [message.text for message in model.transcripts[1]]
    assert "What does `main` do?" in texts
    assert "`main` returns 1 (main.py:2)." in texts


async def test_a_turn_that_failed_leaves_no_trace_in_the_session(make_bench: MakeBench) -> None:
    model = ScriptedModel([ModelUnavailable("It is down. Try later."), "It returns 1."])
    bench = make_bench(WITH_KNOWLEDGE, model=model, settings=OWN_ONLY)
    failed = await bench.application.ask("What does `main` do?")

    await bench.application.ask("What does `main` return?", session_id=failed.session_id)

    assert failed.stop_reason == "failed"
    assert "It is down. Try later." in failed.notice
    assert [message.role for message in model.transcripts[1]] == ["system", "user"]


async def test_a_session_that_never_was_is_named(make_bench: MakeBench) -> None:
    bench = make_bench(WITH_KNOWLEDGE)

    with pytest.raises(UnknownSession, match="`nowhere`"):
        await bench.application.ask("x", session_id="nowhere")


@pytest.mark.parametrize(
    ("question", "is_refused"),
    [
        ("What does this do?", False),
        ("这里为什么返回 1？", False),
        ("How do I bake sourdough bread?", True),
        ("面包怎么烤？", True),
    ],
)
async def test_a_cursor_makes_it_about_code_only_when_the_question_points_there(
    make_bench: MakeBench, question: str, is_refused: bool
) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)

    answer = await bench.application.ask(question, target=bench.target("main.py", 2))

    assert (answer.refused is not None) is is_refused


async def test_a_foreign_question_is_refused_after_one_about_code_too(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)
    first = await bench.application.ask("Explain `main`")

    second = await bench.application.ask(
        "Who won the world cup in 1974?", session_id=first.session_id
    )

    assert second.refused is not None


async def test_a_convention_asked_with_a_cursor_is_answered_without_the_function_s_facts(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)

    answer = await bench.application.ask("When may we release?", target=bench.target("main.py", 2))

    assert "Nothing is released on a Friday." in answer.markdown
    assert "Called by" not in answer.markdown
