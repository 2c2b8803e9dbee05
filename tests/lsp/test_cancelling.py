"""Every request gets one answer, whoever cancels what when."""

import random
import time
from collections.abc import Iterator

import pytest

from lsp.wire import Wire

URI = "file:///code/a.py"


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with Wire() as wire:
        wire.initialize(initializationOptions={"clientShowsAnswers": True})
        wire.answer(wire.command("glossator.newSession"))
        yield wire


def counters(wire: Wire) -> str:
    answer = wire.ask("workspace/executeCommand", {"command": "glossator.status"})
    return str(answer["result"]["problems"][0])


def n_cancelled(wire: Wire) -> int:
    return int(counters(wire).split()[0].removeprefix("cancelled="))


def test_cancelling_a_command_cancels_the_use_case(wire: Wire) -> None:
    before = n_cancelled(wire)
    request_id = wire.command("glossator.ask", {"question": "hang", "partialResultToken": "c1"})
    wire.wait_for(lambda _: bool(wire.progress("c1")))

    started = time.monotonic()
    wire.notify("$/cancelRequest", {"id": request_id})

    assert wire.answer(request_id)["error"]["code"] == -32800
    assert time.monotonic() - started < 0.5
    assert n_cancelled(wire) == before + 1


def test_cancelling_the_progress_cancels_the_use_case(wire: Wire) -> None:
    before = n_cancelled(wire)
    request_id = wire.command("glossator.ask", {"question": "hang"}, workDoneToken="c2")
    wire.wait_for(lambda _: bool(wire.progress("c2")))

    wire.notify("window/workDoneProgress/cancel", {"token": "c2"})

    assert wire.answer(request_id)["error"]["code"] == -32800
    assert [value["kind"] for value in wire.progress("c2")].count("end") == 1
    assert n_cancelled(wire) == before + 1


def test_progress_of_our_own_making_can_be_cancelled(wire: Wire) -> None:
    request_id = wire.command("glossator.ask", {"question": "hang"})
    token = wire.notification("window/workDoneProgress/create")["token"]
    wire.wait_for(lambda _: len(wire.progress(token)) == 2)

    wire.notify("window/workDoneProgress/cancel", {"token": token})

    assert wire.answer(request_id)["error"]["code"] == -32800
    assert [value["kind"] for value in wire.progress(token)] == ["begin", "report", "end"]


def test_a_use_case_that_swallows_the_cancel_is_answered_all_the_same(wire: Wire) -> None:
    request_id = wire.command(
        "glossator.ask", {"question": "stubborn", "partialResultToken": "c3"}, workDoneToken="c4"
    )
    wire.wait_for(lambda _: bool(wire.progress("c3")))

    started = time.monotonic()
    wire.notify("$/cancelRequest", {"id": request_id})

    assert wire.answer(request_id)["error"]["code"] == -32800
    assert time.monotonic() - started < 0.7
    assert wire.progress("c4")[-1]["kind"] == "end"


@pytest.mark.parametrize("request_id", [99999, "99999", None, [1], {"a": 1}, 1.5, True])
def test_cancelling_nothing_does_nothing(wire: Wire, request_id: object) -> None:
    wire.notify("$/cancelRequest", {"id": request_id})
    wire.notify("$/cancelRequest", [request_id])
    wire.notify("window/workDoneProgress/cancel", {"token": "nobody"})

    assert counters(wire)


def test_a_storm_of_requests_and_cancels_leaves_one_answer_each(wire: Wire) -> None:
    chance = random.Random(7)
    wire.open(URI, "def f():\n    hang\n")
    requests: list[int] = []
    for _ in range(400):
        kind = chance.random()
        if kind < 0.5 or not requests:
            question = chance.choice(["hang", "quick", "stream", "fail"])
            argument = {"question": question, "partialResultToken": f"s{len(requests)}"}
            token = chance.choice([None, f"w{len(requests)}", "shared"])
            requests.append(wire.command("glossator.ask", argument, workDoneToken=token))
        elif kind < 0.9:
            wire.notify("$/cancelRequest", {"id": chance.choice(requests)})
        else:
            token = f"w{chance.randrange(len(requests))}"
            wire.notify("window/workDoneProgress/cancel", {"token": token})
    for request_id in requests:
        wire.notify("$/cancelRequest", {"id": request_id})

    for request_id in requests:
        wire.answer(request_id)

    counters(wire)
    assert [len(wire.all_answers(request_id)) for request_id in requests] == [1] * len(requests)
    begun = [m["params"]["token"] for m in wire.messages if is_progress(m, "begin")]
    ended = [m["params"]["token"] for m in wire.messages if is_progress(m, "end")]
    assert sorted(map(str, begun)) == sorted(map(str, ended))


def is_progress(message: dict[str, object], kind: str) -> bool:
    params = message.get("params")
    return (
        message.get("method") == "$/progress"
        and isinstance(params, dict)
        and params["value"].get("kind") == kind
    )


def test_progress_ends_when_a_command_fails(wire: Wire) -> None:
    for word, code in (("fail", -32803), ("crash", -32603)):
        token = f"end-{word}"
        request_id = wire.command("glossator.ask", {"question": word}, workDoneToken=token)
        error = wire.answer(request_id)["error"]

        assert error["code"] == code
        assert "secret" not in error["message"]
        assert wire.progress(token)[-1]["kind"] == "end"


def test_events_come_before_the_result_in_order_and_joined(wire: Wire) -> None:
    request_id = wire.command("glossator.ask", {"question": "stream", "partialResultToken": "j"})
    wire.answer(request_id)

    index = wire.messages.index(wire.all_answers(request_id)[0])
    values = wire.progress("j")
    texts = [value["text"] for value in values if value["type"] == "textArrived"]
    last = max(
        number for number, message in enumerate(wire.messages)
        if message.get("method") == "$/progress" and message["params"]["token"] == "j"
    )  # fmt: skip
    assert last < index
    assert "".join(texts) == "".join(f"字{number} " for number in range(200))
    assert len(texts) < 40
    assert texts[0] == "字0 "


def test_shutdown_cancels_what_is_under_way_and_is_answered_soon() -> None:
    with Wire() as wire:
        wire.initialize()
        wire.open(URI, "def f():\n    hang\n")
        argument = {"uri": URI, "position": {"line": 1, "character": 4}}
        commands = [wire.command("glossator.explain", argument, workDoneToken=7)]
        commands += [wire.command("glossator.ask", {"question": "stubborn"}) for _ in range(3)]
        wire.wait_for(lambda _: len(wire.progress(7)) > 1)

        started = time.monotonic()
        shutdown = wire.ask("shutdown", None)

        assert time.monotonic() - started < 1
        assert shutdown["result"] is None
        assert [wire.answer(one)["error"]["code"] for one in commands] == [-32800] * 4
        wire.notify("exit", None)
        assert wire.exit_code() == 0


def test_a_client_that_refuses_progress_gets_its_answer(wire: Wire) -> None:
    with Wire(answers=False) as silent:
        silent.initialize()
        request_id = silent.command("glossator.ask", {"question": "hang"})
        create = silent.wait_for(
            lambda message: message.get("method") == "window/workDoneProgress/create"
        )
        error = {"code": -32603, "message": "no"}
        silent.send({"jsonrpc": "2.0", "id": create["id"], "error": error})

        silent.notify("$/cancelRequest", {"id": request_id})

        assert silent.answer(request_id)["error"]["code"] == -32800
        assert silent.progress(create["params"]["token"]) == []
