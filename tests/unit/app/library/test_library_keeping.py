import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from glossator.app.library import Library, Shelf, catalogue, read_library
from glossator.app.library.keeping import Kept, rest_on
from glossator.core.text import SourceText
from glossator.knowledge.index import KnowledgeIndex

RULED = """\
---
name: ruled
keywords: [printing]
globs: ["src/**"]
colour: red
---
# Ruled

- Never print. {#no-print}

  ```check
  language: python
  severity: warning
  rule: {pattern: print($X)}
  fix: log($X)
  files: ["a/**"]
  ```
  ```python bad
  print(1)
  ```
"""
WRONG = "---\nkeywords: {a: 1}\n---\n# Wrong\n\n- Never. {#never}\n\n  ```check\n  rule: 3\n  ```\n"


class Home:
    """A folder of knowledge and what is kept of it between one start and the next."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "knowledge"
        self.folder.mkdir()
        self.cache = root / "cache"
        self.read: list[str] = []
        self.shelves = [Shelf(self.folder, "knowledge", "workspace", self._read)]

    def write(self, name: str, text: str, *, age_s: float = 60) -> Path:
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        at = time.time_ns() - int(age_s * 1e9) + 1_234
        os.utime(file, ns=(at, at))
        return file

    def start(self, *, keep: bool = True) -> Library:
        """Start as a process does, and keep what was read at its end."""
        self.read.clear()
        kept = Kept(self.cache, self.shelves)
        library = read_library(self.shelves, known=kept.recall())
        if keep and kept.is_worth_writing(library):
            assert kept.keep(library) is not None
        return library

    def files(self) -> list[Path]:
        return [file for file in self.cache.iterdir() if file.is_file()]

    def _read(self, file: Path) -> SourceText:
        self.read.append(file.name)
        return SourceText(file.name, file.read_text(encoding="utf-8"), file)


@pytest.fixture(autouse=True)
def _a_change_of_the_times_alone_is_no_change_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "glossator.app.library.listing.sign",
        lambda status: (status.st_mtime_ns, status.st_size, status.st_ino, 0),
    )


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    home.write("ruled.md", RULED)
    home.write("wrong.md", WRONG)
    home.write("plain.md", "# Plain\n\nThe zebra is agreed.\n")
    return home


def test_a_second_start_reads_no_file_and_has_the_same_library(home: Home) -> None:
    first = home.start()
    assert sorted(home.read) == ["plain.md", "ruled.md", "wrong.md"]

    second = home.start()

    assert home.read == []
    assert dict(second.index.documents.items()) == dict(first.index.documents.items())
    assert second.rules == first.rules
    assert second.rules[0].checks[0].config == {"rule": {"pattern": "print($X)"}}
    assert second.problems == first.problems != ()
    assert dict(second.files) == dict(first.files)
    assert second.report.n_sections == first.report.n_sections
    assert second.index.search("zebra") == first.index.search("zebra")


def test_a_start_is_news_only_where_something_changed_meanwhile(home: Home) -> None:
    first = home.start()

    again = home.start()
    home.write("plain.md", "# Plain\n\nThe okapi is agreed.\n")
    changed = home.start()

    assert first.report.read_at_s == again.report.read_at_s
    assert changed.report.read_at_s > again.report.read_at_s


def test_only_what_changed_meanwhile_is_read(home: Home) -> None:
    home.start()
    home.write("plain.md", "# Plain\n\nThe heron is agreed.\n", age_s=30)
    home.write("new.md", "# New\n\nText.\n", age_s=30)
    (home.folder / "wrong.md").unlink()

    library = home.start()

    assert sorted(home.read) == ["new.md", "plain.md"]
    assert set(library.files) == {"new.md", "plain.md", "ruled.md"}
    assert library.index.search("heron") != ()
    assert library.index.search("zebra") == ()


def test_a_file_that_had_just_changed_when_it_was_kept_is_read_again(home: Home) -> None:
    home.write("plain.md", "# Plain\n\nThe zebra is agreed.\n", age_s=0)
    home.start()

    home.start()

    assert home.read == ["plain.md"]


@pytest.mark.parametrize("damage", ["cut", "garbage", "empty", "flipped", "pipe", "folder"])
def test_what_was_damaged_is_read_anew(home: Home, damage: str) -> None:
    home.start()
    for file in home.files():
        data = file.read_bytes()
        middle = len(data) // 2
        damaged = {
            "cut": data[:middle],
            "garbage": b"\x00garbage" * 100,
            "empty": b"",
            "flipped": data[:middle] + bytes([data[middle] ^ 255]) + data[middle + 1 :],
        }
        file.unlink()
        if damage == "pipe":
            os.mkfifo(file)
        elif damage == "folder":
            file.mkdir()
        else:
            file.write_bytes(damaged[damage])

    library = home.start(keep=damage != "folder")

    assert sorted(home.read) == ["plain.md", "ruled.md", "wrong.md"]
    assert library.index.search("zebra")


def test_what_another_version_kept_is_read_anew(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.start()
    monkeypatch.setattr(catalogue, "_fingerprint", lambda: "of another version")

    home.start()

    assert len(home.read) == 3


def test_a_note_that_is_none_of_ours_is_not_used(home: Home) -> None:
    first = home.start()
    for note in (b"", b"{}", b"[1", b"\xff", b"[1, 2, 3, 4]", b"null"):
        kept = Kept(home.cache, home.shelves)
        first.index.save(kept.file, note=note)
        assert kept.recall() is None


def test_other_shelves_have_a_file_of_their_own(home: Home) -> None:
    home.start()
    [shelf] = home.shelves
    home.shelves = [replace(shelf, is_used=False)]

    library = home.start()

    assert len(home.read) == 3
    assert len(library.withheld) == 3
    assert len(home.files()) == 2


def test_what_is_withheld_is_read_again_at_each_start(home: Home) -> None:
    [shelf] = home.shelves
    home.shelves = [replace(shelf, is_used=False)]
    first = home.start()

    second = home.start()

    assert second.withheld == first.withheld


def test_a_folder_that_cannot_be_written_is_said_once_and_nothing_fails(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    library = home.start(keep=False)
    home.cache.write_text("a file where a folder should be", encoding="utf-8")
    kept = Kept(home.cache / "library", home.shelves)

    assert (kept.keep(library), kept.keep(library)) == (None, None)
    assert "cannot be kept" in kept.problem
    assert len(caplog.records) == 1


def test_a_library_that_is_the_same_is_not_written_again(home: Home) -> None:
    home.start()
    [file] = home.files()
    before = file.stat().st_mtime_ns

    home.start()

    assert [each.stat().st_mtime_ns for each in home.files()] == [before]


def test_two_servers_may_keep_the_same_library(home: Home) -> None:
    one, two = Kept(home.cache, home.shelves), Kept(home.cache, home.shelves)
    library = home.start(keep=False)

    saved = [kept.keep(library) for kept in (one, two, one)]

    assert all(isinstance(each, KnowledgeIndex) for each in saved)
    home.start()
    assert home.read == []


def test_a_library_goes_on_from_what_was_kept(home: Home) -> None:
    kept = Kept(home.cache, home.shelves)
    library = home.start(keep=False)
    saved = kept.keep(library)
    assert saved is not None

    resting = rest_on(library, saved)
    file = home.write("plain.md", "# Plain\n\nThe heron is agreed.\n", age_s=30)
    changed = read_library(home.shelves, previous=resting, changed=[file])

    assert changed.index.search("heron")
    assert changed.index.search("zebra") == ()
    assert resting.index.search("zebra") == library.index.search("zebra")


def test_what_nobody_opened_for_long_is_removed(home: Home) -> None:
    home.cache.mkdir()
    old, recent = home.cache / "old.index", home.cache / "recent.index"
    for file, days in ((old, 90), (recent, 3)):
        file.write_bytes(b"x")
        at = time.time() - days * 24 * 3600
        os.utime(file, (at, at))

    home.start()

    assert (old.exists(), recent.exists()) == (False, True)
