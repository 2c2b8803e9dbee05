from dataclasses import replace
from itertools import permutations

import pytest

from glossator.skills.precedence import settle_names
from glossator.skills.skill import Skill

OWN = Skill("pdf", "d", (), (), False, "...", "skills/pdf/SKILL.md", "workspace", 5)
AGENTS = replace(OWN, path=".agents/skills/pdf/SKILL.md")
CLAUDE = replace(OWN, path=".claude/skills/pdf/SKILL.md")
GITHUB = replace(OWN, path=".github/skills/pdf/SKILL.md")
PERSONAL = replace(OWN, path="~/.agents/skills/pdf/SKILL.md", origin="personal")
BUNDLED = replace(OWN, path="bundled/skills/pdf.md", origin="bundled")
IN_ORDER = (OWN, AGENTS, CLAUDE, GITHUB, PERSONAL, BUNDLED)


@pytest.mark.parametrize("n_first", range(len(IN_ORDER)))
def test_the_workspace_beats_personal_and_that_beats_bundled(n_first: int) -> None:
    rest = IN_ORDER[n_first:]

    for order in list(permutations(rest))[:24]:
        counting, collisions = settle_names(order)
        assert counting == (rest[0],)
        assert [each.hidden for each in collisions] == list(rest[1:])


def test_names_meet_in_any_case_and_width() -> None:
    wide = replace(AGENTS, name="ＰＤＦ")

    assert settle_names([wide, OWN])[0] == (OWN,)


def test_a_folder_of_another_root_has_the_same_rank() -> None:
    first = replace(CLAUDE, path="app/.claude/skills/pdf/SKILL.md")
    second = replace(AGENTS, path="web/.agents/skills/pdf/SKILL.md")

    assert settle_names([first, second])[0] == (second,)
