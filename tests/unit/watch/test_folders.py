import asyncio
import errno
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from watchdog.observers.api import BaseObserver

from glossator.watch import arming, folders
from glossator.watch.folders import FolderWatcher


class Batches:
    """The batches a watcher delivered; `seen` waits until a path has been in one of them."""

    watcher: FolderWatcher

    def __init__(self) -> None:
        self.all: list[frozenset[Path]] = []
        self._arrived = asyncio.Condition()

    def __call__(self, batch: frozenset[Path]) -> None:
        self.all.append(batch)
        self._task = asyncio.get_running_loop().create_task(self._notify())

    async def _notify(self) -> None:
        async with self._arrived:
            self._arrived.notify_all()

    async def seen(self, path: Path, *, since: int = 0) -> None:
        async with asyncio.timeout(10), self._arrived:
            await self._arrived.wait_for(lambda: any(path in batch for batch in self.all[since:]))

    def names(self) -> set[str]:
        return {path.name for batch in self.all for path in batch}


def is_markdown(path: Path) -> bool:
    return path.suffix == ".md"


@asynccontextmanager
async def watching(
    root: Path, folder: Path, *, is_interesting: Callable[[Path], bool] = is_markdown, **more: Any
) -> AsyncIterator[Batches]:
    batches = Batches()
    watcher = FolderWatcher([root], [folder], batches, is_interesting=is_interesting, **more)
    batches.watcher = watcher
    await asyncio.to_thread(watcher.start)
    try:
        yield batches
    finally:
        await asyncio.to_thread(watcher.stop)


async def test_a_burst_of_changes_arrives_as_one_batch(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()

    async with watching(tmp_path, folder) as batches:
        for number in range(20):
            (folder / f"{number}.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "19.md")

    assert len(batches.all) <= 2
    assert {path.name for batch in batches.all for path in batch} >= {"0.md", "19.md"}


async def test_an_atomic_save_is_noticed_under_the_final_name(tmp_path: Path) -> None:
    folder = tmp_path / "知识"
    folder.mkdir()

    async with watching(tmp_path, folder) as batches:
        (folder / "a.tmp").write_text("x", encoding="utf-8")
        (folder / "a.tmp").rename(folder / "a.md")
        await batches.seen(folder / "a.md")

    assert all(path.suffix != ".tmp" for batch in batches.all for path in batch)


async def test_reading_a_file_is_no_change(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    (folder / "a.md").write_text("x", encoding="utf-8")

    async with watching(tmp_path, folder) as batches:
        (folder / "a.md").read_text(encoding="utf-8")
        (folder / "b.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "b.md")

    assert all(folder / "a.md" not in batch for batch in batches.all)


async def test_a_folder_that_appears_later_is_watched(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"

    async with watching(tmp_path, folder) as batches:
        folder.mkdir()
        await batches.seen(folder)
        (folder / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "a.md")


async def test_a_folder_that_is_deleted_and_made_anew_is_watched_again(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()

    async with watching(tmp_path, folder) as batches:
        folder.rmdir()
        await batches.seen(folder)
        n_before = len(batches.all)
        folder.mkdir()
        await batches.seen(folder, since=n_before)
        (folder / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "a.md")


async def test_what_stands_behind_a_link_that_appears_is_watched(tmp_path: Path) -> None:
    folder, documents = tmp_path / "knowledge", tmp_path / "docs" / "约定"
    documents.mkdir(parents=True)

    async with watching(tmp_path, folder) as batches:
        folder.symlink_to(documents)
        await batches.seen(folder)
        (documents / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(documents / "a.md")


async def test_a_link_that_leads_elsewhere_now_is_followed_there(tmp_path: Path) -> None:
    folder, one, two = tmp_path / "knowledge", tmp_path / "docs" / "1", tmp_path / "docs" / "2"
    one.mkdir(parents=True)
    two.mkdir()
    folder.symlink_to(one)

    async with watching(tmp_path, folder) as batches:
        folder.unlink()
        await batches.seen(folder)
        n_before = len(batches.all)
        folder.symlink_to(two)
        await batches.seen(folder, since=n_before)
        (two / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(two / "a.md")


async def test_a_link_to_the_outside_is_not_watched(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    folder = root / "knowledge"

    async with watching(root, folder) as batches:
        folder.symlink_to(outside)
        await batches.seen(folder)
        (outside / "a.md").write_text("x", encoding="utf-8")
        (root / "b.md").write_text("x", encoding="utf-8")
        await batches.seen(root / "b.md")

    assert all(outside / "a.md" not in batch for batch in batches.all)


async def test_a_folder_is_watched_whose_parents_appear_one_after_the_other(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "team" / "knowledge"

    async with watching(tmp_path, folder) as batches:
        for place in (tmp_path / "docs", tmp_path / "docs" / "team", folder):
            place.mkdir()
            await batches.seen(place)
        (folder / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "a.md")


async def test_the_parents_of_a_folder_are_watched_again_when_they_are_made_anew(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "docs" / "knowledge"
    folder.mkdir(parents=True)

    async with watching(tmp_path, folder) as batches:
        shutil.rmtree(tmp_path / "docs")
        await batches.seen(tmp_path / "docs")
        so_far = len(batches.all)
        (tmp_path / "docs").mkdir()
        await batches.seen(tmp_path / "docs", since=so_far)
        folder.mkdir()
        await batches.seen(folder, since=so_far)
        (folder / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "a.md", since=so_far)


async def test_a_file_saved_as_vim_does_it_is_one_change_with_its_last_content(
    tmp_path: Path,
) -> None:
    file = tmp_path / "knowledge" / "a.md"
    file.parent.mkdir()
    file.write_text("old", encoding="utf-8")

    async with watching(tmp_path, file.parent) as batches:
        (file.parent / "4913").touch()
        (file.parent / "4913").unlink()
        backup = file.rename(f"{file}~")
        file.write_text("new", encoding="utf-8")
        backup.unlink()
        await batches.seen(file)

    assert batches.names() == {"a.md"}
    assert len(batches.all) == 1


@pytest.mark.parametrize(
    "name", [".#a.md", "#a.md#", "a.md~", ".a.md.swp", "~$a.md", "a.md.tmp.12.34", ".DS_Store"]
)
async def test_what_editors_leave_is_no_change(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()

    async with watching(tmp_path, folder, is_interesting=lambda path: True) as batches:
        (folder / name).write_text("x", encoding="utf-8")
        (folder / "b.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "b.md")

    assert batches.names() == {"b.md"}


async def test_a_steady_stream_of_changes_is_handed_over_before_it_ends(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    script = (
        "import sys, time, pathlib\n"
        "while True:\n"
        "    pathlib.Path(sys.argv[1], 'a.md').write_text(str(time.time()))\n"
        "    time.sleep(0.02)\n"
    )

    async with watching(tmp_path, folder) as batches:
        writer = subprocess.Popen([sys.executable, "-c", script, str(folder)])  # noqa: ASYNC220
        try:
            await batches.seen(folder / "a.md")
            await batches.seen(folder / "a.md", since=len(batches.all))
        finally:
            writer.kill()
            writer.wait()


async def test_a_nested_folder_that_is_made_and_filled_at_once_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()

    async with watching(tmp_path, folder) as batches:
        (folder / "one" / "two").mkdir(parents=True)
        (folder / "one" / "two" / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "one")
        so_far = len(batches.all)
        (folder / "one" / "two" / "b.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "one" / "two" / "b.md", since=so_far)


async def test_a_folder_that_is_moved_in_out_and_renamed_is_noticed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "root" / "knowledge", tmp_path / "outside"
    folder.mkdir(parents=True)
    (outside / "deep").mkdir(parents=True)
    (outside / "deep" / "a.md").write_text("x", encoding="utf-8")

    async with watching(tmp_path / "root", folder) as batches:
        outside.rename(folder / "in")
        await batches.seen(folder / "in")
        (folder / "in").rename(folder / "renamed")
        await batches.seen(folder / "renamed")
        so_far = len(batches.all)
        (folder / "renamed" / "deep" / "b.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "renamed" / "deep" / "b.md", since=so_far)
        (folder / "renamed").rename(outside)
        await batches.seen(folder / "renamed", since=len(batches.all))


async def test_a_workspace_folder_that_is_put_in_the_place_of_another_is_watched(
    tmp_path: Path,
) -> None:
    root, other = tmp_path / "root", tmp_path / "other"
    for place in (root, other):
        (place / "knowledge").mkdir(parents=True)

    async with watching(root, root / "knowledge") as batches:
        root.rename(tmp_path / "moved")
        other.rename(root)
        await batches.seen(root)
        so_far = len(batches.all)
        (root / "knowledge" / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(root / "knowledge" / "a.md", since=so_far)
        (tmp_path / "moved" / "knowledge" / "b.md").write_text("x", encoding="utf-8")
        (root / "knowledge" / "c.md").write_text("x", encoding="utf-8")
        await batches.seen(root / "knowledge" / "c.md")

    assert "b.md" not in batches.names()


async def test_a_workspace_folder_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    root = tmp_path / "root"

    async with watching(root, root / "knowledge") as batches:
        root.mkdir()
        await batches.seen(root)
        (root / "knowledge").mkdir()
        await batches.seen(root / "knowledge")
        (root / "knowledge" / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(root / "knowledge" / "a.md")


async def test_a_handler_that_fails_hears_of_the_next_change(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()

    def fail_at_bad(path: Path) -> bool:
        if path.name == "bad.md":
            raise ValueError("no")
        return True

    async with watching(tmp_path, folder, is_interesting=fail_at_bad) as batches:
        (folder / "bad.md").write_text("x", encoding="utf-8")
        (folder / "good.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "good.md")


async def test_a_thread_of_the_watcher_that_ended_is_started_again(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()

    async with watching(tmp_path, folder) as batches:
        observer = batches.watcher._armed._observer
        assert observer is not None
        observer.stop()
        await asyncio.to_thread(observer.join)
        assert not batches.watcher.is_healthy()

        await asyncio.to_thread(batches.watcher.check)

        assert batches.watcher.is_healthy()
        await batches.seen(folder)
        (folder / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "a.md")


async def test_health_is_looked_after_when_nobody_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_HEALTH_EVERY_S", 0.05)
    folder = tmp_path / "knowledge"
    folder.mkdir()

    async with watching(tmp_path, folder) as batches:
        observer = batches.watcher._armed._observer
        assert observer is not None
        observer.stop()
        await batches.seen(folder)
        (folder / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "a.md")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE])
async def test_when_the_system_watches_no_more_folders_they_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()

    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, "limit reached")

    monkeypatch.setattr(BaseObserver, "schedule", refuse)
    monkeypatch.setattr("glossator.watch.polling._EVERY_S", 0.05)

    async with watching(tmp_path, folder) as batches:
        assert (batches.watcher.is_polling, batches.watcher.why_polling) == (True, "limit")
        (folder / "a.md").write_text("x", encoding="utf-8")
        await batches.seen(folder / "a.md")
        assert not batches.watcher.is_healthy()


async def test_a_limit_that_is_met_below_a_folder_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "knowledge").mkdir()
    schedule = BaseObserver.schedule

    def refuse_more(observer: BaseObserver, handler: Any, path: str, **more: Any) -> Any:
        if path == "/":  # What is tried last of all: watchdog itself says nothing.
            raise OSError(errno.ENOSPC, "limit reached")
        return schedule(observer, handler, path, **more)

    monkeypatch.setattr(BaseObserver, "schedule", refuse_more)
    monkeypatch.setattr(arming.sys, "platform", "linux")

    async with watching(tmp_path, tmp_path / "knowledge") as batches:
        assert batches.watcher.why_polling == "limit"


async def test_a_network_drive_is_looked_at_and_the_rest_is_heard_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far, near = tmp_path / "far", tmp_path / "near"
    far.mkdir()
    near.mkdir()
    monkeypatch.setattr("glossator.watch.polling._EVERY_S", 0.05)
    batches = Batches()
    watcher = FolderWatcher(
        [tmp_path],
        [far, near],
        batches,
        is_interesting=is_markdown,
        is_remote=lambda folder: folder == far,
    )
    await asyncio.to_thread(watcher.start)
    try:
        for folder in (far, near):
            (folder / "a.md").write_text("x", encoding="utf-8")
            await batches.seen(folder / "a.md")
        assert watcher.why_polling == "network"
    finally:
        await asyncio.to_thread(watcher.stop)


async def test_nothing_is_watched_when_that_is_wanted(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()

    async with watching(tmp_path, folder, mode="off") as batches:
        (folder / "a.md").write_text("x", encoding="utf-8")
        await asyncio.to_thread(batches.watcher.check)

        assert not batches.watcher.is_healthy()
        assert batches.watcher.take() == frozenset()


async def test_a_storm_of_events_puts_whole_folders_in_doubt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_MOST_EVENTS", 50)
    folder = tmp_path / "knowledge"
    folder.mkdir()

    async with watching(tmp_path, folder) as batches:
        for number in range(100):
            (folder / f"{number}.md").write_text("x", encoding="utf-8")
        await batches.seen(folder)


async def test_other_folders_are_watched_from_now_on(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    for folder in (one, two, three):
        folder.mkdir()

    async with watching(tmp_path, one) as batches:
        await asyncio.to_thread(batches.watcher.watch, [two], [three])
        for file in (one / "a.md", two / "b.md", three / "c.md"):
            file.write_text("x", encoding="utf-8")
        await batches.seen(two / "b.md")
        await batches.seen(three / "c.md")

    assert "a.md" not in batches.names()


async def test_what_was_heard_of_can_be_taken_before_it_is_handed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_DEBOUNCE_S", 60.0)
    monkeypatch.setattr(folders, "_LONGEST_DELAY_S", 60.0)
    folder = tmp_path / "knowledge"
    folder.mkdir()

    async with watching(tmp_path, folder) as batches:
        (folder / "a.md").write_text("x", encoding="utf-8")
        taken: frozenset[Path] = frozenset()
        async with asyncio.timeout(10):
            while folder / "a.md" not in taken:
                taken |= batches.watcher.take()
                await asyncio.sleep(0)

    assert batches.all == []


async def test_watching_uses_no_processor_while_nothing_happens(tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()

    async with watching(tmp_path, tmp_path / "knowledge"):
        await asyncio.to_thread(lambda: None)
        before = time.process_time()
        await asyncio.to_thread(time.sleep, 1)
        used_s = time.process_time() - before

    assert used_s < 0.05
