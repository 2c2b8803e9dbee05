import time

import pytest

from glossator.citations.standing import Standing
from glossator.core.text import SourceText

PYTHON = """\
class Store:
    def save(
        self,
        item,
    ):
        if item:

            # A remark
            write(item)
        return 1

    def load(self):
        return 2
"""
GO = """\
func (s *Store) Save(item Item)
{
\tif item.ok {
\t\twrite(item)
#ifdef X
\t}
}

func Load() {
\treturn
}
"""


def standing(text: str) -> Standing:
    return Standing(SourceText("a", text))


@pytest.mark.parametrize(
    ("text", "name", "lines"),
    [
        (PYTHON, "save", [3, 4, 5, 6, 8, 9, 10]),
        (PYTHON, "Store", [2, 3, 4, 5, 6, 8, 9, 10, 12, 13]),
        (PYTHON, "item", [8, 9]),
        (GO, "Save", [2, 3, 4, 6, 7]),
        (GO, "Load", [10, 11]),
    ],
)
def test_lines_belong_to_what_begins_above_them_further_out(
    text: str, name: str, lines: list[int]
) -> None:
    source = standing(text)
    written = [number for number, line in enumerate(text.split("\n"), 1) if line]

    found = [line for line in written if source.encloses(name, line)]

    assert found == lines


@pytest.mark.parametrize(
    ("line", "is_definition"),
    [
        ("def save(item):", True),
        ("public static int save(int item) {", True),
        ("func (s *Store) save(item Item) error {", True),
        ("const save = (item) => item;", True),
        ("let total = save(item);", False),
        ("return save(item)", False),
        ("def save_all(items):", False),
    ],
)
def test_a_line_that_defines_a_name_is_told_from_one_that_uses_it(
    line: str, is_definition: bool
) -> None:
    assert (standing(line).definitions_of("save") == (1,)) is is_definition


@pytest.mark.parametrize(
    ("quote", "lines"),
    [
        ("if item:", [(6, 6)]),
        ("def save( self, item, ):", [(2, 5)]),
        ("write(item).", [(9, 9)]),
        ("9| write(item)\n10| return 1", [(9, 10)]),
        ("def save(...):", [(2, 5)]),
        ("if item:\n    # ...\n    return 1", [(6, 10)]),
        ("class Store … return 2", [(1, 13)]),
        ("ret", []),
        ("a … b", []),
        ("def save(...) -> None", []),
        ("return 2 … class Store", []),
    ],
)
def test_a_quote_is_found_whatever_its_white_space_and_what_it_leaves_out(
    quote: str, lines: list[tuple[int, int]]
) -> None:
    assert list(standing(PYTHON).lines_of_quote(quote)) == lines


def test_a_quote_that_stands_all_over_a_huge_file_is_found_in_bounded_time() -> None:
    source = standing("a" * 3_000_000)
    started = time.process_time()

    source.lines_of_quote("aaaa")
    source.lines_of_quote("aaaa … aaaa b … aaaa")

    assert time.process_time() - started < 2
