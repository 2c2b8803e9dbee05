from dataclasses import replace
from typing import get_args

import pytest

from glossator.core.text import contains_chinese
from glossator.knowledge.documents import parse_document
from glossator.knowledge.wording import read_wording
from glossator.skills.choosing import Choice, Skill, choose_skills
from glossator.skills.reasons import Reason, ReasonKind, render_reasons

SQL = Skill(
    name="sql-in-code",
    description="Bind parameters and name the columns in queries.",
    keywords=("sql", "数据库", "slow query"),
    globs=(),
    always=False,
    body="...",
    path="skills/sql.md",
    origin="bundled",
    first_line=5,
)
TESTS = replace(
    SQL,
    name="writing-tests",
    description="How a test is written.",
    keywords=("test", "pytest", "测试"),
    globs=("**/test_*.py",),
    path="skills/tests.md",
)
HOUSE = replace(SQL, name="house", description="", keywords=(), always=True, path="skills/house.md")
PROSE = replace(
    SQL, name="prose", description="Writing changelog entries for releases.", keywords=(),
    path="skills/prose/SKILL.md",
)  # fmt: skip
ALL = (HOUSE, PROSE, SQL, TESTS)


def choose(question: str, path: str | None = None, limit: int = 3) -> Choice:
    return choose_skills(ALL, read_wording(question), path, limit=limit)


def names(choice: Choice) -> list[str]:
    return [skill.name for skill in choice.skills]


def test_a_reason_names_the_word_of_the_question_that_means_the_keyword() -> None:
    by_synonym = choose_skills([TESTS], read_wording("单元测试, tests"))
    itself = choose_skills([SQL], read_wording("资料库"))

    assert "`test`" in by_synonym.chosen[0].reason
    assert "said as" not in by_synonym.chosen[0].reason
    assert "`数据库` (said as `资料库`)" in itself.chosen[0].reason


def test_keywords_of_both_languages_call_for_a_skill() -> None:
    assert "sql-in-code" in names(choose("Why is this slow query slow?"))
    assert "sql-in-code" in names(choose("数据库怎么查"))
    assert "writing-tests" in names(choose("How do we do testing?"))
    assert "sql-in-code" not in names(choose("restore a mysqldump"))


def test_the_name_of_a_skill_calls_for_it_before_all_others() -> None:
    assert names(choose("use sql in code for these pytest tests"))[0] == "sql-in-code"


def test_the_file_one_looks_at_calls_for_a_skill() -> None:
    choice = choose("what is this", "src/test_api.py")

    assert "writing-tests" in names(choice)
    assert "its globs match `src/test_api.py`" in {item.reason for item in choice.chosen}


def test_a_description_calls_for_a_skill_when_several_of_its_words_are_asked_for() -> None:
    assert "prose" in names(choose("How do I add a changelog entry?"))
    assert "prose" not in names(choose("Where is the changelog?"))


def test_what_always_applies_comes_without_being_called_for() -> None:
    assert names(choose("hello")) == ["house"]


def test_what_the_limit_leaves_out_is_named_with_the_reason() -> None:
    choice = choose("pytest tests for sql in the database", limit=1)

    assert len(choice.skills) == 2
    assert "house" in names(choice)
    assert [item.skill.name for item in choice.left_out] != []
    assert "fit better" in choice.left_out[0].reason


def test_a_skill_of_the_workspace_takes_the_place_of_the_bundled_one() -> None:
    own = replace(SQL, origin="workspace", path=".agents/sql.md")

    choice = choose_skills((SQL, own), read_wording("sql?"), None)

    assert choice.skills == (own,)
    assert [item.skill for item in choice.left_out] == [SQL]


def test_a_document_is_made_a_skill_in_one_step() -> None:
    document = parse_document("---\nname: s\nkeywords: git\n---\nDo it.\n", path="skills/s.md")

    skill = Skill(
        document.name, document.description, document.keywords, document.globs, document.always,
        document.body, document.path, document.origin, document.body_first_line,
    )  # fmt: skip

    assert (skill.body, skill.first_line) == ("Do it.\n", 5)


def test_a_skill_that_is_not_for_models_is_left_out_until_the_user_asks_for_it() -> None:
    deploy = replace(SQL, name="deploy", keywords=("release",), path="skills/d.md", for_model=False)
    wording = read_wording("make the release")

    uncalled = choose_skills([deploy], wording)
    called = choose_skills([deploy], wording, invoked=[deploy])

    assert uncalled.skills == ()
    assert uncalled.left_out[0].reasons[-1] == Reason("user-only", ("deploy",))
    assert called.skills == (deploy,)
    assert called.chosen[0].reasons == (Reason("invoked"),)


def test_what_the_user_asks_for_comes_first_and_on_top_of_the_limit() -> None:
    choice = choose_skills(
        ALL, read_wording("pytest tests for sql in code"), None, limit=1, invoked=[PROSE]
    )

    assert choice.skills[0] == PROSE
    assert len([skill for skill in choice.skills if skill not in (PROSE, HOUSE)]) == 1


@pytest.mark.parametrize("is_chinese", [True, False])
@pytest.mark.parametrize("kind", get_args(ReasonKind))
def test_every_reason_can_be_told_in_both_languages(kind: ReasonKind, is_chinese: bool) -> None:
    text = render_reasons([Reason(kind, ("x",))], is_chinese=is_chinese)

    assert text
    assert contains_chinese(text) is is_chinese
