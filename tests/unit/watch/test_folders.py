import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from glossator.watch.folders import FolderWatcher


class Batches:
    """The batches a watcher delivered; `seen` waits until a path has been in one of them."""

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


@asynccontextmanager
async def watching(root: Path, folder: Path) -> AsyncIterator[Batches]:
    batches = Batches()
    interesting: Callable[[Path], bool] = lambda path: path.suffix == ".md"  # noqa: E731
    watcher = FolderWatcher([root], [folder], batches, is_interesting=interesting)
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
