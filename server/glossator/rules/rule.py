"""What a rule is: a convention in prose, the checks compiled from it, and the proof that they work.

A rule is one list item of a Markdown file. Below its text may stand fenced blocks: `check` (YAML,
ast-grep's rule language) and examples such as `python bad` and `python good`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Severity = Literal["error", "warning", "information", "hint"]
ExampleKind = Literal["good", "bad"]

SEVERITIES: tuple[str, ...] = get_args(Severity)

# The grammars that ast-grep has and Glossator's own outline knows, by the names both use.
LANGUAGES = (
    "python", "javascript", "typescript", "tsx", "go", "java", "rust", "c", "cpp", "csharp",
    "ruby", "php",
)  # fmt: skip

_ALIASES = {
    "py": "python",
    "js": "javascript",
    "jsx": "javascript",
    "javascriptreact": "javascript",
    "ts": "typescript",
    "typescriptreact": "tsx",
    "golang": "go",
    "rs": "rust",
    "c++": "cpp",
    "cs": "csharp",
    "c#": "csharp",
    "rb": "ruby",
}


@dataclass(frozen=True, slots=True)
class Check:
    """A rule compiled to a syntax query.

    `config` holds what ast-grep takes (`rule`, `constraints`, `utils`, `transform`). `message` and
    `fix` may name metavariables of the rule; `fix` is empty when there is no mechanical repair.
    `files` and `ignores` are globs that narrow where the check applies, beside the rule's own.
    """

    languages: tuple[str, ...]
    severity: Severity
    message: str
    config: Mapping[str, Any] = field(hash=False)
    fix: str = ""
    files: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Example:
    """Code that a rule's check must flag (`bad`) or must leave alone (`good`).

    `line` is the first line of the code in the rule's file.
    """

    kind: ExampleKind
    language: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Rule:
    """One convention. `line` and `last_line` are those of its list item in the file `path`.

    `text` is the item's first paragraph, `rationale` what else it says in words. `globs` are the
    files it is meant for; none means all.
    """

    id: str
    text: str
    rationale: str
    path: str
    line: int
    last_line: int
    origin: str
    document: str
    globs: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """Something in a rule that was not used as written; `rule_id` is empty when it has none."""

    path: str
    line: int
    rule_id: str
    message: str


def find_rule_language(name: str) -> str | None:
    """Return the language that `name` stands for in a check or an example, or None."""
    name = name.strip().lower()
    name = _ALIASES.get(name, name)
    return name if name in LANGUAGES else None
