"""Against a real model: `OPENAI_BASE_URL=… OPENAI_API_KEY=… MODEL=… pytest -m live tests/live`.

These say nothing about how good a model is. They hold what must be true of any model's answer.
"""

import os
from pathlib import Path

import pytest

import workbench
from glossator.core.events import TurnEnded

pytestmark = pytest.mark.live

TURNS = [
    "What does `Store.save` in store/store.py do?",
    "Who calls it?",
    "`write` 在哪个文件里？请给出行号。",
]


async def test_three_turns_end_well_and_every_place_has_a_verdict(tmp_path: Path) -> None:
    settings = {
        "model": {
            "baseUrl": os.environ["OPENAI_BASE_URL"],
            "apiKey": os.environ.get("OPENAI_API_KEY", ""),
            "name": os.environ["MODEL"],
            "firstTokenTimeoutS": 300,
            "totalTimeoutS": 900,
        },
        "agent": {"toolRounds": 3},
    }
    bench = workbench.make_bench(tmp_path / "workspace", settings=settings)
    session_id = ""
    try:
        for question in TURNS:
            answer = await bench.application.ask(question, session_id=session_id, emit=bench.hear)
            session_id = answer.session_id
            print(f"\n>>> {question}\n{answer.markdown}\n{answer.citations}\n{answer.usage}")

            assert answer.by_model, answer.notice
            assert answer.markdown.strip()
            for citation in answer.citations:
                if citation.verdict != "missing":
                    assert citation.path is not None
                    assert citation.path.is_file()
    finally:
        await bench.application.close()
    assert len(bench.heard(TurnEnded)) == len(TURNS)
