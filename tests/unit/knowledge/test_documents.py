import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.core.text import split_lines
from glossator.knowledge.documents import (
    MAX_DOCUMENT_LINES,
    SECTION_CHARS,
    Document,
    parse_document,
)


def outline(document: Document) -> list[tuple[tuple[str, ...], int, int]]:
    return [(s.heading_path, s.first_line, s.last_line) for s in document.sections]


def test_sections_carry_their_headings_and_the_lines_of_the_file() -> None:
    text = (
        "---\nname: d\n---\n\nBefore.\n\n# One\n\ntext\n\n## Two *with* `marks` {#id}\ntext\n"
        "\nSetext\n======\n\n```sh\n# no heading\n```\n\n### 深入 [链接](a.md)\n内容\n"
    )

    document = parse_document(text, path="knowledge/d.md")

    assert outline(document) == [
        ((), 5, 5),
        (("One",), 7, 9),
        (("One", "Two with marks"), 11, 12),
        (("Setext",), 14, 19),
        (("Setext", "深入 链接"), 21, 22),
    ]
    assert document.sections[2].title == "One › Two with marks"
    assert document.sections[0].title == "d"
    assert document.sections[1].text == "# One\n\ntext"
    assert document.body.startswith("\nBefore.")
    assert document.body_first_line == 4
    assert document.problems == ()


def test_a_document_without_headings_is_one_section() -> None:
    document = parse_document("first\n\nsecond\n", path="a/notes.md")

    assert outline(document) == [((), 1, 3)]
    assert document.name == "notes"


def test_headings_inside_quotes_and_lists_do_not_split() -> None:
    document = parse_document("# A\n\n> # quoted\n\n- # item\n", path="a.md")

    assert outline(document) == [(("A",), 1, 5)]


def test_a_skill_is_named_after_its_folder() -> None:
    assert parse_document("x", path="skills/sql-in-code/SKILL.md").name == "sql-in-code"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_line_breaks_and_a_byte_order_mark_change_nothing(newline: str, start: str) -> None:
    text = start + newline.join(["---", "name: d", "---", "# A", "x\u2028y\fz", "", "## B", "z"])

    document = parse_document(text, path="d.md")

    assert document.name == "d"
    assert outline(document) == [(("A",), 4, 5), (("A", "B"), 7, 8)]
    assert document.sections[0].text == "# A\nx\u2028y\fz"


def test_values_of_the_header_are_typed_and_what_cannot_be_used_is_reported() -> None:
    text = (
        "---\nname: [a]\nkeywords: SQL, 数据库、索引\nalways: maybe\n"
        "globs: '**/*.{ts,tsx}, [z-a], ./src/**'\nkeyword: x\nlicense: MIT\n---\nbody\n"
    )

    document = parse_document(text, path="k/n.md")

    assert document.name == "n"
    assert document.keywords == ("SQL", "数据库", "索引")
    assert document.always is False
    assert document.globs == ("**/*.ts", "**/*.tsx", "src/**")
    assert [problem.line for problem in document.problems] == [2, 4, 5, 6]


def test_values_of_the_wrong_shape_are_reported_and_left_out() -> None:
    many = ", ".join(f"k{n}" for n in range(150))
    text = f"---\nglobs: {{a: b}}\nkeywords: [{many}]\ndescription: [a]\n---\nx\n"

    document = parse_document(text, path="d.md")

    assert document.globs == ()
    assert document.description == ""
    assert len(document.keywords) == 100
    assert [problem.line for problem in document.problems] == [2, 3, 4]


def test_a_file_cut_in_the_middle_of_a_line_loses_the_half_line() -> None:
    document = parse_document(("x" * 99 + "\n") * 9_999 + "y" * 200 + "\n", path="d.md")

    assert document.sections[-1].last_line == 9_999
    assert any("first 9,999 lines" in problem.message for problem in document.problems)


def test_the_keys_of_other_tools_are_understood() -> None:
    document = parse_document("---\nalwaysApply: true\napplyTo: '**/*.py'\n---\nx\n", path="r.mdc")

    assert document.always
    assert document.globs == ("**/*.py",)


def test_a_long_section_is_split_where_paragraphs_begin_and_keeps_its_lines() -> None:
    paragraph = "word " * 60
    text = "# Long\n\n" + "\n\n".join([paragraph] * 60) + "\n"

    document = parse_document(text, path="d.md")

    assert len(document.sections) > 3
    assert all(len(section.text) <= SECTION_CHARS for section in document.sections)
    assert all(section.heading_path == ("Long",) for section in document.sections)
    lines = split_lines(text)
    for section in document.sections:
        assert section.text == "\n".join(lines[section.first_line - 1 : section.last_line])
        assert section.text.startswith(("#", "word"))


def test_a_long_list_is_split_between_its_items() -> None:
    item = "- rule " + "word " * 40 + "\n  " + "more " * 40 + "\n"

    document = parse_document("# Rules\n\n" + item * 60, path="d.md")

    assert len(document.sections) > 3
    assert all(section.text.startswith(("# Rules", "- rule")) for section in document.sections)


def test_a_file_beyond_the_limits_is_cut_and_this_is_said() -> None:
    document = parse_document("# A\n" + "line\n" * 40_000, path="d.md")

    assert document.sections[-1].last_line == MAX_DOCUMENT_LINES
    assert any("too long" in problem.message for problem in document.problems)


def test_text_that_people_cannot_see_is_reported() -> None:
    document = parse_document("# A\n\nab\u200bc \U000e0041\u202e\n", path="d.md")

    assert [(p.line, "3 invisible" in p.message) for p in document.problems] == [(3, True)]


@pytest.mark.parametrize("text", ["", "\n\n  \n", "---\nname: a\n---\n", "---\n---\n", "\ufeff"])
def test_a_file_without_text_has_no_sections_and_says_so(text: str) -> None:
    document = parse_document(text, path="d.md")

    assert document.sections == ()
    assert any("no text" in problem.message for problem in document.problems)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "中" * 1_000_000,
        "\u0301\u0316" * 500_000,
        "a\n" * 1_000_000,
        "# a\n" * 300_000,
        "> " * 500_000,
        "- " * 500_000,
        "[" * 1_000_000,
        "a.b" * 330_000,
        "---\n" + "a: b\n" * 300_000,
        "\ud800\udfff" * 1000,
        "\x00\x01\x02" * 1000,
    ],
    ids=range(12),
)
def test_hostile_files_are_read_in_bounded_time(text: str) -> None:
    started = time.process_time()

    document = parse_document(text, path="d.md")

    assert time.process_time() - started < 3
    assert document.problems or len(text) < 10_000


_LINES = st.lists(
    st.sampled_from(
        ["", "# A", "## B", "text", "===", "---", "```", "> q", "- item", "    code", "中文", "\t"]
    ),
    max_size=40,
)


@given(_LINES, st.sampled_from(["", "---\nname: x\n---\n"]))
def test_every_line_with_text_belongs_to_exactly_one_section(lines: list[str], head: str) -> None:
    text = head + "\n".join(lines)

    document = parse_document(text, path="d.md")

    owners: dict[int, int] = {}
    for section in document.sections:
        for number in range(section.first_line, section.last_line + 1):
            owners[number] = owners.get(number, 0) + 1
    all_lines = split_lines(text)
    body = range(document.body_first_line, len(all_lines) + 1)
    assert all(owners.get(n, 0) == 1 for n in body if all_lines[n - 1].strip())
    assert all(n in body and count == 1 for n, count in owners.items())
    assert split_lines(document.body) == all_lines[document.body_first_line - 1 :]


@given(st.text(max_size=300))
def test_no_text_makes_reading_fail(text: str) -> None:
    for candidate in (text, f"---\n{text}\n---\n", f"---\nglobs: {text}\nname: {text}\n---\n"):
        parse_document(candidate, path="d.md")
