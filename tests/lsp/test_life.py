"""How the process ends, and what reaches its client's pipes."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from lsp.wire import FAKE_SERVER, Wire

URI = "file:///code/a.py"


def test_the_end_of_stdin_ends_the_process_whatever_runs() -> None:
    with Wire() as wire:
        wire.initialize()
        request_ids = [wire.command("glossator.ask", {"question": "stubborn"}) for _ in range(3)]
        wire.answer(wire.command("glossator.ask", {"question": "quick"}))

        started = time.monotonic()
        wire.close_stdin()

        assert wire.exit_code() == 1
        assert time.monotonic() - started < 2
        assert [len(wire.all_answers(one)) for one in request_ids] == [1] * 3


def test_the_end_of_stdin_before_initialize_ends_the_process() -> None:
    with Wire() as wire:
        wire.close_stdin()

        assert wire.exit_code() == 1


def test_the_end_of_stdin_after_shutdown_is_no_error() -> None:
    with Wire() as wire:
        wire.initialize()
        wire.ask("shutdown", None)

        wire.close_stdin()

        assert wire.exit_code() == 0


def test_the_process_ends_with_the_editor_though_stdin_is_held_open() -> None:
    idle = [sys.executable, "-c", "input()"]
    with subprocess.Popen(idle, stdin=subprocess.PIPE) as editor, Wire() as wire:
        wire.initialize(processId=editor.pid)
        wire.command("glossator.ask", {"question": "hang"})
        wire.answer(wire.command("glossator.ask", {"question": "quick"}))

        started = time.monotonic()
        editor.kill()
        editor.wait()

        assert wire.exit_code() == 1
        assert time.monotonic() - started < 2


def test_the_system_can_ask_it_to_end() -> None:
    with Wire() as wire:
        wire.initialize()
        hanging = wire.command("glossator.ask", {"question": "hang"})
        wire.answer(wire.command("glossator.ask", {"question": "quick"}))

        wire.process.terminate()

        assert wire.exit_code() == 128 + signal.SIGTERM
        assert wire.answer(hanging)["error"]["code"] == -32800


def test_an_editor_that_cannot_be_seen_is_not_watched() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    with Wire() as wire:
        wire.initialize(processId=gone.pid)

        assert wire.answer(wire.command("glossator.ask", {"question": "quick"}))["result"]


@pytest.mark.parametrize(("word", "code"), [("exit", 7), ("memory", 1)])
def test_what_no_server_survives_ends_it_with_a_word(word: str, code: int) -> None:
    with Wire() as wire:
        wire.initialize()

        answer = wire.answer(wire.command("glossator.ask", {"question": word}))

        assert answer["error"]["code"] == -32603
        assert wire.exit_code() == code
        assert b"CRITICAL" in wire.stderr


def test_a_client_that_closed_its_side_ends_the_process() -> None:
    with Wire(reads=False) as wire:
        assert wire.process.stdout is not None
        wire.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
        while b"serverInfo" not in wire.process.stdout.read(4096):
            pass

        wire.process.stdout.close()
        wire.command("glossator.status")

        assert wire.exit_code() == 1
        assert b"stdout is closed" in wire.stderr
        assert len(wire.stderr) < 2000


def test_a_client_that_does_not_read_blocks_nothing_but_its_answers() -> None:
    with Wire(reads=False) as wire:
        wire.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
        wire.notify("initialized", {})
        text = "x" * 200_000
        for number in range(20):
            argument = {"question": f"stream {number} {text}", "partialResultToken": number}
            wire.command("glossator.ask", argument)

        started = time.monotonic()
        wire.close_stdin()

        assert wire.exit_code() == 1
        assert time.monotonic() - started < 3


def test_frames_from_several_threads_are_whole() -> None:
    with Wire(env={"PYTHONUNBUFFERED": "1"}) as wire:
        wire.initialize()
        wire.answer(wire.command("glossator.ask", {"question": "threads"}))
        questions = ["字" * 7000 for _ in range(30)]

        request_ids = [wire.command("glossator.ask", {"question": one}) for one in questions]

        assert [wire.answer(one)["result"]["markdown"] for one in request_ids] == [
            f"echo {question}" for question in questions
        ]
        assert [wire.notification("window/logMessage")["message"] for _ in range(49)]
        assert wire.junk == b""


def test_what_is_printed_does_not_reach_the_client() -> None:
    with Wire() as wire:
        wire.initialize()

        wire.answer(wire.command("glossator.ask", {"question": "print"}))

        assert wire.ask("shutdown", None)["result"] is None
        assert wire.junk == b""
        wire.notify("exit", None)
        assert wire.exit_code() == 0
        assert b"this must not reach the client" in wire.stderr
        assert b"nor this" in wire.stderr


def test_a_normal_session_writes_nothing_to_stderr() -> None:
    with Wire() as wire:
        wire.initialize()
        wire.open(URI, "def f():\n    bad\n")
        wire.notification("textDocument/publishDiagnostics")
        wire.ask("shutdown", None)
        wire.notify("exit", None)

        assert wire.exit_code() == 0
        assert wire.stderr == b""


def test_a_client_that_never_reads_stderr_blocks_nothing() -> None:
    script = textwrap.dedent(
        f"""
        import subprocess, sys, json
        server = subprocess.Popen({list(FAKE_SERVER)!r}, stdin=-1, stdout=-1, stderr=-1)
        def send(**message):
            body = json.dumps(message).encode()
            server.stdin.write(b"Content-Length: %d\\r\\n\\r\\n%b" % (len(body), body))
            server.stdin.flush()
        send(id=1, method="initialize", params={{}})
        for number in range(3000):
            send(method="textDocument/didChange", params={{"textDocument": {{"uri": "u" * 50,
                 "version": 1}}, "contentChanges": [{{"text": ""}}]}})
        send(id=2, method="foo/bar")
        seen = b""
        while b"foo/bar" not in seen:
            seen += server.stdout.read1()
        server.kill()
        """
    )

    subprocess.run([sys.executable, "-c", script], check=True, timeout=20)


def test_an_application_that_cannot_open_leaves_a_server_that_says_so() -> None:
    with Wire(env={"FAKE_APP": "broken"}) as wire:
        wire.initialize()
        wire.open(URI, "def f():\n    pass\n")

        error = wire.answer(wire.command("glossator.ask", {"question": "q"}))["error"]
        status = wire.answer(wire.command("glossator.status"))["result"]
        actions = wire.ask("textDocument/codeAction", at(1, 4))["result"]

        assert error["code"] == -32803
        assert "could not start" in error["message"]
        assert "could not start" in status["problems"][0]
        assert len(actions) == 2


def test_status_and_code_actions_do_not_wait_for_the_application() -> None:
    with Wire(env={"FAKE_APP": "slow"}) as wire:
        wire.initialize()
        wire.open(URI, "def f():\n    pass\n")
        slow = wire.command("glossator.ask", {"question": "q"})

        status = wire.answer(wire.command("glossator.status"))["result"]
        actions = wire.ask("textDocument/codeAction", at(1, 4))["result"]

        assert wire.all_answers(slow) == []
        assert "starting" in status["problems"][0]
        assert len(actions) == 2
        wire.notify("$/cancelRequest", {"id": slow})
        assert wire.answer(slow)["error"]["code"] == -32800


@pytest.mark.parametrize(("app", "told"), [("slow", "正在启动"), ("broken", "无法启动")])
def test_that_it_starts_or_cannot_is_told_in_chinese(app: str, told: str) -> None:
    with Wire(env={"FAKE_APP": app}) as wire:
        wire.initialize(initializationOptions={"locale": "zh-CN"})
        if app == "broken":
            error = wire.answer(wire.command("glossator.ask", {"question": "q"}))["error"]
            assert told in error["message"]

        status = wire.answer(wire.command("glossator.status"))["result"]

        assert told in status["problems"][0]
        assert status["model"]["message"] == status["problems"][0]


def at(line: int, character: int, uri: str = URI) -> dict[str, object]:
    place = {"line": line, "character": character}
    return {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": []},
    }


def test_a_dead_wrapper_between_the_editor_and_the_server_ends_it(tmp_path: Path) -> None:
    number = tmp_path / "pid"
    wrapper = textwrap.dedent(
        f"""
        import subprocess, sys
        server = subprocess.Popen({list(FAKE_SERVER)!r})
        open({str(number)!r}, "w").write(str(server.pid))
        server.wait()
        """
    )
    with Wire((sys.executable, "-c", wrapper)) as wire:
        wire.initialize(processId=wire.process.pid)
        # The handshake is answered while the rest of the server is still loaded.
        wire.ask("textDocument/codeAction", at(0, 0))
        server_id = int(number.read_text(encoding="utf-8"))
        descriptor = os.pidfd_open(server_id)

        os.kill(wire.process.pid, signal.SIGKILL)

        assert ends_within(descriptor, 2)


def ends_within(descriptor: int, seconds: float) -> bool:
    import select

    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)
