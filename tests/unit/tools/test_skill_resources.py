"""Files of a skill: what may be read, and what must not be, whatever is asked for."""

import os
from pathlib import Path

import pytest

from glossator.core.errors import GlossatorError
from glossator.tools.skill_resources import (
    MAX_FILE_BYTES,
    SkillFolder,
    render_list,
    render_part,
)
from glossator.tools.workspace import Workspace

CANARY = "CANARY_outside_42"
SECRET = "CANARY_secret_43"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A workspace with a skill, a neighbouring skill, and things that must never be seen."""
    skill = tmp_path / "root" / ".agents" / "skills" / "pdf"
    files = {
        "SKILL.md": "---\nname: pdf\n---\nDo it.\n",
        "LICENSE.txt": "Free.\n",
        "references/forms.md": "# Forms\n\nSecond line.\n",
        "references/表单.md": "# 表单\n",
        "scripts/extract.py": "print('plain')\n",
        "assets/deep/deeper.md": "too deep\n",
        ".env": f"key={SECRET}\n",
        "references/id_rsa": SECRET,
        ".hidden/x.md": "hidden",
        "node_modules/x.md": "generated",
        "assets/empty.md": "",
    }
    for name, text in files.items():
        path = skill / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (skill / "assets" / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    other = skill.parent / "other" / "SKILL.md"
    other.parent.mkdir()
    other.write_text(CANARY, encoding="utf-8")
    (skill.parent / "pdf-evil").mkdir()
    (skill.parent / "pdf-evil" / "x.md").write_text(CANARY, encoding="utf-8")
    (tmp_path / "outside.md").write_text(CANARY, encoding="utf-8")
    (tmp_path / "root" / "code.py").write_text(CANARY, encoding="utf-8")
    (skill / "references" / "away.md").symlink_to(tmp_path / "outside.md")
    (skill / "references" / "inside.md").symlink_to(skill / "LICENSE.txt")
    (skill / "linked").symlink_to(skill.parent / "other")
    os.mkfifo(skill / "assets" / "pipe.md")
    return tmp_path


@pytest.fixture(params=["workspace", "outside the workspace"])
def folder(base: Path, request: pytest.FixtureRequest) -> SkillFolder:
    """The skill's folder, as of a workspace or as of a personal or bundled skill."""
    skill = base / "root" / ".agents" / "skills" / "pdf"
    if request.param == "workspace":
        workspace = Workspace([base / "root"])
        return SkillFolder(skill, ".agents/skills/pdf", read=workspace.read_part)
    return SkillFolder(skill, ".agents/skills/pdf")


@pytest.mark.parametrize(
    ("resource", "text"),
    [
        ("references/forms.md", "Second line."),
        ("./references/forms.md", "Second line."),
        ("references\\forms.md", "Second line."),
        ("references//forms.md", "Second line."),
        (" references/forms.md ", "Second line."),
        ("pdf/references/forms.md", "Second line."),
        ("references/表单.md", "表单"),
        ("scripts/extract.py", "print('plain')"),
        ("LICENSE.txt", "Free."),
        ("references/inside.md", "Free."),
    ],
)
def test_a_file_of_the_skill_is_read(folder: SkillFolder, resource: str, text: str) -> None:
    part = folder.read(resource)

    assert text in part.source.text
    assert part.source.name.startswith(".agents/skills/pdf/")


@pytest.mark.parametrize(
    "resource",
    [
        "../other/SKILL.md",
        "references/../../other/SKILL.md",
        "..\\other\\SKILL.md",
        "../../../code.py",
        "../pdf-evil/x.md",
        "/etc/passwd",
        "C:\\Windows\\win.ini",
        "\\\\host\\share\\x",
        "file:///etc/passwd",
        "https://example.org/x",
        "~/.ssh/id_rsa",
        "$HOME/.ssh/id_rsa",
        "%USERPROFILE%/x",
        "references/away.md",
        "linked/SKILL.md",
        "linked",
        ".env",
        "references/id_rsa",
        "assets/deep/deeper.md",
        "assets/deep",
        "references",
        ".",
        "",
        " ",
        "a\x00b",
        "x" * 5_000,
        "\ud800.md",
        "references/missing.md",
        "assets/logo.png",
        "assets/pipe.md",
        "．．/other/SKILL.md",
        "references/forms.md/..",
        "references/forms.md/x",
    ],
)
def test_everything_else_is_refused_with_advice_and_nothing_leaks(
    folder: SkillFolder, resource: str
) -> None:
    with pytest.raises(GlossatorError) as refused:
        folder.read(resource)

    assert CANARY not in str(refused.value)
    assert SECRET not in str(refused.value)
    assert str(refused.value).endswith(".")


def test_an_absolute_path_into_the_skill_is_no_relative_one(base: Path) -> None:
    skill = base / "root" / ".agents" / "skills" / "pdf"

    with pytest.raises(GlossatorError, match="not below the skill's folder"):
        SkillFolder(skill, "pdf").read(str(skill / "LICENSE.txt"))


def test_a_link_put_in_place_later_is_judged_when_it_is_read(base: Path) -> None:
    skill = base / "root" / ".agents" / "skills" / "pdf"
    folder = SkillFolder(skill, "pdf")
    folder.list_files()
    (skill / "LICENSE.txt").unlink()
    (skill / "LICENSE.txt").symlink_to(base / "outside.md")

    with pytest.raises(GlossatorError, match="leads out of the skill's folder"):
        folder.read("LICENSE.txt")


def test_a_missing_file_is_answered_with_those_there_are(folder: SkillFolder) -> None:
    with pytest.raises(GlossatorError, match=r"`scripts/extract\.py`"):
        folder.read("references/missing.md")


def test_a_picture_is_refused_with_what_to_do_instead(folder: SkillFolder) -> None:
    with pytest.raises(GlossatorError, match=r"is not text.*tell the user where it is"):
        folder.read("assets/logo.png")


def test_the_files_are_listed_one_level_deep_without_what_is_not_to_be_read(
    folder: SkillFolder,
) -> None:
    listed = folder.list_files()

    assert [each.path for each in listed.files] == [
        "LICENSE.txt",
        "assets/empty.md",
        "assets/logo.png",
        "references/forms.md",
        "references/inside.md",
        "references/表单.md",
        "scripts/extract.py",
    ]
    assert "scripts/extract.py (15 bytes)" in render_list(listed)


def test_a_long_list_says_how_many_more_there_are(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"{number:03}.md").write_text("x", encoding="utf-8")

    listed = SkillFolder(tmp_path, "many").list_files()

    assert (len(listed.files), listed.n_more) == (60, 40)
    assert render_list(listed).endswith("and 40 more")


def test_a_folder_that_is_gone_has_no_files(tmp_path: Path) -> None:
    folder = SkillFolder(tmp_path / "gone", "gone")

    assert folder.list_files().files == ()
    with pytest.raises(GlossatorError, match="no further files"):
        folder.read("a.md")


def test_a_long_text_is_read_on_in_pieces(tmp_path: Path) -> None:
    (tmp_path / "long.md").write_text("\n".join(f"line {n}" for n in range(1, 9_001)), "utf-8")
    part = SkillFolder(tmp_path, "long").read("long.md")
    shown, first = [], 1

    while True:
        text = render_part(part, first)
        shown += [line.split("| ")[1] for line in text.splitlines() if "| " in line]
        if "first_line=" not in text:
            break
        first = int(text.rpartition("first_line=")[2].rstrip("."))

    assert shown == [f"line {n}" for n in range(1, 9_001)]
    with pytest.raises(GlossatorError, match="9000 lines"):
        render_part(part, 9_001)


def test_a_file_without_end_is_read_in_part_and_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "big.md").write_text("0123456789abcde\n" * (MAX_FILE_BYTES // 10), "utf-8")

    text = render_part(SkillFolder(tmp_path, "big").read("big.md"), 1)

    assert "only its beginning can be read" in text
    assert len(text) < 30_000


def test_a_line_without_end_is_cut_and_hidden_characters_are_written_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x" * 10_000 + "\n\u202ehidden\n", "utf-8")

    text = render_part(SkillFolder(tmp_path, "a").read("a.md"), 1)

    assert "6000 more characters in this line" in text
    assert "\\u{202e}hidden" in text


def test_an_empty_file_is_said_to_be_empty(folder: SkillFolder) -> None:
    assert render_part(folder.read("assets/empty.md"), 1).endswith("is empty.")
