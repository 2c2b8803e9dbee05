from pathlib import Path

from glossator.app.library import Shelf, read_library
from glossator.app.prose import prose_of_text
from glossator.core.text import SourceText

SKILL = """\
---
name: zebra
description: About zebras.
---

# Zebra

One.


## Two

Line thirteen.
"""
UNPROVEN = """\
- Never log it. {#no-log}

  ```check
  language: python
  rule: {pattern: log.info($A)}
  ```
  ```python bad
  print("x")
  ```
"""


def read(file: Path) -> SourceText:
    return SourceText(file.name, file.read_text(encoding="utf-8"), file)


def test_the_lines_of_a_skill_keep_their_numbers_over_blank_ones(tmp_path: Path) -> None:
    (tmp_path / "zebra.md").write_text(SKILL, encoding="utf-8")

    [skill] = read_library([Shelf(tmp_path, "skill", "workspace", read)]).skills

    numbered = prose_of_text(skill.body, skill.first_line)
    assert numbered[0] == (6, "# Zebra")
    assert numbered[-1] == (13, "Line thirteen.")


def test_an_example_that_disproves_its_rule_is_a_problem_of_its_line(tmp_path: Path) -> None:
    (tmp_path / "logs.md").write_text(UNPROVEN, encoding="utf-8")

    library = read_library([Shelf(tmp_path, "knowledge", "workspace", read)])

    [problem] = library.problems
    assert (problem.path, problem.line) == ("logs.md", 8)
    assert "does not flag this bad example" in problem.message
    assert [rule.id for rule in library.rules] == ["no-log"]
