import os
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from glossator.app.library import Library, Shelf, making, read_library, signatures
from glossator.app.library.reading import find_changes
from glossator.app.prose import prose_of_text
from glossator.core.text import SourceText
from glossator.knowledge.documents import Document, Origin
from glossator.tools.workspace import Workspace

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


class Desk:
    """A folder of knowledge that is read again and again; `read` are the names of the last time."""

    def __init__(self, root: Path, *more: Shelf) -> None:
        self.root = root
        self.folder = root / "knowledge"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.read: list[str] = []
        self.shelves = (
            Shelf(self.folder, "knowledge", "workspace", self._read, within=root),
            *more,
        )
        self.library: Library | None = None

    def write(self, name: str, text: str = "# A\n\nText.\n", *, age_s: float = 60) -> Path:
        """Write a file that was changed some time ago."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        make_older(file, age_s)
        return file

    def look(self, *changed: Path) -> Library:
        """Read what changed, or look at everything."""
        self.read.clear()
        self.library = read_library(
            self.shelves, previous=self.library, changed=changed if changed else None
        )
        return self.library

    def _read(self, file: Path) -> SourceText:
        name = file.relative_to(self.root).as_posix()
        self.read.append(name)
        return SourceText(name, file.read_text(encoding="utf-8"), file)


@pytest.fixture(autouse=True)
def _the_clock_ticks_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell by the time of the text alone whether a file has just changed."""
    monkeypatch.setattr(
        "glossator.app.library.signatures.sign",
        lambda status: (status.st_mtime_ns, status.st_size, status.st_ino, 0),
    )
    monkeypatch.setattr("glossator.app.library.listing.sign", signatures.sign)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def make_older(file: Path, age_s: float) -> None:
    at = time.time_ns() - int(age_s * 1e9) + 1_234  # Not a round one: those are coarse clocks.
    os.utime(file, ns=(at, at))


def titles(library: Library) -> set[str]:
    return {section.title for d in library.index.documents.values() for section in d.sections}


def test_a_file_that_is_the_same_is_not_read_again(desk: Desk) -> None:
    desk.write("a.md")
    desk.write("b.md")
    first = desk.look()

    second = desk.look()

    assert desk.read == []
    assert second.index is first.index
    assert second.report is first.report


def test_only_the_file_that_changed_is_read(desk: Desk) -> None:
    desk.write("a.md")
    changed = desk.write("b.md")
    desk.look()
    desk.write("b.md", "# B\n\nOther words.\n", age_s=30)

    library = desk.look(changed)

    assert desk.read == ["knowledge/b.md"]
    assert titles(library) == {"A", "B"}


def test_a_file_that_was_touched_makes_no_new_library(desk: Desk) -> None:
    file = desk.write("a.md")
    first = desk.look()
    make_older(file, 5)

    second = desk.look()

    assert desk.read == ["knowledge/a.md"]
    assert second.report is first.report
    assert second.index is first.index


def test_a_file_that_may_change_again_unseen_is_read_once_more(desk: Desk) -> None:
    file = desk.write("a.md", age_s=0)
    desk.look()
    status = file.stat()
    file.write_text("# B\n\nText.\n", encoding="utf-8")  # As long, and within the same tick.
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert titles(desk.look()) == {"B"}


def test_an_open_document_counts_as_it_is_in_the_editor(tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    file = tmp_path / "knowledge" / "a.md"
    file.write_text("# Saved\n\nText.\n", encoding="utf-8")
    buffers: dict[Path, SourceText] = {}
    workspace = Workspace([tmp_path], buffers)
    shelves = [Shelf(tmp_path / "knowledge", "knowledge", "workspace", workspace.read)]
    library = read_library(shelves)

    buffers[file] = SourceText("a.md", "# Typed\n\nText.\n", file, version=2)
    typed = read_library(shelves, previous=library, changed=[file])
    buffers.clear()
    closed = read_library(shelves, previous=typed, changed=[])

    assert [titles(each) for each in (library, typed, closed)] == [{"Saved"}, {"Typed"}, {"Saved"}]


def test_folders_that_come_go_and_move_are_looked_at_whole(desk: Desk) -> None:
    desk.write("a.md")
    desk.look()

    desk.write("new/deeper/b.md", "# B\n\nText.\n")
    came = titles(desk.look(desk.folder / "new"))
    (desk.folder / "new").rename(desk.folder / "other")
    moved = desk.look(desk.folder / "new", desk.folder / "other")
    shutil.rmtree(desk.folder / "other")
    gone = titles(desk.look(desk.folder / "other"))
    desk.write("other/c.md", "# C\n\nText.\n")
    again = titles(desk.look(desk.folder / "other"))

    assert (came, gone, again) == ({"A", "B"}, {"A"}, {"A", "C"})
    assert set(moved.files) == {"knowledge/a.md", "knowledge/other/deeper/b.md"}


def test_a_folder_that_nobody_told_of_is_found_with_a_file_in_it(desk: Desk) -> None:
    desk.look()
    file = desk.write("new/deeper/b.md", "# B\n\nText.\n")

    assert titles(desk.look(file)) == {"B"}


def test_the_folder_of_a_shelf_may_vanish_and_be_made_anew(desk: Desk) -> None:
    desk.write("a.md")
    desk.look()

    shutil.rmtree(desk.folder)
    gone = titles(desk.look(desk.folder))
    desk.write("b.md", "# B\n\nText.\n")
    again = titles(desk.look(desk.root))

    assert (gone, again) == (set(), {"B"})


def test_what_comes_and_goes_unheard_of_is_seen_by_its_folder(desk: Desk) -> None:
    desk.write("deep/a.md")
    for folder in (desk.folder, desk.folder / "deep"):
        make_older(folder, 60)
    library = desk.look()
    assert find_changes(desk.shelves, library) == []

    desk.write("deep/b.md")

    assert find_changes(desk.shelves, library) == [desk.folder / "deep"]


def test_a_link_to_a_folder_of_the_workspace_is_read_in_its_own_place(desk: Desk) -> None:
    (desk.root / "docs").mkdir()
    file = desk.root / "docs" / "b.md"
    file.write_text("# B\n\nText.\n", encoding="utf-8")
    (desk.folder / "linked").symlink_to(desk.root / "docs")
    (desk.folder / "around").symlink_to(desk.folder)

    library = desk.look()
    file.write_text("# C\n\nText.\n", encoding="utf-8")
    changed = desk.look(file)

    assert dict(library.files) == {"docs/b.md": file}
    assert titles(changed) == {"C"}
    assert library.problems == ()


def test_a_link_out_of_the_workspace_is_not_followed_and_said(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "root")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# Secret\n\nText.\n", encoding="utf-8")
    (desk.folder / "linked").symlink_to(outside)
    (desk.folder / "one.md").symlink_to(outside / "secret.md")

    library = desk.look()

    assert titles(library) == set()
    assert [(each.path, each.message[:34]) for each in library.problems] == [
        ("knowledge/linked", "The link leads out of the workspac"),
        ("knowledge/one.md", "The link leads out of the workspac"),
    ]


def test_a_link_to_nothing_is_a_problem_and_the_rest_is_read(desk: Desk) -> None:
    desk.write("a.md")
    (desk.folder / "b.md").symlink_to(desk.root / "gone.md")

    library = desk.look()

    assert titles(library) == {"A"}
    assert len(library.problems) == 1


@pytest.mark.parametrize("name", [".#a.md", "~$a.md", ".a.md", "a.md~", "a.tmp", ".DS_Store"])
def test_what_editors_leave_is_not_read(desk: Desk, name: str) -> None:
    desk.write(name)

    assert dict(desk.look().files) == {}


def test_a_file_that_was_emptied_a_moment_ago_keeps_what_it_had(desk: Desk) -> None:
    file = desk.write("a.md")
    desk.look()
    file.write_text("", encoding="utf-8")

    emptied = desk.look(file)
    make_older(file, 5)
    later = desk.look(file)

    assert titles(emptied) == {"A"}
    assert emptied.known.unsettled == {str(file)}
    assert titles(later) == set()


def test_half_a_header_is_no_reason_to_fail(desk: Desk) -> None:
    desk.write("a.md", "---\nname: half\nkeywords: [a,")
    desk.write("b.md")

    assert "A" in titles(desk.look())


def test_a_file_that_breaks_its_parser_takes_nothing_else_away(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.md")
    desk.write("b.md", "# Bad\n\nText.\n")
    parse = making.parse_document

    def fail_at_b(text: str, *, path: str, origin: Origin = "workspace") -> Document:
        if "Bad" in text:
            raise RecursionError("too deep")
        return parse(text, path=path, origin=origin)

    monkeypatch.setattr(making, "parse_document", fail_at_b)

    library = desk.look()

    assert titles(library) == {"A"}
    assert [problem.path for problem in library.problems] == ["knowledge/b.md"]
    assert "cannot be read" in library.problems[0].message


def test_what_the_workspace_names_the_same_takes_the_place_of_what_is_bundled(
    tmp_path: Path,
) -> None:
    (tmp_path / "bundled").mkdir()
    (tmp_path / "bundled" / "a.md").write_text("# Bundled\n\nText.\n", encoding="utf-8")
    desk = Desk(tmp_path, Shelf(tmp_path / "bundled", "knowledge", "bundled", read))

    before = titles(desk.look())
    file = desk.write("a.md", "# Own\n\nText.\n")
    own = desk.look()
    file.unlink()
    after = titles(desk.look(file))

    assert (before, titles(own), after) == ({"Bundled"}, {"Own"}, {"Bundled"})
    assert [(each.document.path, each.standing) for each in own.list_found()] == [
        ("knowledge/a.md", "used"),
        ("a.md", "shadowed"),
    ]


def test_what_is_withheld_is_read_and_does_not_count(desk: Desk) -> None:
    desk.write("a.md", UNPROVEN)
    [shelf] = desk.shelves
    desk.shelves = (replace(shelf, is_used=False),)

    library = desk.look()

    assert [document.path for document in library.withheld] == ["knowledge/a.md"]
    assert (library.index.n_sections, library.rules) == (0, ())
    assert set(library.files) == {"knowledge/a.md"}


def test_what_stands_beside_a_skill_in_knowledge_is_left_to_the_skill(desk: Desk) -> None:
    desk.write("pdf/SKILL.md", "---\nname: pdf\n---\n# Pdf\n\nText.\n")
    desk.write("pdf/forms/resource.md")

    assert set(desk.look().files) == {"knowledge/pdf/SKILL.md"}
