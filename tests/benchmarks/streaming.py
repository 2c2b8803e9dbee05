"""CPU for each piece of a streamed answer, from the model's bytes to the editor's `$/progress`."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

from benchmarks.editor import Editor
from benchmarks.measuring import Result, in_turns
from benchmarks.places import HERE, Ground
from provider.server import Provider, Reply, delta, event, head, usage

_N_FEW, _N_MANY = 200, 12_000
_N_PACED, _PACE_S = 300, 0.005
_N_ROUNDS = 3


def measure(ground: Ground) -> Iterator[Result]:
    """Read the same answers through the server and through the SDK's loop, in turns."""
    with Provider() as provider, ground.ours(provider) as editor, _loop(ground, provider) as loop:
        editor.initialize(ground.small)
        editor.wait_until_ready()

        def ours() -> float:
            before = editor.cpu_ms()
            _ask(editor)
            return editor.cpu_ms() - before

        for title, few, many, pace_s in (
            ("at full speed", _N_FEW, _N_MANY, 0.0),
            ("every 5 ms", 0, _N_PACED, _PACE_S),
        ):
            provider.answer_always(_answer(few, pace_s))
            ours(), loop()  # Imports happen here.
            base = [median(found) for found in in_turns(_N_ROUNDS, ours, loop)]
            provider.answer_always(_answer(many, pace_s))
            full = [median(found) for found in in_turns(_N_ROUNDS, ours, loop)]
            mine, theirs = (
                (all_of_it - rest) * 1000 / (many - few)
                for all_of_it, rest in zip(full, base, strict=True)
            )
            yield Result(
                f"CPU for each streamed piece, {title}", mine, "µs", theirs, "`openai` loop alone"
            )


def _answer(n_pieces: int, pace_s: float) -> Reply:
    steps: list[tuple[str, object]] = [("send", head())]
    steps.append(("send", event(delta(role="assistant", content=""))))
    for _ in range(n_pieces):
        steps.append(("send", event(delta(content="word "))))
        if pace_s:
            steps.append(("pause", pace_s))
    steps += [("send", event(each)) for each in (delta(finish="stop"), usage(), "[DONE]")]
    return Reply(tuple(steps))


def _ask(editor: Editor) -> None:
    editor.command(
        "glossator.ask", question="What does this project do?", partialResultToken="answer"
    ).wait()


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
