"""What a piece of a streamed answer costs on its way from the model's server to the editor.

CPU, and how much later than it was sent it reaches the editor as a `$/progress`.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

from benchmarks.editor import Editor
from benchmarks.measuring import Goal, Result, in_turns, percentile
from benchmarks.places import HERE, Ground
from provider.server import Provider, Reply, delta, event, head, usage

_N_FEW, _N_MANY = 200, 12_000
_N_PACED, _PACE_S = 300, 0.005
_N_ROUNDS = 3
_STREAMER = (sys.executable, str(HERE / "bare_streamer.py"))
_LOOP = "`openai` loop alone"
_PEER = "`openai` loop and a pygls notification for each"
_NOTIFICATION = "a bare pygls notification"
# Pieces are joined for one frame of a screen; the rest is what the way itself may take.
_JOINED_WITHIN = Goal(20)
_AS_SOON = Goal(1.0, of_ratio=True)
_CHEAPER = Goal(1.0, of_ratio=True)


def measure(ground: Ground) -> Iterator[Result]:
    """Read the same answers through our server, the peer's and the SDK's loop, in turns."""
    with (
        Provider() as provider,
        ground.ours(provider) as editor,
        Editor(_STREAMER, ground.env(provider)) as streamer,
        _loop(ground, provider) as loop,
    ):
        editor.initialize(ground.small)
        editor.wait_until_ready()
        streamer.initialize(ground.small)
        yield from _measure_cpu(provider, editor, streamer, loop)
        for pace_s, n_pieces, goal in ((0.005, 300, _JOINED_WITHIN), (0.05, 60, _AS_SOON)):
            yield from _measure_delay(provider, editor, streamer, pace_s, n_pieces, goal)


def _measure_cpu(
    provider: Provider, editor: Editor, streamer: Editor, loop: Callable[[], float]
) -> Iterator[Result]:
    def ours() -> float:
        return _cpu_ms_of(editor, lambda: _ask(editor))

    def peer() -> float:
        return _cpu_ms_of(streamer, lambda: _ask_peer(streamer))

    for title, few, many, pace_s in (
        ("at full speed", _N_FEW, _N_MANY, 0.0),
        ("every 5 ms", 0, _N_PACED, _PACE_S),
    ):
        provider.answer_always(_answer(few, pace_s))
        ours(), peer(), loop()  # Imports happen here.
        base = [median(found) for found in in_turns(_N_ROUNDS, ours, peer, loop)]
        provider.answer_always(_answer(many, pace_s))
        full = [median(found) for found in in_turns(_N_ROUNDS, ours, peer, loop)]
        mine, peers, loops = (
            (all_of_it - rest) * 1000 / (many - few)
            for all_of_it, rest in zip(full, base, strict=True)
        )
        what = f"CPU for each streamed piece, {title}"
        yield Result(what, mine, "µs", loops, _LOOP, _CHEAPER)
        yield Result(what, mine, "µs", peers, _PEER, _CHEAPER)
        if not pace_s:
            yield Result(what, mine, "µs", _measure_notification(streamer), _NOTIFICATION)


def _measure_notification(streamer: Editor) -> float:
    def notify(count: int) -> float:
        return _cpu_ms_of(
            streamer,
            lambda: streamer.command(
                "bare.notify", count=str(count), partialResultToken="answer"
            ).wait(),
        )

    few, many = (
        median(found)
        for found in in_turns(_N_ROUNDS, lambda: notify(_N_FEW), lambda: notify(_N_MANY))
    )
    return (many - few) * 1000 / (_N_MANY - _N_FEW)


def _measure_delay(
    provider: Provider,
    editor: Editor,
    streamer: Editor,
    pace_s: float,
    n_pieces: int,
    goal: Goal,
) -> Iterator[Result]:
    """Ask both in turns for pieces that say when they were sent; look at when they arrive."""
    provider.answer_always(_stamped_answer(n_pieces, pace_s))
    mine: list[float] = []
    theirs: list[float] = []

    def ours() -> float:
        return _listen(editor, mine, lambda: _ask(editor))

    def peer() -> float:
        return _listen(streamer, theirs, lambda: _ask_peer(streamer))

    in_turns(_N_ROUNDS, ours, peer)
    assert len(mine) == len(theirs) == _N_ROUNDS * n_pieces, (len(mine), len(theirs))
    for share, name in ((0.5, "half"), (0.95, "95 %")):
        yield Result(
            f"sent to shown, a piece every {pace_s * 1000:.0f} ms: {name} within",
            percentile(mine, share),
            "ms",
            percentile(theirs, share),
            _PEER,
            goal,
        )


def _listen(editor: Editor, delays_ms: list[float], work: Callable[[], None]) -> float:
    """Note for each piece how many milliseconds it took until it was here."""
    begun = len(delays_ms)

    def note(method: str, params: Any, at: float) -> None:
        value = params.get("value") if method == "$/progress" else None
        if isinstance(value, dict) and value.get("type") == "textArrived":
            # `perf_counter` and `monotonic_ns` are one clock on Linux.
            delays_ms.extend((at - int(stamp) / 1e9) * 1000 for stamp in value["text"].split())

    editor.on_notification = note
    try:
        work()
    finally:
        editor.on_notification = lambda *_: None
    return median(delays_ms[begun:])


def _answer(n_pieces: int, pace_s: float) -> Reply:
    steps: list[tuple[str, object]] = []
    for _ in range(n_pieces):
        steps.append(("send", event(delta(content="word "))))
        if pace_s:
            steps.append(("pause", pace_s))
    return _frame(steps)


def _stamped_answer(n_pieces: int, pace_s: float) -> Reply:
    return _frame([("stamped", [n_pieces, pace_s])])


def _frame(steps: list[tuple[str, object]]) -> Reply:
    begin = ("send", head() + event(delta(role="assistant", content="")))
    end = [("send", event(each)) for each in (delta(finish="stop"), usage(), "[DONE]")]
    return Reply((begin, *steps, *end))


def _cpu_ms_of(editor: Editor, work: Callable[[], object]) -> float:
    before = editor.cpu_ms()
    work()
    return editor.cpu_ms() - before


def _ask(editor: Editor) -> None:
    editor.command(
        "glossator.ask", question="What does this project do?", partialResultToken="answer"
    ).wait()


def _ask_peer(streamer: Editor) -> None:
    streamer.command("bare.ask", partialResultToken="answer").wait()


@contextmanager
def _loop(ground: Ground, provider: Provider) -> Iterator[Callable[[], float]]:
    process = subprocess.Popen(
        [sys.executable, str(HERE / "openai_loop.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ground.env(provider),
        text=True,
        encoding="utf-8",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    sent, received = process.stdin, process.stdout

    def run() -> float:
        sent.write("\n")
        sent.flush()
        return float(received.readline())

    try:
        yield run
    finally:
        sent.close()
        process.wait(10)
        received.close()
