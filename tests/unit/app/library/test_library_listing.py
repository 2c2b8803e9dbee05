"""Which files stand on a shelf: what a look costs, and what it sees."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from glossator.app.library.listing import look_again, look_at
from glossator.app.library.shelf import Shelf
from glossator.core.text import SourceText

N_FILES = 50


def make_shelf(root: Path) -> Shelf:
    folder = root / "knowledge"
    folder.mkdir()
    return Shelf(
        folder, "knowledge", "workspace", read=lambda path: SourceText(path.name, path.read_text())
    )


@pytest.fixture
def listings(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each folder was listed."""
    found: Counter[str] = Counter()
    scan = os.scandir

    def count(place: str) -> Any:
        found[str(place)] += 1
        return scan(place)

    monkeypatch.setattr(os, "scandir", count)
    return found


def test_a_folder_is_listed_once_however_many_of_its_files_went(
    tmp_path: Path, listings: Counter[str]
) -> None:
    shelf = make_shelf(tmp_path)
    files = [shelf.folder / f"{number}.md" for number in range(N_FILES)]
    for file in files:
        file.write_text("# A\n", encoding="utf-8")
    look = look_at(shelf)
    for file in files[1:]:
        file.unlink()
    listings.clear()

    after = look_again(shelf, look, map(str, files))

    assert [file for file, _ in after.list_files()] == [str(files[0])]
    assert listings[str(shelf.folder)] == 1


def test_files_that_never_were_are_looked_for_once(tmp_path: Path, listings: Counter[str]) -> None:
    shelf = make_shelf(tmp_path)
    look = look_at(shelf)
    listings.clear()

    names = (f"{number}.md" for number in range(N_FILES))
    look_again(shelf, look, (str(shelf.folder / "gone" / name) for name in names))

    assert listings[str(shelf.folder)] == 1


@pytest.mark.parametrize("name", ["A.MD", "b.Md", "中文.mD"])
def test_the_end_of_a_name_may_be_written_large(tmp_path: Path, name: str) -> None:
    shelf = make_shelf(tmp_path)
    (shelf.folder / name).write_text("# A\n", encoding="utf-8")

    assert [Path(file).name for file, _ in look_at(shelf).list_files()] == [name]
