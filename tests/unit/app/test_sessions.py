"""Sessions through the application: kept, found again, and apart from those of other workspaces."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

import workbench
from glossator.app.application import Application
from glossator.core.errors import InvalidArguments, UnknownSession
from glossator.core.messages import ToolCall
from glossator.model.scripted import ScriptedModel
from glossator.sessions.export import read_export
from glossator.sessions.store import SessionStore, SessionsUnavailable
from workbench import Bench, MakeBench

FILES = {
    "main.py": "def main():\n    return 1\n",
    "knowledge/releases.md": (
        "---\nkeywords: [release, 发布]\n---\n# Releases\n\n"
        "Nothing is released on a Friday. 周五不发布。\n"
    ),
}
OWN_ONLY: dict[str, Any] = {"knowledge": {"bundled": False}}
IN_MEMORY: dict[str, Any] = OWN_ONLY | {"sessions": {"keep": False}}
QUESTION = "When may we release?"

Open = Callable[..., Bench]


@pytest.fixture
async def open_bench(tmp_path: Path) -> AsyncIterator[Open]:
    """Open applications one after the other, on workspaces of their own or on the same."""
    async with AsyncExitStack() as stack:

        def open_(name: str = "one", **options: Any) -> Bench:
            options = {"settings": OWN_ONLY, **options}
            bench = workbench.make_bench(tmp_path / name, FILES, **options)
            stack.push_async_callback(bench.application.close)
            return bench

        yield open_


async def list_titles(application: Application, query: str = "") -> list[str]:
    return [entry.title for entry in await application.sessions.find(query)]


async def test_a_session_goes_on_after_a_restart_with_all_that_was_said(open_bench: Open) -> None:
    call = ToolCall("c1", "read_file", '{"path": "main.py"}')
    first = open_bench(model=ScriptedModel([[call], "It returns 1 (main.py:2)."]))
    answer = await first.application.ask("What does `main` do?")
    await first.application.close()

    model = ScriptedModel(["Nobody."])
    again = open_bench(model=model)
    await again.application.ask("And who calls it?", session_id=answer.session_id)

    sent = model.transcripts[0]
    assert [message.role for message in sent] == [
        "system", "user", "assistant", "tool", "assistant", "user",
    ]  # fmt: skip
    assert "What does `main` do?" in sent[1].text
    assert sent[2].tool_calls == (call,)
    assert "return 1" in sent[3].text
    assert sent[4].text == "It returns 1 (main.py:2)."


async def test_a_question_that_follows_code_still_does_after_a_restart(open_bench: Open) -> None:
    first = open_bench()
    answer = await first.application.ask("Explain `main`")
    await first.application.close()

    again = await open_bench().application.ask("and why?", session_id=answer.session_id)

    assert again.refused is None


async def test_a_session_of_one_workspace_is_not_seen_in_another(open_bench: Open) -> None:
    one, other = open_bench("one").application, open_bench("other").application
    answer = await one.ask(QUESTION)

    assert await list_titles(other) == []
    with pytest.raises(UnknownSession):
        await other.ask(QUESTION, session_id=answer.session_id)
    with pytest.raises(UnknownSession):
        await other.sessions.read(answer.session_id)
    with pytest.raises(UnknownSession):
        await other.sessions.delete(answer.session_id)
    assert await list_titles(one) == [QUESTION]


@pytest.mark.parametrize("settings", [OWN_ONLY, IN_MEMORY], ids=["kept", "in-memory"])
async def test_other_folders_have_other_sessions_and_the_first_come_back(
    open_bench: Open, settings: dict[str, Any]
) -> None:
    bench, other = open_bench("one", settings=settings), open_bench("other")
    application = bench.application
    answer = await application.ask(QUESTION)

    await application.change_roots((other.root,))
    with pytest.raises(UnknownSession):
        await application.ask(QUESTION, session_id=answer.session_id)
    assert await list_titles(application) == []
    await application.change_roots((bench.root,))

    assert await list_titles(application) == [QUESTION]


async def test_with_keeping_turned_off_sessions_end_with_the_process(open_bench: Open) -> None:
    first = open_bench(settings=IN_MEMORY).application
    answer = await first.ask(QUESTION)
    await first.ask(QUESTION, session_id=answer.session_id)
    turns = (await first.sessions.read(answer.session_id)).turns
    await first.close()

    assert len(turns) == 2
    assert first.status().sessions_file is None
    assert await list_titles(open_bench().application) == []


async def test_two_editors_go_on_with_the_same_session(open_bench: Open) -> None:
    one, two = open_bench().application, open_bench().application
    answer = await one.ask(QUESTION)

    await two.ask("周五可以发布吗？", session_id=answer.session_id)
    await one.ask("Explain `main`", session_id=answer.session_id)

    session = await two.sessions.read(answer.session_id)
    assert [turn.question for turn in session.turns] == [
        QUESTION, "周五可以发布吗？", "Explain `main`",
    ]  # fmt: skip


async def test_a_session_that_holds_nothing_is_not_kept(open_bench: Open) -> None:
    application = open_bench().application
    session_id = application.sessions.begin().id
    refused = await application.ask("Who won the chess tournament?", session_id=session_id)

    assert refused.refused is not None
    assert await application.sessions.find() == ()
    assert (await application.ask(QUESTION, session_id=session_id)).session_id == session_id
    assert await list_titles(application) == [QUESTION]


async def test_a_turn_that_is_cancelled_leaves_the_session_as_it_was(open_bench: Open) -> None:
    is_asked, never = asyncio.Event(), asyncio.Event()

    def hang(*_: object) -> asyncio.Event:
        is_asked.set()
        return never

    application = open_bench(model=ScriptedModel(["On Monday.", hang, "Yes."])).application
    answer = await application.ask(QUESTION)
    before = await application.sessions.read(answer.session_id)
    turn = asyncio.create_task(application.ask(QUESTION, session_id=answer.session_id))
    await is_asked.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn

    assert await application.sessions.read(answer.session_id) == before
    assert (await application.ask(QUESTION, session_id=answer.session_id)).markdown == "Yes."


async def test_sessions_are_found_in_both_languages_and_renamed(open_bench: Open) -> None:
    application = open_bench().application
    english = await application.ask(QUESTION)
    await application.ask("周五可以发布吗？")

    assert await list_titles(application, "可以发布") == ["周五可以发布吗？"]
    assert await application.sessions.rename(english.session_id, " Our\nreleases ") == "Our"
    assert await list_titles(application, "our") == ["Our"]
    with pytest.raises(InvalidArguments):
        await application.sessions.rename(english.session_id, "\n")
    with pytest.raises(UnknownSession):
        await application.sessions.rename("nowhere", "x")


async def test_a_deleted_session_is_gone_and_cannot_go_on(open_bench: Open) -> None:
    application = open_bench().application
    answer = await application.ask(QUESTION)

    await application.sessions.delete(answer.session_id)

    assert await application.sessions.find() == ()
    with pytest.raises(UnknownSession):
        await application.ask(QUESTION, session_id=answer.session_id)


async def test_a_session_that_is_deleted_while_it_answers_stays_deleted(open_bench: Open) -> None:
    is_asked, may_end = asyncio.Event(), asyncio.Event()

    def wait(*_: object) -> list[str | asyncio.Event]:
        is_asked.set()
        return [may_end, "Yes."]

    application = open_bench(model=ScriptedModel(["On Monday.", wait])).application
    session_id = (await application.ask(QUESTION)).session_id
    turn = asyncio.create_task(application.ask(QUESTION, session_id=session_id))
    await is_asked.wait()
    await application.sessions.delete(session_id)
    may_end.set()
    answer = await turn

    assert answer.markdown == "Yes."
    assert "This session was deleted meanwhile" in answer.notice
    assert await application.sessions.find() == ()
    with pytest.raises(UnknownSession):
        await application.sessions.read(session_id)


async def test_a_session_that_could_not_be_deleted_goes_on(
    open_bench: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = open_bench().application
    session_id = (await application.ask(QUESTION)).session_id

    def fail(*_: object) -> bool:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(SessionStore, "_delete", fail)
        with pytest.raises(SessionsUnavailable):
            await application.sessions.delete(session_id)
    await application.ask(QUESTION, session_id=session_id)

    assert len((await application.sessions.read(session_id)).turns) == 2


async def test_an_exported_session_is_read_again_with_everything(open_bench: Open) -> None:
    application = open_bench(model=ScriptedModel(["On Monday (main.py:1)."])).application
    answer = await application.ask(QUESTION)

    exported = await application.sessions.export(answer.session_id, "json")

    assert json.loads(exported)["format"] == 1
    assert read_export(exported) == await application.sessions.read(answer.session_id)
    [turn] = read_export(exported).turns
    assert (turn.question, turn.answer, turn.by_model) == (
        QUESTION, "On Monday (main.py:1).", True,
    )  # fmt: skip
    assert [verdict for _, _, verdict in turn.citations] == ["exact"]
    assert turn.finished_at > 1_700_000_000


async def test_an_export_for_people_speaks_the_language_of_the_session(open_bench: Open) -> None:
    application = open_bench().application
    answer = await application.ask("周五可以发布吗？")

    assert "未经模型" in await application.sessions.export(answer.session_id, "markdown")


def occupy(folder: str) -> None:
    place = Path(folder) / "glossator"
    place.mkdir(parents=True)
    (place / "sessions").write_text("in the way", encoding="utf-8")


@pytest.mark.parametrize(
    ("question", "notice"),
    [
        (QUESTION, "This session ends with the process: `"),
        ("周五可以发布吗？", "此会话将随进程结束："),
    ],
)
async def test_where_nothing_can_be_kept_there_is_an_answer_and_a_notice(
    open_bench: Open,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    notice: str,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    occupy(str(tmp_path / "state"))
    application = open_bench().application

    answer = await application.ask(question)

    assert "周五不发布。" in answer.markdown
    assert notice in answer.notice
    assert any("Sessions end with the process" in each for each in application.status().problems)
    assert await list_titles(application) == [question]


async def test_a_turn_that_cannot_be_written_is_answered_with_a_notice(
    open_bench: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = open_bench().application
    answer = await application.ask(QUESTION)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(SessionStore, "_write", fail)
        unkept = await application.ask("Explain `main`", session_id=answer.session_id)
    await application.ask("周五可以发布吗？", session_id=answer.session_id)

    assert "could not be kept: No space left on device" in unkept.notice
    session = await open_bench().application.sessions.read(answer.session_id)
    assert [turn.question for turn in session.turns] == [
        QUESTION, "Explain `main`", "周五可以发布吗？",
    ]  # fmt: skip


async def test_a_broken_file_is_set_aside_and_told_of(open_bench: Open) -> None:
    bench = open_bench()
    file = bench.application.status().sessions_file
    assert file is not None
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("this is no database", encoding="utf-8")

    await bench.application.start()
    [problem] = bench.application.status().problems
    await bench.application.ask(QUESTION)

    assert "set aside as `" in problem
    assert await list_titles(bench.application) == [QUESTION]


async def test_opening_a_workspace_writes_nothing(
    make_bench: MakeBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    application = make_bench(FILES).application

    await application.start()
    await application.sessions.find()
    application.sessions.begin()

    assert not (tmp_path / "state").exists()
