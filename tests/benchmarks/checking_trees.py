"""Checks of 2,000 files from the terminal, with the same rules as its peers'.

The peers are ast-grep's command line, `ruff check` with as many rules, and semgrep where it is
installed. All run in turns on real packages, each with as many processes as it takes by itself.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import median

from benchmarks.measuring import Goal, Result
from benchmarks.places import Ground, find_program

N_FILES = 2_000
_N_ROUNDS = 3
_N_A_FOLDER = 50
_N_FOR_SEMGREP = 500  # It takes long for all.
_SIZES_BYTES = range(600, 200_000)
_SETTINGS = "[knowledge]\nbundled = false\n"
# Each is valid in ast-grep's rule language and, with `...` for `$$$`, in semgrep's.
_PATTERNS = (
    "print($$$)", "eval($$$)", "exec($$$)", "os.path.join($$$)", "os.path.exists($$$)",
    "open($$$)", "type($A) == $B", "$A == None", "$A != None", "len($A) == 0", "dict()", "list()",
    "range(len($A))", "yaml.load($A)", "pickle.loads($$$)", "subprocess.call($$$, shell=True)",
    "raise Exception($$$)", "assert ($A, $B)", "os.system($$$)", "logging.getLogger()",
)  # fmt: skip
_RUFF_RULES = (
    "T201", "S307", "S102", "PTH118", "PTH110", "PTH123", "E721", "E711", "E712", "C408", "S506",
    "S301", "S602", "TRY002", "F631", "S605", "E722", "PLW0603", "E731", "B006",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Cost:
    wall_s: float
    cpu_s: float


def measure(ground: Ground) -> Iterator[Result]:
    """Check the tree with nothing known and with all known, beside the peers."""
    tree = _write_tree(ground.folder / "packages")
    environ = ground.env()
    ours = [sys.executable, "-m", "glossator", "check"]
    commands = {
        "cold": [*ours, "--no-cache", "."],
        "warm": [*ours, "."],
        "start": [*ours, "one.py"],
        "ast-grep": [
            _find("ast-grep"), "scan", "--config=../sgconfig.yml", "--json=stream", ".",
        ],
        "ruff": [
            _find("ruff"), "check", "--isolated", "--preview", "--no-cache",
            "--output-format=concise", f"--select={','.join(_RUFF_RULES)}", ".",
        ],
    }  # fmt: skip
    subprocess.run(commands["warm"], cwd=tree, env=environ, capture_output=True, check=False)
    samples: dict[str, list[_Cost]] = {name: [] for name in commands}
    for _ in range(_N_ROUNDS):
        for name, command in commands.items():
            samples[name].append(_run(command, tree, environ))
    wall = {name: median(cost.wall_s for cost in costs) for name, costs in samples.items()}
    cpu = {name: median(cost.cpu_s for cost in costs) for name, costs in samples.items()}
    what = f"check {N_FILES:,} Python files, {len(_PATTERNS)} rules"
    peer, no_slower = "`ast-grep scan`", Goal(1.0, of_ratio=True)
    yield Result(f"{what}, cold", wall["cold"], "s", wall["ast-grep"], peer, no_slower)
    yield Result(f"{what}, cold, CPU", cpu["cold"], "s", cpu["ast-grep"], peer, no_slower)
    yield Result(f"{what}, cold", wall["cold"], "s", wall["ruff"], "`ruff check`")
    tenth = Goal(0.1, of_ratio=True)
    yield Result(f"{what}, unchanged", wall["warm"], "s", wall["cold"], "cold", tenth)
    yield Result(f"{what}, unchanged, CPU", cpu["warm"], "s", cpu["cold"], "cold")
    yield Result(f"{what}, unchanged, CPU", cpu["warm"], "s", cpu["start"], "one file")
    semgrep = shutil.which("semgrep")
    if semgrep is not None:
        folders = [f"p{number:02}" for number in range(_N_FOR_SEMGREP // _N_A_FOLDER)]
        theirs = [
            semgrep, "scan", "--metrics=off", "--disable-version-check", "--quiet",
            "--config=../semgrep.yml", *folders,
        ]  # fmt: skip
        mine = [*ours, "--no-cache", *folders]
        yield Result(
            f"check {_N_FOR_SEMGREP} of them, cold", _run(mine, tree, environ).wall_s, "s",
            _run(theirs, tree, environ).wall_s, "`semgrep scan`, once",
        )  # fmt: skip


def _find(name: str) -> str:
    found = find_program(name)
    assert found is not None, f"{name} is not installed"
    return found


def _run(command: Sequence[str], tree: Path, environ: dict[str, str]) -> _Cost:
    """Return what a command costs, its processes included; findings are no failure."""
    before, began = os.times(), time.perf_counter()
    done = subprocess.run(command, cwd=tree, env=environ, capture_output=True, check=False)
    wall_s, after = time.perf_counter() - began, os.times()
    assert done.returncode in (0, 1), done.stderr.decode()
    used = after.children_user + after.children_system
    return _Cost(wall_s, used - before.children_user - before.children_system)


def _write_tree(folder: Path) -> Path:
    """Copy real packages into a workspace, and write the rules for each of the peers."""
    tree = folder / "tree"
    names = [f"r{number:02}" for number in range(len(_PATTERNS))]
    for number, file in enumerate(_list_sources()):
        place = tree / f"p{number // _N_A_FOLDER:02}" / f"{number:04}_{file.name}"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.read_bytes())
    (tree / "one.py").write_text("x = 1\n", encoding="utf-8")
    (tree / "glossator.toml").write_text(_SETTINGS, encoding="utf-8")
    (tree / "knowledge").mkdir()
    rules = zip(names, _PATTERNS, strict=True)
    ours = "\n".join(
        f"- Rule {name}. {{#{name}}}\n\n  ```check\n  language: python\n  rule:\n"
        f"    pattern: '{pattern}'\n  ```\n"
        for name, pattern in rules
    )
    (tree / "knowledge/rules.md").write_text(f"# Rules\n\n{ours}", encoding="utf-8")
    (folder / "sgconfig.yml").write_text("ruleDirs: [rules]\n", encoding="utf-8")
    (folder / "rules").mkdir()
    theirs = ["rules:"]
    for name, pattern in zip(names, _PATTERNS, strict=True):
        head = f"id: {name}\nlanguage: python\nseverity: warning\nmessage: Rule {name}.\n"
        rule = f"{head}rule:\n  pattern: '{pattern}'\n"
        (folder / f"rules/{name}.yml").write_text(rule, encoding="utf-8")
        theirs.append(
            f"- {{id: {name}, languages: [python], severity: WARNING, message: m, "
            f"pattern: '{pattern.replace('$$$', '...')}'}}"
        )
    (folder / "semgrep.yml").write_text("\n".join(theirs) + "\n", encoding="utf-8")
    return tree


def _list_sources() -> list[Path]:
    """Return Python files of what is installed here, in the order of their names."""
    folders = (sysconfig.get_path("purelib"), sysconfig.get_path("stdlib"))
    files = chain.from_iterable(sorted(Path(folder).rglob("*.py")) for folder in folders)
    wanted = dict.fromkeys(file for file in files if file.stat().st_size in _SIZES_BYTES)
    return list(wanted)[:N_FILES]
