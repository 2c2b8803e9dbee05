"""Which files of instructions are found, what each is, and what is said of those that are not."""

import os
from pathlib import Path

import pytest

from glossator.app.instructions.files import TeamFiles
from glossator.core.text import SourceText
from glossator.knowledge.documents import Document
from glossator.tools.workspace import Workspace


class Folder:
    """A workspace folder and what is found in it."""

    def __init__(self, root: Path) -> None:
        root.mkdir(exist_ok=True)
        self.root = root.resolve()
        self.workspace = Workspace((self.root,))
        self.team_files = TeamFiles(self.workspace, knowledge_folders=(self.root / "knowledge",))

    def write(self, *paths: str, text: str = "") -> None:
        for path in paths:
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text or f"Text of {path}.\n", encoding="utf-8")

    def link(self, path: str, target: Path | str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.symlink_to(target)

    def find(self) -> list[str]:
        return [self.workspace.show(file) for file in self.team_files.list_files()]

    def documents(self) -> dict[str, Document]:
        sources = [self.workspace.read(file) for file in self.team_files.list_files()]
        return {
            source.name: self.team_files.make_document(source, "workspace") for source in sources
        }

    def said(self) -> str:
        problems = self.team_files.list_problems()
        return "\n".join(f"{each.path}:{each.line} {each.message}" for each in problems)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "workspace")


def test_the_files_of_every_family_are_found_at_the_top(folder: Folder) -> None:
    folder.write(
        "AGENTS.md", "AGENT.md", "AGENTS.local.md", "CLAUDE.md", "CLAUDE.local.md",
        ".claude/CLAUDE.md", ".claude/rules/go.md", ".claude/rules/深/规则.md",
        ".cursor/rules/go.mdc", ".cursor/rules/深/规则.mdc", ".cursorrules",
        ".github/copilot-instructions.md", ".github/instructions/go.instructions.md",
        ".github/instructions/深/规范.instructions.md",
    )  # fmt: skip
    folder.write("README.md", ".claude/settings.md", ".github/README.md", "docs/rules/a.mdc")

    found = folder.documents()

    assert {path: document.family for path, document in found.items()} == {
        "AGENTS.local.md": "agents",
        "AGENTS.md": "agents",
        "AGENT.md": "agents",
        "CLAUDE.local.md": "claude",
        "CLAUDE.md": "claude",
        ".claude/CLAUDE.md": "claude",
        ".cursorrules": "cursor",
        ".github/copilot-instructions.md": "copilot",
        ".cursor/rules/go.mdc": "cursor",
        ".cursor/rules/深/规则.mdc": "cursor",
        ".claude/rules/go.md": "claude",
        ".claude/rules/深/规则.md": "claude",
        ".github/instructions/go.instructions.md": "copilot",
        ".github/instructions/深/规范.instructions.md": "copilot",
    }
    assert {document.home for document in found.values()} == {""}


def test_nested_files_are_found_by_the_walk_and_speak_for_their_folder(folder: Folder) -> None:
    folder.write(
        "pkg/api/AGENTS.md", "pkg/.cursor/rules/a.mdc", "web/.claude/CLAUDE.md", "后端/CLAUDE.md"
    )
    assert folder.find() == []

    assert folder.team_files.discover()

    assert {path: document.home for path, document in folder.documents().items()} == {
        "pkg/api/AGENTS.md": "pkg/api",
        "pkg/.cursor/rules/a.mdc": "pkg",
        "web/.claude/CLAUDE.md": "web",
        "后端/CLAUDE.md": "后端",
    }
    assert not folder.team_files.discover()


def test_github_files_speak_at_the_top_only(folder: Folder) -> None:
    folder.write(
        "pkg/.github/copilot-instructions.md", "pkg/.github/instructions/a.instructions.md"
    )
    folder.team_files.discover()

    assert folder.find() == []


def test_the_way_to_a_file_is_looked_at_before_any_walk(folder: Folder) -> None:
    folder.write("pkg/api/AGENTS.md", "pkg/api/deep/a.py", "web/AGENTS.md")
    file = folder.root / "pkg/api/deep/a.py"
    folder.find()

    assert folder.team_files.look_around(file)
    assert folder.find() == ["pkg/api/AGENTS.md"]
    assert not folder.team_files.look_around(file)

    folder.write("pkg/AGENTS.md", text="New.\n")
    assert folder.team_files.look_around(file)
    assert folder.find() == ["pkg/AGENTS.md", "pkg/api/AGENTS.md"]

    (folder.root / "pkg/api/AGENTS.md").unlink()
    assert folder.team_files.look_around(file)
    assert folder.find() == ["pkg/AGENTS.md"]


def test_what_tools_fetched_instructs_nobody(folder: Folder) -> None:
    folder.write("node_modules/dep/AGENTS.md", "node_modules/dep/index.js", ".venv/x/CLAUDE.md")

    folder.team_files.discover()

    assert not folder.team_files.look_around(folder.root / "node_modules/dep/index.js")
    assert folder.find() == []


def test_files_that_git_ignores_are_read_and_it_is_noted(folder: Folder) -> None:
    folder.write(".gitignore", text="CLAUDE.local.md\n.cursor/\n")
    folder.write("CLAUDE.local.md", "pkg/CLAUDE.local.md", ".cursor/rules/a.mdc", "pkg/a.py")
    folder.team_files.discover()

    found = folder.documents()

    assert sorted(found) == [".cursor/rules/a.mdc", "CLAUDE.local.md", "pkg/CLAUDE.local.md"]
    assert all("Git ignores this file" in document.notes[0] for document in found.values())


def test_the_walk_is_bounded_and_says_so(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "workspace")
    folder.team_files = TeamFiles(folder.workspace, max_walked_files=3)
    folder.write("a/1.py", "b/2.py", "c/3.py", "d/4.py", "z/AGENTS.md")

    folder.team_files.discover()

    assert "only its first" in folder.said()
    assert folder.team_files.look_around(folder.root / "z/new.py")
    assert folder.find() == ["z/AGENTS.md"]


@pytest.mark.parametrize("name", ["agents.md", "Agents.md", "claude.md", "AGENTS.MD"])
def test_other_spellings_are_read_and_said(folder: Folder, name: str) -> None:
    folder.write(name)

    [document] = folder.documents().values()

    assert document.path == name
    assert f"`{name}` is read as" in document.problems[0].message


def test_beside_the_right_spelling_another_is_not_read_and_said(folder: Folder) -> None:
    folder.write("AGENTS.md", "agents.md")

    assert folder.find() == ["AGENTS.md"]
    assert "agents.md:1 `agents.md` is not read: `AGENTS.md` stands beside it." in folder.said()


def test_markdown_among_rules_that_want_another_ending_is_said(folder: Folder) -> None:
    folder.write(".cursor/rules/a.md", ".github/instructions/b.md", ".cursor/rules/notes.txt")

    assert folder.find() == []
    assert ".cursor/rules/a.md:1 `a.md` is not read: rules in `.cursor/rules` end" in folder.said()
    assert ".github/instructions/b.md:1 `b.md` is not read" in folder.said()
    assert "notes.txt" not in folder.said()


@pytest.mark.parametrize(
    ("link", "target"), [("AGENTS.md", "CLAUDE.md"), ("CLAUDE.md", "AGENTS.md")]
)
def test_a_link_between_two_names_counts_once(folder: Folder, link: str, target: str) -> None:
    folder.write(target)
    folder.link(link, target)

    [document] = folder.documents().values()

    assert document.path == target
    assert document.notes == (f"`{link}` is a link to this file; it counts once.",)


def test_a_link_to_a_file_that_is_none_itself_is_read_under_its_real_name(folder: Folder) -> None:
    folder.write("docs/ai.md")
    folder.link("AGENTS.md", "docs/ai.md")
    folder.link("pkg/AGENTS.md", "../docs/ai.md")
    folder.team_files.discover()

    [document] = folder.documents().values()

    assert (document.path, document.family, document.home) == ("docs/ai.md", "agents", "")
    assert document.also_for == ("pkg",)


@pytest.mark.parametrize("path", ["AGENTS.md", ".cursor/rules/a.mdc", ".claude/rules/a.md"])
def test_a_link_to_the_outside_is_refused_and_said(
    folder: Folder, tmp_path: Path, path: str
) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("CANARY", encoding="utf-8")
    folder.link(path, secret)

    assert folder.find() == []
    assert "outside the workspace" in folder.said()
    assert "CANARY" not in folder.said()


def test_a_folder_that_is_a_link_to_the_outside_is_refused(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/a.mdc").write_text("CANARY", encoding="utf-8")
    folder.link(".cursor/rules", tmp_path / "rules")

    assert folder.find() == []
    assert "outside the workspace" in folder.said()


def test_a_link_that_leads_nowhere_is_said(folder: Folder) -> None:
    folder.link("AGENTS.md", "gone.md")

    assert folder.find() == []
    assert "AGENTS.md:1 `AGENTS.md` is not read: it is a link that leads nowhere." in folder.said()


def test_a_pipe_or_a_folder_of_that_name_is_no_file(folder: Folder) -> None:
    os.mkfifo(folder.root / "AGENTS.md")
    (folder.root / "CLAUDE.md").mkdir()

    assert folder.find() == []


def test_imports_are_followed_from_the_importing_file(folder: Folder) -> None:
    folder.write("CLAUDE.md", text="See @docs/style.md and @./文档/测试.md\n")
    folder.write("docs/style.md", text="Then @more/deep.md\n")
    folder.write("docs/more/deep.md", "文档/测试.md")
    folder.write(".claude/CLAUDE.md", text="@local.md\n")
    folder.write(".claude/local.md")

    found = folder.documents()

    assert {path: document.imported_by for path, document in found.items()} == {
        "CLAUDE.md": "",
        ".claude/CLAUDE.md": "",
        "docs/style.md": "CLAUDE.md",
        "文档/测试.md": "CLAUDE.md",
        "docs/more/deep.md": "docs/style.md",
        ".claude/local.md": ".claude/CLAUDE.md",
    }
    assert folder.said() == ""


def test_imports_are_followed_five_files_deep(folder: Folder) -> None:
    folder.write("CLAUDE.md", text="@1.md\n")
    for number in range(1, 8):
        folder.write(f"{number}.md", text=f"@{number + 1}.md\n")

    assert folder.find() == ["CLAUDE.md", "1.md", "2.md", "3.md", "4.md", "5.md"]
    assert "5.md:1 `@6.md` is not read: imports are followed 5 files deep." in folder.said()


def test_a_circle_ends_and_is_said(folder: Folder) -> None:
    folder.write("CLAUDE.md", text="@a.md\n")
    folder.write("a.md", text="\n@b.md\n")
    folder.write("b.md", text="@a.md @CLAUDE.md\n")

    assert folder.find() == ["CLAUDE.md", "a.md", "b.md"]
    assert "b.md:1 `@a.md` is not read: it imports itself in a circle" in folder.said()


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("@missing.md", "`@missing.md` is not read: there is no such file."),
        ("@docs/missing", "`@docs/missing` is not read: there is no such file."),
        ("@./docs", "`@./docs` is not read: it is a folder."),
        ("@~/.claude/me.md", "`@~/.claude/me.md` is not read: it is outside the workspace."),
        ("@../secret.md", "`@../secret.md` is not read: it is outside the workspace."),
        ("@/etc/passwd", "`@/etc/passwd` is not read: it is outside the workspace."),
        ("@link.md", "`@link.md` is not read: it is outside the workspace."),
        ("@.env", "`@.env` is not read: `"),
        ("@alice", ""),
        ("@types/node", ""),
    ],
)
def test_an_import_that_is_not_read_is_said_with_its_line(
    folder: Folder, tmp_path: Path, written: str, said: str
) -> None:
    (tmp_path / "secret.md").write_text("CANARY", encoding="utf-8")
    folder.link("link.md", tmp_path / "secret.md")
    folder.write("docs/a.md", ".env")
    folder.write("CLAUDE.md", text=f"# Title\n\nsee {written}\n")

    assert folder.find() == ["CLAUDE.md"]
    assert folder.said().startswith(f"CLAUDE.md:3 {said}" if said else "")
    assert bool(folder.said()) == bool(said)


def test_an_imported_agents_file_keeps_its_family_and_knowledge_stays_knowledge(
    folder: Folder,
) -> None:
    folder.write("CLAUDE.md", text="@AGENTS.md @knowledge/a.md\n")
    folder.write("AGENTS.md", "knowledge/a.md")

    found = folder.documents()

    assert {path: document.family for path, document in found.items()} == {
        "AGENTS.md": "agents",
        "CLAUDE.md": "claude",
    }


def test_that_imported_knowledge_is_not_given_always_is_said(folder: Folder) -> None:
    folder.write("CLAUDE.md", text="# C\n\n@knowledge/a.md\n")
    folder.write("knowledge/a.md", text="# A\n\nText.\n")

    folder.documents()

    [said] = folder.team_files.list_problems()
    assert (said.path, said.line, "is knowledge" in said.message) == ("CLAUDE.md", 3, True)


def test_a_file_that_two_folders_import_speaks_for_both(folder: Folder) -> None:
    folder.write("shared.md", text="@more.md\n")
    folder.write("more.md")
    folder.write("a/CLAUDE.md", "b/CLAUDE.md", text="@../shared.md\n")
    folder.team_files.discover()

    found = folder.documents()

    assert {found["shared.md"].home, *found["shared.md"].also_for} == {"a", "b"}
    assert {found["more.md"].home, *found["more.md"].also_for} == {"a", "b"}


def test_only_claude_files_import(folder: Folder) -> None:
    folder.write("AGENTS.md", text="@docs/a.md\n")
    folder.write("docs/a.md")

    assert folder.find() == ["AGENTS.md"]


def test_the_stamp_changes_with_what_a_file_is_beside_its_text(folder: Folder) -> None:
    folder.write("a/CLAUDE.md", text="@../shared.md\n")
    folder.write("shared.md")
    folder.team_files.discover()
    folder.find()
    before = folder.team_files.stamp(folder.root / "shared.md")

    folder.write("b/CLAUDE.md", text="@../shared.md\n")
    folder.team_files.discover()
    folder.find()

    assert folder.team_files.stamp(folder.root / "shared.md") != before


@pytest.mark.parametrize(
    ("path", "is_of_concern"),
    [
        ("AGENTS.md", True), ("pkg/agents.md", True), ("pkg/.cursor/rules/深/a.mdc", True),
        (".github/instructions/a.instructions.md", True), (".cursorrules", True),
        ("docs/imported.md", True), ("README.md", False), ("src/agents.py", False),
    ],
)  # fmt: skip
def test_changes_of_instructions_are_told_from_others(
    folder: Folder, path: str, is_of_concern: bool
) -> None:
    folder.write("CLAUDE.md", text="@docs/imported.md\n")
    folder.write("docs/imported.md")
    folder.find()

    assert folder.team_files.concerns(folder.root / path) == is_of_concern


def test_a_file_that_an_editor_tells_of_makes_its_folder_known(folder: Folder) -> None:
    folder.write("pkg/.cursor/rules/a.mdc")
    folder.team_files.notice(folder.root / "pkg/.cursor/rules/a.mdc")

    assert folder.find() == ["pkg/.cursor/rules/a.mdc"]


def test_what_was_known_is_taken_over(folder: Folder) -> None:
    folder.write("pkg/AGENTS.md")
    folder.team_files.discover()
    other = TeamFiles(folder.workspace)

    other.take_over(folder.team_files)

    assert [file.name for file in other.list_files()] == ["AGENTS.md"]


def test_several_workspace_folders_have_homes_with_their_names(tmp_path: Path) -> None:
    first, second = Folder(tmp_path / "前端"), Folder(tmp_path / "backend")
    first.write("AGENTS.md")
    second.write("pkg/AGENTS.md")
    workspace = Workspace((first.root, second.root))
    team_files = TeamFiles(workspace)
    team_files.discover()

    sources = [workspace.read(file) for file in team_files.list_files()]
    homes = [team_files.make_document(source, "workspace").home for source in sources]

    assert homes == ["前端", "backend/pkg"]


def test_the_text_of_an_open_editor_decides_what_is_imported(tmp_path: Path) -> None:
    root = (tmp_path / "workspace").resolve()
    folder = Folder(root)
    folder.write("CLAUDE.md", text="nothing\n")
    folder.write("docs/a.md")
    file = root / "CLAUDE.md"
    buffers = {file: SourceText("CLAUDE.md", "@docs/a.md\n", file, 3)}
    team_files = TeamFiles(Workspace((root,), buffers))

    assert root / "docs/a.md" in team_files.list_files()
