"""A turn that was recorded is run again; what is different now is told."""

import json
import shutil
from pathlib import Path

import pytest

from glossator.app.phrasing import Phrasing
from glossator.app.replay.recordings import read_recordings
from glossator.app.replay.replaying import Replay
from glossator.app.replay.text import render_replay
from glossator.core.errors import GlossatorError, InvalidArguments
from glossator.core.events import (
    AnswerRepaired,
    AnswerVerified,
    HelperActed,
    HelperEnded,
    HelperStarted,
    RoundEnded,
    RoundStarted,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from glossator.core.locations import Span
from glossator.core.messages import Completion, Message, ReasoningDelta, ToolCall, Usage
from glossator.model.scripted import Reply, ScriptedModel
from recorded import lines_of, write_file
from workbench import Bench, MakeBench

RECORDING = {"audit.enabled": True, "audit.content": True}
ENGLISH, CHINESE = Phrasing(is_chinese=False), Phrasing(is_chinese=True)
QUESTION = "What does `Store.save` in store/store.py do?"
ANSWER = "It writes the item (store/store.py:7), and counts (store/store.py:8). See main.py:99."


def read_call(path: str = "store/store.py", call_id: str = "c1") -> ToolCall:
    return ToolCall(call_id, "read_file", json.dumps({"path": path}))


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "glossator"


async def record_turn(
    make_bench: MakeBench, *replies: Reply, settings: dict[str, object] | None = None
) -> Bench:
    model = ScriptedModel(replies or ([ReasoningDelta("hm"), read_call()], ANSWER))
    bench = make_bench(model=model, settings={**RECORDING, **(settings or {})})
    await bench.application.ask(QUESTION)
    await bench.application.close()
    return bench


async def replay_last(make_bench: MakeBench, path: Path | None = None, turn: str = "") -> Replay:
    """Replay on the workspace as it is now, with no model at all."""
    bench = make_bench({})
    return await bench.application.replay(path, turn, emit=bench.hear)


async def test_a_turn_on_the_same_workspace_is_the_same_without_any_model(
    make_bench: MakeBench, state: Path
) -> None:
    await record_turn(make_bench)

    replay = await replay_last(make_bench)

    assert replay.is_same
    assert replay.recording.question == QUESTION
    assert [(call.round, call.name, call.state) for call in replay.calls] == [
        (1, "read_file", "same")
    ]
    assert [(each.text, each.then, each.now) for each in replay.citations] == [
        ("store/store.py:7", "exact", "exact"),
        ("store/store.py:8", "exact", "exact"),
        ("main.py:99", "missing", "missing"),
    ]


async def test_a_file_that_changed_since_makes_its_result_differ_with_a_short_diff(
    make_bench: MakeBench, state: Path
) -> None:
    bench = await record_turn(make_bench)
    file = bench.root / "store/store.py"
    file.write_text(file.read_text(encoding="utf-8").replace("write(item)", "put(item)"))

    replay = await replay_last(make_bench)

    [call] = replay.calls
    assert call.state == "differs"
    assert "- 7|         write(item)" in call.diff
    assert "+ 7|         put(item)" in call.diff
    assert replay.n_results_differ == 1
    assert not replay.is_same


async def test_a_file_that_is_gone_makes_its_citations_missing(
    make_bench: MakeBench, state: Path
) -> None:
    bench = await record_turn(make_bench)
    (bench.root / "store/store.py").unlink()

    replay = await replay_last(make_bench)

    assert [(each.then, each.now) for each in replay.citations] == [
        ("exact", "missing"),
        ("exact", "missing"),
        ("missing", "missing"),
    ]
    assert replay.n_verdicts_differ == 2


async def test_a_replay_is_not_recorded_and_the_last_turn_stays_the_last(
    make_bench: MakeBench, state: Path
) -> None:
    await record_turn(make_bench)
    before = [path.read_bytes() for path in (state / "audit").iterdir()]

    bench = make_bench({}, settings=RECORDING)
    await bench.application.replay(None)
    await bench.application.close()

    recordings = read_recordings(state / "audit")
    assert len(recordings) == 1
    assert before[0] in [path.read_bytes() for path in (state / "audit").iterdir()]


async def test_a_record_without_content_says_how_to_keep_it(
    make_bench: MakeBench, state: Path
) -> None:
    await record_turn(make_bench, settings={"audit.content": False})

    with pytest.raises(InvalidArguments, match=r"has no content.*`audit\.content`"):
        await replay_last(make_bench)


async def test_a_turn_is_chosen_by_its_id_and_else_the_last_complete_one(
    make_bench: MakeBench, state: Path, tmp_path: Path
) -> None:
    def turn(text: str) -> tuple[RoundEnded, TurnEnded]:
        reply = Message("assistant", text)
        return RoundEnded(1, "stop", 0, None, 1, 1, "m", reply), TurnEnded("answered", Usage(), 1)

    path = write_file(
        tmp_path / "record",
        [
            *lines_of("first", turn("One."), keep_content=True),
            *lines_of("second", turn("Two."), keep_content=True),
            *lines_of("third", turn("Three.")[:1], keep_content=True),
        ],
    )

    assert (await replay_last(make_bench, path)).recording.answer == "Two."
    assert (await replay_last(make_bench, path, "fir")).recording.answer == "One."
    with pytest.raises(InvalidArguments, match="`third` has no end in this file"):
        await replay_last(make_bench, path, "third")
    with pytest.raises(InvalidArguments, match=r"no turn `fourth`\. The latest are: `first`"):
        await replay_last(make_bench, path, "fourth")


@pytest.mark.parametrize("content", [b"", b"nothing of the kind\n", b"\xff\xfe\0", b"[]"])
async def test_a_file_that_holds_no_turn_is_named(
    make_bench: MakeBench, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "other.txt"
    path.write_bytes(content)

    with pytest.raises(InvalidArguments, match=r"other\.txt` holds no turn"):
        await replay_last(make_bench, path)


async def test_a_file_that_is_not_there_is_named(make_bench: MakeBench, tmp_path: Path) -> None:
    with pytest.raises(InvalidArguments, match="cannot be read"):
        await replay_last(make_bench, tmp_path / "none.jsonl")


async def test_an_exported_session_can_be_replayed(
    make_bench: MakeBench, state: Path, tmp_path: Path
) -> None:
    calls = [read_call(), read_call("main.py", "c2")]
    bench = make_bench(model=ScriptedModel([calls, [read_call(call_id="c3")], ANSWER]))
    answer = await bench.application.ask(QUESTION)
    path = tmp_path / "session.json"
    path.write_text(await bench.application.sessions.export(answer.session_id, "json"))

    same = await replay_last(make_bench, path)
    (bench.root / "main.py").write_text("def main():\n    pass\n")
    other = await replay_last(make_bench, path)

    assert same.is_same
    assert len(same.calls) == 3
    assert [call.state for call in other.calls] == ["same", "differs", "same"]


async def test_a_session_of_a_later_format_is_refused_by_its_reader(
    make_bench: MakeBench, tmp_path: Path
) -> None:
    path = tmp_path / "session.json"
    path.write_text('{"format": 99}')

    with pytest.raises(GlossatorError, match="99"):
        await replay_last(make_bench, path)


async def test_what_a_helper_found_is_played_and_not_asked_again(
    make_bench: MakeBench, state: Path, tmp_path: Path
) -> None:
    def delegate(id_: str) -> ToolCall:
        return ToolCall(id_, "delegate", '{"task": "look"}')

    helper = Message("assistant", "It is at main.py:4.")
    path = write_file(
        tmp_path,
        lines_of(
            "t1",
            (
                RoundStarted(1, 7, "m"),
                RoundEnded(
                    1, "tool_calls", 1, None, 1, 1, "m", Message("assistant", "", (delegate("c1"),))
                ),
                ToolStarted("c1", "delegate", '{"task": "look"}'),
                HelperStarted("h1", "look"),
                HelperActed("h1", RoundStarted(1, 4, "m")),
                HelperActed("h1", RoundEnded(1, "stop", 0, None, 1, 1, "m", helper)),
                HelperEnded("h1", "answered", "It is at main.py:4.", Usage(), 1),
                ToolFinished("c1", "delegate", False, "Report", "Report: main.py:4", 1),
                RoundStarted(2, 6, "m"),
                RoundEnded(2, "stop", 0, None, 1, 1, "m", Message("assistant", "See main.py:4.")),
                TurnEnded("answered", Usage(), 1),
            ),
            keep_content=True,
        ),
    )

    bench = make_bench()
    replay = await bench.application.replay(path)

    assert [(call.name, call.state) for call in replay.calls] == [("delegate", "played")]
    assert [(each.text, each.now) for each in replay.citations] == [("main.py:4", "exact")]
    assert replay.is_same


async def test_a_call_whose_arguments_held_a_secret_is_played(
    make_bench: MakeBench, state: Path
) -> None:
    call = ToolCall("c1", "search_files", '{"query": "sk-abcdefghijklmnop"}')
    await record_turn(make_bench, [call], ANSWER)

    [replayed] = (await replay_last(make_bench)).calls

    assert (replayed.name, replayed.state) == ("search_files", "played")


async def test_the_answer_of_a_repair_is_the_one_that_counts(
    make_bench: MakeBench, tmp_path: Path
) -> None:
    def record(*, is_used: bool) -> Path:
        events = (
            RoundEnded(1, "stop", 0, None, 1, 1, "m", Message("assistant", "See main.py:99.")),
            RoundStarted(2, 0, "m"),
            RoundEnded(2, "stop", 0, None, 1, 1, "m", Message("assistant", "See main.py:4.")),
            AnswerRepaired(1, 0, is_used=is_used),
            AnswerVerified((("main.py:4", Span("main.py", 4, 4), "exact"),)),
            TurnEnded("answered", Usage(), 1),
        )
        return write_file(tmp_path, lines_of("t1", events, keep_content=True))

    bench = make_bench()

    used = await bench.application.replay(record(is_used=True))
    unused = await bench.application.replay(record(is_used=False))

    assert used.recording.answer == "See main.py:4."
    assert used.is_same
    assert unused.recording.answer == "See main.py:99."


async def test_a_repair_that_failed_leaves_the_answer_as_it_was(
    make_bench: MakeBench, tmp_path: Path
) -> None:
    events = (
        RoundStarted(1, 7, "m"),
        RoundEnded(1, "stop", 0, None, 1, 1, "m", Message("assistant", "See main.py:4.")),
        RoundStarted(2, 0, "m"),
        AnswerRepaired(1, 1, is_used=False),
        TurnEnded("answered", Usage(), 1),
    )
    path = write_file(tmp_path, lines_of("t1", events, keep_content=True))

    replay = await make_bench().application.replay(path)

    assert replay.recording.answer == "See main.py:4."
    assert replay.is_same


async def test_a_lighter_model_that_gathered_is_played_before_the_one_that_answered(
    make_bench: MakeBench, tmp_path: Path
) -> None:
    events = (
        RoundEnded(
            1, "tool_calls", 1, None, 1, 1, "small", Message("assistant", "", (read_call(),))
        ),
        RoundEnded(2, "stop", 0, None, 1, 1, "small", Message("assistant", "I have it.")),
        RoundEnded(3, "stop", 0, None, 1, 1, "big", Message("assistant", "See main.py:4.")),
        TurnEnded("answered", Usage(), 1),
    )
    path = write_file(tmp_path, lines_of("t1", events, keep_content=True))

    replay = await make_bench().application.replay(path)

    assert replay.problem == ""
    assert replay.recording.answer == "See main.py:4."
    assert [call.state for call in replay.calls] == ["new"]


async def test_a_reply_that_was_cut_is_played_as_one(make_bench: MakeBench, state: Path) -> None:
    await record_turn(make_bench, ["Half an ans", Completion("length")])

    replay = await replay_last(make_bench)

    assert replay.recording.stop_reason == "cut"
    assert replay.is_same


async def test_a_failed_turn_is_nothing_to_run_again(make_bench: MakeBench, state: Path) -> None:
    await record_turn(make_bench, [read_call()])

    with pytest.raises(InvalidArguments, match="has no answer of a model"):
        await replay_last(make_bench)


async def test_a_replay_is_told_in_words(make_bench: MakeBench, state: Path) -> None:
    bench = await record_turn(make_bench)
    same = render_replay(await replay_last(make_bench), ENGLISH)
    shutil.rmtree(bench.root / "store")

    differs = await replay_last(make_bench)

    assert '- ✓ 1. `read_file {"path": "store/store.py"}`: same' in same
    assert "Nothing is different: 1 tool call, 3 citations." in same
    assert f"> {QUESTION}" in same
    english, chinese = render_replay(differs, ENGLISH), render_replay(differs, CHINESE)
    assert "  ```diff" in english
    assert "- ✗ `store/store.py:7`: was exact, is missing" in english
    assert "Different are 1 of 1 tool result and the verdicts on 2 of 3 citations." in english
    assert "原为准确，现为不存在" in chinese


@pytest.mark.parametrize("n_kept", [1, 3])
async def test_a_session_whose_turn_has_no_answer_has_nothing_to_run_again(
    make_bench: MakeBench, state: Path, tmp_path: Path, n_kept: int
) -> None:
    bench = make_bench(model=ScriptedModel(([read_call()], ANSWER)))
    answer = await bench.application.ask(QUESTION)
    session = json.loads(await bench.application.sessions.export(answer.session_id, "json"))
    messages = session["turns"][0]["messages"]
    session["turns"][0]["messages"] = messages[:n_kept]
    path = tmp_path / "session.json"
    path.write_text(json.dumps(session), encoding="utf-8")

    with pytest.raises(InvalidArguments, match="Turn `1` has no answer of a model"):
        await bench.application.replay(path)


async def test_a_secret_that_was_taken_out_does_not_come_back_in_a_diff(
    make_bench: MakeBench, state: Path
) -> None:
    files = {"conf.py": 'PASSWORD = "first-secret"\nx = 1\n'}
    model = ScriptedModel(([read_call("conf.py")], "See conf.py:2."))
    bench = make_bench(files, model=model, settings=RECORDING)
    await bench.application.ask("What is in conf.py?")
    await bench.application.close()
    (bench.root / "conf.py").write_text('PASSWORD = "second-secret"\nx = 2\n', encoding="utf-8")

    replay = await replay_last(make_bench)

    [call] = replay.calls
    assert "+2| x = 2" in call.diff
    assert "second-secret" not in call.diff


async def test_a_tool_name_of_several_lines_stays_on_its_line(
    make_bench: MakeBench, state: Path
) -> None:
    await record_turn(make_bench, [ToolCall("c1", "a\n# Heading", "{}")], ANSWER)

    text = render_replay(await replay_last(make_bench), ENGLISH)

    assert "1. `a # Heading {}`: " in text
