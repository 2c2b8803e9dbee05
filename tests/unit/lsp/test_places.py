from pathlib import Path

from glossator.core.locations import Point, Range
from glossator.lsp.documents import Documents
from glossator.lsp.places import Places, lsp_range


def test_an_open_file_has_the_uri_the_client_gave_it(tmp_path: Path) -> None:
    documents = Documents()
    written = (tmp_path / "(a).py").as_uri().replace("(", "%28")
    documents.open(written, "python", 1, "")

    places = Places(documents, [tmp_path])

    assert places.uri(tmp_path / "(a).py") == written
    assert places.uri(tmp_path / "b.py") == (tmp_path / "b.py").as_uri()


def test_a_name_that_people_see_is_found_below_the_folders(tmp_path: Path) -> None:
    for name in ("one/src/a.py", "two/b.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.touch()
    places = Places(Documents(), [tmp_path / "one", tmp_path / "two"])

    assert places.find("src/a.py") == tmp_path / "one/src/a.py"
    assert places.find("two/b.py") == tmp_path / "two/b.py"
    assert places.find("three/b.py") is None
    assert places.find("") is None
    assert places.uri(None, "gone.py") is None


def test_a_name_that_only_the_application_knows_is_found() -> None:
    bundled = {"bundled/skills/sql.md": Path("/lib/skills/sql.md")}
    places = Places(Documents(), [], bundled.get)

    assert places.uri(None, "bundled/skills/sql.md") == "file:///lib/skills/sql.md"
    assert places.uri(None, "bundled/skills/none.md") is None


def test_ranges_of_files_that_are_not_open_are_counted_in_units(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = '😀' + y\n", encoding="utf-8")
    places = Places(Documents("utf-16"), [tmp_path])

    found = places.range_in(path, Range(Point(1, 4), Point(1, 7)))

    assert found == {
        "start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 8},
    }  # fmt: skip
    assert places.range_in(tmp_path / "gone.py", Range(Point(2, 4), Point(2, 5))) == {
        "start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 5},
    }  # fmt: skip
    assert places.range_in(None, None) is None


def test_a_range_that_ends_behind_the_last_line_break_is_kept() -> None:
    assert lsp_range(Range(Point(1, 0), Point(2, 0)), ["a"], "utf-16") == {
        "start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0},
    }  # fmt: skip
