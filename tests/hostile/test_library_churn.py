"""Files that appear, change, move and vanish at random while they are watched."""

import asyncio
import os
import random
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

from glossator.app.library import Library, read_library
from glossator.app.library.current import CurrentLibrary
from glossator.app.results import Opening
from glossator.app.runs import Runs
from glossator.compose import build_parts
from workbench import OWN_ONLY

ROUNDS = 8
STEPS_A_ROUND = 60
WORDS = ("zebra", "heron", "badger", "otter", "斑马", "水獭", "索引", "发票")


class Churn:
    """Random changes of one folder, each a way in which people and programs change files."""

    def __init__(self, folder: Path, aside: Path, seed: int) -> None:
        self._folder = folder
        self._aside = aside
        self._random = random.Random(seed)
        self._number = 0

    def step(self) -> None:
        steps: tuple[Callable[[], None], ...] = (
            self.write, self.write, self.write_atomically, self.save_like_vim, self.delete,
            self.rename, self.make_folder, self.remove_folder, self.rename_folder,
            self.move_out, self.move_in, self.empty, self.touch, self.litter,
        )  # fmt: skip
        with suppress(FileNotFoundError, FileExistsError, NotADirectoryError):
            self._random.choice(steps)()

    def write(self) -> None:
        file = self._random.choice([*self._files(), *[self._new_file()] * 3])
        file.write_text(self._text(), encoding="utf-8")

    def write_atomically(self) -> None:
        file = self._random.choice([*self._files(), self._new_file()])
        draft = file.with_suffix(".tmp")
        draft.write_text(self._text(), encoding="utf-8")
        draft.replace(file)

    def save_like_vim(self) -> None:
        for file in self._some_file():
            file.rename(f"{file}~")
            file.write_text(self._text(), encoding="utf-8")
            Path(f"{file}~").unlink()

    def empty(self) -> None:
        for file in self._some_file():
            with file.open("w", encoding="utf-8") as opened:
                opened.flush()
                opened.write(self._text())

    def touch(self) -> None:
        for file in self._some_file():
            file.touch()

    def delete(self) -> None:
        for file in self._some_file():
            file.unlink()

    def rename(self) -> None:
        for file in self._some_file():
            file.rename(self._new_file())

    def make_folder(self) -> None:
        folder = self._random.choice(self._folders()) / self._name()
        folder.mkdir()
        (folder / "first.md").write_text(self._text(), encoding="utf-8")
        (folder / "deeper" / "still").mkdir(parents=True)
        (folder / "deeper" / "still" / "last.md").write_text(self._text(), encoding="utf-8")

    def remove_folder(self) -> None:
        for folder in self._some_folder():
            shutil.rmtree(folder)

    def rename_folder(self) -> None:
        for folder in self._some_folder():
            folder.rename(folder.with_name(self._name()))

    def move_out(self) -> None:
        for moved in (*self._some_folder(), *self._some_file()):
            moved.rename(self._aside / f"{self._name()}{moved.suffix}")

    def move_in(self) -> None:
        for moved in list(self._aside.iterdir())[:1]:
            moved.rename(self._random.choice(self._folders()) / moved.name)

    def litter(self) -> None:
        folder = self._random.choice(self._folders())
        for name in (".#a.md", "~$b.md", "4913", ".c.md.swp", ".DS_Store"):
            (folder / name).write_text(self._text(), encoding="utf-8")

    def _text(self) -> str:
        words = " ".join(self._random.choices(WORDS, k=self._random.randrange(1, 30)))
        header = self._random.choice(("", "---\nkeywords: [heron]\n---\n", "---\nname: half"))
        rule = f"- Do {words}. {{#r-{self._name()}}}\n"
        return f"{header}# {words[:12]}\n\n{words}.\n\n## More\n\n{rule}"

    def _name(self) -> str:
        self._number += 1
        return f"n{self._number}"

    def _new_file(self) -> Path:
        return self._random.choice(self._folders()) / f"{self._name()}.md"

    def _files(self) -> list[Path]:
        return [file for file in self._folder.rglob("*.md") if not file.name.startswith((".", "~"))]

    def _folders(self) -> list[Path]:
        return [self._folder, *(path for path in self._folder.rglob("*") if path.is_dir())]

    def _some_file(self) -> list[Path]:
        files = self._files()
        return [self._random.choice(files)] if files else []

    def _some_folder(self) -> list[Path]:
        folders = self._folders()[1:]
        return [self._random.choice(folders)] if folders else []


def describe(library: Library) -> tuple[object, ...]:
    return (
        dict(library.index.documents.items()),
        sorted(map(str, library.problems)),
        sorted(rule.id for rule in library.rules),
        {shown: os.fspath(path) for shown, path in library.files.items()},
    )


class Watched:
    """The library of a folder, watched by events alone; `new` is set with each other library."""

    def __init__(self, root: Path) -> None:
        self.runs = Runs()
        self.parts = build_parts(Opening((root,), editor_settings=OWN_ONLY))
        self.new = asyncio.Event()
        self.current = CurrentLibrary(
            replace(self.parts, cache_folder=None),
            self.runs,
            on_new=lambda _: self.new.set(),
            on_reading=lambda done, total: None,
            on_settings=lambda: None,
        )

    @property
    def library(self) -> Library:
        assert self.current.value is not None
        return self.current.value

    async def settle(self) -> None:
        """Wait until the library is what a fresh read gives, or for ten seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                while describe(self.library) != self.read_fresh():
                    self.new.clear()
                    await self.new.wait()

    def read_fresh(self) -> tuple[object, ...]:
        return describe(read_library(self.parts.shelves))


@asynccontextmanager
async def watching(root: Path) -> AsyncIterator[Watched]:
    watched = Watched(root)
    await watched.current.ready()
    await watched.current.watch()
    try:
        yield watched
    finally:
        await watched.runs.close()
        await watched.current.close()


async def test_after_random_changes_the_library_is_the_one_that_a_fresh_read_gives(
    tmp_path: Path,
) -> None:
    folder, aside = tmp_path / "root" / "knowledge", tmp_path / "aside"
    for place in (folder, aside):
        place.mkdir(parents=True)
    churn = Churn(folder, aside, seed=7)

    async with watching(tmp_path / "root") as watched:
        for _ in range(ROUNDS):
            for _ in range(STEPS_A_ROUND):
                churn.step()
                watched.library.index.search("zebra 斑马")
                await asyncio.sleep(0)
            await watched.settle()
            assert describe(watched.library) == watched.read_fresh()
