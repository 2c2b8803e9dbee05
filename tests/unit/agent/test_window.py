from glossator.agent.window import count_tokens, estimate_tokens, fit_history, shorten
from glossator.core.messages import Message


def turn(question: str, answer: str) -> tuple[Message, ...]:
    return Message("user", question), Message("assistant", answer)


def test_chinese_is_not_counted_as_four_characters_a_token() -> None:
    assert estimate_tokens("错误处理规范") == 6
    assert estimate_tokens("error handling") == 4


def test_the_latest_turns_are_kept_and_the_left_out_ones_are_counted() -> None:
    turns = [turn(f"question {n}", "answer " * 50) for n in range(5)]
    budget = count_tokens(turns[3]) + count_tokens(turns[4])

    history, n_left_out = fit_history(turns, budget)

    assert [message.text for message in history if message.role == "user"] == [
        "question 3",
        "question 4",
    ]
    assert n_left_out == 3


def test_a_turn_is_never_cut_in_the_middle() -> None:
    turns = [turn("short", "x" * 10_000)]

    assert fit_history(turns, 100) == ([], 1)


def test_what_does_not_fit_loses_whole_pieces_of_material_and_keeps_the_question() -> None:
    pieces = [f"<material k place={n}>\n{'x' * 6_000}\n</material k>" for n in range(5)]
    request = Message("user", "\n\n".join([*pieces, "What is it?"]))

    [system, shorter], _ = shorten([Message("system", "Help."), request], [])

    assert system.text == "Help."
    assert shorter.text.endswith("What is it?")
    assert len(shorter.text) < 16_200
    assert shorter.text.count("<material k ") == shorter.text.count("</material k>") == 2


def test_one_piece_of_material_that_does_not_fit_is_left_out() -> None:
    request = Message("user", f"<material k a>\n{'x' * 50_000}\n</material k>\n\nWhat is it?")

    [shorter], _ = shorten([request], [])

    assert shorter.text.endswith("What is it?")
    assert "material k" not in shorter.text
