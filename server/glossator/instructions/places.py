"""Where teams keep what they tell assistants, by name: which file is whose, and what it speaks for.

A file is told from its path below a workspace folder alone; whether it is there is not asked here.
"""

from dataclasses import dataclass
from typing import Literal

from glossator.knowledge.documents import Family

Form = Literal["plain", "cursor-rule", "claude-rule", "copilot-rule"]
"""How a file is read: as plain text that always counts, or by a header of one of three kinds."""

IN_ANY_FOLDER: dict[str, Family] = {
    "AGENTS.local.md": "agents",
    "AGENTS.md": "agents",
    "AGENT.md": "agents",
    "CLAUDE.local.md": "claude",
    "CLAUDE.md": "claude",
    ".claude/CLAUDE.local.md": "claude",
    ".claude/CLAUDE.md": "claude",
    ".cursorrules": "cursor",
}
"""Files that speak for the folder they stand in, the more personal first."""

AT_THE_TOP: dict[str, Family] = {".github/copilot-instructions.md": "copilot"}

WATCHED_GLOBS = (
    "**/{AGENTS,AGENT,AGENTS.local,CLAUDE,CLAUDE.local}.md",
    "**/.cursorrules",
    "**/.cursor/rules/**",
    "**/.claude/**/*.md",
    "**/.github/copilot-instructions.md",
    "**/.github/instructions/**/*.md",
)
"""What an editor is asked to watch."""


@dataclass(frozen=True, slots=True)
class RuleFolder:
    """A folder with one file for each rule, by the end of their names.

    `other` is an end that people give such files and that no tool reads.
    """

    path: str
    family: Family
    form: Form
    suffix: str
    other: str = ""
    is_at_top: bool = False


RULE_FOLDERS = (
    RuleFolder(".cursor/rules", "cursor", "cursor-rule", ".mdc", other=".md"),
    RuleFolder(".claude/rules", "claude", "claude-rule", ".md"),
    RuleFolder(
        ".github/instructions", "copilot", "copilot-rule", ".instructions.md", ".md", is_at_top=True
    ),
)

TOOL_FOLDERS = frozenset({".cursor", ".claude", ".github", ".agents"})
"""They speak for the folder that they stand in, never for themselves."""

_ENDINGS = tuple(f"/{name.casefold()}" for name in (*IN_ANY_FOLDER, *AT_THE_TOP))
_WITHIN = tuple(f"/{folder.path}/" for folder in RULE_FOLDERS)


def is_instruction_path(path: str) -> bool:
    """Say whether a posix path may be that of instructions, whatever folder it begins in."""
    folded = f"/{path}".casefold()
    return folded.endswith(_ENDINGS) or any(within in folded for within in _WITHIN)


def order_of(path: str, family: Family) -> int:
    """Return the place of a file among those of one folder: what is personal comes first."""
    names = [*IN_ANY_FOLDER, *AT_THE_TOP]
    for number, name in enumerate(names):
        if f"/{path}".casefold().endswith(f"/{name.casefold()}"):
            return number
    return len(names) + ("agents", "claude", "cursor", "copilot").index(family)
