import pytest

from glossator.agent.prompt import frame_material
from glossator.agent.shortening import (
    cap_results,
    leave_out_material,
    share_out,
    shorten_result,
    shorten_text,
)
from glossator.core.messages import Message, ToolCall
from glossator.core.tokens import estimate_tokens

LINES = "\n".join(f"{number:>3}| value_{number} = {number}" for number in range(1, 201))
FILE = f"`a.py`, lines 1-200 of 300\n\n{LINES}\n\nLines 201-300 are not shown; read on."
READ = ToolCall("1", "read_file", '{"path": "a.py"}')
SEARCH = ToolCall("2", "search_files", '{"pattern": "x", "path": "."}')


def test_a_shortened_file_says_how_much_is_gone_and_which_lines_show_it() -> None:
    short = shorten_result(READ, FILE, 400)

    *_, last_kept, note = short.split("\n")
    assert last_kept == " 20| value_20 = 20"
    assert note == (
        f"({len(FILE) - len(short) + len(note) + 1:,} of {len(FILE):,} characters left out; "
        '`read_file` {"path": "a.py", "first_line": 21, "last_line": 200} shows them again.)'
    )


def test_a_shortened_search_names_the_same_call() -> None:
    text = "\n".join(f"a.py:{number}: x" for number in range(1, 500))

    note = shorten_result(SEARCH, text, 400).split("\n")[-1]

    assert note.endswith('; `search_files` {"pattern": "x", "path": "."} shows them again.)')


def test_arguments_too_long_to_repeat_are_not_repeated() -> None:
    call = ToolCall("1", "search_files", f'{{"pattern": "{"x" * 300}"}}')

    assert "; the same call of `search_files` shows" in shorten_result(call, "line\n" * 300, 400)


def test_what_is_shortened_again_counts_what_there_was_at_first() -> None:
    once = shorten_result(READ, FILE, 2_000)
    twice = shorten_result(READ, f"{once}\n\nSome advice.", 400)

    assert f"of {len(FILE):,} characters left out" in twice
    assert '"first_line": 21, "last_line": 200' in twice
    assert twice.count("left out") == 1


def test_a_line_that_was_cut_within_is_shown_again_whole() -> None:
    text = f"`a.py`, lines 7-9 of 9\n\n7| {'x' * 900}\n8| y\n9| z"

    assert '"first_line": 7, "last_line": 9' in shorten_result(READ, text, 400)


@pytest.mark.parametrize("text", ["", "short", "x" * 450, "x" * 490])
def test_what_would_hardly_become_shorter_stays_as_it_is(text: str) -> None:
    assert shorten_result(READ, text, 400) == text


def test_a_frame_that_is_cut_is_closed_again() -> None:
    framed = frame_material([("kind=report of=h1", "word\n" * 500)])
    marker = framed.split()[1]

    short = shorten_result(ToolCall("1", "delegate", "{}"), framed, 400)

    assert short.count(f"</material {marker}>") == 1
    assert short.index(f"</material {marker}>") < short.index("left out")


def test_arguments_that_are_no_json_do_no_harm() -> None:
    assert "`read_file` {}" in shorten_result(ToolCall("1", "read_file", '{"pa'), FILE, 400)


def test_small_shares_leave_their_rest_to_the_large() -> None:
    assert share_out([10, 100, 50], 100) == [10, 45, 45]
    assert share_out([10, 20], 100) == [10, 20]
    assert share_out([], 100) == []
    assert share_out([5, 5], 0) == [0, 0]


def test_the_longest_results_of_a_round_are_cut_and_the_others_stay() -> None:
    texts = ["short", FILE, FILE]

    capped = cap_results([READ, READ, READ], texts, 1_000)

    assert capped[0] == "short"
    assert sum(map(estimate_tokens, capped)) <= 1_000
    assert all("characters left out" in text for text in capped[1:])


def test_results_that_fit_are_left_alone() -> None:
    assert cap_results([READ], [FILE], 10_000) == [FILE]


@pytest.mark.parametrize("text", ["字" * 5_000, "x" * 4_000 + "字" * 4_000, "a b\n" * 3_000])
def test_a_share_is_kept_whatever_the_text_is_made_of(text: str) -> None:
    [capped] = cap_results([READ], [text], 500)

    assert estimate_tokens(capped) <= 500


def test_a_text_without_a_call_says_how_much_is_gone() -> None:
    assert shorten_text("short", 100) == "short"
    assert shorten_text("x" * 1_000, 100).endswith("x\n(931 of 1,000 characters left out.)")


PARTS = [
    ("kind=workspace", "app/, tests/ " * 30),
    ("kind=knowledge place=k.md:1-9", "Never. " * 60),
    ("kind=knowledge place=k.md:20-29", "Perhaps. " * 60),
    ("kind=skill name=review place=s.md", "Be kind. " * 60),
    ("kind=outline of=app", "class A " * 60),
    ("kind=briefing place=a.py:1-9", "Adds. " * 60),
    ("kind=code place=a.py:1-9", "x = 1\n" * 60),
]
REQUEST = Message("user", f"{frame_material(PARTS)}\n\nWhat is it?")


def list_kept(text: str) -> list[str]:
    return [label for label, content in PARTS if content in text]


def test_sections_go_from_the_least_important_the_last_of_equals_first() -> None:
    order = []
    for n_tokens in range(estimate_tokens(REQUEST.text), 0, -20):
        kept = list_kept(leave_out_material(REQUEST, n_tokens)[0].text)
        order += [label for label, _ in PARTS if label not in kept and label not in order]

    assert [label.removeprefix("kind=") for label in order] == [
        "workspace",
        "knowledge place=k.md:20-29",
        "knowledge place=k.md:1-9",
        "outline of=app",
        "code place=a.py:1-9",
        "briefing place=a.py:1-9",
        "skill name=review place=s.md",
    ]


def test_what_is_left_out_is_named_and_the_question_stays() -> None:
    shorter, n_left_out = leave_out_material(REQUEST)

    assert n_left_out == len(PARTS)
    assert shorter.text.endswith("\n\nWhat is it?")
    assert "characters of material left out: kind=code place=a.py:1-9)" in shorter.text
    assert "<material" not in shorter.text


def test_what_fits_is_not_touched() -> None:
    assert leave_out_material(REQUEST, 10_000) == (REQUEST, 0)


def test_a_frame_that_the_user_or_a_file_wrote_is_no_section() -> None:
    pasted = frame_material([("kind=code", "pasted " * 100)])
    framed = frame_material([("kind=file place=a.md", f"{pasted}\n\nStill the file. " * 9)])
    request = Message("user", f"{framed}\n\n{pasted}\n\nWhat is this?")

    shorter, n_left_out = leave_out_material(request)

    assert n_left_out == 1
    assert shorter.text.endswith(f"left out: kind=file place=a.md)\n\n{pasted}\n\nWhat is this?")


def test_a_question_that_only_looks_like_material_stays() -> None:
    for text in ("<material abc x>\nnever closed", "text\n<material abc x>\n</material abc>"):
        assert leave_out_material(Message("user", text)) == (Message("user", text), 0)
