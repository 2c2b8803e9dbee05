"""What is pinned can be read in everything that is sent, however little room there is."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.agent.capacity import count_tokens
from glossator.agent.catalogue import render_catalogue
from glossator.agent.pinning import Pinned, fit_pinned
from glossator.agent.prompt import frame_material
from glossator.agent.window import Fitted, fit
from glossator.core.messages import Message, ToolCall
from glossator.core.tokens import estimate_tokens
from glossator.model.dialects import Dialect, Learnt
from glossator.model.sending import make_body
from provider.strict import find_violations

SYSTEM = Message("system", "You help.")
SUMMARY = Message("user", "Summary: it is a shop.")
SKILL = Pinned("kind=skill name=sql", "\n".join(f"{n:>5}| Rule number {n}." for n in range(1, 30)))
OTHER = Pinned("kind=skill name=pdf", "    1| Fill in every field.")


def ask(question: str, *material: Pinned) -> Message:
    framed = frame_material([(each.label, each.text) for each in material])
    return Message("user", f"{framed}\n\n{question}" if framed else question)


def make_turn(number: int, *material: Pinned, n_characters: int = 3_000) -> tuple[Message, ...]:
    call = ToolCall(f"call{number}", "read_file", '{"path": "a.py"}')
    return (
        ask(f"question {number}", *material),
        Message("assistant", "", (call,)),
        Message("tool", "result\n" * (n_characters // 7), call_id=call.id),
        Message("assistant", f"answer {number}"),
    )


def activate(pinned: Pinned) -> tuple[Message, ...]:
    call = ToolCall("skill1", "skill", '{"name": "sql"}')
    framed = frame_material([(pinned.label, pinned.text)])
    return (Message("assistant", "", (call,)), Message("tool", framed, call_id=call.id))


def count(pinned: Pinned, fitted: Fitted) -> int:
    return sum(message.text.count(pinned.text) for message in fitted.messages)


def test_what_stands_already_is_not_said_again() -> None:
    transcript = [SYSTEM, *make_turn(1, SKILL), ask("now?")]

    added = activate(OTHER)

    fitted = fit_pinned(transcript, added, 10_000, [SKILL, OTHER])

    assert fitted == fit(transcript, added, 10_000)
    assert (count(SKILL, fitted), count(OTHER, fitted)) == (1, 1)


def test_what_was_trimmed_away_stands_in_front_of_the_request() -> None:
    transcript = [SYSTEM, *make_turn(1, SKILL), *make_turn(2), *make_turn(3), ask("now?")]

    fitted = fit_pinned(transcript, (), 1_500, [SKILL])

    assert count(SKILL, fitted) == 1
    assert SKILL.text in fitted.messages[-1].text
    assert fitted.messages[-1].text.endswith("now?")
    assert fitted.size <= 1_500


def test_a_result_that_is_shortened_in_a_later_round_is_put_back() -> None:
    transcript = [SYSTEM, ask("now?")]
    added = [*activate(SKILL), *make_turn(2)[1:3], *make_turn(3)[1:3]]

    fitted = fit_pinned(transcript, added, 1_500, [SKILL])

    assert count(SKILL, fitted) == 1
    assert SKILL.text in fitted.messages[1].text


def test_an_edited_text_is_given_anew() -> None:
    edited = Pinned(SKILL.label, SKILL.text.replace("number 3.", "number three."))

    fitted = fit_pinned([SYSTEM, *make_turn(1, SKILL), ask("now?")], (), 10_000, [edited])

    assert count(edited, fitted) == 1


def test_the_front_is_the_same_in_every_round() -> None:
    transcript = [SYSTEM, ask("now?")]
    fitted = [
        fit_pinned(transcript, make_turn(1)[1 : 1 + n], 10_000, [SKILL]).messages for n in (0, 2)
    ]

    assert fitted[0] == fitted[1][:2]


def test_what_is_too_long_is_cut_and_says_how_to_read_on() -> None:
    long = Pinned("kind=skill name=long", "    1| word\n" * 5_000, "`skill` reads on")

    fitted = fit_pinned([SYSTEM, ask("now?")], (), 2_000, [long, OTHER])

    assert fitted.size <= 2_000
    assert count(OTHER, fitted) == 1
    assert "characters left out; `skill` reads on)" in fitted.messages[-1].text


def test_a_summary_stays_in_front() -> None:
    transcript = [SYSTEM, SUMMARY, *make_turn(1), *make_turn(2), ask("now?")]

    fitted = fit_pinned(transcript, (), 900, [])

    assert fitted.messages[:2] == (SYSTEM, SUMMARY)
    assert len(fitted.messages) < len(transcript)


def test_a_catalogue_is_written_the_same_each_time_in_a_frame() -> None:
    lines = "- sql: Bind parameters.\n- x: </material abc>"
    written = render_catalogue(lines)

    assert written == render_catalogue(lines)
    assert f"kind=skills>\n{lines}\n</material " in written
    assert "cannot activate" in render_catalogue(lines, has_tool=False)
    assert render_catalogue("") == ""


@given(st.data())
@settings(max_examples=60)
def test_it_holds_for_any_conversation_in_any_room(data: st.DataObject) -> None:
    """Each pinned text can be read once or was cut to fit; what is sent is valid."""
    pinned = [SKILL, OTHER][: data.draw(st.integers(0, 2))]
    turns = [
        make_turn(n, *data.draw(st.sampled_from([(), (SKILL,), (SKILL, OTHER)])),
                  n_characters=data.draw(st.integers(100, 6_000)))
        for n in range(data.draw(st.integers(0, 5)))
    ]  # fmt: skip
    head = data.draw(st.sampled_from([[], [SUMMARY]]))
    added = [*activate(SKILL), *make_turn(20)[1:3]] if data.draw(st.booleans()) else []
    past = [message for turn in turns for message in turn]
    transcript = [SYSTEM, *head, *past, ask("now?")]
    room = data.draw(st.integers(600, 6_000))

    fitted = fit_pinned(transcript, added, room, pinned)

    for each in pinned:
        fits_whole = estimate_tokens(each.text) < room * 0.4 / len(pinned) - 120
        assert count(each, fitted) >= 1 or not fits_whole
    assert fitted.messages[: 1 + len(head)] == (SYSTEM, *head)
    assert fitted.size == count_tokens(fitted.messages)
    body = make_body(
        "m", fitted.messages, (), dialect=Dialect("any"), learnt=Learnt(), temperature=0
    )
    assert find_violations(json.dumps(body), []) == []
