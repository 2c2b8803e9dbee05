"""Held against coverage.py itself, which runs the compiler to know what counts."""

from pathlib import Path

import pytest
from coverage.config import DEFAULT_EXCLUDE
from coverage.parser import PythonParser
from hypothesis import given
from hypothesis import strategies as st

import glossator
from glossator.code.languages import find_language
from glossator.code.statements import list_statements

PYTHON = find_language("a.py")
assert PYTHON is not None
SOURCES = sorted(Path(glossator.__file__).parent.rglob("*.py"))
TEXT = '''"""Docstring."""
import a
from b import (
    c,
)

CONSTANT: int
VALUE: int = 1
"""A string that is no docstring."""


@decorated
@with_arguments(
    1,
)
class Thing(Base):
    """Docstring."""

    field: int
    x = [
        1,
    ]

    def method(self) -> None:
        local: int
        global g
        self.attribute: int
        if self.x and (
            self.y
        ):
            return
        elif self.z: pass
        else:
            raise ValueError(
                "x"
            )

    @overload
    def stub(self): ...

    async def other(self):
        async with a as b:
            await c
        try:
            for i in x:
                continue
            else:
                await x
        except (A, B):
            del x
        finally:
            assert True
        while x:
            yield lambda: (
                1
            )
        match x:
            case 1:
                pass
            case _:
                pass


def left_out():  # pragma: no cover
    inner()


if TYPE_CHECKING:
    import d

if x:  # pragma: no cover
    pass
else:
    counted()
'''


def count(text: str) -> set[int]:
    assert PYTHON is not None
    return {statement.first_line for statement in list_statements(text, PYTHON)}


def count_by_coverage(text: str) -> set[int]:
    exclude = "|".join(f"(?:{pattern})" for pattern in DEFAULT_EXCLUDE)
    parser = PythonParser(text=text, exclude=exclude)
    parser.parse_source()
    return set(parser.statements)


def test_the_lines_that_count_are_those_of_coverage() -> None:
    assert count(TEXT) == count_by_coverage(TEXT)


@pytest.mark.parametrize("path", SOURCES[::6], ids=lambda path: path.stem)
def test_real_files_count_as_coverage_counts_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    # Compilers differ in what they drop that can never run.
    assert len(count(text) ^ count_by_coverage(text)) <= 1


def test_a_statement_holds_the_lines_of_its_head_and_not_of_its_body() -> None:
    assert PYTHON is not None

    found = list_statements("if (a and\n    b):\n    c(\n        1)\n", PYTHON)

    assert [(one.first_line, one.last_line) for one in found] == [(1, 2), (3, 4)]


@given(st.text(alphabet=" \n\t():defclassif'\"#=x1@\\\r", max_size=80))
def test_any_text_is_read_without_harm(text: str) -> None:
    n_lines = text.count("\n") + text.count("\r") + 1

    assert all(1 <= line <= n_lines for line in count(text))
