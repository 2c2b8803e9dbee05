import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glossator.audit.log import AuditLog
from glossator.core.events import (
    AnswerVerified,
    ContextTrimmed,
    Event,
    HelperActed,
    HelperEnded,
    HelperStarted,
    IndexRebuilt,
    KnowledgeFound,
    PlanChanged,
    PlanStep,
    RoundEnded,
    RoundStarted,
    SkillActivated,
    StepStarted,
    TextArrived,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    TurnStarted,
    WaitingForModel,
)
from glossator.core.locations import Span
from glossator.core.messages import Message, ToolCall, Usage

SPAN = Span("a.py", 3, 4)
CALL = ToolCall("c1", "read_file", '{"path": "a.py"}')


def read_lines(folder: Path) -> list[dict[str, Any]]:
    [file] = folder.glob("audit-*.jsonl")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def record_turn(log: AuditLog, *events: Event, model: str = "") -> None:
    hear = log.listen("t1", model=model)
    hear(TurnStarted("ask", "s1", "What is a?"))
    for event in events:
        hear(event)
    log.flush()


def a_round() -> Iterator[Event]:
    reply = Message("assistant", "Let me look.", (CALL,), reasoning="hm")
    yield RoundStarted(1, 7, "big")
    yield TextArrived("Let me look.")
    yield RoundEnded(1, "tool_calls", 1, Usage(100, 20, 60), 1.5, 0.25, "big", reply)
    yield ToolStarted("c1", "read_file", '{"path": "a.py"}')
    yield ToolFinished("c1", "read_file", False, "a.py, lines 1-9 of 9", "the plan", 0.0123)


def test_a_round_and_a_tool_call_are_one_record_each_and_say_whose_they_are(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)

    record_turn(log, *a_round())

    _, first, second = read_lines(tmp_path)
    assert {(each["session"], each["turn"]) for each in (first, second)} == {("s1", "t1")}
    del first["time"], second["time"]
    assert first == {
        "session": "s1",
        "turn": "t1",
        "event": "RoundEnded",
        "round": 1,
        "model": "big",
        "finish": "tool_calls",
        "toolCalls": 1,
        "usage": {"promptTokens": 100, "cachedTokens": 60, "completionTokens": 20},
        "firstTokenMs": 250,
        "durationMs": 1500,
        "reply": {"characters": 12, "reasoning": {"characters": 2}},
    }
    assert second == {
        "session": "s1",
        "turn": "t1",
        "event": "ToolFinished",
        "round": 1,
        "model": "big",
        "call": "c1",
        "tool": "read_file",
        "arguments": {"characters": 16},
        "isError": False,
        "summary": "a.py, lines 1-9 of 9",
        "result": {"characters": 8},
        "durationMs": 12,
    }


def test_without_content_no_text_of_question_answer_arguments_or_result_is_kept(
    tmp_path: Path,
) -> None:
    log = AuditLog(tmp_path)

    helper = (HelperStarted("h1", "Read it"), HelperEnded("h1", "answered", "Done", Usage(), 1))
    record_turn(log, *a_round(), *helper)

    [file] = tmp_path.glob("*.jsonl")
    text = file.read_text(encoding="utf-8")
    for content in ("What is a?", "Let me look.", "path", "the plan", "Read it", "Done"):
        assert content not in text


def test_with_content_whole_texts_are_kept_up_to_a_bound_and_secrets_are_not(
    tmp_path: Path,
) -> None:
    log = AuditLog(tmp_path, keep_content=True, secrets=("7c9f3b1e2a",))
    arguments = '{"query": "sk-abcdefghijklmnop\\nx"}'
    long = "x" * 150_000

    record_turn(
        log,
        ToolStarted("1", "search_files", arguments),
        ToolFinished("1", "search_files", False, "1 hit for 7c9f3b1e2a", long, 0.1),
    )

    started, call = read_lines(tmp_path)
    assert started["subject"] == {"characters": 10, "text": "What is a?"}
    assert call["arguments"] == {"characters": 35, "text": '{"query": "[redacted]\\nx"}'}
    assert call["summary"] == "1 hit for [redacted]"
    assert (call["result"]["characters"], len(call["result"]["text"])) == (150_000, 100_000)


def test_with_content_a_reply_can_be_played_again(tmp_path: Path) -> None:
    log = AuditLog(tmp_path, keep_content=True)

    record_turn(log, *a_round())

    reply = read_lines(tmp_path)[1]["reply"]
    assert reply["text"] == "Let me look."
    assert reply["reasoning"]["text"] == "hm"
    assert reply["toolCalls"] == [
        {
            "id": "c1",
            "name": "read_file",
            "arguments": {"characters": 16, "text": '{"path": "a.py"}'},
        }
    ]


def test_what_a_helper_does_is_recorded_with_its_id_and_its_own_rounds(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)

    record_turn(
        log,
        RoundStarted(3, 5, "big"),
        HelperStarted("h1", "Read it"),
        HelperActed("h1", RoundStarted(1, 4, "small")),
        HelperActed("h1", RoundEnded(1, "tool_calls", 1, None, 1.0, None, "small")),
        HelperActed("h1", ToolStarted("c9", "outline", "{}")),
        HelperActed("h1", ToolFinished("c9", "outline", True, "no", "no", 0.1)),
        HelperEnded("h1", "answered", "Done", Usage(5, 1), 2.0),
        ToolStarted("c1", "outline", "{}"),
        ToolFinished("c1", "outline", False, "yes", "yes", 0.1),
    )

    lines = read_lines(tmp_path)[1:]
    assert [(each["event"], each.get("helper"), each.get("round")) for each in lines] == [
        ("HelperStarted", "h1", None),
        ("RoundEnded", "h1", 1),
        ("ToolFinished", "h1", 1),
        ("HelperEnded", "h1", None),
        ("ToolFinished", None, 3),
    ]
    assert lines[2]["model"] == "small"
    assert lines[4]["model"] == "big"


def test_what_was_under_way_when_the_turn_ended_is_recorded_as_unfinished(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)

    record_turn(
        log,
        RoundStarted(2, 6, "big"),
        ToolStarted("c1", "outline", "{}"),
        HelperStarted("h1", "Read it"),
        HelperActed("h1", RoundStarted(1, 4, "small")),
        TurnEnded("failed", Usage(), 3.0, "The model at `here` does not answer."),
    )

    *_, first, second, third, ended = read_lines(tmp_path)
    assert {each["error"] for each in (first, second, third, ended)} == {
        "The model at `here` does not answer."
    }
    assert (first["event"], first["finish"], first["round"]) == ("RoundEnded", "unfinished", 2)
    assert (second["event"], second["isError"], second["call"]) == ("ToolFinished", True, "c1")
    assert (third["event"], third["helper"], third["model"]) == ("RoundEnded", "h1", "small")
    assert ended["stopReason"] == "failed"


def test_every_decision_of_a_turn_is_recorded(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)

    record_turn(
        log,
        KnowledgeFound((("Errors", SPAN, 0.51239),)),
        SkillActivated("sql", "user", 120),
        WaitingForModel(1.5, "429 for key=sk-abcdefghijklmnop"),
        ContextTrimmed(3, 2, True, 9000),
        PlanChanged((PlanStep("a", "done"), PlanStep("b", "pending"), PlanStep("c", "done"))),
        AnswerVerified((("a.py:3-4", SPAN, "moved"),)),
        TurnEnded("refused", Usage(1, 2, 0), 0.5),
    )

    hits, skill, waiting, trimmed, plan, verified, ended = read_lines(tmp_path)[1:]
    assert hits["hits"] == [["a.py:3-4", 0.512]]
    assert skill["event"] == "SkillActivated"
    assert (skill["skill"], skill["by"], skill["tokens"]) == ("sql", "user", 120)
    assert (waiting["seconds"], "sk-abc" in waiting["reason"]) == (1.5, False)
    assert (trimmed["resultsShortened"], trimmed["turnsLeftOut"]) == (3, 2)
    assert plan["steps"] == {"done": 2, "pending": 1}
    assert verified["citations"] == [["a.py:3-4", "a.py:3-4", "moved"]]
    assert (ended["stopReason"], ended["durationMs"]) == ("refused", 500)


def test_a_round_without_a_named_model_is_that_of_the_model_asked_by_default(
    tmp_path: Path,
) -> None:
    log = AuditLog(tmp_path)

    record_turn(log, RoundEnded(1, "stop", 0, None, 1.0, 0.5), model="local")

    assert read_lines(tmp_path)[-1]["model"] == "local"


def test_what_happens_outside_any_turn_has_no_turn(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)

    log.record(IndexRebuilt(1, 2, 3, 4, 5, 0.5))
    log.flush()

    [line] = read_lines(tmp_path)
    assert "turn" not in line
    assert line["sections"] == 2


def test_only_the_user_can_read_the_record(tmp_path: Path) -> None:
    record_turn(AuditLog(tmp_path / "audit"))

    [file] = (tmp_path / "audit").glob("*.jsonl")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_what_only_paints_progress_is_not_recorded(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)
    hear = log.listen("t1")

    hear(TextArrived("hello"))
    hear(HelperActed("h1", TextArrived("hello")))
    hear(StepStarted("reading"))
    log.flush()

    assert list(tmp_path.iterdir()) == []


def test_a_new_line_in_a_name_forges_no_record(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)

    finished = ToolFinished("1", 'x\n{"event": "TurnEnded"}', False, "a\u2028b", "", 0)
    record_turn(log, ToolStarted("1", "x", "\ud800"), finished)

    assert [each["event"] for each in read_lines(tmp_path)] == ["TurnStarted", "ToolFinished"]


def test_what_a_model_calls_a_tool_is_redacted_and_cut(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)

    name = "sk-abcdefghijklmnop\n{}"
    record_turn(log, ToolFinished("x" * 10_000, name, False, "", "", 0))

    line = read_lines(tmp_path)[-1]
    assert line["tool"] == "[redacted]\n{}"
    assert len(str(line["call"])) == 200


def test_a_record_that_cannot_be_written_is_counted_and_nothing_breaks(tmp_path: Path) -> None:
    (tmp_path / "audit").write_text("in the way", encoding="utf-8")
    log = AuditLog(tmp_path / "audit")

    record_turn(log)

    assert log.n_lost == 1


def test_a_record_torn_by_a_full_disk_spoils_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = AuditLog(tmp_path)
    hear = log.listen("t1")
    hear(TurnStarted("first"))
    log.flush()
    write = os.write
    with monkeypatch.context() as full_disk:
        full_disk.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:10]))
        hear(TurnStarted("torn"))
        log.flush()
    hear(TurnStarted("third"))
    log.flush()

    [file] = tmp_path.glob("*.jsonl")
    first, torn, third = file.read_text(encoding="utf-8").splitlines()
    assert (json.loads(first)["kind"], len(torn), json.loads(third)["kind"]) == (
        "first",
        10,
        "third",
    )
    assert log.n_lost == 1


def test_the_loop_goes_on_while_the_disk_does_not_and_everything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk_works = threading.Event()
    write = os.write

    def write_late(descriptor: int, data: bytes) -> int:
        disk_works.wait(10)
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", write_late)
    log = AuditLog(tmp_path)
    hear = log.listen("t1")

    for _ in range(500):
        hear(TurnStarted("ask"))
    n_written_meanwhile = len(read_lines(tmp_path))
    disk_works.set()
    log.flush(10)

    assert n_written_meanwhile == 0
    assert (len(read_lines(tmp_path)), log.n_lost) == (500, 0)


def test_what_a_disk_that_stands_still_leaves_no_room_for_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk_works = threading.Event()
    write = os.write

    def write_late(descriptor: int, data: bytes) -> int:
        disk_works.wait(10)
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", write_late)
    log = AuditLog(tmp_path)
    hear = log.listen("t1")

    for _ in range(1200):
        hear(TurnStarted("ask"))
    log.flush(0.01)
    n_lost = log.n_lost
    disk_works.set()
    log.flush(10)

    assert n_lost == 200
    assert len(read_lines(tmp_path)) == 1000


def fill_files(folder: Path, number: int) -> list[Path]:
    log = AuditLog(folder)
    hear = log.listen("t1")
    for each in range(number):
        hear(TurnStarted(f"number-{each}"))
    log.flush()
    return sorted(folder.glob("audit-*.jsonl"))


def test_files_are_turned_over_and_the_oldest_dropped_beyond_so_many_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glossator.audit.files._MAX_FILE_BYTES", 100)
    monkeypatch.setattr("glossator.audit.files._KEEP_BYTES", 2000)

    files = fill_files(tmp_path, 30)

    assert 10 < len(files) < 20
    assert sum(path.stat().st_size for path in files) < 2200  # The last line goes beyond.
    assert "number-29" in files[-1].read_text(encoding="utf-8")


def test_however_small_files_are_there_are_not_more_than_so_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glossator.audit.files._MAX_FILE_BYTES", 100)
    monkeypatch.setattr("glossator.audit.files._KEEP_FILES", 10)

    files = fill_files(tmp_path, 30)

    assert len(files) == 10
    assert "number-29" in files[-1].read_text(encoding="utf-8")


WRITER = """
import sys
from pathlib import Path
from glossator.audit import log
from glossator.audit.log import AuditLog
from glossator.core.events import TurnStarted

log._PATIENCE_S = 10  # On a busy machine the thread may be late as from a slow disk.
hear = AuditLog(Path(sys.argv[1])).listen("t1")
for number in range(int(sys.argv[2])):
    hear(TurnStarted("ask", subject=str(number)))
    print(number, flush=True)
"""


def test_a_process_that_ends_by_itself_has_written_everything(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", WRITER, tmp_path, "300"], check=True, timeout=60)

    assert len(read_lines(tmp_path)) == 300


def test_of_a_process_that_is_killed_at_most_the_last_record_is_missing(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, tmp_path, "100000"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) == 200:
            process.send_signal(signal.SIGKILL)
            break
    n_said = 201 + len(process.stdout.read().split())
    process.stdout.close()
    process.wait(10)

    assert len(read_lines(tmp_path)) >= n_said - 1


def test_a_record_goes_on_when_its_folder_was_removed(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    log = AuditLog(folder)
    hear = log.listen("t1")
    hear(TurnStarted("first"))
    log.flush()
    shutil.rmtree(folder)
    hear(TurnStarted("second"))
    log.flush()

    assert [each["kind"] for each in read_lines(folder)] == ["second"]
    assert log.n_lost == 0


def test_a_secret_at_the_end_of_a_long_name_leaves_no_piece(tmp_path: Path) -> None:
    secret = "a-key-of-no-known-form-0123456789"
    log = AuditLog(tmp_path, secrets=(secret,))

    record_turn(log, ToolFinished("c1", "x" * 180 + secret, True, "", "", 0.1))

    assert secret[:10] not in json.dumps(read_lines(tmp_path))
