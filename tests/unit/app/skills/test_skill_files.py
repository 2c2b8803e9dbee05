"""Skills as they lie in folders: found, read, hidden by one another, and listed."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from glossator.app.skills.files import make_skill, make_skill_document, scan_skill_folder
from glossator.core.text import SourceText
from workbench import MakeBench

GOOD = "---\nname: {name}\ndescription: About {name}.\n---\nDo it.\n"
TRUSTED = {"knowledge": {"bundled": False}, "workspace": {"trusted": True}}


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def found(root: Path, **limits: int) -> tuple[list[str], tuple[str, ...]]:
    scan = scan_skill_folder(root, **limits)
    return [file.relative_to(root).as_posix() for file in scan.files], scan.problems


def test_folders_and_flat_files_are_found_and_resources_are_not(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "flat.md": "x",
            "pdf/SKILL.md": "x",
            "pdf/references/more.md": "x",
            "pdf/nested/SKILL.md": "x",
            "lower/skill.md": "x",
            "group/deep/er/SKILL.md": "x",
            "group/flat.md": "x",
            "notes.txt": "x",
            ".git/SKILL.md": "x",
            ".hidden/a/SKILL.md": "x",
            "node_modules/a/SKILL.md": "x",
        },
    )
    (tmp_path / "linked").symlink_to(tmp_path / "pdf")

    assert found(tmp_path) == (
        ["flat.md", "group/deep/er/SKILL.md", "group/flat.md", "lower/skill.md", "pdf/SKILL.md"],
        (),
    )


def test_the_search_ends_at_a_depth_and_says_so(tmp_path: Path) -> None:
    write(tmp_path, {"1/2/3/4/5/6/SKILL.md": "x", "a/2/3/4/5/6/7/SKILL.md": "x"})

    files, [problem] = found(tmp_path)

    assert files == ["1/2/3/4/5/6/SKILL.md"]
    assert problem.startswith("`a/2/3/4/5/6` is 6 folders deep")


def test_the_search_ends_after_many_folders_and_says_so(tmp_path: Path) -> None:
    for number in range(30):
        write(tmp_path, {f"s{number:02}/SKILL.md": "x"})

    files, [problem] = found(tmp_path, max_folders=11)

    assert files == [f"s{number:02}/SKILL.md" for number in range(10)]
    assert "first 11 folders" in problem


def test_a_folder_that_is_not_there_has_no_skills(tmp_path: Path) -> None:
    assert found(tmp_path / "gone") == ([], ())


def test_a_link_in_a_circle_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "again").symlink_to(tmp_path)
    write(tmp_path, {"a/SKILL.md": "x"})

    assert found(tmp_path)[0] == ["a/SKILL.md"]


def test_a_document_of_a_skill_has_its_name_family_and_problems() -> None:
    text = "---\ndescription: Forms.\nlicence: MIT\n---\nDo it.\n"

    document = make_skill_document(SourceText("skills/pdf/SKILL.md", text), "personal")
    skill = make_skill(document)

    assert (document.name, document.family, document.origin) == ("pdf", "skill", "personal")
    assert [each.line for each in document.problems] == [1, 3]
    assert skill is not None
    assert (skill.name, skill.body, skill.first_line, skill.has_folder) == (
        "pdf",
        "Do it.\n",
        5,
        True,
    )


@pytest.mark.parametrize("text", ["", "no header at all", "---\nname: x\n---\nBody.", "---\n"])
def test_what_has_no_description_is_skipped_whatever_it_is(text: str) -> None:
    document = make_skill_document(SourceText("skills/x/SKILL.md", text), "workspace")

    assert make_skill(document) is None
    assert any("`description` is missing" in each.message for each in document.problems)


def test_a_link_is_followed_where_it_stays_within_and_refused_with_a_word_elsewhere(
    tmp_path: Path,
) -> None:
    write(tmp_path, {"root/tools/pdf/SKILL.md": "x", "outside/secret/SKILL.md": "x"})
    skills = tmp_path / "root" / "skills"
    skills.mkdir()
    (skills / "pdf").symlink_to(tmp_path / "root" / "tools" / "pdf")
    (skills / "again").symlink_to(tmp_path / "root" / "tools" / "pdf")
    (skills / "secret").symlink_to(tmp_path / "outside" / "secret")

    scan = scan_skill_folder(skills, tmp_path / "root")

    assert scan.files == (tmp_path / "root" / "tools" / "pdf" / "SKILL.md",)
    assert [problem.split(" ")[0] for problem in scan.problems] == ["`secret`"]


async def test_a_skill_that_another_folder_links_to_is_one_skill(make_bench: MakeBench) -> None:
    bench = make_bench({".agents/skills/pdf/SKILL.md": GOOD.format(name="pdf")}, settings=TRUSTED)
    (bench.root / ".claude" / "skills").mkdir(parents=True)
    (bench.root / ".claude" / "skills" / "pdf").symlink_to(bench.root / ".agents/skills/pdf")

    [listed] = await bench.application.knowledge.list_skills()

    assert (listed.path, listed.state, listed.problems) == (
        ".agents/skills/pdf/SKILL.md", "active", (),
    )  # fmt: skip


async def test_of_one_name_the_first_counts_and_the_others_are_told(make_bench: MakeBench) -> None:
    bench = make_bench(
        {
            f"{folder}/skills/pdf/SKILL.md": GOOD.format(name="pdf").replace("Do it", folder)
            for folder in (".github", ".claude", ".agents")
        }
        | {".claude/skills/broken/SKILL.md": "Nothing.\n"},
        settings=TRUSTED,
    )

    listed = await bench.application.knowledge.list_skills()

    assert [(each.name, each.path, each.state, each.detail) for each in listed] == [
        ("broken", ".claude/skills/broken/SKILL.md", "skipped", ""),
        ("pdf", ".agents/skills/pdf/SKILL.md", "active", ""),
        ("pdf", ".claude/skills/pdf/SKILL.md", "shadowed", ".agents/skills/pdf/SKILL.md"),
        ("pdf", ".github/skills/pdf/SKILL.md", "shadowed", ".agents/skills/pdf/SKILL.md"),
    ]
    assert listed[1].problems == ()
    for hidden in listed[2:]:
        assert "`.agents/skills/pdf/SKILL.md` has the same name" in hidden.problems[0].message


async def test_a_skill_of_the_workspace_hides_a_bundled_one_without_a_word(
    make_bench: MakeBench,
) -> None:
    bench = make_bench({"skills/logging.md": GOOD.format(name="logging")})

    own = [
        each for each in await bench.application.knowledge.list_skills() if each.name == "logging"
    ]

    assert [(each.origin, each.state) for each in own] == [
        ("workspace", "active"), ("bundled", "shadowed"),
    ]  # fmt: skip
    assert [each.problems for each in own] == [(), ()]


async def test_a_broken_skill_spoils_no_other(make_bench: MakeBench) -> None:
    bomb = "---\nname: bomb\ndescription: d\nmetadata: &a [*a, *a]\n---\nx\n"
    files = {
        ".agents/skills/good/SKILL.md": GOOD.format(name="good"),
        ".agents/skills/bomb/SKILL.md": bomb,
        ".agents/skills/deep/SKILL.md": f"---\nname: deep\nmetadata: {'[' * 5_000}\n---\n",
    }
    bench = make_bench(files, settings=TRUSTED)
    (bench.root / ".agents/skills/bytes").mkdir()
    (bench.root / ".agents/skills/bytes/SKILL.md").write_bytes(b"\xff\xfe\x00")

    listed = {each.name: each for each in await bench.application.knowledge.list_skills()}

    assert listed["good"].state == "active"
    assert listed["bomb"].problems
    assert listed["deep"].state == "skipped"
