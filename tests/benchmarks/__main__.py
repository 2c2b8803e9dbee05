"""Measure Glossator against a peer or a floor, side by side in one run.

    make bench                                   all parts, a few minutes
    cd tests && python -m benchmarks start code  some parts
    cd tests && python -m benchmarks --list      their names
    cd tests && python -m benchmarks retrieval --set DIR   another set of questions

A clock alone says little about code: machines differ and are busy with other things. So each
number stands beside one of a peer that does the same (a bare pygls server, the SDK's own loop) or
of the least that has to be done (`grep`, a parse), measured in turns with it in the same run.
Nothing here passes or fails: the table says what was measured, the goal, and whether it is met.

Output is one Markdown table on standard output, after those that need columns of their own; what is
under way goes to standard error.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import (
    briefing,
    checking,
    checking_trees,
    citing,
    code_actions,
    imports,
    indexing,
    library,
    meaning,
    responsiveness,
    retrieval,
    rounds,
    rules_per_save,
    start,
    streaming,
)
from benchmarks.measuring import Result, Table, render_table
from benchmarks.places import Ground

PARTS: dict[str, tuple[str, Callable[[Ground], Iterator[Result | Table]]]] = {
    "start": ("process start to the first answers", start.measure),
    "imports": ("when `openai` is imported", imports.measure),
    "code": ("code actions in an open document", code_actions.measure),
    "checks": ("checks on save", checking.measure),
    "trees": ("checks of 2,000 files from the terminal", checking_trees.measure),
    "briefing": ("briefings in a workspace of 5,000 files", briefing.measure),
    "citations": ("the places of an answer in a workspace of 5,000 files", citing.measure),
    "index": ("the index of 2,000 and 50,000 sections", indexing.measure),
    "library": ("a library of 50,000 sections: start and save", library.measure),
    "loop": ("answers while other work goes on", responsiveness.measure),
    "meaning": ("finding by meaning beside words, and what it costs", meaning.measure),
    "retrieval": ("ranking and refusal beside other lexical engines", retrieval.measure),
    "rounds": ("rounds and tokens with the briefing and without", rounds.measure),
    "rules": ("a save with 25 and 100 rules beside ast-grep", rules_per_save.measure),
    "stream": ("CPU and delay of each piece of a streamed answer", streaming.measure),
}


def main() -> int:
    """Run the parts that were named, or all."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)}")
    parser.add_argument("--list", action="store_true", help="list the parts and end")
    parser.add_argument(
        "--set", action="append", default=[], type=Path, metavar="DIR", dest="sets",
        help="a set for `retrieval`, as `data/README.md` describes it; may be repeated",
    )  # fmt: skip
    arguments = parser.parse_args()
    if arguments.list:
        for name, (title, _) in PARTS.items():
            print(f"{name:10} {title}")
        return 0
    unknown = set(arguments.parts) - PARTS.keys()
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}; see --list")
    with tempfile.TemporaryDirectory(prefix="glossator-bench-") as folder:
        ground = Ground(Path(folder).resolve(), arguments.sets)
        results = list(_run(arguments.parts or list(PARTS), ground))
    print(_describe_machine(), end="\n\n")
    print(render_table(results))
    return 0


def _run(names: list[str], ground: Ground) -> Iterator[Result | Table]:
    ground.compile_bytecode()
    for name in names:
        title, measure = PARTS[name]
        began = time.perf_counter()
        print(f"{name}: {title} ...", file=sys.stderr, flush=True)
        yield from measure(ground)
        print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)


def _describe_machine() -> str:
    version = sys.version.split()[0]
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"Python {version}, {os.cpu_count()} cores, load {load} at the end (1 of it is ours)."


if __name__ == "__main__":
    sys.exit(main())
