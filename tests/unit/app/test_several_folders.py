"""A workspace of several folders: what a team wrote in one of them is not for the others' files."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from glossator.app.application import Application
from glossator.app.results import Opening
from glossator.compose import open_application

FILES = {
    "AGENTS.md": "# {0}\n\nIndent as {0} does.\n",
    ".cursor/rules/py.mdc": "---\nglobs: *.py\n---\nRule of {0}.\n",
    ".github/copilot-instructions.md": "Copilot of {0}.\n",
    "skills/ask-{0}.md": '---\nname: ask-{0}\ndescription: d\nglobs: "*.py"\n---\nSkill of {0}.\n',
    "main.py": "x = 1\n",
}


@pytest.fixture
async def application(tmp_path: Path) -> AsyncIterator[Application]:
    roots = tuple((tmp_path / name).resolve() for name in ("前端", "backend"))
    for root in roots:
        for path, text in FILES.items():
            file = root / path.format(root.name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.format(root.name), encoding="utf-8")
    settings = {"knowledge": {"bundled": False}, "audit": {"enabled": False}}
    opening = Opening(roots=roots, watch=False, trusted=True, editor_settings=settings)
    application = open_application(opening)
    yield application
    await application.close()


@pytest.mark.parametrize(("name", "other"), [("前端", "backend"), ("backend", "前端")])
async def test_instructions_and_skills_count_for_the_files_of_their_own_folder(
    application: Application, tmp_path: Path, name: str, other: str
) -> None:
    why = await application.knowledge.why(tmp_path / name / "main.py")

    assert {each.path for each in why.select("used")} == {
        f"{name}/AGENTS.md",
        f"{name}/.cursor/rules/py.mdc",
        f"{name}/.github/copilot-instructions.md",
        f"{name}/skills/ask-{name}.md",
    }
    # A skill of the other folder may still be asked for.
    assert {each.path for each in why.select("by-question")} == {f"{other}/skills/ask-{other}.md"}


async def test_a_question_that_names_what_a_skill_is_about_finds_it_in_any_folder(
    application: Application, tmp_path: Path
) -> None:
    why = await application.knowledge.why(
        tmp_path / "前端" / "main.py", "What does ask-backend say?"
    )

    assert "backend/skills/ask-backend.md" in {each.path for each in why.select("used")}
