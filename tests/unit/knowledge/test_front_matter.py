import time

import pytest

from glossator.core.text import split_lines
from glossator.knowledge.documents import parse_document
from glossator.knowledge.front_matter import FrontMatter, split_front_matter


def read(text: str) -> FrontMatter:
    return split_front_matter(split_lines(text))


def values(text: str) -> dict[str, object]:
    return {key: entry.value for key, entry in read(text).entries.items()}


def test_a_valid_header_is_read_without_remarks() -> None:
    header = read(
        "---\nname: python\ndescription: >\n  two\n  lines\nkeywords: [a, 'b c']\n"
        "globs:\n  - '**/*.py'\n  - src/*.pyi\n---\n# Body\n"
    )

    assert {key: entry.value for key, entry in header.entries.items()} == {
        "name": "python",
        "description": "two lines",
        "keywords": ["a", "b c"],
        "globs": ["**/*.py", "src/*.pyi"],
    }
    assert header.body_first_line == 11
    assert header.problems == ()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("description: 提交前 # 注意顺序", "提交前 # 注意顺序"),
        ('name: "unclosed', '"unclosed'),
        ("name:python", "python"),
        ("name：数据库", "数据库"),
        ("keywords:\n\t- a\n\t- b", ["a", "b"]),
        ("description: |\n\ttabs", "tabs"),
        ("keywords: ['a, b]", ["'a", "b"]),
        ('keywords:\n\n  - \'*.go\n  - "b"', ["'*.go", "b"]),
    ],
)
def test_a_header_that_is_not_yaml_is_read_and_the_assumption_is_said(
    line: str, value: object
) -> None:
    header = read(f"---\n{line}\n---\ntext\n")

    key = next(iter(header.entries))
    assert header.entries[key].value == value
    assert [number for number, _ in header.problems] == [2]
    assert header.notes == ()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("globs: **/*.go", "**/*.go"),
        ("globs: *.ts, *.tsx", "*.ts, *.tsx"),
        ("globs: [*.ts, **/*.go]", ["*.ts", "**/*.go"]),
        ("globs: {a,b}/**", "{a,b}/**"),
        ("globs:\n  - **/*.go\n  - *.ts", ["**/*.go", "*.ts"]),
        ("applyTo: **/*.py", "**/*.py"),
        ("paths: *.md", "*.md"),
        ("description: Use when: x", "Use when: x"),
    ],
)
def test_what_teams_usually_write_without_quotes_is_noted_and_is_no_problem(
    line: str, value: object
) -> None:
    header = read(f"---\n{line}\n---\ntext\n")

    assert next(iter(header.entries.values())).value == value
    assert [number for number, _ in header.notes] == [2]
    assert header.problems == ()


def test_scalars_stay_text_whatever_yaml_makes_of_them() -> None:
    assert values("---\nname: 2024-01-01\ndescription: on\nkeywords: [yes, 1.0, null]\n---\n") == {
        "name": "2024-01-01",
        "description": "on",
        "keywords": ["yes", "1.0", "null"],
    }


def test_a_broken_entry_does_not_spoil_the_others() -> None:
    header = read("---\nname: a\nkeywords: [x, y\n???\ndescription: d\n---\n")

    assert header.entries["name"].value == "a"
    assert header.entries["description"].value == "d"
    assert {number for number, _ in header.problems} == {3, 4}


def test_a_header_that_is_never_closed_ends_at_the_first_blank_line() -> None:
    header = read("---\nname: a\nkeywords: b\n\n# Title\n")

    assert header.body_first_line == 4
    assert header.entries["name"].value == "a"
    assert "never closed" in header.problems[0][1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Title\n",
        "---\n\nSome words.\n\n---\nmore\n",
        "---",
        "---\n- item\n- item\n\n",
        "text\n---\nname: x\n---\n",
    ],
)
def test_text_between_thematic_breaks_is_no_header(text: str) -> None:
    assert read(text) == FrontMatter()


def test_keys_without_a_value_and_blank_lines_mean_nothing() -> None:
    header = read("---\nglobs:\n\nname: a\n\n---\n")

    assert header.entries["globs"].value is None
    assert header.entries["name"].value == "a"
    assert header.problems == ()


def test_comments_are_left_out() -> None:
    header = read("---\n# note\nalways: true # as ever\n---\n")

    assert header.entries["always"].value == "true"
    assert header.problems == ()


def test_a_key_that_stands_twice_is_reported_and_the_second_counts() -> None:
    header = read("---\nname: a\nname: b\n---\n")

    assert header.entries["name"].value == "b"
    assert header.problems[0][0] == 3


@pytest.mark.parametrize(
    "value",
    [
        "\n  a: &a [x,x,x,x]\n  b: &b [*a,*a,*a,*a]\n  c: &c [*b,*b,*b,*b]",
        " " + "[" * 10_000,
        " !!python/object/apply:os.system ['true']",
        " " + "x" * 200_000,
        " \ud800",
        "\n" + "\n".join(" " * n + "k:" for n in range(1, 60)),
    ],
    ids=["aliases", "depth", "tags", "size", "surrogate", "mappings"],
)
def test_a_yaml_bomb_costs_nothing_and_harms_nothing_else(value: str) -> None:
    started = time.process_time()

    header = read(f"---\nkeywords:{value}\nname: intact\n---\nbody\n")

    assert time.process_time() - started < 1
    assert header.entries["name"].value == "intact"


def test_a_rule_across_the_page_above_a_heading_is_no_header() -> None:
    assert split_front_matter(["---", "# Title", "", "Text."]) == FrontMatter()


@pytest.mark.parametrize(
    ("opening", "inside", "closing", "why"),
    [
        ("+++", 'name = "x"', "+++", "TOML"),
        ("---", '{"name": "x"}', "---", "JSON"),
        ("----", "name: x", "----", "`----`"),
        ("———", "keywords: [a]", "———", "`———`"),
        ("－－－", "description: x", "－－－", "`－－－`"),
        ("  ---", "  name: x", "  ---", "nothing before it"),
        ("<!-- licence -->\n---", "globs: x", "---", "below a comment"),
        ("<!-- a\nb -->\n\n---", "alwaysApply: true", "---", "below a comment"),
    ],
)
def test_why_a_header_is_read_as_text_is_said(
    opening: str, inside: str, closing: str, why: str
) -> None:
    document = parse_document(f"{opening}\n{inside}\n{closing}\nText.\n", path="a.md")

    [problem] = document.problems
    assert why in problem.message
    assert problem.line == opening.count("\n") + 1
    assert document.body_first_line == 1


@pytest.mark.parametrize(
    "text",
    [
        "+++\nText.\n",
        "----\nText.\n----\nMore.\n",
        "---\n{x}\n---\nMore.\n",
        "———\nname: x\n",
        "<!-- a -->\nText.\n\n---\nname: x\n---\n",
        "<!-- never closed\n---\nname: x\n---\n",
    ],
)
def test_of_what_is_no_header_nothing_is_said(text: str) -> None:
    assert parse_document(text, path="a.md").problems == ()


@pytest.mark.parametrize(
    ("written", "value"),
    [("{src,lib}", "{src,lib}"), ("!*.py", "!*.py"), ("{a: b}", {"a": "b"})],
)
def test_a_glob_is_no_mapping_and_no_tag(written: str, value: object) -> None:
    header = split_front_matter(["---", f"globs: {written}", "---"])

    assert header.entries["globs"].value == value


def test_items_of_a_list_need_no_blank_and_keywords_no_comma() -> None:
    document = parse_document(
        "---\nkeywords: 退款；发票, money;cash\nglobs:\n-a/**\n-b/**\n---\nText.\n", path="a.md"
    )

    assert document.keywords == ("退款", "发票", "money", "cash")
    assert document.globs == ("a/**", "b/**")
