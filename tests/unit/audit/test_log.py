import json
import os
import stat
import time
from pathlib import Path

import pytest

from glossator.audit.log import AuditLog
from glossator.audit.redaction import redact
from glossator.core.events import StepStarted, TextArrived, ToolFinished, ToolStarted


def read_lines(folder: Path) -> list[dict[str, object]]:
    [file] = folder.glob("audit-*.jsonl")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_tool_call_is_recorded_without_its_content(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit")

    log.record(ToolStarted("1", "read_file", '{"path": "secret-plan.md"}'), turn_id="t")
    log.record(ToolFinished("1", "read_file", False, "3 lines", "the plan", 0.0123), turn_id="t")

    started, finished = read_lines(tmp_path / "audit")
    assert started["arguments"] == {"characters": 26}
    assert finished["result"] == {"characters": 8}
    assert (finished["tool"], finished["durationMs"], finished["turn"]) == ("read_file", 12, "t")


def test_content_is_kept_only_when_asked_for_and_then_redacted(tmp_path: Path) -> None:
    log = AuditLog(tmp_path, keep_content=True)

    log.record(ToolStarted("1", "search_files", '{"query": "sk-abcdefghijklmnop\\nx"}'))

    [line] = read_lines(tmp_path)
    assert line["arguments"] == {"characters": 35, "text": '{"query": "[redacted]\\nx"}'}


def test_only_the_user_can_read_the_record(tmp_path: Path) -> None:
    AuditLog(tmp_path).record(ToolStarted("1", "a", "{}"))

    [file] = tmp_path.glob("*.jsonl")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_only_paints_progress_is_not_recorded(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)

    log.record(TextArrived("hello"))
    log.record(StepStarted("reading"))

    assert list(tmp_path.iterdir()) == []


def test_a_record_that_cannot_be_written_is_counted_and_nothing_breaks(tmp_path: Path) -> None:
    (tmp_path / "audit").write_text("in the way", encoding="utf-8")
    log = AuditLog(tmp_path / "audit")

    log.record(ToolStarted("1", "a", "{}"))

    assert log.n_lost == 1


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abcdefghijkl",
        "sk-proj-0123456789abcdef",
        '{"api_key": "hunter2hunter2"}',
        "https://user:hunter2@example.org/x",
        "OPENAI_API_KEY=hunter2hunter2",
        "-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----",
        "password: hunter2",
        r"{\"password\": \"hunter2\"}",
        "[token=hunter2]",
        "eyJhunter2abcdef.eyJzdWIiOiIx.c2lnbmVk",
        "github_pat_0hunter2hunter2",
    ],
)
def test_secrets_are_taken_out(text: str) -> None:
    redacted = redact(text)

    assert "[redacted]" in redacted
    assert "hunter2" not in redacted
    assert "abcdefghijkl" not in redacted


def test_ordinary_text_is_left_alone() -> None:
    text = "def tokenize(text): return text.split()  # 关键词：令牌"

    assert redact(text) == text


def test_a_record_torn_by_a_full_disk_spoils_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = AuditLog(tmp_path)
    log.record(ToolStarted("1", "first", "{}"))
    write = os.write
    with monkeypatch.context() as full_disk:
        full_disk.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:10]))
        log.record(ToolStarted("2", "torn", "{}"))
    log.record(ToolStarted("3", "third", "{}"))

    [file] = tmp_path.glob("*.jsonl")
    first, torn, third = file.read_text(encoding="utf-8").splitlines()
    assert (json.loads(first)["tool"], len(torn), json.loads(third)["tool"]) == (
        "first",
        10,
        "third",
    )
    assert log.n_lost == 1


def test_what_a_model_calls_a_tool_is_redacted_and_cut(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)

    log.record(ToolStarted("x" * 10_000, "sk-abcdefghijklmnop\n{}", "{}"))

    [line] = read_lines(tmp_path)
    assert line["tool"] == "[redacted]\n{}"
    assert len(str(line["call"])) == 200


@pytest.mark.parametrize("piece", ["a", " a", "token", " token:", "\\", "://a:", "eyJaaaaaaaa."])
def test_a_long_text_is_redacted_in_bounded_time(piece: str) -> None:
    started = time.monotonic()

    redact(piece * (500_000 // len(piece)))

    assert time.monotonic() - started < 5
