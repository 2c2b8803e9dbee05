import queue
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from glossator.watch.polling import Poller


class Heard:
    """The paths that a poller told of."""

    def __init__(self) -> None:
        self._paths: queue.Queue[Path] = queue.Queue()

    def hear(self, paths: Iterable[Path]) -> None:
        for path in paths:
            self._paths.put(path)

    def wait_for(self, path: Path) -> None:
        while self._paths.get(timeout=10) != path:
            pass


@contextmanager
def polling(folder: Path, *places: Path) -> Iterator[Heard]:
    heard = Heard()
    poller = Poller(
        [folder], places, heard.hear, is_interesting=lambda path: path.suffix == ".md", every_s=0.02
    )
    poller.start()
    try:
        yield heard
    finally:
        poller.stop()
    assert not poller.is_alive()


def test_a_file_that_comes_changes_and_goes_is_found(tmp_path: Path) -> None:
    file = tmp_path / "knowledge" / "deep" / "a.md"
    file.parent.mkdir(parents=True)

    with polling(tmp_path / "knowledge") as heard:
        file.write_text("x", encoding="utf-8")
        heard.wait_for(file)
        file.write_text("longer", encoding="utf-8")
        heard.wait_for(file)
        file.unlink()
        heard.wait_for(file)


def test_a_folder_may_be_missing_come_and_go(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"

    with polling(folder) as heard:
        folder.mkdir()
        heard.wait_for(folder)
        (folder / "a.md").write_text("x", encoding="utf-8")
        heard.wait_for(folder / "a.md")
        shutil.rmtree(folder)
        heard.wait_for(folder)


def test_of_a_single_place_only_its_own_files_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()

    with polling(tmp_path / "knowledge", tmp_path) as heard:
        (tmp_path / "below" / "b.md").write_text("x", encoding="utf-8")
        (tmp_path / "a.md").write_text("x", encoding="utf-8")
        heard.wait_for(tmp_path / "a.md")
        assert heard._paths.empty()


def test_a_folder_with_a_link_to_itself_is_looked_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    (folder / "again").symlink_to(folder)

    with polling(folder) as heard:
        (folder / "a.md").write_text("x", encoding="utf-8")
        heard.wait_for(folder / "a.md")
