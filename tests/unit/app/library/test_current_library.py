import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from glossator.app.library import Library, current
from glossator.app.library.current import CurrentLibrary
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import Opening
from glossator.app.runs import Runs
from glossator.compose import build_parts
from glossator.core.text import SourceText


class Life:
    """A current library and what it told: `new` are the libraries, `n_settings` the calls."""

    def __init__(self, parts: Parts) -> None:
        self.runs = Runs()
        self.new: list[Library] = []
        self.n_settings = 0
        self.progress: list[tuple[int, int]] = []
        self._is_new = asyncio.Event()
        self.current = CurrentLibrary(
            parts,
            self.runs,
            on_new=self._hear,
            on_reading=lambda done, total: self.progress.append((done, total)),
            on_settings=self._hear_of_settings,
        )

    async def wait_for(self, *titles: str) -> None:
        """Wait until the library in force has these sections and no others."""
        async with asyncio.timeout(10):
            while self.current.value is None or find_titles(self.current.value) != {*titles}:
                self._is_new.clear()
                await self._is_new.wait()

    def _hear(self, library: Library) -> None:
        self.new.append(library)
        self._is_new.set()

    def _hear_of_settings(self) -> None:
        self.n_settings += 1


def find_titles(library: Library) -> set[str]:
    return {section.title for d in library.index.documents.values() for section in d.sections}


def make_parts(root: Path, *, watch: str = "events", cache: Path | None = None) -> Parts:
    settings = {"knowledge": {"bundled": False, "watch": watch}}
    return replace(build_parts(Opening((root,), editor_settings=settings)), cache_folder=cache)


@asynccontextmanager
async def living(parts: Parts) -> AsyncIterator[Life]:
    life = Life(parts)
    try:
        yield life
    finally:
        await life.runs.close()
        await life.current.close()


def write(root: Path, name: str, title: str) -> Path:
    file = root / "knowledge" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"# {title}\n\nText.\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("few_files", [0, 2_000])
async def test_an_answer_rests_on_the_files_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few_files: int
) -> None:
    monkeypatch.setattr("glossator.app.library.watching._FEW_FILES", few_files)
    monkeypatch.setattr("glossator.watch.folders._DEBOUNCE_S", 60.0)
    monkeypatch.setattr("glossator.watch.folders._LONGEST_DELAY_S", 60.0)
    write(tmp_path, "a.md", "A")

    async with living(make_parts(tmp_path)) as life:
        await life.current.ready()
        await life.current.watch()
        write(tmp_path, "b.md", "B")
        came = find_titles(await life.current.fresh())
        (tmp_path / "knowledge" / "a.md").unlink()
        gone = find_titles(await life.current.fresh())

    assert (came, gone) == ({"A", "B"}, {"B"})


async def test_an_answer_does_not_wait_for_folders_that_do_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "a.md", "A")
    may_go_on = threading.Event()
    monkeypatch.setattr(current, "ANSWER_WAITS_S", 0.05)

    async with living(make_parts(tmp_path, watch="off")) as life:
        await life.current.ready()
        monkeypatch.setattr(current, "_find_unheard", lambda *_: may_go_on.wait(10) and None)
        write(tmp_path, "b.md", "B")
        late: list[bool] = []
        library = await life.current.fresh(on_late=lambda: late.append(True))
        answered = find_titles(library)
        may_go_on.set()
        await life.wait_for("A", "B")

    assert (answered, late) == ({"A"}, [True])


async def test_who_gives_up_waiting_does_not_end_the_reading(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "A")

    async with living(make_parts(tmp_path)) as life:
        impatient = asyncio.create_task(life.current.ready())
        await asyncio.sleep(0)
        impatient.cancel()
        await asyncio.wait([impatient])
        await life.wait_for("A")

    assert len(life.new) == 1


async def test_a_change_during_a_reading_is_read_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, "a.md", "A")
    has_begun, may_go_on = threading.Event(), threading.Event()
    parts = make_parts(tmp_path, watch="off")

    def read_slowly(path: Path) -> SourceText:
        source = parts.workspace.read(path)
        has_begun.set()
        assert may_go_on.wait(10)
        return source

    slow = tuple(replace(shelf, read=read_slowly) for shelf in parts.shelves)
    async with living(replace(parts, shelves=slow, team_files=None)) as life:
        reading = asyncio.create_task(life.current.ready())
        await asyncio.to_thread(has_begun.wait, 10)
        write(tmp_path, "a.md", "Another")
        life.current.look_again([file])
        may_go_on.set()
        await reading
        await life.wait_for("Another")


async def test_a_reading_ends_at_the_next_file_when_all_comes_to_its_end(tmp_path: Path) -> None:
    for number in range(50):
        write(tmp_path, f"{number}.md", "A")
    has_begun, may_go_on = threading.Event(), threading.Event()
    parts, read = make_parts(tmp_path, watch="off"), []

    def read_slowly(path: Path) -> SourceText:
        read.append(path)
        has_begun.set()
        assert may_go_on.wait(10)
        return parts.workspace.read(path)

    slow = tuple(replace(shelf, read=read_slowly) for shelf in parts.shelves)
    async with living(replace(parts, shelves=slow, team_files=None)) as life:
        reading = asyncio.create_task(life.current.ready())
        await asyncio.to_thread(has_begun.wait, 10)
        await life.runs.close()
        may_go_on.set()
        await asyncio.wait([reading])
        await asyncio.get_running_loop().shutdown_default_executor()

    assert len(read) == 1


async def test_nobody_waits_for_more_than_was_due_where_files_change_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current, "ANSWER_WAITS_S", 60.0)
    file = write(tmp_path, "a.md", "A")
    read, is_quiet = current._read, threading.Event()

    async with living(make_parts(tmp_path, watch="off")) as life:
        await life.current.ready()
        loop = asyncio.get_running_loop()

        def change_and_read(*given: Any) -> Library:
            if not is_quiet.is_set():
                loop.call_soon_threadsafe(life.current.look_again, [file])
            return read(*given)

        monkeypatch.setattr(current, "_read", change_and_read)
        write(tmp_path, "a.md", "Another")
        async with asyncio.timeout(10):
            found = find_titles(await life.current.fresh())
            await life.current.read()
        is_quiet.set()

    assert found == {"Another"}


async def test_a_file_that_is_emptied_and_left_so_loses_its_sections_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glossator.app.library.reading._BEING_WRITTEN_NS", 300_000_000)
    file = write(tmp_path, "a.md", "A")

    async with living(make_parts(tmp_path)) as life:
        await life.current.ready()
        await life.current.watch()
        file.write_text("", encoding="utf-8")
        await life.wait_for()

    assert find_titles(life.new[0]) == {"A"}


async def test_a_changed_file_of_settings_is_told_to_whoever_reads_settings(tmp_path: Path) -> None:
    async with living(make_parts(tmp_path)) as life:
        await life.current.ready()
        life.current.hear([tmp_path / "other.py"])
        assert life.n_settings == 0
        life.current.hear([tmp_path / "glossator.toml", tmp_path / "other.py"])

    assert life.n_settings == 1


async def test_what_a_link_leads_to_is_watched(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "linked").symlink_to(tmp_path / "docs")

    async with living(make_parts(tmp_path)) as life:
        await life.current.ready()
        await life.current.watch()
        (tmp_path / "docs" / "a.md").write_text("# A\n\nText.\n", encoding="utf-8")
        await life.wait_for("A")
        (tmp_path / "knowledge" / "linked").unlink()
        await life.wait_for()


async def test_other_parts_have_their_own_library(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one, "a.md", "A")
    write(two, "b.md", "B")

    async with living(make_parts(one)) as life:
        await life.current.ready()
        await life.current.watch()
        await life.current.use(make_parts(two))
        await life.wait_for("B")
        await life.current.watch()
        write(two, "c.md", "C")
        await life.wait_for("B", "C")


async def test_how_changes_are_found_is_said_in_the_readers_language(tmp_path: Path) -> None:
    async with living(make_parts(tmp_path, watch="polling")) as life:
        await life.current.ready()
        await life.current.watch()
        english = life.current.list_problems(Phrasing(is_chinese=False))
        chinese = life.current.list_problems(Phrasing(is_chinese=True))

    assert "every second" in english[0]
    assert "每秒" in chinese[0]


@pytest.mark.parametrize("begins", ["ready", "watch"])
async def test_nothing_waits_for_an_end_where_files_change_without_end(
    tmp_path: Path, begins: str
) -> None:
    file = write(tmp_path, "a.md", "A")
    async with living(make_parts(tmp_path)) as life:
        if begins == "watch":
            await life.current.ready()
        read_once, n_read = life.current._read_once, 0

        async def read_while_it_changes() -> None:
            nonlocal n_read
            n_read += 1
            await read_once()
            life.current._is_due = True
            life.current._unread.add(file)

        life.current._read_once = read_while_it_changes  # type: ignore[method-assign] # a busy disk

        async with asyncio.timeout(10):
            await getattr(life.current, begins)()

        assert n_read
        assert life.current.value is not None
