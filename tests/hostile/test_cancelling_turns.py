"""Turns are cancelled at any moment: nothing is left running or open, and the session goes on."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from glossator.core.events import Event, TextArrived
from provider.server import Provider, Reply, call, delta, event, head, usage
from workbench import Bench, make_bench

N_CANCELLED = 200
LONGEST_S = 2.0
QUESTION = "What does `Store.save` do?"
ANSWER = "It keeps an item (store/store.py:5)."


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


@pytest.fixture
async def bench(provider: Provider, tmp_path: Path) -> AsyncIterator[Bench]:
    server = {"baseUrl": provider.base_url, "apiKey": "key", "name": "tiny"}
    made = make_bench(tmp_path / "workspace", settings={"model": server})
    yield made
    await made.application.close()


def say_slowly(text: str, *, is_endless: bool) -> Reply:
    """Return an answer that takes a moment, or for ever, so that it can be cancelled within."""
    pieces = [text[start : start + 3] for start in range(0, len(text), 3)]
    steps: list[tuple[str, object]] = [("send", head())]
    for piece in pieces:
        steps += [("send", event(delta(content=piece))), ("pause", 0.001)]
    if is_endless:
        steps.append(("hold", "for ever"))
    end = event(delta(finish="stop")) + event(usage(500, 20)) + event("[DONE]")
    return Reply((*steps, ("send", end)))


def prepare(provider: Provider, *, is_endless: bool = False) -> None:
    """Let the next turn look at a file and answer; requests are judged as strict servers do."""
    provider.clear()
    provider.be_strict("no-reasoning")
    provider.script(
        call("read_file", {"path": "store/store.py"}, "list_directory", {}, text="Let me see."),
        say_slowly(ANSWER, is_endless=is_endless),
    )


UPKEEP = ("keep", "index")
"""Tasks that read the library and keep it for the next start; they belong to no turn."""


def list_others() -> set[asyncio.Task[object]]:
    """Return all tasks but the test's own and upkeep."""
    return {
        task
        for task in asyncio.all_tasks()
        if task is not asyncio.current_task() and task.get_name() not in UPKEEP
    }


async def require_quiet(provider: Provider, bench: Bench) -> None:
    """Wait until nothing of a turn runs and nothing is open, for two seconds at most."""
    async with asyncio.timeout(LONGEST_S):
        if others := list_others():
            await asyncio.wait(others)
        await provider.wait_for_closing()
    assert list_others() == set()
    assert bench.application.runs.turns == ()


async def test_cancelling_at_any_moment_leaves_nothing_behind(
    provider: Provider, bench: Bench
) -> None:
    chance = random.Random(20_240_229)
    prepare(provider)
    first = await bench.application.ask(QUESTION)
    prepare(provider)
    started = time.monotonic()
    await bench.application.ask(QUESTION, session_id=first.session_id)
    duration_s = time.monotonic() - started
    loop = asyncio.get_running_loop()
    n_cancelled = n_left = 0
    for number in range(N_CANCELLED):
        # What is left running would end by itself, if the answer did.
        prepare(provider, is_endless=number % 2 == 0)
        turn = asyncio.create_task(
            bench.application.ask(QUESTION, session_id=first.session_id), name="turn"
        )
        timer = loop.call_later(chance.uniform(0, duration_s), turn.cancel)
        try:
            answer = await turn
        except asyncio.CancelledError:
            n_cancelled += 1
        else:
            assert answer.markdown == ANSWER
        timer.cancel()
        await require_quiet(provider, bench)
        requests = provider.requests()
        assert [request.violations for request in requests if request.violations] == []
        n_left += any(request.end == "client left" for request in requests)
        if number % 20 == 19:
            prepare(provider)
            answer = await bench.application.ask(QUESTION, session_id=first.session_id)
            assert (answer.markdown, answer.stop_reason) == (ANSWER, "answered")

    assert n_cancelled > N_CANCELLED / 2
    assert n_left > 10


async def test_cancelling_within_the_answer_is_seen_by_the_server(
    provider: Provider, bench: Bench
) -> None:
    prepare(provider, is_endless=True)
    is_answering = asyncio.Event()

    def hear(heard: Event) -> None:
        if isinstance(heard, TextArrived) and heard.text.startswith("It"):
            is_answering.set()

    turn = asyncio.create_task(bench.application.ask(QUESTION, emit=hear))
    await is_answering.wait()

    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn

    async with asyncio.timeout(LONGEST_S):
        await provider.wait_for_leaving()
    await require_quiet(provider, bench)
    assert [request.end for request in provider.requests()] == ["played", "client left"]
