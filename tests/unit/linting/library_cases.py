"""Rules, sizes and sections, and what is found in them beside other documents."""

from glossator.linting.surroundings import Limits
from unit.linting.case import BODY, Case

CHECK = "language: python\nrule: {pattern: eval($X)}\n"


def rule(check: str = CHECK, *, info: str = "check", after: str = "") -> str:
    """Return a document with one rule and its check."""
    block = "".join(f"  {line}\n" for line in check.splitlines())
    return f"# Rules\n\n- Never call eval. {{#no-eval}}\n\n  ```{info}\n{block}  ```\n{after}"


TWINS = "- Amounts are kept in cents as whole numbers.\n"
RULES = [
    Case(
        "duplicate-rule", "AGENTS.md", f"# T\n\n{TWINS}",
        "- Amounts are kept in cents as whole numbers.",
        files={"CLAUDE.md": f"# C\n\n* **Amounts** are kept in `cents` as whole numbers.\n{BODY}"},
    ),
    Case(
        "duplicate-rule", "AGENTS.md", "# T\n\n- 金额一律以分为单位的整数保存。\n",
        "- 金额一律以分为单位的整数保存。",
        files={"CLAUDE.md": "# C\n\n- 金额一律以分为单位的整数保存\n"},
    ),
    Case(
        "duplicate-document", "CLAUDE.md", "# T\n\n" + "".join(
            f"- Rule number {n} is about the case {n}.\n" for n in range(6)
        ), "# T",
        files={"AGENTS.md": "# A\n\n" + "".join(
            f"- Rule number {n} is about the case {n}.\n" for n in range(6)
        )},
    ),
    Case(
        "duplicate-rule-id", "knowledge/a.md", "# T\n\n- Say yes. {#one}\n", "- Say yes. {#one}",
        files={"knowledge/b.md": "# T\n\n- Say no. {#one}\n"},
    ),
    Case(
        "contradiction", "AGENTS.md", "# T\n\n- Always commit generated files.\n",
        "- Always commit generated files.",
        files={"CLAUDE.md": "# C\n\n- Never commit generated files.\n"},
    ),
    Case(
        "contradiction", "AGENTS.md", "# T\n\n- 必须使用 moment.js。\n", "- 必须使用 moment.js。",
        files={"CLAUDE.md": "# C\n\n- 禁止使用 moment.js\n"},
    ),
    Case(
        "contradiction", "AGENTS.md", "# T\n\n- Indent with tabs.\n", "- Indent with tabs.",
        files={".github/copilot-instructions.md": "# C\n\n- Use 2 spaces for indentation.\n"},
    ),
    Case(
        "contradiction", "AGENTS.md",
        "# T\n\n- Use default exports.\n- Don't use default exports.\n",
        "- Use default exports.",
    ),
    Case(
        "failing-example", "knowledge/a.md", rule(after="\n  ```python bad\n  x = 1\n  ```\n"),
        "x = 1",
    ),
    Case("misspelt-fence", "knowledge/a.md", rule(info="chekc"), "chekc", rule()),
    Case("misspelt-fence", "knowledge/a.md", rule(info="yaml"), "yaml", rule()),
    Case(
        "misspelt-fence", "knowledge/a.md", rule(after="\n  ```python goood\n  x = 1\n  ```\n"),
        "python goood", rule(after="\n  ```python good\n  x = 1\n  ```\n"),
    ),
    Case("check-outside-rule", "knowledge/a.md", f"# T\n\n```check\n{CHECK}```\n", "check"),
    Case(
        "unknown-check-key", "knowledge/a.md",
        rule("langauge: python\nrule: {pattern: eval($X)}\n"),
        "langauge", rule(),
    ),
    Case(
        "broken-rule", "knowledge/a.md", rule("language: python\nrule: {kind: nonsense}\n"),
        "rule: {kind: nonsense}",
    ),
    Case("broken-rule", "knowledge/a.md", "# T\n\n- Say. {#no spaces}\n", "- Say. {#no spaces}"),
]  # fmt: skip

LONG = "word " * 1000
SIZES = [
    Case(
        "over-budget", "skills/pdf/SKILL.md",
        f"---\nname: pdf\ndescription: d\n---\n# T\n\n{'x' * 20_000}\n", "# T",
        limits=Limits(skill_tokens=5000),
    ),
    Case(
        "over-budget", "skills/pdf/SKILL.md",
        "---\nname: pdf\ndescription: d\n---\n# T\n" + "x\n" * 501, "# T",
    ),
    Case("over-budget", "AGENTS.md", f"# T\n\n{LONG}\n", "# T", limits=Limits(500)),
    Case(
        "cut-by-others", "AGENTS.md", "# T\n\nabc\ndef\n", "abc",
        limits=Limits(others_bytes=7),
    ),
    Case("long-section", "knowledge/a.md", "# T\n\n" + f"{'word ' * 200}\n\n" * 6, "# T"),
    Case("long-line", "knowledge/a.md", f"# T\n\n{'字' * 10_001}\n", "字" * 80),
    Case("cut-file", "knowledge/a.md", "# T\n" + "x\n\n" * 15_001, "x"),
]  # fmt: skip

REACH = [
    Case(
        "shared-keyword", "knowledge/a.md", f"---\nkeywords: [release, deploy]\n---\n{BODY}",
        "release", f"---\nkeywords: [deploy]\n---\n{BODY}",
        {"knowledge/0.md": f"---\nkeywords: [Releases, 回滚]\n---\n{BODY}"},
    ),
    Case(
        "shared-keyword", "knowledge/a.md", f"---\nkeywords: [缓存, 发布]\n---\n{BODY}", "发布",
        f"---\nkeywords: [缓存]\n---\n{BODY}",
        {"knowledge/0.md": f"---\nkeywords: [发布]\n---\n{BODY}"},
    ),
    Case(
        "shared-keyword", "knowledge/a.md", f"---\nkeywords: [rollback]\n---\n{BODY}", "rollback",
        f"---\nkeywords: []\n---\n{BODY}",
        {"knowledge/0.md": f"---\nkeywords: [回滚]\n---\n{BODY}"},
    ),
    Case(
        "vague-keyword", "knowledge/a.md", f"---\nkeywords: [how, deploy]\n---\n{BODY}", "how",
        f"---\nkeywords: [deploy]\n---\n{BODY}",
    ),
    Case(
        "vague-keyword", "knowledge/a.md", f"---\nkeywords: [怎么, 部署]\n---\n{BODY}", "怎么",
        f"---\nkeywords: [部署]\n---\n{BODY}",
    ),
    Case(
        "vague-keyword", "knowledge/a.md", f"---\nkeywords: [releases]\n---\n{BODY}", "releases",
        files={f"knowledge/{n}.md": BODY for n in range(12)},
    ),
    Case(
        "same-name", "skills/a/SKILL.md", f"---\nname: a\ndescription: d\n---\n{BODY}", "a",
        files={".claude/skills/a/SKILL.md": f"---\nname: a\ndescription: d\n---\n{BODY}"},
    ),
    Case("empty-document", "knowledge/a.md", "---\nname: a\n---\n\n", "---"),
    Case(
        "empty-section", "knowledge/a.md", f"{BODY}\n## Empty\n\n## Full\n\nMore words.\n",
        "## Empty", f"{BODY}\n## Full\n\nMore words.\n",
    ),
    Case("wordless-section", "knowledge/a.md", "## How\n\nWhat is it for?\n", "## How"),
    Case(
        "repeated-section", "knowledge/a.md", f"# Roll back\n\n{'Words to find. ' * 8}\n",
        "# Roll back", files={"knowledge/b.md": f"# Roll back\n\n{'Words to find. ' * 8}\n"},
    ),
    Case(
        "invisible-character", "AGENTS.md", "# T\n\n发布\u200b\u202e前。\n", "\u200b\u202e",
        "# T\n\n发布前。\n",
    ),
    Case("unusable", "AGENTS.md", f"---\npaths: x\n---\n{BODY}", "paths: x"),
]  # fmt: skip
