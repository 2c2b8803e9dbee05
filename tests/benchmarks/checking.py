"""Checks on save, with the rules that ship, against parsing alone."""

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from threading import Event
from typing import Any

from ast_grep_py import SgRoot

from benchmarks.editor import TIMEOUT_S, Editor
from benchmarks.measuring import Result, cpu_ms_of, medians
from benchmarks.places import Ground, python_of_lines
from glossator.app.checking.compiled import Checker
from glossator.app.library import Library, Shelf, read_library
from glossator.compose import bundled_folder
from glossator.core.settings import Settings
from glossator.core.text import SourceText

_N_ROUNDS = 25
_COMPONENT = """\
export function {name}Panel({{ items, onSelect }}: {{ items: Item[]; onSelect: (id: string) => void }}) {{
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Item[]>([]);
  useEffect(() => {{
    let isCurrent = true;
    fetch(`/api/{name}?q=${{encodeURIComponent(query)}}`)
      .then((response) => response.json() as Promise<Item[]>)
      .then((result) => {{
        if (isCurrent) setFound(result);
      }});
    return () => {{
      isCurrent = false;
    }};
  }}, [query]);
  const shown = useMemo(() => [...items, ...found].filter((item) => item.name !== ""), [items, found]);
  if (shown.length === 0) return <p className="empty">Nothing here.</p>;
  return (
    <section aria-label="{name}">
      <input value={{query}} onChange={{(event) => setQuery(event.target.value)}} />
      <ul>
        {{shown.map((item) => (
          <li key={{item.id}}>
            <button type="button" onClick={{() => onSelect(item.id)}}>
              {{item.name}} ({{item.count ?? 0}})
            </button>
          </li>
        ))}}
      </ul>
    </section>
  );
}}

"""  # noqa: E501


def measure(ground: Ground) -> Iterator[Result]:
    """Check files of two languages and sizes in turns with parsing them; then as the editor."""
    library = _read_shipped()
    samples = [
        (f"{name}, {n_lines:,} lines", language, suffix, write(n_lines))
        for name, language, suffix, write in (
            ("Python", "python", "py", python_of_lines),
            ("TSX", "tsx", "tsx", tsx_of_lines),
        )
        for n_lines in (200, 1_000)
    ]
    for title, language, suffix, text in samples:
        checked, parsed = _compare(SourceText(f"src/example.{suffix}", text), language, library)
        yield Result(f"check, {title}, CPU", checked, "ms", parsed, "ast-grep parses it")
    with ground.ours() as editor:
        editor.initialize(ground.small)
        editor.wait_until_ready()
        for title, language, suffix, text in samples:
            uri = (ground.small / f"{len(text)}.{suffix}").as_uri()
            yield Result(f"save to diagnostics, {title}", _save(editor, uri, text, language))


def _compare(source: SourceText, language: str, library: Library) -> list[float]:
    """Return the CPU milliseconds of a check and of parsing alone."""
    settings = Settings().check
    assert Checker(settings).check(source, library).outcome != "not-checked"

    def check() -> object:
        return Checker(settings).check(source, library)

    def parse() -> object:
        return SgRoot(source.text, language).root()

    return medians(_N_ROUNDS, lambda: cpu_ms_of(check), lambda: cpu_ms_of(parse))


def _save(editor: Editor, uri: str, text: str, language: str) -> float:
    """Return the median milliseconds from `didSave` to the diagnostics."""
    arrived = Event()
    times: list[float] = []

    def hear(method: str, params: Any, at: float) -> None:
        if method == "textDocument/publishDiagnostics" and params["uri"] == uri:
            times.append(at)
            arrived.set()

    editor.on_notification = hear
    editor.open(uri, text, "typescriptreact" if language == "tsx" else language)
    assert arrived.wait(TIMEOUT_S), "no diagnostics came"
    samples = []
    for _ in range(_N_ROUNDS):
        arrived.clear()
        began = time.perf_counter()
        editor.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        assert arrived.wait(TIMEOUT_S), "no diagnostics came"
        samples.append((times[-1] - began) * 1000)
    return median(samples)


def _read_shipped() -> Library:
    folder = bundled_folder()

    def read(file: Path) -> SourceText:
        return SourceText(file.name, file.read_text(encoding="utf-8"), file)

    return read_library(
        [
            Shelf(folder / "knowledge", "knowledge", "bundled", read),
            Shelf(folder / "skills", "skill", "bundled", read),
        ]
    )


def tsx_of_lines(n_lines: int) -> str:
    parts = ['import { useEffect, useMemo, useState } from "react";\n']
    while sum(part.count("\n") for part in parts) < n_lines:
        parts.append(_COMPONENT.format(name=f"List{len(parts)}"))
    return "".join(parts)
