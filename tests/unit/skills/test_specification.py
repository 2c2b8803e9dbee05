"""The specification of Agent Skills as tables: what is read, what is said, what is skipped."""

from typing import Any

import pytest

from glossator.core.text import split_lines
from glossator.knowledge.front_matter import split_front_matter
from glossator.skills.specification import (
    SkillHeader,
    find_name_fault,
    judge_body,
    read_skill_header,
)


def read(header: str, *, folder: str = "pdf-forms") -> SkillHeader:
    entries = split_front_matter(split_lines(f"---\n{header}\n---\nBody.\n")).entries
    return read_skill_header(entries, fallback=folder or "flat", folder=folder)


def messages(header: SkillHeader) -> str:
    return "\n".join(message for _, message in header.problems)


GOOD = "name: pdf-forms\ndescription: Fill in PDF forms. Use when a form is to be filled in."


def test_a_header_with_every_field_is_read_without_a_word() -> None:
    header = read(
        f"{GOOD}\nlicense: Apache-2.0\ncompatibility: Needs poppler\n"
        "metadata:\n  author: us\n  version: '1.0'\n"
        "allowed-tools: Bash(git add *) Bash(jq:*) Read"
    )

    assert header.problems == ()
    assert header == SkillHeader(
        name="pdf-forms",
        description="Fill in PDF forms. Use when a form is to be filled in.",
        license="Apache-2.0",
        compatibility="Needs poppler",
        metadata=(("author", "us"), ("version", "1.0")),
        allowed_tools=("Bash(git add *)", "Bash(jq:*)", "Read"),
    )


@pytest.mark.parametrize(
    "name", ["a", "pdf-forms", "v2", "2fa", "代码评审", "代码-评审", "größe", "a" * 64, "ｐｄｆ"]
)
def test_a_name_of_letters_digits_and_single_hyphens_is_valid(name: str) -> None:
    assert find_name_fault(name) == ""


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "empty"),
        ("a" * 65, "65 characters"),
        ("PDF", "capital"),
        ("pdf_forms", "`_`"),
        ("pdf forms", "a space"),
        ("pdf.forms", "`.`"),
        ("-pdf", "begins or ends"),
        ("pdf-", "begins or ends"),
        ("pdf--forms", "two hyphens"),
        ("a/b", "`/`"),
        ("a\nb", "U+000A"),
        ("代码，评审", "`,`"),  # NFKC makes the full-width comma a plain one.
    ],
)
def test_other_names_are_faulty_and_it_is_said_why(name: str, fault: str) -> None:
    assert fault in find_name_fault(name)


@pytest.mark.parametrize(
    ("written", "folder", "loaded_as", "said"),
    [
        ("name: pdf", "pdf-forms", "pdf", "the folder is called `pdf-forms`"),
        ("name: PDF Forms", "pdf-forms", "PDF Forms", "a space"),
        ("", "pdf-forms", "pdf-forms", "`name` is missing"),
        (f"name: {'x' * 65}", "pdf-forms", "pdf-forms", "65 characters"),
        ("name: 代码评审", "代码评审", "代码评审", ""),
        ("name: ｐｄｆ-forms", "pdf-forms", "pdf-forms", ""),
    ],
)
def test_a_name_that_breaks_the_rules_is_told_and_the_skill_is_loaded(
    written: str, folder: str, loaded_as: str, said: str
) -> None:
    header = read(f"{written}\ndescription: Forms.", folder=folder)

    assert header.name == loaded_as
    assert header.is_usable
    assert said in messages(header)
    assert bool(header.problems) is bool(said)


@pytest.mark.parametrize("written", ["", "description:", "description: ''", "description: [a]"])
def test_without_a_description_a_skill_is_skipped_and_it_is_said(written: str) -> None:
    header = read(f"name: pdf-forms\n{written}")

    assert not header.is_usable
    assert "`description` is missing" in messages(header)


def test_a_flat_file_of_our_own_needs_no_description_and_may_have_any_name() -> None:
    header = read("name: Our SQL\nkeywords: sql", folder="")

    assert (header.name, header.is_usable, header.problems) == ("Our SQL", True, ())


@pytest.mark.parametrize(
    ("key", "length", "is_told"),
    [
        ("description", 1024, False),
        ("description", 1025, True),
        ("compatibility", 500, False),
        ("compatibility", 501, True),
    ],
)
def test_a_value_over_its_length_is_told_and_used(key: str, length: int, is_told: bool) -> None:
    header = read(f"name: pdf-forms\ndescription: d\n{key}: {'字' * length}")

    assert (f"`{key}` has {length:,} characters" in messages(header)) is is_told
    assert header.is_usable


@pytest.mark.parametrize(
    ("written", "expected", "is_told"),
    [
        ("allowed-tools: Read Grep", ("Read", "Grep"), False),
        ("allowed-tools: Read, Grep", ("Read", "Grep"), False),
        ("allowed-tools: Bash(git log, git show) Read", ("Bash(git log, git show)", "Read"), False),
        ("allowed-tools:\n  - Read\n  - Grep", ("Read", "Grep"), True),
        ("allowed-tools:", (), False),
        ("allowed-tools:\n  a: b", (), True),
    ],
)
def test_allowed_tools_are_read_in_every_spelling(
    written: str, expected: tuple[str, ...], is_told: bool
) -> None:
    header = read(f"{GOOD}\n{written}")

    assert header.allowed_tools == expected
    assert bool(header.problems) is is_told


@pytest.mark.parametrize(
    ("written", "for_model", "for_user", "is_told"),
    [
        ("", True, True, False),
        ("disable-model-invocation: true", False, True, False),
        ("disable-model-invocation: 'true'", False, True, False),
        ("disable-model-invocation: false", True, True, False),
        ("disable-model-invocation:", True, True, False),
        ("disable-model-invocation: perhaps", True, True, True),
        ("user-invocable: false", True, False, False),
        ("user-invocable: false\ndisable-model-invocation: true", False, False, True),
    ],
)
def test_who_may_activate_a_skill(
    written: str, for_model: bool, for_user: bool, is_told: bool
) -> None:
    header = read(f"{GOOD}\n{written}")

    assert (header.for_model, header.for_user) == (for_model, for_user)
    assert bool(header.problems) is is_told


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ("allowed_tools: Read", "allowed-tools"),
        ("licence: MIT", "license"),
        ("disable_model_invocation: true", "disable-model-invocation"),
        ("user-invokable: false", "user-invocable"),
    ],
)
def test_a_misspelt_key_is_told_with_the_right_one(written: str, near: str) -> None:
    assert f"did you mean `{near}`" in messages(read(f"{GOOD}\n{written}"))


@pytest.mark.parametrize("written", ["model: large", "version: 1.0", "argument-hint: '[file]'"])
def test_a_key_of_another_tool_is_passed_over(written: str) -> None:
    assert read(f"{GOOD}\n{written}").problems == ()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("metadata: text", ()),
        ("metadata:\n  a: [1, 2]\n  b: c", (("b", "c"),)),
        ("metadata:\n  version: 1.0", (("version", "1.0"),)),
    ],
)
def test_metadata_is_a_map_from_text_to_text(written: str, expected: Any) -> None:
    assert read(f"{GOOD}\n{written}").metadata == expected


def test_a_description_with_a_colon_is_read_as_it_was_meant() -> None:
    header = read("name: pdf-forms\ndescription: Use when: a form is asked for # 注意")

    assert header.description == "Use when: a form is asked for # 注意"
    assert header.is_usable


@pytest.mark.parametrize(
    ("body", "said"),
    [("Do it.\n", ""), ("\n \n", "no text"), ("line\n" * 500, ""), ("line\n" * 501, "501 lines")],
)
def test_the_length_of_a_body_is_judged(body: str, said: str) -> None:
    problems = list(judge_body(body, 5))

    assert bool(problems) is bool(said)
    assert all(said in message for _, message in problems)
