"""Precision of the rules that ship, from the findings that were read and labelled.

    cd tests && python -m benchmarks.rules_precision

Prints a Markdown table with a row for each rule with a check: how many of its findings were read,
how many of them were false, and the share that was right. Then the sample that a second reader drew
from other packages, as it was and as it is reported now. Exit code 1: a rule is below its bound.
"""

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from glossator.rules.parse import parse_rules
from glossator.rules.rule import Rule

ROOT = Path(__file__).parents[2]
LABELS = ROOT / "docs" / "rules-precision.csv"
INDEPENDENT = ROOT / "docs" / "rules-precision-independent.csv"
COLUMNS = ("package", "version", "path", "line", "rule", "label", "reason")
# With fewer findings read, one false one says little: the examples prove the rule then.
ENOUGH = 20
MAX_FALSE = 0.05


@dataclass(frozen=True, slots=True)
class Label:
    """A finding that a person read: `is_true` when a reviewer would accept the remark."""

    package: str
    version: str
    path: str
    line: int
    rule_id: str
    is_true: bool
    reason: str
    # Of the independent sample: whether the narrowed rule still reports it (`yes`, `no`), or
    # `drawn` for what was drawn after the narrowing.
    after: str = ""


@dataclass(frozen=True, slots=True)
class Precision:
    """How a rule did: findings read, and how many of them were false."""

    rule_id: str
    n_read: int
    n_false: int

    @property
    def is_good(self) -> bool:
        """Under 5 % false; one false finding is let pass only where few were there to read."""
        if self.n_read < ENOUGH:
            return self.n_false == 0
        return self.n_false / self.n_read < MAX_FALSE

    @property
    def row(self) -> str:
        share = f"{1 - self.n_false / self.n_read:.0%}" if self.n_read else ""
        return f"| `{self.rule_id}` | {self.n_read} | {self.n_false} | {share} |"


def read_labels(path: Path = LABELS) -> list[Label]:
    """Return the labelled findings. Raises `ValueError` for a row that is not one."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) not in (COLUMNS, (*COLUMNS, "after")):
            raise ValueError(f"{path.name}: the columns are {', '.join(COLUMNS)} and maybe after")
        return [_read_label(row) for row in reader]


def read_shipped_rules() -> list[Rule]:
    """Return the rules of `knowledge/` and `skills/`."""
    return [
        rule
        for path in sorted([*ROOT.glob("knowledge/*.md"), *ROOT.glob("skills/*.md")])
        for rule in parse_rules(
            path.read_text(encoding="utf-8"),
            path=path.relative_to(ROOT).as_posix(),
            document=path.stem,
            origin="bundled",
            every_item=path.parent.name == "skills",
        )[0]
    ]


def measure(labels: Iterable[Label], rules: Iterable[Rule]) -> list[Precision]:
    """Return how each rule with a check did, in the order of the files."""
    labels = list(labels)
    read = Counter(label.rule_id for label in labels)
    false = Counter(label.rule_id for label in labels if not label.is_true)
    return [
        Precision(rule.id, read[rule.id], false[rule.id])
        for rule in rules
        if rule.kind == "compiled"
    ]


def render(results: Sequence[Precision]) -> str:
    """Return the table, with the sum in its last row."""
    n_read, n_false = (
        sum(result.n_read for result in results),
        sum(result.n_false for result in results),
    )
    lines = ["| rule | read | false | right |", "|---|---|---|---|"]
    lines += [result.row for result in results]
    lines.append(Precision("all", n_read, n_false).row.replace("`", ""))
    return "\n".join(lines)


def main() -> int:
    """Print the tables."""
    rules = read_shipped_rules()
    results = measure(read_labels(), rules)
    print(render(results))
    independent = read_labels(INDEPENDENT)
    for title, labels in (
        ("Before narrowing", [label for label in independent if label.after != "drawn"]),
        ("Still reported", [label for label in independent if label.after == "yes"]),
        ("Drawn after narrowing", [label for label in independent if label.after == "drawn"]),
    ):
        print(f"\n{title}\n")
        print(render([each for each in measure(labels, rules) if each.n_read]))
    below = [result.rule_id for result in results if not result.is_good]
    if below:
        print(f"below the bound: {', '.join(below)}", file=sys.stderr)
    return int(bool(below))


def _read_label(row: dict[str, str]) -> Label:
    if row["label"] not in ("true", "false"):
        raise ValueError(f"`{row['label']}` is not a label; use true or false")
    return Label(
        package=row["package"],
        version=row["version"],
        path=row["path"],
        line=int(row["line"]),
        rule_id=row["rule"],
        is_true=row["label"] == "true",
        reason=row["reason"],
        after=row.get("after", ""),
    )


if __name__ == "__main__":
    sys.exit(main())
