"""Headers, and what is found in them."""

from unit.linting.case import BODY, Case

HEADER = [
    Case(
        "unclosed-header", "knowledge/a.md", "---\nname: a\n\n# T\n\nWords.\n", "---",
        "---\nname: a\n---\n\n# T\n\nWords.\n",
    ),
    Case("unclosed-header", "knowledge/a.md", "---\nname: a", "---", "---\nname: a\n---\n"),
    Case(
        "late-header", "knowledge/a.md", f"\n\n---\nname: a\n---\n{BODY}", "---",
        f"---\nname: a\n---\n{BODY}",
    ),
    Case(
        "duplicate-key", "knowledge/a.md", f"---\nname: a\nname: b\n---\n{BODY}", "name",
        f"---\nname: b\n---\n{BODY}",
    ),
    Case(
        "duplicate-key", "knowledge/a.md",
        f"---\nkeywords:\n  - x1\n  - x2\nname: n\nkeywords: [发布]\n---\n{BODY}", "keywords",
        f"---\nname: n\nkeywords: [发布]\n---\n{BODY}",
    ),
    Case(
        "unknown-key", "knowledge/a.md", f"---\nkeyword: [发布]\n---\n{BODY}", "keyword",
        f"---\nkeywords: [发布]\n---\n{BODY}",
    ),
    Case(
        "unknown-key", ".cursor/rules/a.mdc", f"---\nalways_apply: true\n---\n{BODY}",
        "always_apply", f"---\nalwaysApply: true\n---\n{BODY}",
    ),
    Case(
        "unknown-key", ".github/instructions/a.instructions.md",
        f'---\napply-to: "**"\n---\n{BODY}', "apply-to", f'---\napplyTo: "**"\n---\n{BODY}',
    ),
    Case(
        "foreign-key", ".cursor/rules/a.mdc", f"---\napplyTo: '*.md'\n---\n{BODY}", "applyTo",
        f"---\nglobs: '*.md'\n---\n{BODY}",
    ),
    Case(
        "foreign-key", ".github/instructions/a.instructions.md",
        f"---\nglobs: '**/*.md'\n---\n{BODY}", "globs", f"---\napplyTo: '**/*.md'\n---\n{BODY}",
    ),
    Case(
        "foreign-key", ".claude/rules/a.md", f"---\nalwaysApply: true\n---\n{BODY}", "alwaysApply",
    ),
    Case(
        "loose-key", "knowledge/a.md", f"---\nname：发布\n---\n{BODY}", "name",
        f"---\nname: 发布\n---\n{BODY}",
    ),
    Case(
        "loose-key", "knowledge/a.md", f"---\nname:a\n---\n{BODY}", "name",
        f"---\nname: a\n---\n{BODY}",
    ),
    Case("not-an-entry", "knowledge/a.md", f"---\nname: a\nwhat\n---\n{BODY}", "what"),
    Case(
        "unquoted-value", "knowledge/a.md", f"---\ndescription: Use when: x\n---\n{BODY}",
        "Use when: x", f'---\ndescription: "Use when: x"\n---\n{BODY}',
    ),
    Case(
        "unquoted-value", ".cursor/rules/a.mdc", f"---\nglobs: **/*.mdc\n---\n{BODY}", "**/*.mdc",
        f'---\nglobs: "**/*.mdc"\n---\n{BODY}',
    ),
    Case(
        "unquoted-value", "knowledge/a.md", f"---\nglobs: [*.md, *.mdc]\n---\n{BODY}",
        "[*.md, *.mdc]", f'---\nglobs: ["*.md", "*.mdc"]\n---\n{BODY}',
    ),
    Case(
        "unquoted-value", "knowledge/a.md", f'---\ndescription: He said: "x"\n---\n{BODY}',
        'He said: "x"', f"---\ndescription: 'He said: \"x\"'\n---\n{BODY}",
    ),
    Case(
        "value-cut-by-comment", "knowledge/a.md", f"---\ndescription: 发布 # 注意\n---\n{BODY}",
        "发布 # 注意", f'---\ndescription: "发布 # 注意"\n---\n{BODY}',
    ),
    Case(
        "quoted-boolean", ".cursor/rules/a.mdc", f'---\nalwaysApply: "true"\n---\n{BODY}',
        '"true"', f"---\nalwaysApply: true\n---\n{BODY}",
    ),
    Case("wrong-type", "knowledge/a.md", f"---\nkeywords: {{a: b}}\n---\n{BODY}", "keywords"),
    Case("wrong-type", "knowledge/a.md", f"---\ndescription: [a, b]\n---\n{BODY}", "description"),
    Case(
        "wrong-type", ".cursor/rules/a.mdc", f"---\nalwaysApply: ture\n---\n{BODY}", "ture",
        f"---\nalwaysApply: true\n---\n{BODY}",
    ),
    Case(
        "wrong-type", ".cursor/rules/a.mdc", f"---\nalwaysApply: 是\n---\n{BODY}", "是",
        f"---\nalwaysApply: true\n---\n{BODY}",
    ),
]  # fmt: skip

SKILLS = [
    Case("missing-description", "skills/pdf/SKILL.md", f"---\nname: pdf\n---\n{BODY}", "---"),
    Case(
        "missing-description", ".claude/skills/pdf/SKILL.md",
        f"---\nname: pdf\ndescription:\n---\n{BODY}", "description",
    ),
    Case(
        "missing-name", "skills/pdf/SKILL.md", f"---\ndescription: d\n---\n{BODY}", "---",
        f"---\nname: pdf\ndescription: d\n---\n{BODY}",
    ),
    Case(
        "name-not-folder", "skills/pdf/SKILL.md", f"---\nname: doc\ndescription: d\n---\n{BODY}",
        "doc", f"---\nname: pdf\ndescription: d\n---\n{BODY}",
    ),
    Case(
        "name-not-folder", "skills/发布/SKILL.md",
        f"---\nname: 上线\ndescription: 发布\n---\n{BODY}", "上线",
        f"---\nname: 发布\ndescription: 发布\n---\n{BODY}",
    ),
    Case(
        "name-grammar", "skills/pdf/SKILL.md", f"---\nname: PDF_x\ndescription: d\n---\n{BODY}",
        "PDF_x", f"---\nname: pdf\ndescription: d\n---\n{BODY}",
    ),
    Case(
        "name-grammar", "skills/a--b/SKILL.md", f"---\nname: a--b\ndescription: d\n---\n{BODY}",
        "a--b",
    ),
    Case(
        "too-long-value", "skills/pdf/SKILL.md",
        f"---\nname: pdf\ndescription: {'word ' * 250}\n---\n{BODY}", "description",
    ),
    Case(
        "too-long-value", "skills/pdf/SKILL.md",
        f"---\nname: pdf\ndescription: d\ncompatibility: {'x' * 501}\n---\n{BODY}",
        "compatibility",
    ),
]  # fmt: skip

PY = {"app/api/views.py": "", "app/web/page.tsx": ""}
GLOBS = [
    Case("invalid-glob", "knowledge/a.md", f'---\nglobs: ["*.{{ts,js"]\n---\n{BODY}', '"*.{ts,js"'),
    Case(
        "unmatched-glob", "knowledge/a.md", f'---\nglobs: ["api/*.py"]\n---\n{BODY}', '"api/*.py"',
        f'---\nglobs: ["**/api/*.py"]\n---\n{BODY}', PY,
    ),
    Case(
        "unmatched-glob", "knowledge/a.md", f'---\nglobs:\n  - "app/*.py"\n---\n{BODY}',
        '"app/*.py"', f'---\nglobs:\n  - "app/**/*.py"\n---\n{BODY}', PY,
    ),
    Case(
        "unmatched-glob", ".github/instructions/a.instructions.md",
        f'---\napplyTo: "*.py"\n---\n{BODY}', "*.py", f'---\napplyTo: "**/*.py"\n---\n{BODY}', PY,
    ),
    Case(
        "unmatched-glob", ".cursor/rules/a.mdc", f"---\nglobs: web/**/*.tsx, app/**\n---\n{BODY}",
        "web/**/*.tsx", f"---\nglobs: **/web/**/*.tsx, app/**\n---\n{BODY}", PY,
    ),
    Case(
        "unmatched-glob", "knowledge/a.md", f'---\nglobs: ["**/*.jsx"]\n---\n{BODY}',
        '"**/*.jsx"', f'---\nglobs: ["**/*.tsx"]\n---\n{BODY}', PY,
    ),
    Case(
        "unmatched-glob", "knowledge/a.md", f'---\nglobs: ["ap/**/*.py"]\n---\n{BODY}',
        '"ap/**/*.py"', f'---\nglobs: ["app/**/*.py"]\n---\n{BODY}', PY,
    ),
    Case("unmatched-glob", "knowledge/a.md", f'---\nglobs: ["*.zig"]\n---\n{BODY}', '"*.zig"'),
    Case(
        "covered-glob", "knowledge/a.md", f'---\nglobs: ["app/**/*.py", "*.py"]\n---\n{BODY}',
        '"app/**/*.py"', f'---\nglobs: ["*.py"]\n---\n{BODY}', PY,
    ),
    Case(
        "covered-glob", "knowledge/a.md", f'---\nglobs:\n  - "*.py"\n  - "*.py"\n---\n{BODY}',
        '"*.py"', f'---\nglobs:\n  - "*.py"\n---\n{BODY}', PY,
    ),
]  # fmt: skip
