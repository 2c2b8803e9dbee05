"""How long a cheap request waits while the server does other work.

Every 20 ms the server is asked for its status, whether it has answered the last time or not. A
bare server that has nothing else to do is asked at the same moments: what it waits is the noise of
the machine.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from statistics import median

from benchmarks.editor import Editor, Pending
from benchmarks.measuring import Goal, Result, percentile
from benchmarks.places import Ground
from provider.server import Provider, Reply, call, delta, stream, usage

_EVERY_S = 0.02
_PHASE_S = 8.0
_GOAL = Goal(50)
_PIECE = "word "
Work = Callable[[Editor], None]


def measure(ground: Ground) -> Iterator[Result]:
    """Ask while nothing, one thing and everything else is done."""
    with ground.bare() as bare, Provider() as provider:
        bare.initialize(ground.small)
        with ground.ours(provider) as starting:
            starting.initialize(ground.knowledge)
            starting.command("glossator.status").wait()
            yield from _results("starting up: knowledge and `openai` load", starting, bare, [], 5.0)
        with ground.ours(provider) as ours:
            ours.initialize(ground.codebase, ground.knowledge)
            ours.wait_until_ready()
            # The first turn imports what later ones use.
            provider.script(_search(0), _answer(5))
            _ask(ours)
            yield from _results("idle", ours, bare, [], 4.0)
            yield from _results("the index of 5,000 sections rebuilds", ours, bare, [_rebuild])
            numbers = count(1)
            replies = [reply for _ in range(200) for reply in (_search(next(numbers)), _answer(5))]
            provider.script(*replies)
            yield from _results("searches go over 5,000 files", ours, bare, [_ask])
            provider.clear()
            provider.answer_always(_answer(20_000))
            yield from _results("a model streams as fast as it can", ours, bare, [_ask])
            for _ in range(40):
                provider.script(_search(next(numbers)), _answer(3_000))
            yield from _results("all three at once", ours, bare, [_rebuild, _ask, _ask])


def _results(
    title: str, ours: Editor, bare: Editor, works: list[Work], seconds: float = _PHASE_S
) -> Iterator[Result]:
    with ExitStack() as stack:
        for work in works:
            stack.enter_context(_repeating(work, ours))
        mine, theirs = _echo(ours, bare, seconds)
    what = f"status while {title}" if title != "idle" else "status, idle"
    against = "idle bare pygls"
    yield Result(f"{what}, p50", median(mine), "ms", median(theirs), against)
    yield Result(
        f"{what}, p99", percentile(mine, 0.99), "ms", percentile(theirs, 0.99), against, _GOAL
    )
    yield Result(f"{what}, max", max(mine), "ms", max(theirs), against)


def _echo(ours: Editor, bare: Editor, seconds: float) -> tuple[list[float], list[float]]:
    """Ask both every 20 ms without waiting; return what each request took."""
    asked: list[tuple[Pending, Pending]] = []
    at = time.perf_counter()
    until = at + seconds
    while at < until:
        asked.append((ours.command("glossator.status"), bare.command("bare.echo")))
        at += _EVERY_S
        time.sleep(max(0.0, at - time.perf_counter()))
    return [mine.wait() for mine, _ in asked], [theirs.wait() for _, theirs in asked]


@contextmanager
def _repeating(work: Work, editor: Editor) -> Iterator[None]:
    """Do `work` again and again; the last time is waited for."""
    is_over = threading.Event()

    def repeat() -> None:
        while not is_over.is_set():
            work(editor)

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _rebuild(editor: Editor) -> None:
    editor.command("glossator.rebuildIndex").wait()


def _ask(editor: Editor) -> None:
    pending = editor.command(
        "glossator.ask",
        question="Where is this project's slowest function defined?",
        partialResultToken="answer",
    )
    assert pending.result["byModel"], "no model answered"


def _search(number: int) -> Reply:
    """Call two searches that have to look into every file."""
    keyword = {"query": f"nobody wrote this {number}"}
    pattern = {"query": rf"nob[o0]dy\s+wrote{number}", "regex": True}
    return call("search_files", keyword, "search_files", pattern)


def _answer(n_pieces: int) -> Reply:
    pieces = [delta(content=_PIECE) for _ in range(n_pieces)]
    return stream(delta(role="assistant", content=""), *pieces, delta(finish="stop"), usage())
