from pathlib import Path

import pytest

from glossator.core.messages import ToolCall
from glossator.core.text import SourceText
from glossator.tools import seen_texts
from glossator.tools.reading import make_reading_tools
from glossator.tools.searching import make_searching_tools
from glossator.tools.seen_texts import SeenTexts
from glossator.tools.toolbox import make_toolbox
from glossator.tools.workspace import Workspace

PATH = Path("/w/a.py")


def test_each_version_of_a_file_is_kept_once_and_the_newest_comes_first() -> None:
    seen = SeenTexts()
    for text in ("one", "two", "one"):
        seen.add(SourceText("a.py", text, PATH))

    assert [each.text for each in seen.versions_of(PATH)] == ["one", "two"]


def test_a_document_without_a_file_is_not_kept() -> None:
    seen = SeenTexts()

    seen.add(SourceText("Untitled-1", "x"))

    assert seen.files_ending_with("Untitled-1") == ()


def test_files_are_found_by_the_end_of_their_path() -> None:
    seen = SeenTexts()
    seen.add(SourceText("src/store.py", "x", Path("/w/src/store.py")))

    assert seen.files_ending_with("store.py") == (Path("/w/src/store.py"),)
    assert seen.files_ending_with("src/store.py") == (Path("/w/src/store.py"),)
    assert seen.files_ending_with("ore.py") == ()


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen_texts, "_MAX_CHARACTERS", 10)
    seen = SeenTexts()

    seen.add(SourceText("a.py", "12345678", PATH))
    seen.add(SourceText("b.py", "12345678", Path("/w/b.py")))

    assert seen.files_ending_with("a.py") == (PATH,)
    assert seen.files_ending_with("b.py") == ()


async def test_what_tools_return_is_noted_and_what_they_only_looked_through_is_not(
    tmp_path: Path,
) -> None:
    for name in ("read.py", "hit.py", "other.py"):
        (tmp_path / name).write_text(f"{name.removesuffix('.py')} = 1\n")
    seen = SeenTexts()
    workspace = Workspace([tmp_path]).noting(seen)
    toolbox = make_toolbox([*make_reading_tools(workspace), *make_searching_tools(workspace)])

    await toolbox.run(ToolCall("1", "read_file", '{"path": "read.py"}'))
    await toolbox.run(ToolCall("2", "search_files", '{"query": "hit"}'))

    assert [bool(seen.files_ending_with(name)) for name in ("read.py", "hit.py", "other.py")] == [
        True, True, False,
    ]  # fmt: skip
