"""What a rule is: a convention in prose, the checks compiled from it, and the proof that they work.

A rule is one list item of a Markdown file. Below its text may stand fenced blocks: `check` (YAML,
ast-grep's rule language) and examples such as `python bad` and `python good`.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Severity = Literal["error", "warning", "information", "hint"]
Tag = Literal["unnecessary", "deprecated"]
ExampleKind = Literal["good", "bad"]
RuleKind = Literal["compiled", "judged", "prose"]

SEVERITIES: tuple[str, ...] = get_args(Severity)
TAGS: tuple[str, ...] = get_args(Tag)
DEFAULT_SEVERITY: Severity = "warning"

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
    # Of the other languages, what editors differ in.
    "sh": "shellscript",
    "bash": "shellscript",
    "zsh": "shellscript",
    "md": "markdown",
    "yml": "yaml",
}


# Languages without checks that rules are written about; a name close to none may be any other.
_OTHER_LANGUAGES = (
    "sql", "html", "css", "scss", "less", "json", "jsonc", "yaml", "toml", "xml", "markdown",
    "shellscript", "dockerfile", "makefile", "vue", "svelte", "kotlin", "swift", "scala",
    "dart", "lua", "perl", "r", "powershell", "terraform", "graphql", "groovy", "elixir", "zig",
)  # fmt: skip
_LIKENESS = 0.8


@dataclass(frozen=True, slots=True)
class Check:
    """A rule compiled to a syntax query.

    `config` holds what ast-grep takes (`rule`, `constraints`, `utils`, `transform`). `message` and
    `fix` may name metavariables of the rule; `fix` is empty when there is no mechanical repair.
    `files` and `ignores` are globs that narrow where the check applies, beside the rule's own.
    `tags` say how editors show what it finds: greyed out or struck through.
    """

    languages: tuple[str, ...]
    severity: Severity
    message: str
    config: Mapping[str, Any] = field(hash=False)
    fix: str = ""
    files: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    line: int = 0
    tags: tuple[Tag, ...] = ()


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
    files its document is for, `files` those that the rule itself names; the latter count from
    `home`, the folder (below its workspace folder) whose document it stands in, or from the top.
    `languages` are the names of LANGUAGES or, of others, those that editors use. Of all three, none
    means all. `severity` is that of findings without a check. `link` is a page about the rule.
    `is_judged` says that a model may judge code by the rule where no check does. Of several
    workspace folders it counts in the one named `root`, else in all but those in `roots_without`.
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
    severity: Severity = DEFAULT_SEVERITY
    languages: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    home: str = ""
    link: str = ""
    is_judged: bool = False
    root: str = ""
    roots_without: tuple[str, ...] = ()

    @property
    def kind(self) -> RuleKind:
        """How code is measured by the rule: by a check, by a model, or only by people."""
        if self.checks:
            return "compiled"
        return "judged" if self.is_judged else "prose"


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


def name_language(name: str) -> str:
    """Return the one name for a language that goes by several: `py` and `Python` are `python`."""
    name = name.strip().lower()
    return _ALIASES.get(name, name)


def suggest_language(name: str) -> str:
    """Return the language that a misspelt `name` was probably meant to be, or ""."""
    if name_language(name) in (*LANGUAGES, *_OTHER_LANGUAGES):
        return ""
    known = (*LANGUAGES, *_OTHER_LANGUAGES, *_ALIASES)
    return next(iter(difflib.get_close_matches(name.lower(), known, 1, _LIKENESS)), "")
