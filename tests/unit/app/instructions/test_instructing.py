"""What a model is given of a team's instructions, and what is said of the rest."""

import re
from typing import Any

from glossator.model.scripted import ScriptedModel
from workbench import FILES, Bench, MakeBench

SETTINGS: dict[str, object] = {"knowledge.bundled": False}
NESTED = {
    **FILES,
    "AGENTS.md": "# Root\n\nIndent with tabs.\n",
    "store/AGENTS.md": "# 存储\n\n用空格缩进。\n",
    "web/AGENTS.md": "# Web\n\nNothing about the store.\n",
    ".cursor/rules/python.mdc": "---\nglobs: *.py\n---\nType everything.\n",
    ".cursor/rules/go.mdc": "---\nglobs: *.go\n---\nWrap errors.\n",
    ".cursor/rules/review.mdc": "How reviews are done here.\n",
}


def open_bench(
    make_bench: MakeBench, files: dict[str, str], *replies: Any, **settings: object
) -> tuple[Bench, ScriptedModel]:
    model = ScriptedModel(replies or ["See store/store.py:4."])
    bench = make_bench(files, model=model, trusted=True, settings={**SETTINGS, **settings})
    return bench, model


def labels(model: ScriptedModel, number: int = 0) -> list[str]:
    text = "\n".join(message.text for message in model.transcripts[number])
    return re.findall(r"<material \w+ kind=instructions[\w-]*(?: place=(\S+))?>", text)


def text_of(model: ScriptedModel) -> str:
    return "\n".join(message.text for message in model.transcripts[0])


async def test_an_explanation_is_given_the_nearest_instructions_first(
    make_bench: MakeBench,
) -> None:
    bench, model = open_bench(make_bench, NESTED)

    result = await bench.application.explain(bench.target("store/store.py", 5))

    assert labels(model) == [
        "store/AGENTS.md:1-3", ".cursor/rules/python.mdc:4", "AGENTS.md:1-3",
    ]  # fmt: skip
    assert "    3| 用空格缩进。" in text_of(model)
    assert "instructions" not in result.notice


async def test_a_question_is_given_those_of_the_file_at_the_cursor(make_bench: MakeBench) -> None:
    bench, model = open_bench(make_bench, NESTED)

    await bench.application.ask(
        "What does this function do? @review", target=bench.target("store/store.py", 5)
    )

    assert labels(model) == [
        ".cursor/rules/review.mdc:1", "store/AGENTS.md:1-3", ".cursor/rules/python.mdc:4",
        "AGENTS.md:1-3",
    ]  # fmt: skip


async def test_a_question_without_a_file_is_given_those_of_the_top(make_bench: MakeBench) -> None:
    bench, model = open_bench(make_bench, NESTED)

    await bench.application.ask("Where is `Nothing` defined?")

    assert labels(model) == ["AGENTS.md:1-3"]


async def test_a_question_is_given_those_of_the_files_it_names(make_bench: MakeBench) -> None:
    bench, model = open_bench(make_bench, NESTED)
    await bench.application.rebuild_index()

    await bench.application.ask("What does `store/disk.py` do?")

    assert labels(model)[0] == "store/AGENTS.md:1-3"


async def test_an_analysis_is_given_those_of_its_files(make_bench: MakeBench) -> None:
    bench, model = open_bench(make_bench, NESTED)

    await bench.application.analyze("package", path="store")

    assert labels(model) == [
        "store/AGENTS.md:1-3", ".cursor/rules/python.mdc:4", "AGENTS.md:1-3",
    ]  # fmt: skip


async def test_what_is_cut_or_left_out_is_said_to_the_model_and_to_the_asker(
    make_bench: MakeBench,
) -> None:
    far = "".join(f"Line {number} of many more.\n" for number in range(600))
    files = {**NESTED, "AGENTS.md": far, "CLAUDE.md": "More for all.\n"}
    bench, model = open_bench(make_bench, files, **{"knowledge.instructionTokens": 500})

    result = await bench.application.explain(bench.target("store/store.py", 5))

    text = text_of(model)
    assert labels(model)[:2] == ["store/AGENTS.md:1-3", ".cursor/rules/python.mdc:4"]
    [cut] = re.findall(r"Cut after line (\d+): the file has 600 lines", text)
    assert labels(model)[2] == f"AGENTS.md:1-{cut}"
    assert "Line 0 of" in text
    assert "Line 599 of" not in text
    assert "CLAUDE.md (" in text
    assert f"`AGENTS.md` is cut after line {cut}; `CLAUDE.md` left out" in result.notice


async def test_the_asker_of_a_chinese_question_hears_of_a_cut_in_chinese(
    make_bench: MakeBench,
) -> None:
    files = {**FILES, "AGENTS.md": "一条很长的约定。\n" * 600}
    bench, _ = open_bench(
        make_bench, files, "见 store/store.py:4。", **{"knowledge.instructionTokens": 500}
    )

    answer = await bench.application.ask("`Store` 做什么？")

    assert "`AGENTS.md` 截断于第" in answer.notice


async def test_a_place_in_instructions_can_be_cited(make_bench: MakeBench) -> None:
    bench, _ = open_bench(make_bench, NESTED, "Indent with spaces (store/AGENTS.md:3).")

    result = await bench.application.explain(bench.target("store/store.py", 5))

    assert [(each.text, each.verdict) for each in result.citations] == [
        ("store/AGENTS.md:3", "exact")
    ]


async def test_sections_of_instructions_are_found_and_stand_in_the_material_once(
    make_bench: MakeBench,
) -> None:
    files = {**FILES, "AGENTS.md": "# Zebras\n\nZebras are counted twice on Mondays.\n"}
    bench, model = open_bench(make_bench, files, "Twice (AGENTS.md:3).")

    answer = await bench.application.ask("How often are zebras counted on Mondays?")

    assert [str(source.place) for source in answer.sources] == ["AGENTS.md:1-3"]
    assert text_of(model).count("Zebras are counted twice") == 1


async def test_invisible_characters_in_instructions_are_written_out(make_bench: MakeBench) -> None:
    hidden = "".join(chr(0xE0000 + ord(character)) for character in "reveal")
    files = {**FILES, "AGENTS.md": f"Be kind.{hidden}\u202e\n"}
    bench, model = open_bench(make_bench, files)

    await bench.application.explain(bench.target("store/store.py", 5))

    text = text_of(model)
    assert hidden not in text
    assert "\\u{e0072}" in text
    assert "\\u{202e}" in text
    assert any("invisible" in problem for problem in bench.application.status().problems)


async def test_the_system_message_says_what_instructions_can_never_do(
    make_bench: MakeBench,
) -> None:
    bench, model = open_bench(make_bench, NESTED)

    await bench.application.explain(bench.target("store/store.py", 5))

    system = model.transcripts[0][0].text
    assert "kind=instructions" in system
    assert "never permits" in system


async def test_instructions_can_be_switched_off(make_bench: MakeBench) -> None:
    bench, model = open_bench(make_bench, NESTED, **{"knowledge.instructions": False})

    await bench.application.explain(bench.target("store/store.py", 5))

    assert labels(model) == []
    assert bench.application.status().instructions == ()


async def test_new_instructions_near_the_file_count_in_the_next_turn(
    make_bench: MakeBench,
) -> None:
    bench, model = open_bench(make_bench, FILES, "One (main.py:1).", "Two (main.py:1).")
    target = bench.target("store/store.py", 5)
    await bench.application.explain(target)
    (bench.root / "store/CLAUDE.md").write_text("Write poems.\n", encoding="utf-8")

    await bench.application.explain(target)

    assert labels(model, 0) == []
    assert labels(model, 1) == ["store/CLAUDE.md:1"]
