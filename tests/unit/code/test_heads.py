import pytest

from glossator.code.languages import find_language
from glossator.code.outline import parse_outline


def _read_signature(file_name: str, text: str) -> str:
    language = find_language(file_name)
    assert language is not None
    [function] = parse_outline(text, language).functions
    return function.signature


@pytest.mark.parametrize(
    ("file_name", "text", "signature"),
    [
        (
            "a.py",
            "def f(\n    a: int,  # first\n    b: list[\n  int,\n],\n) -> None:\n    pass\n",
            "def f(a: int, b: list[int]) -> None",
        ),
        (
            "a.go",
            "package a\n\nfunc f(\n\ta int,\n\tb int,\n) int {\n}\n",
            "func f(a int, b int) int",
        ),
        (
            "a.ts",
            "function f(\r\n  a: string,\r\n  b: string\r\n): void {}\r\n",
            "function f(a: string, b: string): void",
        ),
        ("a.c", "int f( int a )\n{\n}\n", "int f( int a )"),
    ],
)
def test_a_head_of_several_lines_reads_as_if_written_on_one(
    file_name: str, text: str, signature: str
) -> None:
    assert _read_signature(file_name, text) == signature
