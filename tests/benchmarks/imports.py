"""When `openai` is imported: after `initialized` with a model, never without one."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from benchmarks.editor import TIMEOUT_S, Editor
from benchmarks.measuring import Goal, Result
from benchmarks.places import TRACED_SERVER, Ground, inside_functions, python_of_lines
from provider.server import Provider

_N_ROUNDS = 7


def measure(ground: Ground) -> Iterator[Result]:
    """Start servers with and without a model in turns."""
    times: dict[bool, list[float]] = {False: [], True: []}
    imported: dict[str, list[float]] = {"openai": [], "pydantic": [], "httpx2": []}
    n_without = 0
    with Provider() as provider:
        for number in range(_N_ROUNDS * 2):
            has_model = number % 4 in {1, 2}
            initialized, sent_at, seen = _start(ground, provider if has_model else None, number)
            times[has_model].append(initialized)
            if has_model:
                for name, at in seen.items():
                    imported[name].append((at - sent_at) * 1000)
            else:
                n_without += len(seen)
    yield Result(
        "imports of `openai`, `httpx2` or `pydantic` without a model, after an explain and a check",
        n_without, "", goal=Goal(0),
    )  # fmt: skip
    yield Result(
        "`initialize` answered, with a model", median(times[True]), "ms", median(times[False]),
        "without a model", Goal(1.1, of_ratio=True),
    )  # fmt: skip
    first = min(imported["openai"])
    yield Result("`openai` imports begun before `initialized`", float(first < 0), "", goal=Goal(0))
    yield Result("`openai` import begins after `initialized`, earliest", first)


def _start(
    ground: Ground, provider: Provider | None, number: int
) -> tuple[float, float, Mapping[str, float]]:
    """Return milliseconds to `initialize`, when `initialized` was sent, and what was imported."""
    log = ground.folder / f"imports-{number}"
    text = python_of_lines(300)
    uri = (ground.small / "example.py").as_uri()
    line = inside_functions(text)[3]
    with Editor(TRACED_SERVER, ground.env(provider, BENCH_IMPORTS=str(log))) as editor:
        initialized = editor.initialize(ground.small)
        sent_at = time.perf_counter()
        editor.open(uri, text)
        editor.code_actions(uri, line).wait()
        editor.wait_until_ready()
        if provider is None:
            position = {"line": line, "character": 8}
            editor.command("glossator.explain", uri=uri, position=position).wait()
            editor.command("glossator.check", uri=uri).wait()
        else:
            _wait_for("openai", log)
    return initialized, sent_at, _read(log)


def _wait_for(name: str, log: Path) -> None:
    until = time.monotonic() + TIMEOUT_S
    while name not in _read(log):
        if time.monotonic() > until:
            raise TimeoutError(f"`{name}` is not imported")
        time.sleep(0.02)


def _read(log: Path) -> Mapping[str, float]:
    """Return when each package was first looked for."""
    if not log.exists():
        return {}
    lines = [line.split() for line in log.read_text(encoding="utf-8").splitlines()]
    return {name: float(at) for name, at in reversed([line for line in lines if len(line) == 2])}
