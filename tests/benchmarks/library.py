"""A library of 50,000 sections: starting with it, and saving a file of it."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from statistics import median
from typing import TypeVar

from benchmarks.measuring import Goal, Result, percentile
from benchmarks.places import Ground
from glossator.app.library import Library, read_library
from glossator.app.library.current import CurrentLibrary
from glossator.app.library.keeping import Kept
from glossator.app.parts import Parts
from glossator.app.results import Opening
from glossator.app.runs import Runs
from glossator.compose import build_parts

T = TypeVar("T")

_N_FILES = 5_000
_N_SECTIONS_A_FILE = 10
_N_FOLDERS = 100
_N_SAVES = 20
_START_GOAL = Goal(1_000)
_SAVE_GOAL = Goal(300)
_SETTINGS = {"knowledge": {"bundled": False}, "semantic": {"source": "off"}}
_HAN = "索引发票斑马数据库连接超时重试缓存失效订单支付退款用户权限日志监控部署回滚"


def measure(ground: Ground) -> Iterator[Result]:
    """Start with what an earlier run kept beside reading all files; then save files one by one."""
    root = ground.folder / "library"
    _write_documents(root / "knowledge")
    parts = build_parts(Opening((root,), editor_settings=_SETTINGS))
    parts = replace(parts, cache_folder=ground.folder / "cache")
    kept = Kept(ground.folder / "cache" / "library", parts.shelves)
    library, first_ms = _time(lambda: _start(parts, None))
    yield Result(f"start, {library.index.n_sections:,} sections, nothing kept", first_ms)
    _, keep_ms = _time(lambda: kept.keep(library))
    yield Result("writing what is kept, in the background", keep_ms)
    reads = [_time(lambda: _read_all(root))[1] for _ in range(3)]
    starts = [_time(lambda: _start(parts, kept))[1] for _ in range(5)]
    yield Result(
        "start, kept from an earlier run, to the first search", median(starts), "ms",
        median(reads), "reading the files", _START_GOAL,
    )  # fmt: skip
    waits, looks = asyncio.run(_save(parts, root / "knowledge"))
    floor = "0.1 s without a change is waited for"
    yield Result("save to searchable, p50", median(waits), "ms", 100, floor, _SAVE_GOAL)
    yield Result("save to searchable, p95", percentile(waits, 0.95), "ms", 100, floor)
    yield Result("looking before an answer, nothing changed", median(looks))


def _start(parts: Parts, kept: Kept | None) -> Library:
    known = kept.recall() if kept is not None else None
    library = read_library(parts.shelves, known=known)
    assert library.index.search("inform zebra 斑马数据库")
    return library


async def _save(parts: Parts, folder: Path) -> tuple[list[float], list[float]]:
    """Save files of a watched library; return how long each took to be found, and the looks."""
    runs, is_new = Runs(), asyncio.Event()
    current = CurrentLibrary(
        parts,
        runs,
        on_new=lambda _: is_new.set(),
        on_reading=lambda done, total: None,
        on_settings=lambda: None,
    )
    await current.ready()
    await current.watch()
    waits, looks = [], []
    for number in range(_N_SAVES):
        began = time.perf_counter()
        await current.fresh()
        looks.append((time.perf_counter() - began) * 1000)
        file = folder / f"{number}" / f"{number}.md"
        text = await asyncio.to_thread(file.read_text, encoding="utf-8")
        is_new.clear()
        began = time.perf_counter()
        await asyncio.to_thread(
            file.write_text, f"{text}\n## Saved\n\nThe okapi{number} is new.\n", encoding="utf-8"
        )
        await is_new.wait()
        assert current.value is not None
        assert current.value.index.search(f"okapi{number}")
        waits.append((time.perf_counter() - began) * 1000)
    await runs.close()
    await current.close()
    return waits, looks


def _time(work: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    result = work()
    return result, (time.perf_counter() - began) * 1000


def _read_all(root: Path) -> int:
    return sum(len(file.read_bytes()) for file in sorted(root.rglob("*.md")))


def _write_documents(folder: Path) -> None:
    """Write documents whose words are as unevenly frequent as those that people write."""
    chance = random.Random(4)
    words = [f"word{number}" for number in range(20_000)]
    weights = list(accumulate(1 / (rank + 1) for rank in range(len(words))))
    for number in range(_N_FILES):
        place = folder / f"{number % _N_FOLDERS}"
        place.mkdir(parents=True, exist_ok=True)
        parts = [
            f"---\nname: document-{number}\nkeywords: [key{number}]\n---\n# Document {number}\n"
        ]
        for section in range(_N_SECTIONS_A_FILE - 1):
            said = " ".join(chance.choices(words, cum_weights=weights, k=60))
            han = "".join(chance.choices(_HAN, k=20))
            parts.append(f"\n## {said[:24]} {section}\n\n{said}. inform {han}。\n")
        (place / f"{number}.md").write_text("".join(parts), encoding="utf-8")
