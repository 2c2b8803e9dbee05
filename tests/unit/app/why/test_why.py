"""Why something is used or not: the same as what a turn gives the model."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from glossator.app.grounds import Grounds, find_grounds
from glossator.app.phrasing import Phrasing
from glossator.app.results import Target
from glossator.app.why import turn as why_turn
from glossator.app.why.report import Judged, Why
from glossator.app.why.text import render_why
from glossator.core.errors import InvalidArguments, OutsideWorkspace
from glossator.core.locations import Point
from glossator.core.text import SourceText
from glossator.core.tokens import estimate_tokens
from glossator.knowledge.documents import Section
from glossator.knowledge.index import Hit
from glossator.knowledge.routing import Found
from glossator.model.scripted import ScriptedModel
from workbench import Bench, MakeBench

ENGLISH, CHINESE = Phrasing(is_chinese=False), Phrasing(is_chinese=True)
MONEY = """\
---
keywords: [invoice, 发票]
globs: "src/*.py"
---
# Money

Amounts are kept in cents.

## Rounding invoices

Invoices are rounded half up, per line, before tax. 发票金额逐行四舍五入。
"""
RELEASES = """\
---
keywords: [release, 发布]
---
# Releases

## Freeze

Nothing is released on a Friday. 周五不发布。
"""
SKILL = """\
---
name: printing-invoices
description: How invoices are printed on paper.
keywords: [invoice]
---
- Print two copies of each invoice.
"""
OTHER_SKILL = """\
---
name: brewing
description: How tea is brewed in the kitchen.
---
- Warm the pot first.
"""
FILES = {
    "src/cart.py": "def total(lines):\n    return sum(lines)\n",
    "src/deep/far.py": "def far():\n    return 1\n",
    "web/page.ts": "export const page = 1;\n",
    "knowledge/money.md": MONEY,
    "knowledge/releases.md": RELEASES,
    "skills/printing-invoices/SKILL.md": SKILL,
    "skills/brewing/SKILL.md": OTHER_SKILL,
    "AGENTS.md": "# Agents\n\nRun `make test` before you say that something works.\n",
    "src/AGENTS.md": "# Source\n\nInvoices are never deleted, they are cancelled.\n",
    "web/AGENTS.md": "# Web\n\nUse no framework in the pages.\n",
    ".cursor/rules/typescript.mdc": "---\nglobs: *.ts\nalwaysApply: false\n---\nNo `any`.\n",
    ".github/instructions/py.instructions.md": '---\napplyTo: "**/*.py"\n---\nAnnotate it.\n',
}
TRUSTED = {"knowledge": {"bundled": False}, "workspace": {"trusted": True}}
UNTRUSTED = {"knowledge": {"bundled": False}}
QUESTION = "How do we round invoices?"
_GIVEN = re.compile(r"<material \w+ kind=(knowledge|instructions|skill)\b(?! name=\S+ of)([^>]*)>")


def find(why: Why, path: str) -> Judged:
    found = [judged for judged in why.files if judged.path == path]
    assert len(found) == 1, [judged.path for judged in why.files]
    return found[0]


def codes_of(why: Why, path: str) -> list[str]:
    return [cause.code for cause in find(why, path).verdict.causes]


def used(why: Why) -> list[str]:
    return [judged.path for judged in why.select("used")]


def write_rule(name: str, language: str) -> str:
    return f"""\
- Call no `{name}`. {{#no-{name}}}

  ```check
  language: {language}
  rule:
    pattern: {name}($$$)
  ```
"""


async def ask_why(bench: Bench, name: str, question: str = "") -> Why:
    return await bench.application.knowledge.why(bench.root / name, question)


def list_given(model: ScriptedModel) -> set[tuple[str, str]]:
    """Return what kinds of texts of the team the model was given, and the places they name."""
    text = "\n".join(message.text for message in model.transcripts[0])
    return {
        (kind, place)
        for kind, label in _GIVEN.findall(text)
        for place in re.findall(r"place=(\S+)", label)
    }


def list_told(why: Why) -> set[tuple[str, str]]:
    """Return what *why* lists as given, in the same terms as `list_given`."""
    told = set()
    for judged in why.select("used"):
        passages = [each for each in judged.verdict.passages if each.is_given]
        for each in passages:
            lines = f"{each.first_line}-{each.last_line}"
            if each.first_line == each.last_line:
                lines = f"{each.first_line}"
            told.add(("knowledge", f"{judged.path}:{lines}"))
        if judged.verdict.n_tokens_given > sum(each.n_tokens for each in passages):
            kind = "skill" if judged.family == "skill" else "instructions"
            told.add((kind, judged.path))
    return told


@pytest.mark.parametrize("name", ["src/cart.py", "src/deep/far.py", "web/page.ts"])
@pytest.mark.parametrize(
    "question",
    [
        QUESTION,
        "发票怎么四舍五入？",
        "When may we release?",
        "What is in cart.py?",
        "Never deleted: which invoices are cancelled?",
        "How is an invoice printed on paper, and what does `total` do?",
        "/brewing Which pot?",
    ],
)
@pytest.mark.parametrize("settings", [TRUSTED, UNTRUSTED], ids=["trusted", "unknown"])
async def test_what_why_lists_as_used_is_what_the_model_is_given(
    make_bench: MakeBench, name: str, question: str, settings: dict[str, object]
) -> None:
    model = ScriptedModel(["Yes."])
    bench = make_bench(FILES, model=model, settings=settings)

    why = await ask_why(bench, name, question)
    target = Target(bench.application.read(bench.root / name), Point(1, 0))
    answer = await bench.application.ask(question, target=target)

    assert bool(why.refused) == (answer.refused is not None)
    given = list_given(model) if model.transcripts else set()
    cut = {
        (kind, place if kind == "knowledge" else place.rpartition(":")[0]) for kind, place in given
    }
    assert list_told(why) == cut


@pytest.mark.parametrize("budget", [500, 8_000])
async def test_an_explanation_is_given_the_instructions_that_why_lists(
    make_bench: MakeBench, budget: int
) -> None:
    long = "# Source\n\n" + "Write it down before you forget it again.\n\n" * 60
    model = ScriptedModel(["It adds (src/cart.py:2)."])
    knowledge = {"bundled": False, "instructionTokens": budget}
    bench = make_bench(
        {**FILES, "src/AGENTS.md": long}, model=model, settings={**TRUSTED, "knowledge": knowledge}
    )

    why = await ask_why(bench, "src/cart.py")
    await bench.application.explain(bench.target("src/cart.py", 1))

    given = {place.rpartition(":")[0] for kind, place in list_given(model) if kind != "skill"}
    assert given == {judged.path for judged in why.select("used") if judged.family != "skill"}


async def test_without_a_question_instructions_of_the_way_to_the_file_are_used_nearest_first(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(FILES, settings=TRUSTED)

    why = await ask_why(bench, "src/cart.py")

    assert used(why) == [
        "src/AGENTS.md", ".github/instructions/py.instructions.md", "AGENTS.md",
    ]  # fmt: skip
    assert codes_of(why, ".github/instructions/py.instructions.md") == ["glob"]
    assert find(why, "web/AGENTS.md").use == "unused"
    assert codes_of(why, "web/AGENTS.md") == ["elsewhere"]
    assert codes_of(why, ".cursor/rules/typescript.mdc") == ["no-glob-matches"]
    assert find(why, "knowledge/money.md").use == "by-question"
    assert codes_of(why, "knowledge/money.md") == ["glob", "search"]
    assert codes_of(why, "skills/brewing/SKILL.md") == ["catalogue"]


@pytest.mark.parametrize(
    ("question", "use", "code"),
    [
        ("", "by-question", "no-file-matches"),
        ("How is an index made?", "unused", "no-file-matches"),
        ("How does our database name an index?", "used", "score"),
    ],
)
async def test_what_ships_about_nothing_here_has_to_be_named(
    make_bench: MakeBench, question: str, use: str, code: str
) -> None:
    bench = make_bench(FILES, settings={"workspace": {"trusted": True}})

    why = await ask_why(bench, "src/cart.py", question)

    path = "bundled/knowledge/database.md"
    assert (find(why, path).use, codes_of(why, path)[-1]) == (use, code)


async def test_a_broken_header_is_told_with_its_line(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=TRUSTED)

    why = await ask_why(bench, "web/page.ts")

    typescript = find(why, ".cursor/rules/typescript.mdc")
    assert typescript.use == "used"
    assert [problem.line for problem in typescript.problems] == [2]
    assert "typescript.mdc:2" in render_why(why, ENGLISH)


async def test_of_a_skill_its_words_are_counted_and_not_its_checks(make_bench: MakeBench) -> None:
    path = "skills/printing-invoices/SKILL.md"
    skill = f"{SKILL}\n{write_rule('print', 'python')}"
    bench = make_bench({**FILES, path: skill}, settings=TRUSTED)

    judged = find(await ask_why(bench, "web/page.ts", QUESTION), path)
    (listed,) = [
        each for each in await bench.application.knowledge.list_skills() if each.path == path
    ]

    lines = ["    6| - Print two copies of each invoice.", "    7| ", "    8| - Call no `print`.",
             "    9| "]  # fmt: skip
    assert judged.verdict.n_tokens_given == listed.n_tokens == estimate_tokens("\n".join(lines))


async def test_a_question_shows_keyword_score_and_threshold_and_how_near_others_come(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(FILES, settings=TRUSTED)

    why = await ask_why(bench, "web/page.ts", QUESTION)

    money = find(why, "knowledge/money.md")
    assert codes_of(why, "knowledge/money.md") == ["keyword", "score"]
    score = money.verdict.causes[-1]
    assert score.score is not None
    assert score.needed is not None
    assert score.score >= score.needed
    assert money.verdict.passages[0].title == "Money › Rounding invoices"
    assert 0 < money.verdict.n_tokens_given < money.n_tokens
    assert find(why, "knowledge/releases.md").use == "unused"
    assert codes_of(why, "skills/printing-invoices/SKILL.md")[0] == "keyword"
    assert codes_of(why, "skills/brewing/SKILL.md") == ["not-mentioned", "catalogue"]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("重试多久？", "问题中的 `重试` 与关键词 `retry` 同义"),
        ("How long are retries?", "the question mentions the keyword `retry`"),
    ],
)
async def test_a_keyword_that_is_named_by_another_word_is_shown_with_that_word(
    make_bench: MakeBench, question: str, shown: str
) -> None:
    text = "keywords: [retry]\n---\n# Retries\nA retry waits a second; 重试等待一秒。\n"
    skill = f"---\nname: retrying\ndescription: Waits.\n{text}"
    files = {"knowledge/retries.md": f"---\n{text}", "skills/retrying/SKILL.md": skill}
    bench = make_bench(files, settings=TRUSTED)

    why = await ask_why(bench, "", question)

    assert render_why(why, bench.application.phrase(question)).count(shown) == 2


async def test_sections_over_the_limit_are_named_as_cut(make_bench: MakeBench) -> None:
    parts = "".join(
        f"\n## Invoice case {number}\n\nThe invoice of case {number} is rounded half up.\n"
        for number in range(12)
    )
    files = {**FILES, "knowledge/cases.md": f"---\nkeywords: [invoice]\n---\n# Cases\n{parts}"}
    model = ScriptedModel(["Half up."])
    bench = make_bench(files, model=model, settings=TRUSTED)

    why = await ask_why(bench, "web/page.ts", "How is an invoice rounded?")
    await bench.application.ask("How is an invoice rounded?")

    passages = [each for judged in why.files for each in judged.verdict.passages]
    cut = [each for each in passages if not each.is_given]
    given = {place for kind, place in list_given(model) if kind == "knowledge"}
    assert given == {place for kind, place in list_told(why) if kind == "knowledge"}
    assert len(passages) > len(given)
    assert {each.cause.code for each in cut if each.cause} <= {"over-limit", "over-budget"}
    assert "others fit better" in render_why(why, ENGLISH)


async def test_a_refused_question_uses_nothing_and_shows_what_would_have_been_said(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(FILES, settings=TRUSTED)

    why = await ask_why(bench, "src/cart.py", "What is the capital of France?")

    assert why.refused == "nothing-routed"
    assert "don't know" in why.message
    assert used(why) == []
    assert "refused" in codes_of(why, "AGENTS.md")


async def test_what_nobody_trusts_is_listed_and_not_used(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=UNTRUSTED)

    why = await ask_why(bench, "src/cart.py")

    assert codes_of(why, "AGENTS.md") == ["untrusted"]
    assert used(why) == []


async def test_instructions_over_the_budget_are_cut_by_lines_and_then_left_out(
    make_bench: MakeBench,
) -> None:
    long = "# Agents\n\n" + "Write it down before you forget it again.\n\n" * 60
    files = {**FILES, "src/AGENTS.md": long, "AGENTS.md": long.replace("Write", "Note")}
    knowledge = {"bundled": False, "instructionTokens": 500}
    bench = make_bench(files, settings={**TRUSTED, "knowledge": knowledge})

    why = await ask_why(bench, "src/cart.py")

    near = find(why, "src/AGENTS.md")
    assert near.verdict.lines is not None
    assert near.verdict.lines[0] == 1
    assert near.verdict.lines[1] < near.n_lines
    assert codes_of(why, "AGENTS.md") == ["over-budget"]
    share = next(share for share in why.shares if share.kind == "instructions")
    assert share.n_tokens <= share.limit == 500
    assert "cut: lines 1-" in render_why(why, ENGLISH)


async def test_a_bundled_document_of_the_same_name_is_shadowed(make_bench: MakeBench) -> None:
    files = {**FILES, "knowledge/git.md": "# Git\n\nWe rebase.\n"}
    bench = make_bench(files, settings={"workspace": {"trusted": True}})

    why = await ask_why(bench, "src/cart.py")

    (cause,) = find(why, "bundled/knowledge/git.md").verdict.causes
    assert (cause.code, cause.detail) == ("shadowed", "knowledge/git.md")


async def test_rules_are_told_with_their_id_the_switched_off_and_those_for_other_files(
    make_bench: MakeBench,
) -> None:
    names = {"print": "python", "input": "python", "alert": "typescript"}
    rules = "# Rules\n\n" + "".join(write_rule(*item) for item in names.items())
    settings = {**TRUSTED, "check": {"disabledRules": ["no-input"]}}
    bench = make_bench({**FILES, "knowledge/rules.md": rules}, settings=settings)

    why = await ask_why(bench, "src/cart.py")

    assert {(rule.id, rule.state) for rule in why.rules.rules} == {
        ("no-print", "applies"), ("no-input", "disabled"),
    }  # fmt: skip
    assert why.rules.n_other_languages == 1
    text = render_why(why, ENGLISH)
    assert "`no-print` (knowledge/rules.md:3)" in text
    assert "`check.disabledRules`: `no-input`" in text


async def test_rules_that_a_model_judges_are_not_told_as_words_alone(
    make_bench: MakeBench,
) -> None:
    rules = (
        "# Rules\n\n- A. {#a}\n- B. {#b language=python}\n- C. {#c language=go}\n- D. {#d .prose}\n"
    )
    bench = make_bench({"src/cart.py": "x = 1\n", "knowledge/rules.md": rules}, settings=TRUSTED)

    told = (await ask_why(bench, "src/cart.py")).rules

    assert (told.n_judged, told.n_prose, told.n_other_languages) == (2, 1, 1)
    assert "- 2 more by a model, where there is one" in render_why(
        await ask_why(bench, "src/cart.py"), ENGLISH
    )


async def test_a_missing_file_is_judged_as_if_it_were_there(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=TRUSTED)

    why = await ask_why(bench, "src/new.py")

    assert why.place == "missing"
    assert "src/AGENTS.md" in used(why)
    assert "There is no such file" in render_why(why, ENGLISH)


async def test_a_folder_and_the_workspace_are_judged_without_a_file(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=TRUSTED)

    whole, folder = await ask_why(bench, "."), await ask_why(bench, "src")

    assert (whole.place, whole.path) == ("workspace", "")
    assert (folder.place, folder.path) == ("folder", "src")
    assert used(whole) == ["AGENTS.md"]
    assert codes_of(whole, "web/AGENTS.md") == ["for-files"]
    assert (find(whole, "web/AGENTS.md").n_files, find(folder, "web/AGENTS.md").n_files) == (2, 0)
    assert find(whole, ".cursor/rules/typescript.mdc").n_files == 1
    assert f"(for 2 of {whole.n_files} files)" in render_why(whole, ENGLISH)


async def test_what_is_switched_off_is_said(make_bench: MakeBench) -> None:
    settings = {"knowledge": {"bundled": False, "instructions": False}}
    bench = make_bench(FILES, settings={**settings, "check": {"exclude": ["src/**"]}})

    why = await ask_why(bench, "src/cart.py")

    text = render_why(why, ENGLISH)
    assert "`knowledge.instructions` is off" in text
    assert "`knowledge.bundled` is off" in text
    assert "excluded by `check.exclude`" in text
    assert "`AGENTS.md` (" not in text


async def test_a_document_that_is_not_saved_is_judged_by_its_text(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=TRUSTED)
    source = SourceText("Untitled-1", "x = 1\n", language_id="python")

    why = await bench.application.knowledge.why(source)

    assert (why.path, why.place) == ("Untitled-1", "unsaved")
    assert "AGENTS.md" in used(why)


async def test_a_protected_file_is_said_to_be_one_and_never_read(make_bench: MakeBench) -> None:
    bench = make_bench({**FILES, ".env": "KEY=1\n"}, settings=TRUSTED)

    why = await ask_why(bench, ".env")

    assert why.place == "protected"
    assert "never read" in render_why(why, ENGLISH)


async def test_what_git_ignores_is_said(make_bench: MakeBench) -> None:
    bench = make_bench(
        {**FILES, ".git/HEAD": "", ".gitignore": "src/cart.py\nknowledge/money.md\n"},
        settings=TRUSTED,
    )

    why = await ask_why(bench, "src/cart.py")

    assert why.is_ignored
    assert "ignored" in codes_of(why, "knowledge/money.md")


async def test_a_path_that_leads_outside_is_refused(make_bench: MakeBench, tmp_path: Path) -> None:
    bench = make_bench(FILES, settings=TRUSTED)
    outside = tmp_path / "outside.py"
    outside.write_text("x = 1\n")

    with pytest.raises(OutsideWorkspace):
        await bench.application.knowledge.why(outside)
    with pytest.raises(OutsideWorkspace):
        await bench.application.knowledge.why(SourceText("outside.py", "x = 1\n", path=outside))
    with pytest.raises(InvalidArguments):
        await ask_why(bench, "src/cart.py", "why " * 40_000)


async def test_the_report_is_in_the_language_of_the_question(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=TRUSTED)

    why = await ask_why(bench, "src/cart.py", "发票怎么四舍五入？")

    text = render_why(why, CHINESE)
    assert "## 会使用" in text
    assert "问题提到了关键词 `发票`" in text
    assert "词元" in text
    assert not re.search(r"[A-Z][a-z]+ [a-z]+ [a-z]+ [a-z]+ [a-z]+", text.split("## 在此检查")[0])


async def test_what_a_team_shares_is_listed_though_it_stands_in_no_folder_here(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = Section("travel", "team/travel.md", ("Travel",), 3, 9, "Trains before planes.")

    def find_shared(*arguments: Any, **options: Any) -> Grounds:
        grounds = find_grounds(*arguments, **options)
        return replace(grounds, knowledge=Found((Hit(section, 0.8),), (), 0))

    monkeypatch.setattr(why_turn, "find_grounds", find_shared)
    bench = make_bench(FILES, settings=TRUSTED)

    why = await ask_why(bench, "src/cart.py", "How do we travel?")

    travel = find(why, "team/travel.md")
    assert (travel.use, travel.origin) == ("used", "shared")
    assert "team/travel.md:3-9" in render_why(why, ENGLISH)


async def test_a_file_that_cannot_be_read_is_named_with_the_reason(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=TRUSTED)
    (bench.root / "knowledge" / "broken.md").write_bytes(b"# Broken\n\0\0\0")

    why = await ask_why(bench, "src/cart.py")

    assert [problem.path for problem in why.problems] == ["knowledge/broken.md"]
    assert "knowledge/broken.md" in render_why(why, ENGLISH)
