"""`@path` in a CLAUDE.md: what brings in a file, and what only looks like it."""

import pytest

from glossator.instructions.importing import find_imports


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("See @README and @package.json.", ["README", "package.json"]),
        ("- a\n- @docs/x.md, then\n  @./y.md", ["docs/x.md", "./y.md"]),
        ("**@docs/a_b_c.md**", ["docs/a_b_c.md"]),
        ("(@docs/x.md)", ["docs/x.md"]),
        ("| @docs/x.md |", ["docs/x.md"]),
        ("@my\\ notes.md", ["my notes.md"]),
        ("参见@docs/style.md中的规范", ["docs/style.md"]),
        ("遵循@文档/规范.md。", ["文档/规范.md"]),
        ("见：@文档/规范.md，@文档/测试.md。", ["文档/规范.md", "文档/测试.md"]),
        ("@~/.claude/me.md", ["~/.claude/me.md"]),
        ("@x.md and again @x.md", ["x.md"]),
        ("<details>\n@x.md\n</details>", ["x.md"]),
        ("# @x.md\n\n> @y.md", ["x.md", "y.md"]),
        ("`@x.md`", []),
        ("`` `@x.md` ``", []),
        ("```\n@x.md\n```", []),
        ("~~~\n@x.md\n~~~", []),
        ("text\n\n    @x.md\n", []),
        ("<!-- @x.md -->", []),
        ("mail me@example.com", []),
        ("a/@x.md", []),
        ("@", []),
        ("@ x.md", []),
        ("@@x.md", []),
    ],
)
def test_an_import_stands_alone_and_outside_of_code(text: str, paths: list[str]) -> None:
    assert [imported.path for imported in find_imports(text)] == paths


def test_the_line_of_an_import_is_told() -> None:
    text = "# Title\n\nfirst\nsecond @x.md\n\n```\n@no.md\n```\n\n- @y.md\n"

    assert [(each.line, each.path) for each in find_imports(text)] == [(4, "x.md"), (10, "y.md")]


@pytest.mark.parametrize(
    ("written", "is_certain"),
    [
        ("@docs/x.md", True), ("@./docs", True), ("@../x", True), ("@/etc/x", True),
        ("@alice", False), ("@types/node", False), ("@org/team", False),
    ],
)  # fmt: skip
def test_what_may_be_a_name_of_another_kind_is_no_certain_path(
    written: str, is_certain: bool
) -> None:
    [imported] = find_imports(f"by {written} today")

    assert imported.is_certain == is_certain


def test_a_text_full_of_imports_is_cut_and_quick() -> None:
    assert len(find_imports(" ".join(f"@a{number}.md" for number in range(5_000)))) == 100
