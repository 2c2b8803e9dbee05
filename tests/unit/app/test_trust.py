"""Trust: who decides, what is remembered, what is asked, and what an answer changes."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from glossator.app.phrasing import Phrasing
from glossator.app.results import Trust
from glossator.app.trust import TrustAnswers, decide_trust, explain_withheld, put_question
from glossator.knowledge.documents import parse_document
from workbench import FILES, Bench, MakeBench

TEAM_FILES = {
    **FILES,
    "AGENTS.md": "# Zebras\n\nZebras are counted twice on Mondays.\n",
    "knowledge/animals.md": (
        "---\nkeywords: giraffe\n---\n# Giraffes\n\nA giraffe is five metres tall.\n"
    ),
    "skills/own/SKILL.md": "---\nname: own\ndescription: Own skill\n---\nOwn.\n",
    ".claude/skills/theirs/SKILL.md": "---\nname: theirs\ndescription: Their skill\n---\nTheirs.\n",
}
SETTINGS: Mapping[str, object] = {"knowledge.bundled": False}


def skills_of(bench: Bench) -> list[str]:
    library = bench.application._environment.library
    assert library is not None
    return sorted(skill.name for skill in library.skills)


@pytest.mark.parametrize(
    ("said", "answered", "is_set", "heeds_answers", "trust"),
    [
        (None, None, False, True, "unknown"),
        (True, None, False, True, "trusted"),
        (False, None, False, True, "untrusted"),
        (None, True, False, True, "trusted"),
        (None, False, False, True, "untrusted"),
        (None, None, True, True, "trusted"),
        (False, True, True, True, "untrusted"),
        (True, False, True, True, "untrusted"),
        (True, False, False, False, "trusted"),
        (None, True, False, False, "unknown"),
    ],
)
def test_one_no_counts_more_than_a_yes_and_the_terminal_heeds_no_answers(
    said: bool | None, answered: bool | None, is_set: bool, heeds_answers: bool, trust: Trust
) -> None:
    assert decide_trust(said, answered, is_set=is_set, heeds_answers=heeds_answers) == trust


def test_answers_are_remembered_for_each_folder(tmp_path: Path) -> None:
    file = tmp_path / "state" / "trust.json"
    first, second = tmp_path / "一", tmp_path / "two"

    assert TrustAnswers(file).find((first,)) is None
    assert TrustAnswers(file).remember((first,), trusted=True) == ""
    assert TrustAnswers(file).find((first,)) is True
    assert TrustAnswers(file).find((first, second)) is None

    TrustAnswers(file).remember((second,), trusted=False)
    assert TrustAnswers(file).find((first, second)) is False
    assert TrustAnswers(file).find(()) is None
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", '{"workspaces": []}', '{"workspaces": {"ROOT": true}}',
     '{"workspaces": {"ROOT": {"trusted": "yes"}}}', "\x00\xff", "[" * 100_000],
)  # fmt: skip
def test_a_broken_file_of_answers_is_no_answer_and_is_written_anew(
    tmp_path: Path, content: str
) -> None:
    file = tmp_path / "trust.json"
    file.write_text(content.replace("ROOT", str(tmp_path)), encoding="latin-1")
    answers = TrustAnswers(file)

    assert answers.find((tmp_path,)) is None
    assert answers.remember((tmp_path,), trusted=True) == ""
    assert answers.find((tmp_path,)) is True


def test_an_answer_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    problem = TrustAnswers(tmp_path / "file" / "trust.json").remember((tmp_path,), trusted=True)

    assert "could not be kept" in problem


@pytest.mark.parametrize("is_chinese", [False, True])
def test_the_question_names_the_files_and_what_a_yes_brings(is_chinese: bool) -> None:
    withheld = [parse_document("x", path=f"{number}/AGENTS.md") for number in range(7)]

    question = put_question(withheld, Phrasing(is_chinese=is_chinese))

    assert question is not None
    assert "0/AGENTS.md" in question.message
    assert ("2 个文件" if is_chinese else "2 more") in question.message
    assert ".env" in question.message
    assert (question.yes, question.no) == (
        ("信任", "不信任") if is_chinese else ("Trust", "Don't trust")
    )


def test_without_files_to_use_nothing_is_asked_or_explained() -> None:
    assert put_question((), Phrasing(is_chinese=False)) is None
    assert explain_withheld("unknown", (), Phrasing(is_chinese=False)) == ""


async def test_until_somebody_says_so_nothing_written_for_assistants_is_used(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(TEAM_FILES, settings=SETTINGS)
    await bench.application.rebuild_index()

    status = bench.application.status()

    assert status.trust == "unknown"
    assert status.withheld == (".claude/skills/theirs/SKILL.md", "AGENTS.md")
    assert status.instructions == ()
    assert skills_of(bench) == ["own"]
    assert any("glossator.trustWorkspace" in problem for problem in status.problems)
    assert (await bench.application.ask("How tall is a giraffe?")).refused is None
    assert (
        await bench.application.ask("How often are zebras counted on Mondays?")
    ).refused is not None


async def test_an_answer_counts_at_once_and_in_the_next_process(make_bench: MakeBench) -> None:
    bench = make_bench(TEAM_FILES, settings=SETTINGS)
    await bench.application.rebuild_index()
    assert bench.application.find_trust_question() is not None

    assert await bench.application.trust_workspace(trusted=True) == ""

    assert bench.application.status().trust == "trusted"
    assert bench.application.status().instructions == ("AGENTS.md",)
    assert bench.application.find_trust_question() is None
    assert skills_of(bench) == ["own", "theirs"]
    assert (await bench.application.ask("How often are zebras counted on Mondays?")).refused is None

    later = make_bench(TEAM_FILES, settings=SETTINGS)
    await later.application.rebuild_index()
    assert later.application.status().trust == "trusted"


async def test_a_no_takes_the_own_skills_away_too_and_knowledge_stays(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(TEAM_FILES, settings=SETTINGS)
    await bench.application.rebuild_index()

    await bench.application.trust_workspace(trusted=False)

    status = bench.application.status()
    assert status.trust == "untrusted"
    assert skills_of(bench) == []
    assert "skills/own/SKILL.md" in status.withheld
    assert bench.application.find_trust_question() is None
    assert (await bench.application.ask("How tall is a giraffe?")).refused is None


async def test_an_editor_that_says_no_is_not_overruled(make_bench: MakeBench) -> None:
    bench = make_bench(TEAM_FILES, settings=SETTINGS, trusted=False)

    message = await bench.application.trust_workspace(trusted=True)

    assert "The editor says" in message
    assert bench.application.status().trust == "untrusted"


async def test_a_yes_that_is_taken_back_is_forgotten(make_bench: MakeBench) -> None:
    bench = make_bench(TEAM_FILES, settings=SETTINGS, trusted=True)
    await bench.application.rebuild_index()
    assert bench.application.status().instructions == ("AGENTS.md",)

    await bench.application.trust_workspace(trusted=False)
    assert bench.application.status().instructions == ()

    await bench.application.trust_workspace(trusted=True)
    assert bench.application.status().instructions == ("AGENTS.md",)


async def test_another_folder_has_to_be_trusted_for_itself(
    make_bench: MakeBench, tmp_path: Path
) -> None:
    bench = make_bench(TEAM_FILES, settings=SETTINGS)
    await bench.application.trust_workspace(trusted=True)
    other = tmp_path / "other"
    other.mkdir()

    await bench.application.change_roots((bench.root, other))

    assert bench.application.status().trust == "unknown"


async def test_the_setting_of_a_user_trusts_and_that_of_a_workspace_does_not(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(
        {**TEAM_FILES, "glossator.toml": "workspace.trusted = true\n"}, settings=SETTINGS
    )
    assert bench.application.status().trust == "unknown"

    await bench.application.change_settings({**SETTINGS, "workspace.trusted": True})

    assert bench.application.status().trust == "trusted"


async def test_rules_of_instructions_check_code_only_when_they_are_trusted(
    make_bench: MakeBench,
) -> None:
    rule = (
        "- No print. {#no-print}\n\n"
        "  ```check\n  language: python\n  rule:\n    pattern: print($$$)\n  ```\n"
    )
    files = {**FILES, "AGENTS.md": rule}
    bench = make_bench(files, settings=SETTINGS)

    async def check() -> list[Any]:
        source = bench.application.read(bench.root / "store/disk.py")
        return [
            finding.rule.id for finding in (await bench.application.checks.check(source)).findings
        ]

    assert await check() == []
    await bench.application.trust_workspace(trusted=True)
    assert await check() == ["no-print"]


async def test_the_state_of_trust_is_kept_as_json_that_people_can_read(
    make_bench: MakeBench, state_folder: str
) -> None:
    bench = make_bench(TEAM_FILES, settings=SETTINGS)

    await bench.application.trust_workspace(trusted=True)

    file = Path(state_folder) / "glossator" / "trust.json"
    kept = json.loads(await asyncio.to_thread(file.read_text, encoding="utf-8"))
    assert kept["workspaces"][str(bench.root.resolve())]["trusted"] is True
