from dataclasses import replace

import pytest

from glossator.core.tokens import estimate_tokens
from glossator.knowledge.wording import read_wording
from glossator.skills.catalogue import Catalogue, make_catalogue
from glossator.skills.skill import Skill

SQL = Skill(
    name="sql-in-code",
    description="Bind parameters. Use when SQL is written.",
    keywords=("sql",),
    globs=("**/*.sql",),
    always=False,
    body="...",
    path="skills/sql.md",
    origin="workspace",
    first_line=5,
)


def make(number: int) -> Skill:
    return replace(
        SQL,
        name=f"skill-{number:03}",
        description=f"Topic number {number}. " + "Words on what it is about. " * 12,
        keywords=(f"topic{number}",),
        globs=(f"**/*.ext{number}",),
        path=f"skills/skill-{number:03}.md",
    )


MANY = tuple(make(number) for number in range(200))


def names(catalogue: Catalogue) -> list[str]:
    return [skill.name for skill in catalogue.listed]


def test_each_skill_has_a_line_with_its_name_and_description() -> None:
    other = replace(SQL, name="代码评审", description="评审代码时使用。", path="skills/b.md")

    catalogue = make_catalogue([SQL, other])

    assert catalogue.text.splitlines() == [
        "- sql-in-code: Bind parameters. Use when SQL is written.",
        "- 代码评审: 评审代码时使用。",
    ]


def test_without_skills_there_is_nothing() -> None:
    assert make_catalogue([]) == Catalogue()
    assert make_catalogue([replace(SQL, for_model=False)]) == Catalogue()


def test_the_order_does_not_depend_on_the_question() -> None:
    skills = MANY[:20]

    texts = {
        make_catalogue(order, read_wording(question), path).text
        for order in (skills, skills[::-1])
        for question, path in [("topic3", None), ("topic7", "a.ext9"), ("", None)]
    }

    assert len(texts) == 1


def test_descriptions_are_shortened_before_a_skill_is_left_out() -> None:
    catalogue = make_catalogue(MANY[:20], budget_tokens=1_700)

    assert len(catalogue.listed) == 20
    assert "…" in catalogue.text


@pytest.mark.parametrize(
    ("question", "path", "wanted"),
    [("What about topic150?", None, "skill-150"), ("What is this?", "src/a.ext77", "skill-077")],
)
def test_of_too_many_those_that_fit_the_question_or_file_are_listed(
    question: str, path: str | None, wanted: str
) -> None:
    catalogue = make_catalogue(MANY, read_wording(question), path, budget_tokens=1_000)

    assert wanted in names(catalogue)
    assert names(catalogue) == sorted(names(catalogue))
    assert estimate_tokens(catalogue.text) <= 1_000
    assert len(catalogue.listed) + len(catalogue.left_out) == 200
    assert f"({len(catalogue.left_out)} more skills are not listed here" in catalogue.text


def test_names_are_offered_beyond_what_is_listed_but_not_without_end() -> None:
    catalogue = make_catalogue(MANY * 1, budget_tokens=500)
    endless = make_catalogue([make(number) for number in range(2_000)], budget_tokens=500)

    assert len(catalogue.listed) < len(catalogue.offered) <= 200
    assert set(catalogue.listed) <= set(catalogue.offered)
    assert len(endless.offered) < 400
    assert "except" in endless.text


def test_a_budget_of_nothing_still_lists_one() -> None:
    assert len(make_catalogue(MANY, budget_tokens=0).listed) == 1


def test_a_skill_without_a_description_is_listed_by_its_keywords() -> None:
    assert make_catalogue([replace(SQL, description="")]).text == "- sql-in-code: On sql"
    assert make_catalogue([replace(SQL, description="", keywords=())]) == Catalogue()


def test_of_several_skills_of_one_name_one_is_listed() -> None:
    bundled = replace(SQL, origin="bundled", description="Other.", path="bundled/skills/sql.md")

    assert make_catalogue([bundled, SQL]).listed == (SQL,)


def test_a_description_cannot_begin_a_line_of_its_own() -> None:
    catalogue = make_catalogue([replace(SQL, description="a\n- fake: b")])

    assert catalogue.text == "- sql-in-code: a - fake: b"
