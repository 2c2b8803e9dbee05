"""Milliseconds per save with 25 and 100 rules, beside ast-grep where that is installed.

The rules are of six shapes, written once and handed to both as what each of them reads. A third
names what stands in the code, so that neither can rule everything out at a glance.
"""

import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from threading import Event
from typing import Any

import yaml
from ast_grep_py import SgRoot

from benchmarks.checking import tsx_of_lines
from benchmarks.editor import TIMEOUT_S, Editor
from benchmarks.measuring import Goal, Result, cpu_ms_of, medians
from benchmarks.places import OUR_SERVER, Ground, python_of_lines
from glossator.rules.matching import RuleSet
from glossator.rules.parse import parse_rules

_N_ROUNDS = 15
_SIZES = (200, 1_000, 5_000)
_COUNTS = (25, 100)
_AST_GREP = "ast-grep"
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
    """Write a workspace with the rules of a sample and return its folder."""
    (folder / "knowledge").mkdir(parents=True)
    text = write_markdown(sample, n_rules)
    (folder / "knowledge" / "bench.md").write_text(text, encoding="utf-8")
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


def change_lines(editor: Editor, uri: str, version: int, text: str) -> None:
    """Put an empty line in front of an open document."""
    editor.change(uri, version, 0, 0, "\n")


def change_whole(editor: Editor, uri: str, version: int, text: str) -> None:
    """Send all of the document `text` with as many empty lines in front as it was changed."""
    document = {"uri": uri, "version": version}
    changes = [{"text": "\n" * (version - 1) + text}]
    editor.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


def save_to_diagnostics(
    editor: Editor, uri: str, sample: Sample, text: str, change: Change
) -> Saved:
    """Return what it takes from a change and `didSave` to its diagnostics.

    Each change puts a line in front, so that all findings move and nothing is known of the text.
    """
    arrived = Event()
    times: dict[int, float] = {}

    def hear(method: str, params: Any, at: float) -> None:
        if method == "textDocument/publishDiagnostics" and params["uri"] == uri:
            times.setdefault(params["version"], at)
            arrived.set()

    def wait_for(version: int) -> float:
        until = time.monotonic() + TIMEOUT_S
        while version not in times:
            assert arrived.wait(until - time.monotonic()), "no diagnostics came"
            arrived.clear()
        return times[version]

    editor.on_notification = hear
    editor.open(uri, text, sample.editor_language)
    wait_for(1)
    samples = []
    cpu_before_ms = editor.cpu_ms()
    for version in range(2, _N_ROUNDS + 2):
        began = time.perf_counter()
        change(editor, uri, version, text)
        editor.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        samples.append((wait_for(version) - began) * 1000)
    return Saved(median(samples), (editor.cpu_ms() - cpu_before_ms) / _N_ROUNDS)


def _measure_saves(ground: Ground, sample: Sample, n_rules: int) -> Iterator[Result]:
    folder = ground.folder / f"saves-{sample.language}-{n_rules}"
    ours = write_our_project(folder / "ours", sample, n_rules)
    theirs = write_ast_grep_project(folder / "theirs", sample, n_rules)
    has_peer = shutil.which(_AST_GREP) is not None
    env = ground.env(GLOSSATOR_KNOWLEDGE_BUNDLED="false")
    for n_lines in _SIZES:
        text = sample.write(n_lines)
        with Editor(OUR_SERVER, env) as editor:
            taken = _save_in(editor, ours, sample, text)
        peer: Saved | None = None
        if has_peer:
            # Given its project as an option it checks nothing; it has to be started there.
            with Editor(("env", "-C", str(theirs), _AST_GREP, "lsp"), env) as editor:
                peer = _save_in(editor, theirs, sample, text)
        title = f"{n_rules} rules, {sample.title}, {n_lines:,} lines"
        against = "`ast-grep lsp`" if peer else ""
        yield Result(
            f"{title}: save to diagnostics",
            taken.wall_ms,
            "ms",
            peer.wall_ms if peer else None,
            against,
            Goal(1.0, of_ratio=True) if peer else None,
        )
        yield Result(
            f"{title}: CPU of the server per save",
            taken.cpu_ms,
            "ms",
            peer.cpu_ms if peer else None,
            against,
        )


def _save_in(editor: Editor, folder: Path, sample: Sample, text: str) -> Saved:
    file = folder / f"example.{sample.suffix}"
    file.write_text(text, encoding="utf-8")
    if (folder / "knowledge").is_dir():
        editor.initialize(folder)
        editor.wait_until_ready()
        change = change_lines
    else:
        _initialize_ast_grep(editor, folder)
        change = change_whole  # It takes no other changes.
    return save_to_diagnostics(editor, file.as_uri(), sample, text, change)


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
