"""What is right, or might be, is left alone: a finding that is none costs more than one missed."""

from collections.abc import Mapping

import pytest

from glossator.linting.surroundings import Limits
from unit.linting.desk import lint

PACKAGE = '{"scripts": {"build": "x"}}'
FILES = {
    "package.json": PACKAGE,
    "packages/web/package.json": '{"scripts": {"dev": "x"}}',
    "Makefile": "include more.mk\n%.pdf: %.md\n\ttrue\ntest: ; true\n",
    "more.mk": "lint:\n\ttrue\n",
    "src/app.py": "1\n2\n3\n",
    "docs/风格 指南.md": (
        "# 风格 `Weak<T>` 指南\n\n## A.b_c\n\n## 重复\n\n## 重复\n\n<a id='hand'></a>\n"
    ),
    "docs/img/图.png": "",
}


def codes(path: str, text: str, files: Mapping[str, str] = FILES, **around: object) -> list[str]:
    ignored = frozenset({"dist", "node_modules"})
    found = lint(path, text, files=files, ignored=ignored, **around)  # type: ignore[arg-type] # passed on
    return [finding.code for finding in found]


@pytest.mark.parametrize(
    "line",
    [
        "[x](docs/风格%20指南.md#重复-1)",
        "[x](<docs/风格 指南.md#ab_c>)",
        "[x](docs/风格%20指南.md#风格-weakt-指南)",
        "[x](docs/风格%20指南.md#hand)",
        "![图](docs/img/图.png 'Title') and [x](#t)",
        "[x](https://example.org/gone.md) [y](mailto:a@b.c) [z](//cdn.example/x.js)",
        "[x](/site/root) [x]() `[x](gone.md)` <!-- [x](gone.md) -->",
        "[x](<docs>) [x]({{url}}) [x](../../outside.md) [x](src/app.py#L2)",
        "[page](../std/vec/index.html) [x](./docs)",
        "See `src/app.py:3`, `src/gone.py:3`, `http://a/b.py:80` and `app.py:9`.",
        "Create `src/new.py`; put it into `dist/app.js`; see `node_modules/x/y.js`.",
        "Not here: `path/to/file.py`, `foo/bar.py`, `a/b`, `and/or`, `org/repo`, `src/*.py`.",
        "不要使用 `src/old.py`。",
        "`npm run build`, `npm install`, `npm run <name>`, `npm start`, `npm run build -- --x`.",
        "Run `npm run dev -w web`, `pnpm --filter web run dev`, `yarn run eslint`, `npm run $X`.",
        "In `packages/web`: `npm run dev`.",
        "Run `make test`, `make lint`, `make a.pdf`, `make src/app.py`, `make X=1`, `make -f o x`.",
        "Run `python script.py`, `python -m gone`, `python path/to/x.py`, `./gradlew build`.",
        "Run `cargo install x`, `go install x@latest`, `pytest -k gone`, `pytest tests`.",
        "Use `cargo`, `go` or `just`; `docker run x`; `poetry new x`; `make -C other test`.",
        "🙂 中文，English; `code`.",
    ],
)
def test_a_line_that_is_right_is_left_alone(line: str) -> None:
    assert codes("AGENTS.md", f"# T\n\n{line}\n") == []


@pytest.mark.parametrize(
    "block",
    [
        "```\nnpm run gone\n```",
        "```python\n./scripts/gone.sh\n```",
        "```bash\ncd packages/web && npm run dev\n```",
        "```bash\ncd packages/web\nnpm run dev\n```",
        "```bash\ncd ~/elsewhere\nnpm run gone\n```",
        "```console\n$ npm run build\nnpm run gone\n```",
        "```sh\n# npm run gone\ncat <<EOF\nnpm run gone\nEOF\n```",
        "```bash\nif true; then make test; fi\n```",
    ],
)
def test_a_block_that_is_right_is_left_alone(block: str) -> None:
    assert codes("AGENTS.md", f"# T\n\n{block}\n") == []


@pytest.mark.parametrize(
    ("path", "header"),
    [
        ("knowledge/a.md", "name: a\ndescription: What we do, and when.\nkeywords: [发布, 上线]"),
        ("knowledge/a.md", 'globs: ["src/**/*.py", "!src/gen/**", "docs/**"]\nauthor: me'),
        ("knowledge/a.md", "description: >\n  Folded: text # with marks\nalways: 是"),
        ("knowledge/a.md", "globs:\n  - '*.py' # ours\n  - \"dist/**\""),
        ("knowledge/a.md", "title: x\nlicense: MIT\nmetadata:\n  a: b"),
        (".cursor/rules/a.mdc", 'description:\nglobs: "*.py,*.md"\nalwaysApply: false'),
        (".cursor/rules/a.mdc", "description: d\nglobs:\nalwaysApply: true"),
        (".github/instructions/a.instructions.md", "applyTo: 'src/*.py,**/*.md'"),
        (".github/instructions/a.instructions.md", "applyTo: '**'\nexcludeAgent: code-review"),
        (".claude/rules/a.md", "paths:\n  - src/**"),
        ("skills/pdf/SKILL.md", "name: pdf\ndescription: d\nlicense: MIT\nmetadata:\n  a: b"),
        ("skills/发布/SKILL.md", "name: 发布\ndescription: 发布\nallowed-tools: Bash Read"),
    ],
)
def test_a_header_that_is_right_is_left_alone(path: str, header: str) -> None:
    assert codes(path, f"---\n{header}\n---\n# T\n\nWords about releases.\n") == []


def test_a_thematic_break_is_no_header() -> None:
    assert codes("AGENTS.md", "---\n\nText below a line.\n\n---\n\nMore.\n") == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("- Indent Python with 4 spaces.", "- Indent YAML with 2 spaces."),
        ("- Indent with spaces.", "- Use 2 spaces for indentation."),
        ("- Always log errors.", "- Never log errors twice."),
        ("- Never commit secrets, unless they are encrypted.", "- Always commit secrets."),
        ("- Use `$effect()` sparingly.", "- Avoid `$effect()`; use `$derived()`."),
        ("## Don't\n\n- Use global state.", "- Never use global state."),
        ("- 必须写测试。", "- 不要写测试以外的代码。"),
        ("- Say yes.", "- Say no."),
    ],
)
def test_rules_that_can_both_be_followed_do_not_contradict(first: str, second: str) -> None:
    files = {"CLAUDE.md": f"# C\n\n{second}\n"}

    assert "contradiction" not in codes("AGENTS.md", f"# T\n\n{first}\n", files)


def test_a_nearer_folder_may_say_otherwise_and_say_it_again() -> None:
    files = {
        "web/AGENTS.md": "# W\n\n- Never commit generated files.\n"
        "- Amounts are kept in cents as whole numbers.\n"
    }
    text = (
        "# T\n\n- Always commit generated files.\n- Amounts are kept in cents as whole numbers.\n"
    )

    assert codes("AGENTS.md", text, files) == []


def test_rules_for_different_files_do_not_contradict() -> None:
    one = '---\nglobs: "*.py"\n---\n- Use double quotes.\n'
    two = '---\nglobs: "*.ts"\n---\n- Use single quotes.\n'
    files = {".cursor/rules/b.mdc": two, "a.py": "", "a.ts": ""}

    assert codes(".cursor/rules/a.mdc", one, files) == []


def test_an_import_in_code_or_of_a_package_or_person_is_none() -> None:
    text = (
        "# T\n\nAsk @alice about `@docs/gone.md` and @types/node, a@b.md.\n\n```\n@gone.md\n```\n"
    )

    assert codes("CLAUDE.md", text) == []


def test_globs_are_not_judged_where_not_all_files_are_known() -> None:
    text = '---\nglobs: ["*.zig"]\n---\n# T\n\nWords about releases.\n'

    assert codes("knowledge/a.md", text, is_complete=False) == []


def test_a_changelog_tells_what_was_there_once() -> None:
    text = "# T\n\nThe entry was `src/gone.py`.\n"

    assert codes("docs/CHANGELOG.md", text) == []


def test_a_flag_is_made_of_characters_that_are_seen() -> None:
    england = "\U0001f3f4" + "".join(chr(0xE0000 + ord(each)) for each in "gbeng") + "\U000e007f"

    assert "invisible-character" not in codes("AGENTS.md", f"# T\n\n{england} 👩\u200d💻\n")


def test_two_documents_of_one_file_name_are_no_mistake() -> None:
    files = {"knowledge/b/index.md": "# B\n\nWords about deploys.\n"}

    assert codes("knowledge/a/index.md", "# A\n\nWords about releases.\n", files) == []


def test_a_few_shared_keywords_among_many_are_no_collision() -> None:
    def header(words: str) -> str:
        return f"---\nkeywords: [{words}]\n---\n# T\n\nWords about releases.\n"

    files = {"knowledge/a.md": header("timeout, cache, redis, queue")}

    assert codes("knowledge/b.md", header("timeout, http, retry, backoff"), files) == []


def test_a_keyword_that_two_documents_share_is_told_in_one_of_them_with_the_other() -> None:
    text = "---\nkeywords: [release]\n---\n# T\n\nWords about releases.\n"
    first = lint("knowledge/a.md", text, files={"knowledge/b.md": text})
    [told] = [
        each
        for each in lint("knowledge/b.md", text, files={"knowledge/a.md": text})
        if each.code == "shared-keyword"
    ]

    assert "shared-keyword" not in {each.code for each in first}
    assert [each.path for each in told.related] == ["knowledge/a.md"]


def test_what_the_reader_says_is_not_said_twice() -> None:
    text = '---\nalwaysApply: "true"\nglobs: **/*.gone\nname：x\nname: y\n---\n\u200b\n'
    found = lint(".cursor/rules/a.mdc", text)

    assert "unusable" not in {finding.code for finding in found}


def test_many_findings_of_one_code_are_counted_and_the_others_are_still_told() -> None:
    found = lint("AGENTS.md", "# T\n\n" + "[x](gone.md)\n" * 900 + "Run `make gone`.\n")

    dead = [each for each in found if each.code == "dead-link"]
    assert len(dead) == 21
    assert dead[-1].arguments == {"more": "880", "last": "902"}
    assert dead[-1].range.start.line == 23
    assert dead[-1].related[0].first_line == 902
    assert [each.code for each in found if each.code != "dead-link"] == ["missing-file-of-command"]


def test_one_more_than_are_told_one_by_one_is_told_too() -> None:
    found = lint("AGENTS.md", "# T\n\n" + "[x](gone.md)\n" * 21)

    assert all(each.arguments["target"] == "gone.md" for each in found)
    assert len(found) == 21


@pytest.mark.parametrize(
    "text",
    [
        "", "\n", "---", "---\n", "---\n---\n", "---\n:\n", "[" * 5_000, "`" * 5_000,
        "- " * 3_000, "> " * 1_000 + "x", "```", "\ufeff---\nname: a\n---\nx", "a\rb\r\n[x](c.md)",
        "<img src=" * 2_000, "@" * 5_000, "{" * 2_000, "---\nglobs: [" + "{a,b}" * 40 + "]\n---\n",
        "---\nkeywords: [" + "x, " * 5_000 + "]\n---\n", "\u2028" * 50, "\ud800",
        "![](" * 3_000, "| a |\n|--|\n" * 99,
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["AGENTS.md", "knowledge/a.md", "skills/a/SKILL.md", "a/b.mdc"])
def test_nothing_in_a_file_breaks_the_linter(path: str, text: str) -> None:
    found = lint(path, text, limits=Limits())

    lines = text.splitlines() or [""]
    assert all(finding.range.start.line >= 1 for finding in found)
    assert all(finding.range.start.line <= len(lines) + 1 for finding in found)


@pytest.mark.parametrize(
    "globs",
    [
        '"src/**" # ours',
        '["src/**", "**/*.md"] # ours',
        "['src/**'] # a, b",
        "\n  - 'src/**' # ours",
        '"src/**"',
    ],
)
def test_a_comment_behind_globs_is_no_glob(globs: str) -> None:
    text = f"---\npaths: {globs}\n---\n# T\n\nWords about releases.\n"

    assert codes(".claude/rules/a.md", text) == []
