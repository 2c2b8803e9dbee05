"""`glossator skills` as a person or a script meets it."""

import json
from pathlib import Path

import pytest

from terminal.running import glossator, write_files

PDF = """\
---
name: pdf-forms
description: Fill in forms.
keywords: [form, 表单]
---
Fill in every field.
"""


FILES = {
    ".agents/skills/pdf-forms/SKILL.md": PDF,
    "glossator.toml": "[knowledge]\nbundled = false\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_files(tmp_path / "workspace", FILES)


def test_each_skill_is_listed_with_its_place_and_what_activates_it(workspace: Path) -> None:
    done = glossator(workspace, "skills")

    first, about, triggers = done.stdout.splitlines()
    assert first.startswith("pdf-forms  .agents/skills/pdf-forms/SKILL.md (workspace, ")
    assert about == "    Fill in forms."
    assert triggers == "    the model; /pdf-forms; keywords form, 表单"
    assert "1 skill, 0 files not used, 0 problems" in done.stderr
    assert done.returncode == 0


def test_a_problem_is_shown_with_its_line_and_the_exit_code_is_1(workspace: Path) -> None:
    broken = workspace / ".claude" / "skills" / "broken"
    broken.mkdir(parents=True)
    (broken / "SKILL.md").write_text("Nothing.\n", encoding="utf-8")

    done = glossator(workspace, "skills")

    assert "broken  .claude/skills/broken/SKILL.md (workspace, " in done.stdout
    assert "skipped)" in done.stdout
    assert "    ! .claude/skills/broken/SKILL.md:1 `description` is missing" in done.stdout
    assert done.returncode == 1


def test_json_is_one_value(workspace: Path) -> None:
    done = glossator(workspace, "skills", "--json")

    [skill] = json.loads(done.stdout)["skills"]
    assert (skill["name"], skill["state"], skill["forModel"], skill["problems"]) == (
        "pdf-forms", "active", True, [],
    )  # fmt: skip
