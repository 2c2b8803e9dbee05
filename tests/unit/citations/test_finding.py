"""How places are written is in `cases/notations.md`; here is what is found out about them."""

import time

import pytest

from glossator.citations.finding import find_citations, find_places


def test_the_wording_of_a_place_is_that_of_the_answer() -> None:
    answer = "见 src/a.py：12，and b.py, lines 3-9, and c.py:5 to 8"

    found = find_citations(answer)

    assert [each.text for each in found] == ["src/a.py：12", "b.py, lines 3-9", "c.py:5 to 8"]
    assert all(answer[each.start : each.end] == each.text for each in found)


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ("`a.py` (line 3)", ["a.py:3"]),
        ("**a.py**:3-9", ["a.py:3-9"]),
        ("line 3 of `a.py`", ["a.py:3"]),
        ("a.py:3, 7, 12-14", ["a.py:3", "a.py:7", "a.py:12-14"]),
    ],
)
def test_what_is_written_in_pieces_is_put_together(answer: str, texts: list[str]) -> None:
    assert [each.text for each in find_citations(answer)] == texts


def test_the_name_before_a_citation_belongs_to_it() -> None:
    first, second = find_citations("`load` (a.py:1) calls `save` (a.py:9).")

    assert (first.named, second.named) == (("load",), ("save",))


def test_the_name_after_a_citation_counts_when_none_stands_before() -> None:
    [found] = find_citations("- a.py:3 defines `save`")

    assert found.named == ("save",)


def test_the_cited_file_itself_is_no_name() -> None:
    [found] = find_citations("In `a.py` the function `save` starts at a.py:3, see `src/b.py`")

    assert found.named == ("save",)


def test_code_in_double_backticks_is_named_too() -> None:
    [found] = find_citations("``a`b`` at a.py:3")

    assert found.named == ("a`b",)


def test_a_document_without_a_file_is_known_by_its_name() -> None:
    assert find_citations("Untitled-1:5") == ()

    [found] = find_citations("Untitled-1:5", names=("Untitled-1",))

    assert (found.path, found.first_line, found.is_certain) == ("Untitled-1", 5, True)


def test_a_path_that_may_be_something_else_is_not_certain() -> None:
    assert [each.is_certain for each in find_citations("df.iloc:3 bin/run:3 a.py:3 x/y.z:3")] == [
        False, False, True, True,
    ]  # fmt: skip


def test_places_are_also_found_in_fenced_code_where_no_claims_are_asked_for() -> None:
    answer = "```\na.py:1\n```\n"

    assert find_citations(answer) == ()
    assert [each.text for each in find_places(answer)] == ["a.py:1"]


def test_a_block_that_is_far_from_every_place_belongs_to_none() -> None:
    answer = f"a.py:1 {'and so on ' * 20}\n```\ncode()\n```\nand then much later b.py:2"

    assert [each.quoted for each in find_citations(answer)] == ["", ""]


@pytest.mark.parametrize(
    "piece",
    [
        "a", "中", "/", "a:1", "a.py:1", "a.py:1 `x` ", "#L1", "a.py line 1 ", "“", "`", "1",
        "```\n", "a.py:1, 2", "line 1 of ", "第 1 行", "第1、", " ", "- ", "(", "\n", "1-", "x 1 ",
        "a.py:1 - 1 ",
    ],
)  # fmt: skip
def test_a_huge_answer_is_searched_in_bounded_time(piece: str) -> None:
    started = time.process_time()

    find_citations(piece * (200_000 // len(piece)))

    assert time.process_time() - started < 5
