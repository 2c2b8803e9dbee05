from typing import Any

import pytest

from glossator.core.errors import InvalidArguments
from glossator.core.locations import Point
from glossator.core.text import SourceText
from glossator.lsp import from_lsp
from glossator.lsp.from_lsp import Arguments


def arguments(**fields: Any) -> Arguments:
    return from_lsp.command_arguments("glossator.x", [fields])


@pytest.mark.parametrize("given", [None, []])
def test_no_argument_is_the_empty_object(given: list[Any] | None) -> None:
    assert from_lsp.command_arguments("glossator.x", given).text("uri", default="-") == "-"


@pytest.mark.parametrize("given", [[1], ["{}"], [{}, {}], [None], [[]]])
def test_anything_but_one_object_is_refused(given: list[Any]) -> None:
    with pytest.raises(InvalidArguments, match=r"`glossator.x` takes exactly one argument"):
        from_lsp.command_arguments("glossator.x", given)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "`position` is missing"),
        (3, "`line` and `character` are whole numbers"),
        ({"line": 1}, "whole numbers"),
        ({"line": -1, "character": 0}, "whole numbers"),
        ({"line": 1.5, "character": 0}, "whole numbers"),
        ({"line": True, "character": 0}, "whole numbers"),
        ({"line": float("nan"), "character": 0}, "whole numbers"),
    ],
)
def test_a_position_that_is_none_is_named(value: Any, problem: str) -> None:
    with pytest.raises(InvalidArguments, match=problem):
        arguments(position=value).position("position")


def test_a_number_of_any_size_is_a_number() -> None:
    huge = 10**400

    assert arguments(position={"line": huge, "character": 0}).position("position") == (huge, 0)
    with pytest.raises(InvalidArguments, match="from 1 to 6"):
        arguments(depth=huge).number("depth", default=2, minimum=1, maximum=6)


def test_whole_numbers_may_come_as_floats() -> None:
    assert arguments(position={"line": 4.0, "character": 0}).position("position") == (4, 0)


def test_each_kind_of_field_says_what_it_must_be() -> None:
    fields = arguments(uri=3, depth=99, paths="a", token=True, range=[1], ask={"start": {}})

    for read, problem in [
        (lambda: fields.text("uri"), "`uri` must be text"),
        (lambda: fields.text("question"), "`question` is missing"),
        (lambda: fields.number("depth", default=2, minimum=1, maximum=10), "from 1 to 10"),
        (lambda: fields.texts("paths"), "must be a list of texts"),
        (lambda: fields.token("token"), "must be text or a whole number"),
        (lambda: fields.optional_range("range"), "`start` and `end`"),
        (lambda: fields.optional_range("ask"), r"`ask.start`"),
    ]:
        with pytest.raises(InvalidArguments, match=problem):
            read()


@pytest.mark.parametrize(
    ("text", "position", "point"),
    [
        ("中😀x", (0, 3), Point(1, 2)),
        ("ab\n", (0, 99), Point(1, 2)),
        ("ab\n", (1, 0), Point(2, 0)),
        ("ab\n", (9, 9), Point(2, 0)),
        ("ab", (9, 9), Point(1, 2)),
        ("", (0, 0), Point(1, 0)),
    ],
)
def test_positions_outside_the_text_mean_its_nearest_end(
    text: str, position: tuple[int, int], point: Point
) -> None:
    assert from_lsp.point(SourceText("a.py", text), position, "utf-16") == point


def test_a_selection_without_extent_is_none() -> None:
    target = from_lsp.target(SourceText("a.py", "abc"), (0, 1), ((0, 1), (0, 1)), "utf-16")

    assert target.selection is None


def test_a_selection_is_put_in_order() -> None:
    target = from_lsp.target(SourceText("a.py", "abc"), (0, 1), ((0, 3), (0, 1)), "utf-16")

    assert target.selection is not None
    assert target.selection.start == Point(1, 1)
