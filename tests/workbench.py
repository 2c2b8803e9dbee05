"""An application over a small workspace on the disk, with a scripted model or none."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from glossator.app.application import Application
from glossator.app.parts import Parts
from glossator.app.results import ModelStatus, Opening, Target
from glossator.app.retrieval.members import Members
from glossator.compose import build_parts
from glossator.core.events import Event, IndexRebuilt
from glossator.core.locations import Point
from glossator.core.messages import Usage
from glossator.core.text import SourceText
from glossator.model.port import ChatModel
from glossator.model.scripted import ScriptedModel

STORE = """\
from store.disk import write


class Store:
    def save(self, item):
        \"\"\"Keep an item.\"\"\"
        write(item)
        return self.count()

    def count(self):
        return 1
"""
DISK = """\
def write(item):
    print(item)
"""
MAIN = """\
from store.store import Store


def main():
    Store().save("a")
"""
TEST = """\
from store.store import Store


def test_save():
    assert Store().save("a") == 1
"""
FILES = {
    "store/store.py": STORE,
    "store/disk.py": DISK,
    "main.py": MAIN,
    "tests/test_store.py": TEST,
}

OWN_ONLY = {"knowledge": {"bundled": False}}
"""Settings with which only the knowledge of a workspace counts."""

OWN_ONLY_TOML = "[knowledge]\nbundled = false\n"
"""The same as the `glossator.toml` of a workspace."""


class IndexListener:
    """Hears that the index was rebuilt and lets a test wait for it."""

    def __init__(self) -> None:
        self.n_heard = 0
        self._n_documents: set[int] = set()
        self._heard = asyncio.Event()

    def hear(self, event: Event) -> None:
        if isinstance(event, IndexRebuilt):
            self.n_heard += 1
            self._n_documents.add(event.n_documents)
            self._heard.set()

    async def wait_for(self, *, n_documents: int) -> None:
        async with asyncio.timeout(10):
            while n_documents not in self._n_documents:
                self._heard.clear()
                await self._heard.wait()


@dataclass
class Bench:
    """An application and its workspace folder.

    `events` are those of the use cases that were given `hear`; `index` hears of rebuilds.
    """

    application: Application
    root: Path
    buffers: dict[Path, SourceText]
    index: "IndexListener"
    events: list[Event] = field(default_factory=list)

    def target(self, name: str, line: int) -> Target:
        source = self.application.read(self.root / name)
        return Target(source, Point(line, len(source.lines[line - 1])))

    def hear(self, event: Event) -> None:
        self.events.append(event)

    def heard(self, kind: type) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]


def script(*replies: str) -> ScriptedModel:
    """Return a model that gives these replies, each of which costs 110 tokens."""
    return ScriptedModel(replies, usage=Usage(100, 10))


MakeBench = Callable[..., Bench]


def make_bench(
    root: Path,
    files: Mapping[str, str] = FILES,
    *,
    model: ChatModel | None = None,
    tools_model: ChatModel | None = None,
    settings: Mapping[str, object] | None = None,
    watch: bool = False,
    locale: str = "en",
    trusted: bool | None = None,
    make_members: Callable[[], Members] | None = None,
) -> Bench:
    """Write `files` below `root` and open an application on it."""
    root.mkdir(exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    buffers: dict[Path, SourceText] = {}
    index = IndexListener()

    def build(opening: Opening) -> Parts:
        parts = build_parts(opening)
        if make_members is not None:
            parts = replace(parts, members=make_members())
        if model is None:
            return parts
        status = ModelStatus(True, model.name)
        return replace(parts, model=model, tools_model=tools_model, model_status=status)

    opening = Opening(
        roots=(root,),
        buffers=buffers,
        editor_settings={"audit.enabled": False, **(settings or {})},
        watch=watch,
        trusted=trusted,
        locale=locale,
        on_event=index.hear,
    )
    return Bench(Application(opening, build), root, buffers, index)
