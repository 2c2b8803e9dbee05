"""Milliseconds per save with 25 and 100 rules, beside ast-grep where that is installed.

The rules are of six shapes, written once and handed to both as what each of them reads. A third
names what stands in the code, so that neither can rule everything out at a glance.
"""

import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from threading import Event
from typing import Any

import yaml
from ast_grep_py import SgRoot

from benchmarks.checking import tsx_of_lines
from benchmarks.editor import TIMEOUT_S, Editor
from benchmarks.measuring import Goal, Result, cpu_ms_of, medians
from benchmarks.places import OUR_SERVER, Ground, find_program, python_of_lines
from glossator.rules.matching import RuleSet
from glossator.rules.parse import parse_rules

_N_ROUNDS = 15
_SIZES = (200, 1_000, 5_000)
_COUNTS = (25, 100)
_IDLE_CPU_MS = 2.0
_IDLE_FOR_S = 0.3
_SETTINGS = "[knowledge]\nbundled = false\n"
_PYTHON_NAMES = (
    "len", "append", "isinstance", "getattr", "repr", "join", "format", "str", "set", "add",
)  # fmt: skip
_TSX_NAMES = (
    "useState", "setFound", "fetch", "filter", "map", "json", "then", "List", "setQuery", "div",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Saved:
    """What one save took: milliseconds until the diagnostics came, and CPU of the server."""

    wall_ms: float
    cpu_ms: float


Change = Callable[[Editor, str, int, str], None]


@dataclass(frozen=True, slots=True)
class Sample:
    """A language with its rules' shapes and a way to write a file of so many lines."""

    title: str
    language: str
    editor_language: str
    ast_grep_name: str
    suffix: str
    write: Callable[[int], str]
    shape: Callable[[int], Mapping[str, Any]]


def measure(ground: Ground) -> Iterator[Result]:
    """Check in process beside parsing; then from save to diagnostics beside `ast-grep lsp`."""
    for sample in SAMPLES:
        for n_rules in _COUNTS:
            rule_set = make_rule_set(sample, n_rules)
            for n_lines in _SIZES:
                text = sample.write(n_lines)
                checked, parsed = compare_in_process(rule_set, text, sample.language)
                title = f"{n_rules} rules, {sample.title}, {n_lines:,} lines"
                yield Result(f"{title}: CPU", checked, "ms", parsed, "ast-grep parses it")
    for sample in SAMPLES:
        for n_rules in _COUNTS:
            yield from _measure_saves(ground, sample, n_rules)


def make_rule_set(sample: Sample, n_rules: int) -> RuleSet:
    """Return the first rules of a sample, read from Markdown as a team's are."""
    text = write_markdown(sample, n_rules)
    rules, problems = parse_rules(text, path="k.md", document="k", origin="workspace")
    assert not problems
    assert len(rules) == n_rules
    return RuleSet(rules)


def write_markdown(sample: Sample, n_rules: int) -> str:
    """Return a knowledge file with the rules of a sample."""
    parts = ["---\nname: bench\nkeywords: [bench]\n---\n# Rules\n"]
    for number in range(n_rules):
        check = {"language": sample.language, "rule": sample.shape(number)}
        block = yaml.safe_dump(check, sort_keys=False).replace("\n", "\n  ").rstrip()
        parts.append(f"- Rule {number}. {{#bench-{number}}}\n\n  ```check\n  {block}\n  ```\n")
    return "\n".join(parts)


def write_our_project(folder: Path, sample: Sample, n_rules: int) -> Path:
    """Write a workspace with the rules of a sample and no others, and return its folder."""
    (folder / "knowledge").mkdir(parents=True)
    text = write_markdown(sample, n_rules)
    (folder / "knowledge" / "bench.md").write_text(text, encoding="utf-8")
    (folder / "glossator.toml").write_text(_SETTINGS, encoding="utf-8")
    return folder


def write_ast_grep_project(folder: Path, sample: Sample, n_rules: int) -> Path:
    """Write the same rules as a project of ast-grep and return its folder."""
    (folder / "rules").mkdir(parents=True)
    (folder / "sgconfig.yml").write_text("ruleDirs: [rules]\n", encoding="utf-8")
    for number in range(n_rules):
        rule = {
            "id": f"bench-{number}",
            "language": sample.ast_grep_name,
            "severity": "warning",
            "message": f"Rule {number}.",
            "rule": sample.shape(number),
        }
        (folder / "rules" / f"{number}.yml").write_text(yaml.safe_dump(rule), encoding="utf-8")
    return folder


def compare_in_process(rule_set: RuleSet, text: str, language: str) -> list[float]:
    """Return the CPU milliseconds of all rules on a text, and of parsing it alone."""

    def parse() -> object:
        return SgRoot(text, language).root()

    return medians(
        _N_ROUNDS,
        lambda: cpu_ms_of(lambda: rule_set.find(text, language, "")),
        lambda: cpu_ms_of(parse),
    )


class Server:
    """A server with one open document, which is changed and saved again and again.

    Each change puts a line into the middle, so that half of the findings move.
    """

    def __init__(self, editor: Editor, uri: str, text: str, sample: Sample) -> None:
        self._editor = editor
        self._uri = uri
        self._text = text
        self._version = 1
        self._times: dict[int, float] = {}
        self._arrived = Event()
        editor.on_notification = self._hear
        editor.open(uri, text, sample.editor_language)
        self._wait()
        self._cpu_ms = _wait_until_idle(editor)

    def save(self, change: Change) -> Saved:
        """Return what it takes from a change and `didSave` to its diagnostics.

        The CPU is that since the last save: what a server does after it has answered counts too.
        """
        self._version += 1
        before_ms, began = self._cpu_ms, time.perf_counter()
        change(self._editor, self._uri, self._version, self._text)
        self._editor.notify("textDocument/didSave", {"textDocument": {"uri": self._uri}})
        wall_ms = (self._wait() - began) * 1000
        self._cpu_ms = self._editor.cpu_ms()
        return Saved(wall_ms, self._cpu_ms - before_ms)

    def _wait(self) -> float:
        until = time.monotonic() + TIMEOUT_S
        while self._version not in self._times:
            assert self._arrived.wait(until - time.monotonic()), "no diagnostics came"
            self._arrived.clear()
        return self._times[self._version]

    def _hear(self, method: str, params: Any, at: float) -> None:
        if method == "textDocument/publishDiagnostics" and params["uri"] == self._uri:
            self._times.setdefault(params["version"], at)
            self._arrived.set()


def change_lines(editor: Editor, uri: str, version: int, text: str) -> None:
    """Put an empty line into the middle of an open document."""
    middle = text.count("\n") // 2
    editor.change(uri, version, middle, middle, "\n")


def change_whole(editor: Editor, uri: str, version: int, text: str) -> None:
    """Send all of the document `text` with as many empty lines in the middle as it was changed."""
    document = {"uri": uri, "version": version}
    lines = text.splitlines(keepends=True)
    middle = text.count("\n") // 2
    changes = [{"text": "".join([*lines[:middle], "\n" * (version - 1), *lines[middle:]])}]
    editor.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


def _measure_saves(ground: Ground, sample: Sample, n_rules: int) -> Iterator[Result]:
    folder = ground.folder / f"saves-{sample.language}-{n_rules}"
    ours = write_our_project(folder / "ours", sample, n_rules)
    theirs = write_ast_grep_project(folder / "theirs", sample, n_rules)
    for n_lines in _SIZES:
        text = sample.write(n_lines)
        title = f"{n_rules} rules, {sample.title}, {n_lines:,} lines"
        file = ours / f"example.{sample.suffix}"
        file.write_text(text, encoding="utf-8")
        with ExitStack() as stack:
            save_ours = _start_ours(stack, ground, ours, file, sample, n_rules)
            save_theirs = _start_ast_grep(stack, ground, theirs, file.name, sample, text)
            saves = _save_in_turns(save_ours, save_theirs)
        taken, *peers = [_sum_up(each) for each in saves]
        peer = peers[0] if peers else None
        saving, using = f"{title}: save to diagnostics", f"{title}: CPU of the server per save"
        if peer is None:
            yield Result(saving, taken.wall_ms, "ms")
            yield Result(using, taken.cpu_ms, "ms")
        else:
            goal = Goal(1.0, of_ratio=True)
            yield Result(saving, taken.wall_ms, "ms", peer.wall_ms, "`ast-grep lsp`", goal)
            yield Result(using, taken.cpu_ms, "ms", peer.cpu_ms, "`ast-grep lsp`")
        ruff = find_program("ruff") if sample.language == "python" else None
        if ruff is not None:
            command = (ruff, "check", "--isolated", "--no-cache", "--quiet", str(file))
            yield Result(saving, taken.wall_ms, "ms", _run_repeatedly(command), "`ruff check`")


def _start_ours(
    stack: ExitStack, ground: Ground, folder: Path, file: Path, sample: Sample, n_rules: int
) -> Callable[[], Saved]:
    editor = stack.enter_context(Editor(OUR_SERVER, ground.env()))
    editor.initialize(folder)
    editor.wait_until_ready()
    server = Server(editor, file.as_uri(), file.read_text(encoding="utf-8"), sample)
    [outcome] = editor.command("glossator.status").result["checks"]
    assert outcome["nRules"] == n_rules, "other rules than those of the sample are checked"
    return partial(server.save, change_lines)


def _start_ast_grep(
    stack: ExitStack, ground: Ground, folder: Path, name: str, sample: Sample, text: str
) -> Callable[[], Saved] | None:
    program = find_program("ast-grep")
    if program is None:
        return None
    (folder / name).write_text(text, encoding="utf-8")
    # Given its project as an option it checks nothing; it has to be started there.
    command = ("env", "-C", str(folder), program, "lsp")
    editor = stack.enter_context(Editor(command, ground.env()))
    _initialize_ast_grep(editor, folder)
    server = Server(editor, (folder / name).as_uri(), text, sample)
    return partial(server.save, change_whole)  # It takes no other changes.


def _save_in_turns(*saves: Callable[[], Saved] | None) -> list[list[Saved]]:
    """Return what each server's saves took, so that what else runs here disturbs all alike."""
    taking = [save for save in saves if save is not None]
    samples: list[list[Saved]] = [[] for _ in taking]
    for _ in range(_N_ROUNDS):
        for save, taken in zip(taking, samples, strict=True):
            taken.append(save())
    return samples


def _sum_up(saves: Sequence[Saved]) -> Saved:
    """Return the medians of some saves."""
    return Saved(median(each.wall_ms for each in saves), median(each.cpu_ms for each in saves))


def _run_repeatedly(command: Sequence[str]) -> float:
    """Return the median milliseconds that a command takes; findings are no failure."""

    def run() -> float:
        began = time.perf_counter()
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr.decode()
        return (time.perf_counter() - began) * 1000

    return median(run() for _ in range(_N_ROUNDS))


def _wait_until_idle(editor: Editor) -> float:
    """Wait until nothing is loaded in the background any more; return the CPU used so far."""
    until, cpu_ms = time.monotonic() + TIMEOUT_S, -_IDLE_CPU_MS
    while (now_ms := editor.cpu_ms()) - cpu_ms >= _IDLE_CPU_MS and time.monotonic() < until:
        cpu_ms = now_ms
        time.sleep(_IDLE_FOR_S)
    return now_ms


def _initialize_ast_grep(editor: Editor, folder: Path) -> None:
    """Shake hands and wait for the rules: what is opened before is never checked."""
    is_ready = Event()

    def hear(method: str, params: Any, at: float) -> None:
        if method == "window/logMessage" and "reloaded" in params["message"]:
            is_ready.set()

    editor.on_notification = hear
    editor.initialize(folder)
    assert is_ready.wait(TIMEOUT_S), "ast-grep reads no rules"


def _shape_python(number: int) -> Mapping[str, Any]:
    name = _name(_PYTHON_NAMES, number)
    return (
        {"pattern": f"{name}($A)"},
        {"kind": "call", "has": {"field": "function", "regex": f"^(old|legacy)_{name}$"}},
        {"pattern": f"$X.{name}($$$ALL)", "inside": {"kind": "for_statement", "stopBy": "end"}},
        {"kind": "except_clause", "has": {"kind": "block", "regex": name, "stopBy": "end"}},
        {"any": [{"pattern": f"{name} == None"}, {"pattern": f"None == {name}"}]},
        {"kind": "function_definition", "has": {"field": "name", "regex": f"^{name}"}},
    )[number % 6]


def _shape_tsx(number: int) -> Mapping[str, Any]:
    name = _name(_TSX_NAMES, number)
    return (
        {"pattern": f"{name}($A)"},
        {"kind": "call_expression", "has": {"field": "function", "regex": f"^(old|legacy){name}$"}},
        {"pattern": f"$X.{name}($$$ALL)", "inside": {"kind": "for_statement", "stopBy": "end"}},
        {"kind": "jsx_element", "has": {"kind": "jsx_attribute", "regex": name, "stopBy": "end"}},
        {"any": [{"pattern": f"{name} == null"}, {"pattern": f"null == {name}"}]},
        {"kind": "function_declaration", "has": {"field": "name", "regex": f"^{name}"}},
    )[number % 6]


def _name(names: Sequence[str], number: int) -> str:
    """Return a name: six rules of eighteen have one that stands in ordinary code."""
    name = names[number % len(names)]
    return name if number // 6 % 3 == 0 else f"{name}{number}"


SAMPLES = (
    Sample("Python", "python", "python", "Python", "py", python_of_lines, _shape_python),
    Sample("TSX", "tsx", "typescriptreact", "Tsx", "tsx", tsx_of_lines, _shape_tsx),
)
