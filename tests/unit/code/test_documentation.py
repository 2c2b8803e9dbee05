import pytest

from glossator.code.documentation import read_comments, read_docstring


@pytest.mark.parametrize(
    ("comments", "expected"),
    [
        (["/** One line. */"], "One line."),
        (
            ["/**\n   * Adds.\n   *\n   *     indented\n   * @param a 数\n   */"],
            "Adds.\n\n    indented\n@param a 数",
        ),
        (["/// Adds.\n", "/// `a` twice.\n"], "Adds.\n`a` twice."),
        (["// Add adds.", "//go:noinline", "//", "// Twice."], "Add adds.\n\nTwice."),
        (["/* Adds.\n   Twice. */"], "Adds.\nTwice."),
        (["# Adds.", "#   - twice"], "Adds.\n  - twice"),
        (["=begin\nAdds.\n=end"], "Adds."),
        (["/**/"], ""),
        (["/***/", "/*"], ""),
        ([], ""),
    ],
)
def test_markers_are_stripped_from_comments(comments: list[str], expected: str) -> None:
    assert read_comments(comments) == expected


@pytest.mark.parametrize(
    ("literal", "expected"),
    [
        ('"""Add.\n\n        More.\n          Deep.\n    """', "Add.\n\nMore.\n  Deep."),
        ("'说明'", "说明"),
        ('r"""Raw \\d."""', "Raw \\d."),
        ('f"""no {documentation}"""', ""),
        ('b"no"', ""),
        ('"unfinished', ""),
    ],
)
def test_docstrings_lose_their_quotes_and_indentation(literal: str, expected: str) -> None:
    assert read_docstring(literal) == expected
