from dataclasses import replace

import pytest

from glossator.skills.invoking import find_invoked
from glossator.skills.skill import Skill

SQL = Skill("sql", "d", (), (), False, "...", "skills/sql.md", "workspace", 5)
SQL_IN_CODE = replace(SQL, name="sql-in-code", path="skills/code.md")
REVIEW = replace(SQL, name="代码评审", path="skills/r.md")
SECRET = replace(SQL, name="release", path="skills/release.md", for_user=False)
ALL = (SQL, SQL_IN_CODE, REVIEW, SECRET)


@pytest.mark.parametrize(
    ("question", "invoked", "rest"),
    [
        ("/sql how do I bind?", [SQL], "how do I bind?"),
        ("$sql how?", [SQL], "how?"),
        ("@sql how?", [SQL], "how?"),
        ("  /sql\nhow?", [SQL], "how?"),
        ("/sql", [SQL], ""),
        ("/SQL: how?", [SQL], "how?"),
        ("/sql-in-code how?", [SQL_IN_CODE], "how?"),
        ("/sql /sql-in-code how?", [SQL, SQL_IN_CODE], "how?"),
        ("/代码评审 看看这个", [REVIEW], "看看这个"),
        ("/代码评审看看这个", [REVIEW], "看看这个"),
        ("／代码评审，看看这个", [REVIEW], "看看这个"),
        ("/sql怎么写", [SQL], "怎么写"),
    ],
)
def test_a_name_where_a_question_begins_asks_for_the_skill(
    question: str, invoked: list[Skill], rest: str
) -> None:
    found = find_invoked(question, ALL)

    assert (list(found.skills), found.rest) == (invoked, rest)


@pytest.mark.parametrize(
    "question",
    [
        "how do I /sql",
        "/sqlite is what?",
        "/sql/main.py is what?",
        "/sql.py is what?",
        "/sql_x",
        "/ sql",
        "$HOME is what?",
        "@Override",
        "/",
        "",
        "sql?",
    ],
)
def test_other_questions_stay_as_they_are(question: str) -> None:
    found = find_invoked(question, ALL)

    assert (found.skills, found.refused, found.rest) == ((), (), question)


def test_a_skill_that_users_cannot_invoke_is_refused_and_the_rest_is_asked() -> None:
    found = find_invoked("/release now?", ALL)

    assert (found.skills, found.refused, found.rest) == ((), (SECRET,), "now?")


def test_a_skill_that_models_cannot_invoke_is_for_users() -> None:
    deploy = replace(SQL, name="deploy", for_model=False, path="skills/deploy.md")

    assert find_invoked("/deploy", [deploy]).skills == (deploy,)
