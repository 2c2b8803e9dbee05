"""Twenty questions to a real model, half of them Chinese; see `test_live.py` for how to run it.

A small model invents paths and lines. Whatever it writes: nothing crashes, and no place that does
not exist is called anything but missing. The table that is printed (`-s`) shows what happened.
"""

import os
import re
import time
from pathlib import Path

import pytest

import workbench
from glossator.app.results import Answer
from glossator.core.events import RoundEnded, ToolFinished
from glossator.core.text import split_lines

pytestmark = pytest.mark.live

QUESTIONS = [
    "What does `Store.save` do?",
    "Who calls `Store.save`?",
    "What does `Store.count` return?",
    "Which file defines `write`?",
    "What does `main` do?",
    "Which test covers `Store.save`?",
    "What happens when `write` is called with None?",
    "Is there a bug in `Store.count`?",
    "Where is the database password configured in main.py?",
    "What do lines 1 to 3 of store/disk.py do?",
    "`Store.save` 做什么？",
    "谁调用了 `write`？",
    "`Store.count` 返回什么？",
    "`Store` 定义在哪个文件的第几行？",
    "`main` 调用了哪些函数？",
    "哪个测试覆盖了 `Store.save`？",
    "store/disk.py 里有几个函数？",
    "`Store.count` 的实现有什么问题？",
    "main.py 第 40 行写了什么？",
    "store/cache.py 是做什么的？",
]
_PLACE = re.compile(r"(?<![\w./-])((?:[\w-]+/)*[\w-]+\.py)[:：](\d+)(?:\s*[-–]\s*(\d+))?")


async def test_every_invented_place_is_marked_as_missing(tmp_path: Path) -> None:
    settings = {
        "model": {
            "baseUrl": os.environ["OPENAI_BASE_URL"],
            "apiKey": os.environ.get("OPENAI_API_KEY", ""),
            "name": os.environ["MODEL"],
            "firstTokenTimeoutS": 600,
            "totalTimeoutS": 900,
        },
        "agent": {"toolRounds": 2, "turnTimeoutS": 1800},
        "knowledge": {"bundled": False, "whenUnknown": "code"},
    }
    bench = workbench.make_bench(tmp_path / "workspace", settings=settings)
    n_invented = 0
    try:
        for number, question in enumerate(QUESTIONS, 1):
            bench.events.clear()
            began = time.monotonic()
            answer = await bench.application.ask(question, emit=bench.hear)
            print(f"\n{number}. {question}\n{answer.markdown}\n{_describe(bench, answer)}")
            print(f"   {time.monotonic() - began:.0f} s", flush=True)

            assert answer.stop_reason != "failed", answer.notice
            assert answer.markdown.strip()
            verdicts = {each.text: each.verdict for each in answer.citations}
            for place in _find_invented(answer.markdown, bench.root):
                n_invented += 1
                assert verdicts[place] == "missing", place
    finally:
        await bench.application.close()
    print(f"\n{n_invented} invented places, all marked as missing")


def _find_invented(text: str, root: Path) -> list[str]:
    """Return the places in `text` that do not exist, found without the product's own finder."""
    invented = []
    for match in _PLACE.finditer(text):
        files = [file for file in root.rglob("*.py") if str(file).endswith(f"/{match[1]}")]
        last = int(match[3] or match[2])
        exists = any(
            1 <= int(match[2]) <= last <= len(split_lines(file.read_text("utf-8")))
            for file in files
        )
        if not exists:
            invented.append(match[0])
    return invented


def _describe(bench: workbench.Bench, answer: Answer) -> str:
    n_rounds, calls = len(bench.heard(RoundEnded)), bench.heard(ToolFinished)
    verdicts = ", ".join(f"{each.text} {each.verdict}" for each in answer.citations)
    names = ", ".join(call.name for call in calls if isinstance(call, ToolFinished))
    tokens = answer.usage.prompt_tokens if answer.usage else 0
    return (
        f"   {answer.stop_reason}, {n_rounds} rounds, tools: {names or 'none'}, "
        f"{tokens} prompt tokens; {verdicts or 'no citations'}"
    )
