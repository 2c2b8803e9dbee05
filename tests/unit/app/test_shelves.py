"""Which folders are read as what, whose they are, and which of two of the same name counts."""

from pathlib import Path

import pytest

from glossator.skills.precedence import settle_names
from workbench import FILES, Bench, MakeBench


def skill(name: str, text: str) -> str:
    return f"---\nname: {name}\ndescription: How to {name} things.\n---\n{text}\n"


def skills_of(bench: Bench) -> dict[str, tuple[str, str]]:
    library = bench.application._environment.library
    assert library is not None
    kept, _ = settle_names(library.skills)
    return {skill.name: (skill.origin, skill.path) for skill in kept}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = (tmp_path / "home").resolve()
    (folder / ".agents/skills/mine").mkdir(parents=True)
    (folder / ".agents/skills/mine/SKILL.md").write_text(skill("mine", "Mine."), encoding="utf-8")
    (folder / ".agents/skills/both").mkdir()
    (folder / ".agents/skills/both/SKILL.md").write_text(skill("both", "Mine."), encoding="utf-8")
    monkeypatch.setenv("HOME", str(folder))
    return folder


SETTINGS: dict[str, object] = {
    "knowledge.bundled": False,
    "knowledge.personalSkillFolders": ["~/.agents/skills"],
}


async def test_personal_skills_are_used_and_give_way_to_those_of_the_project(
    make_bench: MakeBench, home: Path
) -> None:
    files = {**FILES, "skills/both/SKILL.md": skill("both", "Ours.")}
    bench = make_bench(files, settings=SETTINGS)
    await bench.application.rebuild_index()

    assert skills_of(bench) == {
        "both": ("workspace", "skills/both/SKILL.md"),
        "mine": ("personal", "personal/.agents/skills/mine/SKILL.md"),
    }
    found = bench.application.find_file("personal/.agents/skills/mine/SKILL.md")
    assert found == home / ".agents/skills/mine/SKILL.md"


async def test_personal_skills_are_used_whoever_trusts_the_workspace(
    make_bench: MakeBench, home: Path
) -> None:
    files = {**FILES, ".claude/skills/both/SKILL.md": skill("both", "Theirs.")}
    bench = make_bench(files, settings=SETTINGS, trusted=False)
    await bench.application.rebuild_index()

    assert skills_of(bench)["both"][0] == "personal"


async def test_a_bundled_skill_gives_way_to_a_personal_one(
    make_bench: MakeBench, home: Path
) -> None:
    folder = home / ".agents/skills/logging"
    folder.mkdir()
    (folder / "SKILL.md").write_text(skill("logging", "Mine."), encoding="utf-8")
    bench = make_bench(settings={**SETTINGS, "knowledge.bundled": True})
    await bench.application.rebuild_index()

    assert skills_of(bench)["logging"][0] == "personal"
    index = bench.application.status().index
    assert index is not None
    active = [
        each for each in await bench.application.knowledge.list_skills() if each.state == "active"
    ]
    assert index.n_skills == len(active)


@pytest.mark.parametrize("name", ["~/nowhere", "relative/skills", "/no/such/folder", "~\x00"])
async def test_a_personal_folder_that_is_none_is_said(
    make_bench: MakeBench, home: Path, name: str
) -> None:
    bench = make_bench(settings={**SETTINGS, "knowledge.personalSkillFolders": [name]})

    [problem] = [each for each in bench.application.status().problems if "personal" in each]

    assert "is no folder; it is not read" in problem


async def test_a_workspace_cannot_name_personal_folders(make_bench: MakeBench, home: Path) -> None:
    toml = 'knowledge.personalSkillFolders = ["~/.agents/skills"]\nknowledge.bundled = false\n'
    bench = make_bench({**FILES, "glossator.toml": toml})
    await bench.application.rebuild_index()

    assert skills_of(bench) == {}
    assert any("is ignored in" in problem for problem in bench.application.status().problems)


async def test_a_personal_skill_cannot_lead_out_of_its_folder(
    make_bench: MakeBench, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text(skill("secret", "CANARY"), encoding="utf-8")
    (home / ".agents/skills/out").mkdir()
    (home / ".agents/skills/out/SKILL.md").symlink_to(tmp_path / "secret.md")
    bench = make_bench(settings=SETTINGS)
    await bench.application.rebuild_index()

    assert "secret" not in skills_of(bench)
    assert "out" not in skills_of(bench)


async def test_decisions_are_knowledge_and_every_skill_folder_is_read(
    make_bench: MakeBench,
) -> None:
    files = {
        **FILES,
        "docs/adr/0001-数据库.md": "# 选择 PostgreSQL\n\n我们选择 PostgreSQL 作为数据库。\n",
        ".agents/skills/a/SKILL.md": skill("a", "A."),
        ".claude/skills/b/SKILL.md": skill("b", "B."),
        ".github/skills/c/SKILL.md": skill("c", "C."),
    }
    bench = make_bench(files, settings={"knowledge.bundled": False}, trusted=True)
    report = await bench.application.rebuild_index()

    assert report.n_documents == 1
    assert sorted(skills_of(bench)) == ["a", "b", "c"]


async def test_instructions_that_cannot_be_read_are_named_as_people_know_them(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(files=FILES, settings={"knowledge.bundled": False})
    (bench.root / "deep").mkdir()
    (bench.root / "deep/AGENTS.md").write_bytes(b"\0\1binary")

    report = await bench.application.rebuild_index()

    assert [problem.path for problem in report.problems] == ["deep/AGENTS.md"]
