"""Search without an answer, evidence in the code, documents that are not used, cut knowledge."""

from pathlib import Path

import pytest

from glossator.app.code_evidence import find_files_about
from glossator.app.retrieval.search_text import render_search, to_json
from glossator.app.unused_documents import find_unused
from glossator.core.errors import InvalidArguments
from glossator.core.events import Event, KnowledgeFound
from glossator.model.scripted import ScriptedModel
from glossator.tools.code_map import CodeMap
from glossator.tools.workspace import Workspace
from workbench import OWN_ONLY, MakeBench

KNOWLEDGE = """\
---
keywords: [invoice, 发票]
---
# Money

## Rounding
Invoices are rounded half up, per line. 发票金额逐行四舍五入。

## Archive
An invoice is archived for ten years; nobody deletes an invoice.
"""
CODE = {
    "server/cancelling.py": "def cancel_request(lsp):\n    '''Stop a request of LSP.'''\n",
    "server/store.py": "def save(order):\n    return order\n",
    "tests/test_cancelling.py": "def test_cancel_lsp_request():\n    pass\n",
    # What tests alone say, and what stands far apart in one file, is about neither.
    "tests/test_asking.py": "QUESTION = 'How do I bake sourdough?'\n",
    "server/words.py": "ZEBRA = 1\n" + "x = 0\n" * 40 + "MILK = 2\n",
}


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def code_map(tmp_path: Path) -> CodeMap:
    return CodeMap(Workspace([write(tmp_path, CODE)]))


@pytest.mark.parametrize(
    ("question", "files"),
    [
        (
            "How are LSP requests cancelled?",
            ("server/cancelling.py", "tests/test_cancelling.py"),
        ),
        ("where is cancelling", ("server/cancelling.py", "tests/test_cancelling.py")),
        ("How do I bake bread?", ()),
        ("How is an order shipped?", ()),
        ("What time is it?", ()),
        ("How is sourdough baked?", ()),
        ("How are zebras milked?", ()),
    ],
)
def test_plain_words_point_at_the_files_that_hold_all_of_them_tests_last(
    code_map: CodeMap, tmp_path: Path, question: str, files: tuple[str, ...]
) -> None:
    workspace = Workspace([tmp_path])

    found = find_files_about(question, code_map, workspace)

    assert tuple(source.scope for source in found) == files


def test_bundled_documents_without_a_file_here_are_unused(tmp_path: Path) -> None:
    workspace = Workspace([write(tmp_path, {"a/b.py": "", "c.sql": ""})])
    globs = {
        "bundled/knowledge/python.md": ("**/*.py",),
        "bundled/knowledge/react.md": ("**/*.tsx",),
        "knowledge/own.md": ("**/*.rs",),
    }

    assert find_unused(workspace, globs) == {"bundled/knowledge/react.md"}


async def test_a_search_says_what_would_be_given_and_what_is_not_close_enough(
    make_bench: MakeBench,
) -> None:
    bench = make_bench({"knowledge/money.md": KNOWLEDGE}, settings=OWN_ONLY)

    found = await bench.application.knowledge.search("How are invoices rounded?")

    assert found.is_known
    assert (found.reason, found.routed) == ("routed", ("money",))
    assert [each.title for each in found.sections] == ["Money › Rounding", "Money › Archive"]
    assert found.sections[0].standing == "given"
    assert found.sections[0].place.path == "knowledge/money.md"
    assert found.sections[0].file == bench.root / "knowledge" / "money.md"


@pytest.mark.parametrize(
    ("question", "title", "expected"),
    [
        ("How do I bake bread?", "# Search: How", "I don't know"),
        ("怎么做面包？", "# 搜索：怎么", "我不知道"),
    ],
)
async def test_a_search_says_why_a_question_would_be_refused_in_its_language(
    make_bench: MakeBench, question: str, title: str, expected: str
) -> None:
    bench = make_bench({"knowledge/money.md": KNOWLEDGE}, settings=OWN_ONLY)

    found = await bench.application.knowledge.search(question)
    text = render_search(found, bench.application.phrase(question))

    assert not found.is_known
    assert found.reason == "nothing-routed"
    assert text.startswith(title)
    assert expected in text
    assert to_json(found)["known"] is False


async def test_the_rows_of_a_search_stand_in_the_order_of_their_scores(
    make_bench: MakeBench,
) -> None:
    long = "Money is counted. " * 40
    bench = make_bench(
        {
            "knowledge/money.md": KNOWLEDGE,
            "knowledge/trade.md": f"# Trade\n\n## Invoices\n{long} Invoices are rounded.\n",
        },
        settings=OWN_ONLY,
    )

    found = await bench.application.knowledge.search("How are invoices rounded and archived?")

    scores = [each.score for each in found.sections]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    "question",
    ["What is our rule for company cars?", "公司用车的规定是什么？", "How do we bake sourdough?"],
)
async def test_a_question_that_code_answers_by_accident_alone_is_refused(
    make_bench: MakeBench, question: str
) -> None:
    code = {"server/rules.py": "class Rule:\n    pass\n\n\ndef rule():\n    pass\n"}
    bench = make_bench(CODE | code, settings=OWN_ONLY)

    answer = await bench.application.ask(question)

    assert answer.refused is not None


@pytest.mark.parametrize(("question", "limit"), [("", 5), ("  ", 5), ("invoice", 0), ("x", 1_000)])
async def test_a_search_for_nothing_or_without_a_sensible_limit_is_refused(
    make_bench: MakeBench, question: str, limit: int
) -> None:
    bench = make_bench({"knowledge/money.md": KNOWLEDGE})

    with pytest.raises(InvalidArguments):
        await bench.application.knowledge.search(question, limit=limit)


def long_section(title: str, word: str) -> str:
    lines = "\n".join(f"Line {number}: the {word} of an invoice is kept." for number in range(60))
    return f"## {title}\n\nThe {word} of an invoice.\n{lines}\n\n"


async def test_what_the_budget_cuts_is_said_with_its_tokens(make_bench: MakeBench) -> None:
    sections = "".join(long_section(f"Part {number}", "rounding") for number in range(4))
    bench = make_bench(
        {"knowledge/money.md": f"---\nkeywords: [invoice]\n---\n# Money\n\n{sections}"},
        settings={"knowledge": {"bundled": False, "maxTokens": 1_500}},
    )

    heard: list[Event] = []
    answer = await bench.application.ask("What is the rounding of an invoice?", emit=heard.append)

    (event,) = (each for each in heard if isinstance(each, KnowledgeFound))
    assert len(answer.sources) == len(event.hits) == 1
    assert event.n_left_out == 3
    assert f"{event.n_tokens_left_out:,} tokens" in answer.notice
    assert "3 more sections" in answer.notice


async def test_a_section_larger_than_the_budget_is_given_to_a_line_and_said(
    make_bench: MakeBench,
) -> None:
    section = long_section("Part", "rounding")
    model = ScriptedModel(["Half up."])
    bench = make_bench(
        {"knowledge/money.md": f"---\nkeywords: [invoice]\n---\n# Money\n\n{section}"},
        model=model,
        settings={"knowledge": {"bundled": False, "maxTokens": 500}},
    )

    answer = await bench.application.ask("发票 invoice rounding 的规则是什么？")

    source = answer.sources[0]
    assert source.place.last_line < 65
    assert f"第 {source.place.last_line} 行之后" in answer.notice
    assert "more lines are left out" in str(model.transcripts[0])


async def test_a_question_in_plain_words_about_the_code_is_not_refused(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(CODE, settings=OWN_ONLY)

    answer = await bench.application.ask("How are LSP requests cancelled?")

    assert answer.refused is None
    assert "server/cancelling.py" in answer.markdown
