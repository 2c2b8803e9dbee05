import logging
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.lsp.documents import Change, Documents
from glossator.lsp.positions import PositionEncoding
from glossator.tools.workspace import Workspace

URI = "file:///code/a.py"
PIECES = st.lists(
    st.sampled_from(["a", "é", "中", "😀", "\n", "\r\n", "\r", "\f", "\u2028", "\x85", "\x1c"]),
    max_size=12,
).map("".join)
PLACES = st.tuples(st.integers(0, 8), st.integers(0, 12))


class Utf16Model:
    """A document as an editor keeps it: an array of UTF-16 units, nothing cached."""

    def __init__(self, text: str) -> None:
        self.text = text

    def change(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        first, last = sorted((self._offset(*start), self._offset(*end)))
        units = self._units()
        middle = text.encode("utf-16-le")
        joined = b"".join(units[:first]) + middle + b"".join(units[last:])
        self.text = joined.decode("utf-16-le")

    def _units(self) -> list[bytes]:
        data = self.text.encode("utf-16-le")
        return [data[index : index + 2] for index in range(0, len(data), 2)]

    def _offset(self, line: int, character: int) -> int:
        data = "".join(chr(int.from_bytes(unit, "little")) for unit in self._units())
        starts = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", data))]
        if line >= len(starts):
            return len(data)
        end = re.compile(r"[\r\n]|\Z").search(data, starts[line])
        assert end is not None
        offset = min(starts[line] + character, end.start())
        if 0 < offset < len(data) and "\udc00" <= data[offset] <= "\udfff":
            offset -= 1  # Between the halves of a pair: before it.
        return offset


@given(PIECES, st.lists(st.tuples(PLACES, PLACES, PIECES), max_size=6))
@settings(max_examples=600)
def test_any_edits_leave_the_text_an_editor_has(
    text: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]]
) -> None:
    documents = Documents("utf-16")
    document = documents.open(URI, "python", 0, text)
    model = Utf16Model(text)

    for version, (start, end, new_text) in enumerate(edits, 1):
        documents.change(URI, version, [Change(new_text, start, end)])
        model.change(start, end, new_text)

        assert document.source.text == model.text


@pytest.mark.parametrize("separator", ["\f", "\v", "\x1c", "\x85", "\u2028", "\u2029"])
def test_what_editors_do_not_break_lines_at_does_not_move_an_edit(separator: str) -> None:
    documents = Documents("utf-16")
    document = documents.open(URI, "python", 1, f"one{separator}two\nthree\n")

    documents.change(URI, 2, [Change("3", (1, 0), (1, 5))])

    assert document.source.text == f"one{separator}two\n3\n"


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 10), ("utf-16", 4), ("utf-32", 3)])
def test_edits_count_in_the_negotiated_encoding(encoding: PositionEncoding, character: int) -> None:
    documents = Documents(encoding)
    document = documents.open(URI, "python", 1, "中文😀x\n")

    documents.change(URI, 2, [Change("!", (0, character), (0, character))])

    assert document.source.text == "中文😀!x\n"


def test_a_change_without_a_range_replaces_everything() -> None:
    documents = Documents()
    document = documents.open(URI, "python", 1, "old")

    documents.change(URI, 2, [Change("new\n"), Change("!", (0, 3), (0, 3))])

    assert document.source.text == "new!\n"
    assert document.source.version == 2


@pytest.mark.parametrize("version", [0, 3, -1])
def test_a_late_change_is_ignored_and_logged(
    version: int, caplog: pytest.LogCaptureFixture
) -> None:
    documents = Documents()
    document = documents.open(URI, "python", 3, "old")

    assert documents.change(URI, version, [Change("new")]) is None

    assert document.source.text == "old"
    assert "ignored" in caplog.text


def test_a_change_of_nothing_open_is_ignored_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert Documents().change("file:///nowhere.py", 1, [Change("x")]) is None

    assert "not open" in caplog.text


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("untitled:Untitled-1", "Untitled-1"),
        ("git:/code/a.py?%7B%22ref%22%3A%22HEAD%22%7D", "a.py"),
        ("vscode-notebook-cell:/code/a.py#X10", "a.py"),
        ("output:tasks", "tasks"),
        ("", ""),
    ],
)
def test_only_a_file_uri_is_a_file(uri: str, name: str) -> None:
    documents = Documents()
    documents.open(URI, "python", 1, "the file")

    document = documents.open(uri, "python", 1, "something else")

    assert document.source.path is None
    assert document.source.name == name
    assert [source.text for source in documents.buffers.values()] == ["the file"]


def test_a_file_is_one_buffer_under_every_uri_it_has(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    documents = Documents()
    documents.open((tmp_path / "real" / "(a).py").as_uri(), "python", 1, "first")

    documents.open(f"file://{tmp_path}/link/(a).py", "python", 1, "second")

    assert {path: text.text for path, text in documents.buffers.items()} == {
        tmp_path / "real" / "(a).py": "second"
    }
    documents.close(f"file://{tmp_path}/link/(a).py")
    assert documents.buffers[tmp_path / "real" / "(a).py"].text == "first"


def test_buffers_are_a_live_view_that_a_reader_can_go_on_with() -> None:
    documents = Documents()
    for number in range(3):
        documents.open(f"file:///{number}.py", "python", 1, str(number))

    seen = []
    for path in documents.buffers:
        seen.append(path)
        documents.close(f"file:///{path.name}")

    assert len(seen) == 3
    assert len(documents.buffers) == 0


def test_a_renamed_folder_takes_its_open_documents_along() -> None:
    documents = Documents()
    documents.open("file:///w/old/a.py", "python", 4, "a")
    documents.open("file:///w/older/b.py", "python", 1, "b")

    moved = documents.rename("file:///w/old", "file:///w/new")

    assert moved == ["file:///w/old/a.py"]
    assert {document.uri: document.version for document in documents} == {
        "file:///w/older/b.py": 1,
        "file:///w/new/a.py": 4,
    }


def test_names_are_paths_below_the_folders(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    documents = Documents()
    document_uri = (one / "src" / "a.py").as_uri()
    document = documents.open(document_uri, "python", 1, "")

    documents.change_roots([one])
    alone = document.source.name
    documents.change_roots([one, two])
    among_others = document.source.name

    assert documents.get(document_uri) is document
    assert alone == "src/a.py"
    assert among_others == "one/src/a.py"


def test_files_are_called_as_the_tools_call_them_in_folders_alike_and_nested(
    tmp_path: Path,
) -> None:
    roots = tmp_path / "one" / "app", tmp_path / "two" / "app", tmp_path / "one" / "app" / "lib"
    documents = Documents()
    workspace = Workspace(roots)

    documents.change_roots(roots)

    files = [root / "a.py" for root in roots]
    assert [documents.show(file) for file in files] == ["app/a.py", "app-2/a.py", "lib/a.py"]
    assert [workspace.show(file) for file in files] == ["app/a.py", "app-2/a.py", "lib/a.py"]


def test_opening_twice_replaces_and_closing_nothing_does_nothing() -> None:
    documents = Documents()
    documents.open(URI, "python", 5, "first")
    documents.open(URI, "python", 1, "second")

    documents.close("file:///nowhere.py")

    assert [document.source.text for document in documents] == ["second"]
