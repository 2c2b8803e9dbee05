"""Who hears a turn beside the one who asked: the record and the telemetry."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from glossator.app.results import Opening
from glossator.compose import build_parts
from glossator.core.events import Event, TextArrived
from glossator.model.scripted import ScriptedModel
from workbench import MakeBench

RECORDING = {"audit.enabled": True}


@pytest.fixture
def audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "glossator" / "audit"


@pytest.fixture
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = tmp_path / "config" / "glossator" / "glossator.toml"
    path.parent.mkdir(parents=True)
    return path


def read_records(folder: Path) -> list[dict[str, Any]]:
    files = sorted(folder.glob("*.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line) for line in lines]


async def test_every_record_of_a_turn_says_which_turn_and_session_it_belongs_to(
    make_bench: MakeBench, audit: Path
) -> None:
    bench = make_bench(model=ScriptedModel(["See main.py:4."]), settings=RECORDING)

    answer = await bench.application.ask("What does `main` in main.py do?")
    await bench.application.explain(bench.target("main.py", 5))
    await bench.application.close()

    of_turns = [each for each in read_records(audit) if each["event"] != "IndexRebuilt"]
    assert [each["event"] for each in of_turns][:2] == ["TurnStarted", "KnowledgeFound"]
    sessions = {each["turn"]: each["session"] for each in of_turns}
    assert list(sessions.values()) == [answer.session_id, ""]
    kinds = [each["kind"] for each in of_turns if each["event"] == "TurnStarted"]
    assert kinds == ["ask", "explain"]
    rounds = [each for each in of_turns if each["event"] == "RoundEnded"]
    assert [(each["model"], each["finish"]) for each in rounds] == [
        ("scripted", "stop"),
        ("scripted", "unfinished"),
    ]
    assert "no reply left" in rounds[1]["error"]


async def test_a_cancelled_turn_has_an_end_in_the_record(
    make_bench: MakeBench, audit: Path
) -> None:
    has_begun = asyncio.Event()

    def hear(event: Event) -> None:
        if isinstance(event, TextArrived):
            has_begun.set()

    model = ScriptedModel([["Wait", asyncio.Event()]])
    application = make_bench(model=model, settings=RECORDING).application
    asking = asyncio.create_task(application.ask("What does `main` in main.py do?", emit=hear))
    async with asyncio.timeout(10):
        await has_begun.wait()
    asking.cancel()
    await asyncio.wait([asking])
    await application.close()

    *_, unfinished, ended = read_records(audit)
    assert (unfinished["event"], unfinished["finish"]) == ("RoundEnded", "unfinished")
    assert ended["stopReason"] == "cancelled"


async def test_figures_count_what_was_asked_a_moment_ago(
    make_bench: MakeBench, audit: Path
) -> None:
    bench = make_bench(model=ScriptedModel(["See main.py:4."]), settings=RECORDING)
    await bench.application.ask("What does `main` in main.py do?")

    report = await bench.application.figures()

    assert report.figures.n_turns == 1
    assert report.figures.verdicts == {"exact": 1, "moved": 0, "missing": 0}


async def test_figures_stay_readable_when_nothing_is_recorded_any_more(
    make_bench: MakeBench, audit: Path
) -> None:
    bench = make_bench(settings=RECORDING)
    await bench.application.ask("What does `main` in main.py do?")
    await bench.application.close()

    later = make_bench()
    report = await later.application.figures(days=1)

    assert report.figures.stop_reasons == {"no-model": 1}


def test_what_cannot_be_sent_is_a_problem_that_people_see(tmp_path: Path) -> None:
    opening = Opening((tmp_path,), editor_settings={"telemetry": {"endpoint": "localhost:4318"}})

    parts = build_parts(opening)

    assert parts.telemetry is None
    assert any("`telemetry.endpoint`" in problem for problem in parts.problems)


def test_an_endpoint_in_the_environment_or_the_workspace_sends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318")
    (tmp_path / "glossator.toml").write_text('telemetry.endpoint = "http://localhost:4318"\n')
    (tmp_path / ".env").write_text("OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318\n")

    parts = build_parts(Opening((tmp_path,), trusted=True))

    assert parts.telemetry is None
    assert any(
        "only your editor, your own `glossator.toml` or the environment" in problem
        for problem in parts.problems
    )


def test_a_price_that_cannot_be_read_is_a_problem_that_people_see(tmp_path: Path) -> None:
    parts = build_parts(Opening((tmp_path,), editor_settings={"audit": {"prices": ["cheap"]}}))

    assert any("`audit.prices`: `cheap`" in problem for problem in parts.problems)


def test_the_users_own_file_sets_what_no_workspace_may(tmp_path: Path, own_settings: Path) -> None:
    own_settings.write_text("[audit]\ncontent = true\n[agent]\ntoolRounds = 3\n", "utf-8")
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "glossator.toml").write_text("[audit]\ncontent = false\n[agent]\ntoolRounds = 4\n")

    settings = build_parts(Opening((root,))).settings
    by_editor = build_parts(Opening((root,), editor_settings={"agent.toolRounds": 5})).settings

    assert settings.audit.content
    assert settings.agent.tool_rounds == 4
    assert by_editor.agent.tool_rounds == 5


def test_a_mistake_in_the_users_own_file_is_a_problem_that_names_it(
    tmp_path: Path, own_settings: Path
) -> None:
    own_settings.write_text("[audit]\ncontents = true\n", "utf-8")

    problems = build_parts(Opening((tmp_path,))).problems

    assert any("your glossator.toml" in problem for problem in problems)
