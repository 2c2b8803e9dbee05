from glossator.agent.budget import Budget
from glossator.agent.capacity import count_tokens
from glossator.agent.summarizing import summarize, write_summary_message
from glossator.core.events import Event, RoundEnded, RoundStarted, TextArrived, ignore_event
from glossator.core.messages import Completion, Usage
from glossator.model.scripted import ScriptedModel

TURNS = [("What is it?", "A shop (a.py:1)."), ("为什么？", "因为需要。")]


async def test_a_summary_is_made_of_what_was_said_and_of_the_summary_before() -> None:
    model = ScriptedModel(["It is a shop (a.py:1)."], usage=Usage(100, 10))

    summary, usage = await summarize(model, TURNS, "Once upon a time.", Budget(), ignore_event)

    [[order, request]] = model.transcripts
    assert (summary, usage) == ("It is a shop (a.py:1).", Usage(100, 10))
    assert order.role == "system"
    assert "Once upon a time." in request.text
    assert request.text.index("A shop (a.py:1).") < request.text.index("因为需要。")
    assert model.tools_offered == [()]


async def test_a_record_hears_of_it_and_the_reader_of_the_answer_does_not() -> None:
    events: list[Event] = []
    budget = Budget(tokens=10_000)

    await summarize(
        ScriptedModel(["A shop."], usage=Usage(100, 10)), TURNS, "", budget, events.append
    )

    assert [type(event) for event in events] == [RoundStarted, RoundEnded]
    assert not [event for event in events if isinstance(event, TextArrived)]
    assert budget.n_spent == 110


async def test_what_is_summarised_fits_the_model() -> None:
    model = ScriptedModel(["Long."])
    turns = [("short", "word " * 9_000), ("short", "kept whole"), ("字" * 5_000, "x" * 9_000)]

    await summarize(model, turns, "", Budget(), ignore_event, context_tokens=8_000)

    [request] = model.transcripts
    assert count_tokens(request) * 1.25 < 8_000
    assert "kept whole" in request[1].text
    assert "characters left out.)" in request[1].text


async def test_half_a_summary_is_used_and_a_filtered_one_is_not() -> None:
    for finish, summary in (("length", "Half"), ("content_filter", "")):
        model = ScriptedModel([["Half", Completion(finish)]])  # type: ignore[list-item] # in a loop

        assert (await summarize(model, TURNS, "", Budget(), ignore_event))[0] == summary


async def test_a_summary_is_as_short_as_it_was_asked_to_be() -> None:
    summary, _ = await summarize(ScriptedModel(["x" * 9_000]), TURNS, "", Budget(), ignore_event)

    assert len(summary) == 4_000


def test_the_same_summary_is_told_in_the_same_words_each_time() -> None:
    message = write_summary_message("A shop.", 3)

    assert message == write_summary_message("A shop.", 3)
    assert message.role == "user"
    assert "the first 3 turns" in message.text
    assert message != write_summary_message("A shop!", 3)
