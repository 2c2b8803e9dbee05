"""What is found at a place is what the outline of the whole text has there."""
# ruff: noqa: E501 (more pieces a line read better than a tidy margin)

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.code.languages import LANGUAGES, Language, find_language
from glossator.code.outline import Outline, find_functions, parse_outline
from glossator.code.syntax import Syntax, parse_syntax
from glossator.core.locations import Point, Range
from glossator.core.text import split_lines
from unit.code.samples import SAMPLES

_BY_ID = {language.id: language for language in LANGUAGES}
_HERE = Path(__file__).resolve()
_REAL_FILES = [
    Path(argparse.__file__),
    *sorted((_HERE.parents[3] / "editor-client").glob("*/src/*.ts")),
]
_PIECES = [
    "(", ")", "{", "}", "'", '"', "/*", "*/", "\n", "\r", "\r\n", "\n    ", " ", "\0", "\ud800", "😀", "名", ";",
    "@d\n", "#[a]\n", "// c\n", "# c\n", "/** d */", "export ", "template <class T> ", "namespace M;\n",
    "def f(a):\n    pass\n", "function g() {}", "const h = () => 1;", "void v() {}", "end\n", "class C {",
]  # fmt: skip


def name_at(syntax: Syntax, point: Point) -> Range | None:
    around = [extent for extent in find_functions(syntax, point, point) if point in extent]
    return around[-1].name_range if around else None


def name_in_outline(outline: Outline, point: Point) -> Range | None:
    function = outline.enclosing(point)
    return None if function is None else function.name_range


def every_point(text: str) -> Iterator[Point]:
    for number, line in enumerate(split_lines(text), 1):
        yield from (Point(number, column) for column in range(len(line) + 1))
    yield Point(len(split_lines(text)) + 1, 0)


def broken(text: str, seed: random.Random) -> str:
    for _ in range(seed.choice((1, 3, 20))):
        place = seed.randrange(len(text) + 1)
        text = text[:place] + seed.choice(_PIECES) + text[place + seed.choice((0, 0, 1, 9)) :]
    return text


def test_there_is_a_sound_sample_for_each_language() -> None:
    assert SAMPLES.keys() == _BY_ID.keys()
    for language_id, text in SAMPLES.items():
        assert parse_outline(text, _BY_ID[language_id]).functions
        assert not parse_syntax(text, _BY_ID[language_id]).has_errors, language_id


@pytest.mark.parametrize("language_id", SAMPLES)
def test_at_every_point_of_sound_code_the_same_function_is_found(language_id: str) -> None:
    text, language = SAMPLES[language_id], _BY_ID[language_id]
    outline, syntax = parse_outline(text, language), parse_syntax(text, language)

    for point in every_point(text):
        assert name_at(syntax, point) == name_in_outline(outline, point), point


@settings(max_examples=80)
@given(language=st.sampled_from(LANGUAGES), seed=st.randoms(use_true_random=False))
def test_at_every_point_of_broken_code_the_same_function_is_found(
    language: Language, seed: random.Random
) -> None:
    text = broken(SAMPLES[language.id], seed)
    outline, syntax = parse_outline(text, language), parse_syntax(text, language)

    for point in every_point(text):
        assert name_at(syntax, point) == name_in_outline(outline, point), point


@pytest.mark.parametrize("path", _REAL_FILES, ids=lambda path: path.name)
@pytest.mark.parametrize("is_broken", [False, True])
def test_in_real_files_the_same_functions_are_found(path: Path, *, is_broken: bool) -> None:
    seed = random.Random(path.name)
    text = path.read_text(encoding="utf-8")
    language = find_language(path.name)
    assert language is not None
    if is_broken:
        text = broken(text, seed)
    outline, syntax = parse_outline(text, language), parse_syntax(text, language)
    points = seed.sample(list(every_point(text)), 300)
    edges = [point for function in outline.functions
             for point in (function.range.start, function.range.end)]  # fmt: skip

    for point in [*points, *edges]:
        assert name_at(syntax, point) == name_in_outline(outline, point), point


@settings(max_examples=100)
@given(language=st.sampled_from(LANGUAGES), seed=st.randoms(use_true_random=False))
def test_a_selection_finds_every_function_whose_name_is_in_it(
    language: Language, seed: random.Random
) -> None:
    text = broken(SAMPLES[language.id], seed) if seed.random() < 0.5 else SAMPLES[language.id]
    start, end = sorted(seed.choices(list(every_point(text)), k=2))

    found = find_functions(parse_syntax(text, language), start, end)

    names = [extent.name_range for extent in found if start <= extent.name_range.start <= end]
    everywhere = [function.name_range for function in parse_outline(text, language).functions]
    assert names == [name for name in everywhere if start <= name.start <= end]


def test_a_decorator_is_found_through_any_number_of_comments() -> None:
    text = "#[test]\n" + "// 注释\n" * 150 + "fn f() {}\n"
    syntax = parse_syntax(text, _BY_ID["rust"])

    assert name_at(syntax, Point(1, 3)) == name_at(syntax, Point(70, 1)) == name_at(
        syntax, Point(152, 4)
    )  # fmt: skip


def test_only_what_stands_at_the_place_is_read() -> None:
    syntax = parse_syntax("def f(): pass\n" * 5_000, _BY_ID["python"])

    assert len(find_functions(syntax, Point(2_500, 5), Point(2_500, 5))) == 1
