"""Every family's headers, with the traps that they are known for."""

import pytest

from glossator.core.globs import matches_any
from glossator.instructions.places import Form
from glossator.instructions.reading import Home, parse_instructions
from glossator.knowledge.documents import Document, Family

FAMILY: dict[Form, Family] = {
    "plain": "agents",
    "cursor-rule": "cursor",
    "claude-rule": "claude",
    "copilot-rule": "copilot",
}
NAME: dict[Form, str] = {
    "plain": "AGENTS.md",
    "cursor-rule": ".cursor/rules/go.mdc",
    "claude-rule": ".claude/rules/go.md",
    "copilot-rule": ".github/instructions/go.instructions.md",
}


def read(form: Form, header: str, *, home: str = "", body: str = "Text.\n") -> Document:
    text = f"---\n{header}\n---\n{body}" if header else body
    path = f"{home}/{NAME[form]}" if home else NAME[form]
    return parse_instructions(text, path=path, family=FAMILY[form], form=form, home=home)


def messages(document: Document) -> str:
    return "\n".join(f"{each.line} {each.message}" for each in document.problems)


def mode_of(document: Document) -> str:
    if document.always:
        return "always"
    if document.globs:
        return "files"
    return "manual" if document.manual else "described"


@pytest.mark.parametrize(
    ("header", "mode"),
    [
        ("alwaysApply: true", "always"),
        ("alwaysApply: true\nglobs: *.go", "always"),
        ("alwaysApply: True\ndescription: x", "always"),
        ("alwaysApply：true", "always"),
        ("alwaysApply:true", "always"),
        ("globs: **/*.go\nalwaysApply: false", "files"),
        ("globs: *.go", "files"),
        ("description: How we write Go\nglobs: *.go", "files"),
        ("description: Use when: writing Go\nglobs:\nalwaysApply: false", "described"),
        ("description: 写 Go 时使用 # 注意", "described"),
        ("globs:\nalwaysApply: false", "manual"),
        ("", "manual"),
        ('alwaysApply: "true"', "manual"),
        ("alwaysApply: 'true'\nglobs: *.go", "files"),
        ("always: true", "manual"),
        ("alwaysApply: perhaps", "manual"),
    ],
)
def test_a_cursor_rule_has_one_of_four_modes(header: str, mode: str) -> None:
    assert mode_of(read("cursor-rule", header)) == mode


@pytest.mark.parametrize(
    ("header", "globs"),
    [
        ("globs: **/*.go", ("**/*.go",)),
        ("globs: *.ts, *.tsx", ("*.ts", "*.tsx")),
        ('globs: "*.ts", "*.tsx"', ("*.ts", "*.tsx")),
        ('globs: "*.ts,*.tsx"', ("*.ts", "*.tsx")),
        ('globs: ["*.ts", "*.tsx"]', ("*.ts", "*.tsx")),
        ("globs: [**/*.ts, **/*.tsx]", ("**/*.ts", "**/*.tsx")),
        ("globs:\n  - *.ts\n  - *.tsx", ("*.ts", "*.tsx")),
        ("globs:\n- '*.ts'\n- '*.tsx'", ("*.ts", "*.tsx")),
        ("globs:\n\t- *.ts", ("*.ts",)),
        ("globs: {a,b}/**", ("{a,b}/**",)),
        ("globs: src/**/*.{ts,tsx}, docs/**", ("src/**/*.{ts,tsx}", "docs/**")),
        ("globs：*.py，*.pyi", ("*.py", "*.pyi")),
        ("globs: *.py # 所有 Python 文件", ("*.py",)),
        ("globs: 源码/**", ("源码/**",)),
        ("globs: ''", ()),
        ("globs: null", ()),
        ("globs: *.ts\nglobs: *.tsx", ("*.tsx",)),
        ("  globs: *.ts\n  alwaysApply: false", ("*.ts",)),
    ],
)
def test_globs_are_read_however_they_are_written(header: str, globs: tuple[str, ...]) -> None:
    assert read("cursor-rule", header).globs_written == globs


@pytest.mark.parametrize("start", ["\ufeff", "", "\n", "\r\n\r\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_byte_order_mark_line_ends_and_blank_lines_hide_no_header(start: str, end: str) -> None:
    text = start + "---\nglobs: *.go\n---\n规则\n".replace("\n", end)

    document = parse_instructions(text, path="a.mdc", family="cursor", form="cursor-rule")

    assert document.globs == ("*.go",)
    assert document.body.strip() == "规则"


@pytest.mark.parametrize(
    ("form", "header", "said"),
    [
        ("cursor-rule", 'alwaysApply: "true"', '2 `alwaysApply: "true"` is text in quotes'),
        ("cursor-rule", "alwaysAply: true", "2 `alwaysAply` is not a key; did you mean"),
        ("cursor-rule", "glob: *.go", "2 `glob` is not a key; did you mean `globs`?"),
        ("cursor-rule", "globs: *.a\nglobs: *.b", "3 `globs` stands twice"),
        ("cursor-rule", "globs: **/*.go", "2 The value of `globs` is not valid YAML"),
        ("cursor-rule", "description: Use when: x", "2 The value of `description` is not valid"),
        ("cursor-rule", "description: 使用 # 注意", "YAML takes what follows `#`"),
        ("cursor-rule", "alwaysApply: true\nglobs: *.go", "3 `globs` narrows nothing here"),
        ("claude-rule", "globs: *.go", "2 `globs` is not a key of this file; did you mean `paths`"),
        ("claude-rule", "path: *.go", "2 `path` is not a key; did you mean `paths`?"),
        ("copilot-rule", "apply_to: '**'", "2 `apply_to` is not a key; did you mean `applyTo`?"),
        ("copilot-rule", "paths: '**'", "2 `paths` is not a key of this file; did you mean `app"),
        ("copilot-rule", "applyTo: '*.py'\nexcludeAgent: me", "3 `me` is no agent"),
        ("plain", "globs: *.go", "2 `globs` means nothing in this file"),
    ],
)
def test_what_is_not_as_its_tool_reads_it_is_said_with_its_line(
    form: Form, header: str, said: str
) -> None:
    assert said in messages(read(form, header))


@pytest.mark.parametrize(
    ("form", "header"),
    [
        ("cursor-rule", "description: Go\nglobs: src/a.go\nalwaysApply: false\nowner: me"),
        ("claude-rule", "paths: src/a.go\nversion: 2"),
        ("copilot-rule", "applyTo: src/a.go\nexcludeAgent: code-review\nauthor: me"),
        ("plain", ""),
    ],
)
def test_keys_of_other_tools_are_no_problem(form: Form, header: str) -> None:
    assert messages(read(form, header)) == ""


@pytest.mark.parametrize(
    ("header", "globs", "mode"),
    [
        ("applyTo: **/*.py", ("**/*.py",), "files"),
        ("applyTo: '**/*.ts,**/*.tsx'", ("**/*.ts", "**/*.tsx"), "files"),
        ("applyTo: '*'", ("*",), "always"),
        ("applyTo: '**'", ("**",), "always"),
        ("applyTo: **/*", ("**/*",), "always"),
        ("description: 数据库访问规范", (), "described"),
        ("", (), "manual"),
    ],
)
def test_copilot_instructions_apply_to_their_globs(
    header: str, globs: tuple[str, ...], mode: str
) -> None:
    document = read("copilot-rule", header)

    assert document.globs_written == globs
    assert mode_of(document) == mode


def test_copilot_instructions_may_exclude_an_agent() -> None:
    assert read("copilot-rule", "excludeAgent: 'code-review'").excludes == ("code-review",)


def test_a_claude_rule_without_paths_is_for_all_files() -> None:
    assert mode_of(read("claude-rule", "")) == "always"
    assert mode_of(read("claude-rule", "paths:\n  - src/**")) == "files"


@pytest.mark.parametrize("form", ["cursor-rule", "claude-rule", "copilot-rule"])
@pytest.mark.parametrize(
    ("glob", "path", "is_named"),
    [
        ("**/*.py", "a.py", True),
        ("**/*.py", "src/deep/a.py", True),
        ("src/**", "src/deep/a.py", True),
        ("src/**", "lib/src.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/test/*.py", "src/x/y/test/a.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("{src,lib}/**/*.{py,pyi}", "lib/a.pyi", True),
        ("{src,lib}/**", "docs/a.py", False),
        ("./src/**", "src/a.py", True),
        ("/src/**", "src/a.py", True),
        ("文档/**/*.md", "文档/深/规范.md", True),
        ("*.py", "a.py", True),
    ],
)
def test_globs_on_which_all_dialects_agree(
    form: Form, glob: str, path: str, is_named: bool
) -> None:
    key = {"cursor-rule": "globs", "claude-rule": "paths", "copilot-rule": "applyTo"}[form]

    document = read(form, f'{key}: "{glob}"' if "," not in glob else f"{key}:\n  - '{glob}'")

    assert matches_any(document.globs, path) == is_named


@pytest.mark.parametrize(
    ("glob", "path", "cursor", "claude", "copilot"),
    [
        ("*.py", "src/a.py", True, False, False),
        ("docs/*", "docs/deep/a.md", True, False, False),
        ("docs/", "docs/deep/a.md", True, True, True),
        ("docs", "src/docs/a.md", True, False, False),
        ("*/a.py", "x/a.py", True, True, True),
        ("*/a.py", "x/y/a.py", False, False, False),
    ],
)
def test_each_dialect_has_its_own_idea_of_a_star(
    glob: str, path: str, cursor: bool, claude: bool, copilot: bool
) -> None:
    found = [
        matches_any(read(form, f"{key}: '{glob}'").globs, path)
        for form, key in (
            ("cursor-rule", "globs"),
            ("claude-rule", "paths"),
            ("copilot-rule", "applyTo"),
        )
    ]

    assert found == [cursor, claude, copilot]


@pytest.mark.parametrize(
    ("glob", "path", "is_named"),
    [
        ("*.py", "pkg/api/deep/a.py", True),
        ("*.py", "pkg/a.py", False),
        ("src/*.py", "pkg/api/src/a.py", True),
        ("src/*.py", "src/a.py", False),
        ("**/*.py", "pkg/api/a.py", True),
        ("pkg/api/src/**", "pkg/api/src/a.py", True),
    ],
)
def test_globs_of_a_nested_rule_begin_in_its_folder(glob: str, path: str, is_named: bool) -> None:
    document = read("cursor-rule", f"globs: {glob}", home="pkg/api")

    assert matches_any(document.globs, path) == is_named
    assert document.globs_written == (glob,)


def test_a_home_in_one_of_several_workspace_folders_is_shown_with_its_name() -> None:
    home = Home(shown="backend/pkg", scope="pkg")

    document = parse_instructions(
        "---\nglobs: *.go\n---\nText\n",
        path="backend/pkg/.cursor/rules/a.mdc", family="cursor", form="cursor-rule", home=home,
    )  # fmt: skip

    assert document.home == "backend/pkg"
    assert matches_any(document.globs, "pkg/deep/a.go")


@pytest.mark.parametrize(
    ("form", "header", "name"),
    [
        ("plain", "", "AGENTS.md"),
        ("cursor-rule", "globs: *.go", "go"),
        ("claude-rule", "", "go"),
        ("copilot-rule", "applyTo: '**'", "go"),
        ("copilot-rule", "name: Go 规范\napplyTo: '**'", "Go 规范"),
    ],
)
def test_documents_are_called_what_people_call_them(form: Form, header: str, name: str) -> None:
    document = read(form, header)

    assert document.name == name
    assert {section.document for section in document.sections} == {name}


def test_invisible_characters_are_a_problem_of_the_file() -> None:
    assert "invisible" in messages(read("plain", "", body="Be kind.\u200b\n"))


@pytest.mark.parametrize(
    "header", ["globs: [" * 2_000, "a: &x\nglobs: *x", "globs: " + "*" * 9_999]
)
def test_a_hostile_header_is_read_in_no_time_and_harms_nothing(header: str) -> None:
    assert read("cursor-rule", header).body == "Text.\n"
