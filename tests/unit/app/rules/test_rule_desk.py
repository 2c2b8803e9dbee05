"""Rules through the application: listed, proven, compiled by a model that is never believed."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from glossator.app.application import Application
from glossator.app.phrasing import Phrasing
from glossator.app.results import Opening
from glossator.app.rewriting import CannotRewrite
from glossator.app.rules.compilation_text import describe_compilation
from glossator.app.rules.compiling import Compilation
from glossator.compose import open_application
from glossator.core.errors import InvalidArguments, ModelUnavailable
from glossator.core.events import Event, RoundEnded, TurnEnded, TurnStarted
from glossator.core.messages import Usage
from rule_texts import DRAFTED_CHECK, NO_EVAL
from workbench import OWN_ONLY, Bench, MakeBench, script

RULES = f"""\
# Rules

- Use the log, not `print`. {{#use-log files="src/**"}}
- Names are clear. {{#names .prose}}
{NO_EVAL}"""
FILES = {
    "knowledge/rules.md": RULES,
    "src/a.py": "print(1)\nprint(2)\n",
    "src/b.py": "log.info(1)\n",
    "lib/c.py": "print(3)\n",
}
BROKEN = DRAFTED_CHECK.replace("rule: {", "rule: [{")
FLAGS_GOOD = DRAFTED_CHECK.replace("log.info(1)", "print(file=log)")
MATCHES_ALL = DRAFTED_CHECK.replace("pattern: print($$$A)", "regex: '.'").replace("log.info(1)", "")
TOO_BROAD = DRAFTED_CHECK.replace("{pattern: print($$$A)}", "{kind: call}").replace(
    "log.info(1)", "x = 1"
)

pytestmark = pytest.mark.usefixtures("own_folders")


async def compile_rule(bench: Bench, rule_id: str = "use-log", **options: int) -> Compilation:
    await bench.application.rebuild_index()
    return await bench.application.rules.compile(rule_id, **options)


async def test_a_check_that_stands_is_offered_as_an_edit_with_what_it_flags(
    make_bench: MakeBench,
) -> None:
    model = script(DRAFTED_CHECK)
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    compilation = await compile_rule(bench)

    assert (compilation.outcome, compilation.n_rounds) == ("compiled", 1)
    breadth = compilation.breadth
    # Only the files that the rule is for count.
    assert (breadth.n_findings, breadth.n_flagged_files, breadth.n_files) == (2, 1, 2)
    assert [(each.path, each.line, each.code) for each in breadth.places] == [
        ("src/a.py", 1, "print(1)"),
        ("src/a.py", 2, "print(2)"),
    ]
    assert "+  rule: {pattern: print($$$A)}" in compilation.diff
    assert (bench.root / "knowledge/rules.md").read_text(encoding="utf-8") == RULES
    assert "- Use the log, not `print`. {#use-log" in model.transcripts[0][1].text


async def test_what_is_written_is_a_compiled_rule_from_then_on(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, model=script(DRAFTED_CHECK), settings=OWN_ONLY)

    compilation = await compile_rule(bench)
    await bench.application.rules.write(compilation)
    await bench.application.rebuild_index()

    listed = {rule.id: rule.kind for rule in await bench.application.rules.list()}
    assert listed == {"use-log": "compiled", "names": "prose", "no-eval": "compiled"}
    report = await bench.application.checks.check(bench.application.read(bench.root / "src/a.py"))
    assert [each.rule.id for each in report.findings] == ["use-log", "use-log"]


@pytest.mark.parametrize(
    ("lie", "told"),
    [
        (BROKEN, "The YAML is broken"),
        (FLAGS_GOOD, "flags this good example.\n\n```python good\nprint(file=log)"),
        (MATCHES_ALL, "There is no block ```LANGUAGE good"),
        ("I cannot.", "There is no block ```check"),
        ("", "There is no block ```check"),
    ],
)
async def test_a_model_that_lies_hears_exactly_what_fails_and_may_correct_it(
    make_bench: MakeBench, lie: str, told: str
) -> None:
    model = script(lie, DRAFTED_CHECK)
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    compilation = await compile_rule(bench)

    assert (compilation.outcome, compilation.n_rounds) == ("compiled", 2)
    assert told in model.transcripts[1][-1].text


async def test_after_two_repairs_nothing_is_offered(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, model=script(BROKEN, MATCHES_ALL, FLAGS_GOOD), settings=OWN_ONLY)

    compilation = await compile_rule(bench)

    assert (compilation.outcome, compilation.n_rounds) == ("unproven", 3)
    assert (compilation.edit, compilation.diff) == (None, "")
    assert "flags this good example" in compilation.reason
    with pytest.raises(CannotRewrite):
        await bench.application.rules.write(compilation)


async def test_a_model_that_says_the_same_again_is_not_asked_once_more(
    make_bench: MakeBench,
) -> None:
    model = script(BROKEN, BROKEN, DRAFTED_CHECK)
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    compilation = await compile_rule(bench)

    assert (compilation.outcome, compilation.n_rounds) == ("unproven", 2)
    assert "The YAML is broken" in compilation.reason


@pytest.mark.parametrize(
    ("reply", "settings", "told"),
    [
        (DRAFTED_CHECK + "again\n" * 20_000, {}, "broken off after 8000 tokens"),
        ("```check\n" * 3_000, {"turnTokens": 4_000}, "`agent.turnTokens` were used up"),
        (asyncio.Event(), {"turnTimeoutS": 1}, "the time was over: `agent.turnTimeoutS`"),
    ],
)
async def test_a_reply_without_an_end_is_no_draft_and_it_is_said_why(
    make_bench: MakeBench, reply: str | asyncio.Event, settings: dict[str, int], told: str
) -> None:
    model = script(reply)
    bench = make_bench(FILES, model=model, settings={**OWN_ONLY, "agent": settings})

    compilation = await compile_rule(bench)

    assert (compilation.outcome, compilation.n_rounds) == ("unproven", 1)
    assert told in compilation.reason
    assert told not in describe_compilation(compilation, Phrasing(is_chinese=True))


async def test_a_check_that_explodes_on_the_workspace_is_told_with_places(
    make_bench: MakeBench,
) -> None:
    many = {f"src/m{n}.py": "call(1)\n" for n in range(12)}
    model = script(TOO_BROAD, DRAFTED_CHECK)
    bench = make_bench({**FILES, **many}, model=model, settings=OWN_ONLY)

    compilation = await compile_rule(bench)

    assert "it flags 15 places in 14 of 14 files" in model.transcripts[1][-1].text
    assert compilation.outcome == "compiled"


async def test_the_limit_of_places_is_the_caller_s(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, model=script(*[DRAFTED_CHECK] * 3), settings=OWN_ONLY)

    compilation = await compile_rule(bench, max_findings=1)

    assert (compilation.outcome, compilation.breadth.n_findings) == ("unproven", 2)


async def test_the_model_may_say_that_syntax_cannot_decide(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, model=script("IMPOSSIBLE: it is taste."), settings=OWN_ONLY)

    compilation = await compile_rule(bench, "names")

    assert (compilation.outcome, compilation.reason) == ("impossible", "it is taste.")


async def test_a_file_that_changed_meanwhile_is_not_written(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, model=script(DRAFTED_CHECK), settings=OWN_ONLY)
    compilation = await compile_rule(bench)
    file = bench.root / "knowledge/rules.md"
    file.write_text("# Mine\n" + RULES, encoding="utf-8")

    with pytest.raises(CannotRewrite):
        await bench.application.rules.write(compilation)

    assert file.read_text(encoding="utf-8") == "# Mine\n" + RULES


@pytest.mark.parametrize(
    ("rule_id", "told"),
    [("no-eval", "has a check already"), ("nothing", "There is no rule `nothing`")],
)
async def test_rules_that_cannot_be_compiled_are_refused_before_anything_is_asked(
    make_bench: MakeBench, rule_id: str, told: str
) -> None:
    model = script()
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    with pytest.raises(InvalidArguments, match=told):
        await compile_rule(bench, rule_id)

    assert model.transcripts == []


PLAIN = """\
# Rules

- Use the log, not `print`.
  - Not in scripts either.
- 函数名用动词开头。
- Log errors. {#log-errors}
"""


async def test_a_list_item_that_nothing_makes_a_rule_is_listed_as_prose_where_it_stands(
    make_bench: MakeBench,
) -> None:
    files = {"knowledge/rules.md": PLAIN, "knowledge/text.md": "No list.\n"}
    bench = make_bench(files, settings=OWN_ONLY)
    await bench.application.rebuild_index()

    listed = await bench.application.rules.list()

    assert [(rule.path, rule.line, rule.kind, rule.text) for rule in listed] == [
        ("knowledge/rules.md", 3, "prose", "Use the log, not `print`."),
        ("knowledge/rules.md", 5, "prose", "函数名用动词开头。"),
        ("knowledge/rules.md", 6, "judged", "Log errors."),
    ]


async def test_prose_is_no_rule_for_the_model_until_it_has_a_check(make_bench: MakeBench) -> None:
    files = {"knowledge/rules.md": PLAIN, "src/a.py": "print(1)\n"}
    bench = make_bench(files, model=script(DRAFTED_CHECK), settings=OWN_ONLY)
    await bench.application.rebuild_index()
    prose = (await bench.application.rules.list())[0]

    compilation = await compile_rule(bench, prose.id)
    await bench.application.rules.write(compilation)
    await bench.application.rebuild_index()

    (compiled, *_) = await bench.application.rules.list()
    assert (compiled.id, compiled.kind, compiled.line) == (prose.id, "compiled", 3)
    report = await bench.application.checks.check(bench.application.read(bench.root / "src/a.py"))
    assert [each.rule.id for each in report.findings] == [prose.id]
    assert [each.rule_ids for each in report.skipped] == [("log-errors",)]


async def test_of_prose_there_is_nothing_to_be_proven(make_bench: MakeBench) -> None:
    bench = make_bench({"knowledge/rules.md": PLAIN}, settings=OWN_ONLY)
    await bench.application.rebuild_index()
    prose = (await bench.application.rules.list())[0]

    proofs = await bench.application.rules.prove([prose.id])

    assert (proofs.rules, proofs.problems) == ((), ())


async def test_a_rule_that_ships_is_not_written_into(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, model=script())
    await bench.application.rebuild_index()
    shipped = next(
        rule
        for rule in await bench.application.rules.list()
        if rule.origin == "bundled" and rule.kind == "judged"
    )

    with pytest.raises(InvalidArguments, match="ships with Glossator"):
        await bench.application.rules.compile(shipped.id)


async def test_without_a_model_it_is_said_what_is_missing(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)

    with pytest.raises(ModelUnavailable, match="OPENAI_API_KEY"):
        await compile_rule(bench)


async def test_a_compilation_is_a_turn_that_ends_once(make_bench: MakeBench) -> None:
    heard: list[Event] = []
    bench = make_bench(FILES, model=script(BROKEN, DRAFTED_CHECK), settings=OWN_ONLY)
    await bench.application.rebuild_index()

    await bench.application.rules.compile("use-log", emit=heard.append)

    (started,) = [event for event in heard if isinstance(event, TurnStarted)]
    (ended,) = [event for event in heard if isinstance(event, TurnEnded)]
    assert (started.kind, started.subject) == ("compile", "knowledge/rules.md:3")
    assert (ended.stop_reason, ended.usage) == ("answered", Usage(200, 20))
    assert sum(isinstance(event, RoundEnded) for event in heard) == 2


async def test_each_rule_is_listed_with_whether_it_is_for_a_file(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings={**OWN_ONLY, "check": {"disabledRules": ["no-eval"]}})
    await bench.application.rebuild_index()

    states = {
        name: [rule.state for rule in await bench.application.rules.list(bench.root / name)]
        for name in ("src/a.py", "lib/c.py", "src/new.ts")
    }

    assert states == {
        "src/a.py": ["applies", "prose", "disabled"],
        "lib/c.py": ["other-files", "prose", "disabled"],
        "src/new.ts": ["applies", "prose", "disabled"],
    }


async def test_examples_prove_rules_and_a_rule_without_any_is_not_proven(
    make_bench: MakeBench,
) -> None:
    unproven = "- Bare. {#bare}\n\n  ```check\n  language: go\n  rule: {kind: identifier}\n  ```\n"
    failing = RULES.replace("eval(x)\n", "evil(x)\n")
    bench = make_bench({"knowledge/rules.md": f"{failing}\n{unproven}"}, settings=OWN_ONLY)
    await bench.application.rebuild_index()

    proofs = await bench.application.rules.prove()

    assert {rule.id: rule.is_proven for rule in proofs.rules} == {"no-eval": False, "bare": False}
    assert [problem.line for problem in proofs.rules[0].problems] == [13]
    # What an example disproves is said once.
    assert proofs.problems == ()


async def test_the_rule_at_a_line_is_found_in_the_text_as_it_is_in_the_editor(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)
    await bench.application.rebuild_index()
    source = bench.application.read(bench.root / "knowledge/rules.md")
    shifted = type(source)(source.name, "# More\n\n" + source.text, source.path)

    found = [await bench.application.rules.find_uncompiled_at(shifted, n) for n in (3, 5, 6, 7)]

    assert found == ["", "use-log", "names", ""]


@pytest.fixture
async def two_folders(tmp_path: Path) -> AsyncIterator[Application]:
    check = "\n  ```check\n  language: python\n  rule: {pattern: print($A)}\n  ```\n"
    roots = tuple((tmp_path / name).resolve() for name in ("前端", "backend"))
    for root in roots:
        (root / "knowledge").mkdir(parents=True)
        (root / "a.py").write_text("print(1)\n", encoding="utf-8")
        (root / f"knowledge/rules-{root.name}.md").write_text(
            f"- Rule of {root.name}. {{#same}}\n{check}- Own. {{#own-{len(root.name)}}}\n{check}",
            encoding="utf-8",
        )
    settings = {**OWN_ONLY, "audit": {"enabled": False}}
    opening = Opening(roots=roots, watch=False, trusted=True, editor_settings=settings)
    application = open_application(opening)
    yield application
    await application.close()


async def test_rules_of_one_folder_are_for_no_file_of_another_and_may_have_the_same_id(
    two_folders: Application, tmp_path: Path
) -> None:
    await two_folders.rebuild_index()

    texts = {}
    for name in ("前端", "backend"):
        report = await two_folders.checks.check(two_folders.read(tmp_path / name / "a.py"))
        texts[name] = [finding.rule.text for finding in report.findings]
    (in_whole, *_) = await two_folders.checks.check_paths([tmp_path / "backend" / "a.py"])

    assert texts == {"前端": ["Own.", "Rule of 前端."], "backend": ["Own.", "Rule of backend."]}
    assert [each.rule.path for each in in_whole.findings] == [
        "backend/knowledge/rules-backend.md"
    ] * 2
    assert not [each for each in two_folders.status().problems if "same" in each.message]
