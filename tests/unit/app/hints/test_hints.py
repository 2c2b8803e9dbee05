"""What files of knowledge, skills and instructions say of themselves."""

from collections.abc import Mapping

import pytest

from glossator.app.hints import matching_files
from glossator.core.locations import Point
from glossator.core.text import SourceText
from workbench import Bench, MakeBench

MONEY = '---\nkeywords: [invoice, 发票]\nglobs: "src/*.py, *.rs"\n---\n# Money\n\nKept in cents.\n'
PAPER = "---\nkeywords: [invoice]\n---\n# Paper\n\nInvoices are printed twice.\n"
FILES = {
    "src/cart.py": "x = 1\n",
    "src/till.py": "x = 2\n",
    "web/page.ts": "export const x = 1;\n",
    "web/deep/page.ts": "export const x = 1;\n",
    "top.ts": "export const x = 1;\n",
    "knowledge/money.md": MONEY,
    "knowledge/paper.md": PAPER,
    "skills/brewing/SKILL.md": "---\nname: brewing\ndescription: Tea.\n---\n- Warm the pot.\n",
    "web/AGENTS.md": "# Web\n\nNo framework.\n",
    ".cursor/rules/pages.mdc": "---\nglobs: web/**/*.ts\nalwaysApply: false\n---\nTyped.\n",
    ".github/instructions/top.instructions.md": '---\napplyTo: "*.ts"\n---\nTop only.\n',
    "README.md": "# Readme\n",
}
SETTINGS = {"knowledge": {"bundled": False}, "workspace": {"trusted": True}}


async def hint(
    bench: Bench, name: str, line: int, column: int = 0, *, text: str | None = None
) -> str:
    if text is None:
        source = bench.application.read(bench.root / name)
    else:
        source = SourceText(name, text, path=bench.root / name, version=2)
    found = await bench.application.knowledge.hint(source, Point(line, column))
    return "" if found is None else found.markdown


def make(make_bench: MakeBench, settings: Mapping[str, object] = SETTINGS, **more: str) -> Bench:
    return make_bench(FILES, settings=settings, **more)


async def test_a_heading_tells_tokens_globs_with_counts_and_keywords(make_bench: MakeBench) -> None:
    text = await hint(make(make_bench), "knowledge/money.md", 5)

    assert text.startswith("**money** (knowledge), ")
    assert "`src/*.py`, `*.rs` match 2 of 12 files: `src/cart.py`, `src/till.py`" in text
    assert "Keywords: `invoice`, `发票`" in text


async def test_a_line_of_globs_counts_each_and_one_that_matches_nothing_stands_out(
    make_bench: MakeBench,
) -> None:
    text = await hint(make(make_bench), "knowledge/money.md", 3, 2)

    assert "- `src/*.py` matches 2 of 12 files" in text
    assert "- **`*.rs` matches 0 of 12 files**" in text


async def test_a_keyword_names_the_other_documents_that_it_leads_to(make_bench: MakeBench) -> None:
    text = await hint(make(make_bench), "knowledge/money.md", 2, 13)

    assert "`invoice` is put to this document and to 1 other:" in text
    assert "- `knowledge/paper.md` (has the keyword)" in text


async def test_the_text_of_the_editor_counts_not_that_of_the_disk(make_bench: MakeBench) -> None:
    bench = make(make_bench)
    text = MONEY.replace("src/*.py", "web/**")

    assert "matches 3 of 12" in await hint(bench, "knowledge/money.md", 3, text=text)


async def test_a_new_file_of_a_folder_of_knowledge_says_that_it_is_not_read_yet(
    make_bench: MakeBench,
) -> None:
    text = await hint(make(make_bench), "knowledge/new.md", 1, text="# New\n\nText.\n")

    assert "**new** (knowledge)" in text
    assert "Not read yet" in text


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        ("web/AGENTS.md", 1, "`web/**` matches 3 of"),
        (".cursor/rules/pages.mdc", 2, "`web/**/*.ts` matches 2 of"),
        (".github/instructions/top.instructions.md", 2, "`*.ts` matches 1 of 12 files: `top.ts`"),
    ],
)
async def test_instructions_are_counted_as_their_own_tool_reads_them(
    make_bench: MakeBench, name: str, line: int, expected: str
) -> None:
    bench = make(make_bench)
    await bench.application.knowledge.why(bench.root)  # Every folder is known then.

    assert expected in await hint(bench, name, line)


async def test_a_skill_says_when_it_is_given(make_bench: MakeBench) -> None:
    text = await hint(make(make_bench), "skills/brewing/SKILL.md", 1)

    assert "**brewing** (skill)" in text
    assert "the model may read it" in text


async def test_instructions_that_nobody_trusts_say_so(make_bench: MakeBench) -> None:
    bench = make(make_bench, {"knowledge": {"bundled": False}})

    assert "not trusted" in await hint(bench, ".cursor/rules/pages.mdc", 1)


async def test_a_broken_header_tells_its_problem_with_the_line(make_bench: MakeBench) -> None:
    text = await hint(
        make(make_bench),
        "knowledge/money.md",
        1,
        text="---\nglobs: *.py\nalways: maybe\n---\n# M\n",
    )

    assert "· Line 2: " in text
    assert "⚠ Line 3: " in text


async def test_other_markdown_and_other_text_say_nothing(make_bench: MakeBench) -> None:
    bench = make(make_bench)

    assert await hint(bench, "README.md", 1) == ""
    assert await hint(bench, "knowledge/money.md", 7) == ""
    unsaved = SourceText("Untitled-1", "# New\n")
    assert await bench.application.knowledge.hint(unsaved, Point(1, 0)) is None


async def test_the_hint_is_in_the_language_of_the_editor(make_bench: MakeBench) -> None:
    text = await hint(make(make_bench, locale="zh-cn"), "knowledge/money.md", 5)

    assert "词元" in text
    assert "`src/*.py`、`*.rs` 匹配 12 个文件中的 2 个" in text
    assert "关键词：`invoice`、`发票`" in text


async def test_a_count_is_bounded_and_says_so(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching_files, "MAX_FILES", 3)

    text = await hint(make(make_bench), "knowledge/money.md", 3)

    assert "of 3 files (the first ones; there are more)" in text


async def test_a_count_that_nobody_waits_for_ends(make_bench: MakeBench) -> None:
    bench = make(make_bench)
    source = bench.application.read(bench.root / "knowledge/money.md")
    n_asked = 0

    def is_cancelled() -> bool:
        nonlocal n_asked
        n_asked += 1
        return True

    monkey = pytest.MonkeyPatch()
    monkey.setattr(matching_files, "_LOOK_UP_EVERY", 1)
    with monkey.context():
        found = await bench.application.knowledge.hint(
            source, Point(3, 0), is_cancelled=is_cancelled
        )

    assert found is not None
    assert "of 1 file (the first ones; there are more)" in found.markdown
    assert n_asked
