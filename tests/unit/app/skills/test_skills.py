"""Skills in a turn and in a session: catalogue, activation, and that nothing of it gets lost."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from glossator.core.events import HelperActed, SkillActivated
from glossator.core.messages import Message, ToolCall, ToolSpec
from glossator.model.scripted import Reply, ScriptedModel
from workbench import Bench, MakeBench

PDF = """\
---
name: pdf-forms
description: Fill in PDF forms. Use when a form is to be filled in.
compatibility: Needs poppler.
allowed-tools: Bash(pdftk *)
---
# Forms

Read references/fields.md first, then fill in every field.
"""
SQL = """\
---
name: sql
description: How SQL is written here.
keywords: [sql]
---
Bind every parameter.
"""
HIDDEN = """\
---
name: deploy
description: How a release is deployed.
keywords: [deploy]
disable-model-invocation: true
---
Ask the operator.
"""
FOLDER = ".agents/skills/pdf-forms"
FILES = {
    "main.py": "def main():\n    return 1\n" + "# filler\n" * 400,
    f"{FOLDER}/SKILL.md": PDF,
    f"{FOLDER}/references/fields.md": "# Fields\n\nThe name comes first.\n",
    f"{FOLDER}/scripts/fill.py": "print('never run')\n",
    ".agents/skills/deploy/SKILL.md": HIDDEN,
    "skills/sql.md": SQL,
}
OWN_ONLY: dict[str, Any] = {"knowledge": {"bundled": False}, "workspace": {"trusted": True}}
SMALL = {**OWN_ONLY, "model": {"contextTokens": 8_000}}
QUESTION = "What does `main` do?"
LONG = "It returns 1 (main.py:2). " + "More words. " * 500
BODY = "fill in every field."
DONE = "It returns 1 (main.py:2)."


def call_skill(call_id: str = "c1", **arguments: object) -> ToolCall:
    return ToolCall(call_id, "skill", json.dumps(arguments))


def text_of(transcript: Sequence[Message]) -> str:
    return "\n".join(message.text for message in transcript)


def results(transcript: Sequence[Message]) -> list[str]:
    return [message.text for message in transcript if message.role == "tool"]


def spec(tools: Sequence[ToolSpec]) -> ToolSpec | None:
    return next((tool for tool in tools if tool.name == "skill"), None)


async def ask(bench: Bench, *questions: str, session_id: str = "") -> list[str]:
    """Ask in one session; return the notices, and the id of the session at the end."""
    notices = []
    for question in questions:
        answer = await bench.application.ask(question, session_id=session_id, emit=bench.hear)
        session_id = answer.session_id
        notices.append(answer.notice)
    return [*notices, session_id]


def activated(bench: Bench) -> list[tuple[str, str]]:
    found = bench.heard(SkillActivated)
    return [(event.name, event.by) for event in found if isinstance(event, SkillActivated)]


# Catalogue


async def test_every_turn_has_the_catalogue_and_offers_the_names(make_bench: MakeBench) -> None:
    model = ScriptedModel([DONE, DONE])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    await ask(bench, QUESTION, QUESTION)

    first, second = model.transcripts
    assert first[0] == second[0]
    assert "- pdf-forms: Fill in PDF forms. Use when a form is to be filled in." in first[0].text
    assert "- sql: How SQL is written here." in first[0].text
    assert "deploy" not in first[0].text
    tool = spec(model.tools_offered[0])
    assert tool is not None
    assert tool.parameters["properties"]["name"]["enum"] == ["pdf-forms", "sql"]
    assert tool.parameters["required"] == ["name"]


async def test_without_skills_there_is_no_tool_and_no_catalogue(make_bench: MakeBench) -> None:
    model = ScriptedModel([DONE])
    bench = make_bench({"main.py": FILES["main.py"]}, model=model, settings=OWN_ONLY)

    await ask(bench, QUESTION)

    assert spec(model.tools_offered[0]) is None
    assert "Skills" not in model.transcripts[0][0].text


async def test_an_explanation_has_the_catalogue_too(make_bench: MakeBench) -> None:
    model = ScriptedModel([DONE])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    await bench.application.explain(bench.target("main.py", 1), emit=bench.hear)

    assert "- pdf-forms:" in model.transcripts[0][0].text
    assert spec(model.tools_offered[0]) is not None


async def test_a_tight_window_keeps_the_other_tools(make_bench: MakeBench) -> None:
    """With one tool more, none at all would fit."""
    model = ScriptedModel([DONE])
    many = {
        f"skills/skill-{n}.md": f"---\nname: a-skill-with-quite-a-long-name-{n:03}\n"
        f"description: About topic {n}.\n---\nText.\n"
        for n in range(120)
    }
    settings = {**OWN_ONLY, "model": {"contextTokens": 6_200}}
    bench = make_bench({**FILES, **many}, model=model, settings=settings)

    await ask(bench, QUESTION)

    names = {tool.name for tool in model.tools_offered[0]}
    assert "read_file" in names
    assert "more skills are not listed here" in model.transcripts[0][0].text


# Activation


async def test_a_model_activates_a_skill_and_reads_its_files(make_bench: MakeBench) -> None:
    model = ScriptedModel(
        [
            call_skill(name="pdf-forms"),
            [
                call_skill("c2", name="pdf-forms", resource="references/fields.md"),
                call_skill("c3", name="PDF-Forms"),
                call_skill("c4", name="pdf-forms", resource="../../../main.py"),
            ],
            f"The name comes first ({FOLDER}/references/fields.md:3).",
        ]
    )
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    answer = await bench.application.ask(QUESTION, emit=bench.hear)

    body, resource, again, refused = results(model.transcripts[-1])
    assert "is active for the rest of this conversation" in body
    assert f"kind=skill name=pdf-forms place={FOLDER}/SKILL.md:7-9" in body
    assert f"    9| Read references/fields.md first, then {BODY}" in body
    assert "references/fields.md (32 bytes), scripts/fill.py (19 bytes)" in body
    assert "The name comes first." not in body
    assert "`Bash(pdftk *)`" in body
    assert "Needs poppler." in body
    assert "3| The name comes first." in resource
    assert "is active already: its text is in the result of an earlier call" in again
    assert BODY not in again
    assert "not below the skill's folder" in refused
    assert activated(bench) == [("pdf-forms", "model")]
    assert [(each.verdict, each.reason) for each in answer.citations] == [("exact", "")]


async def test_two_calls_in_one_round_activate_a_skill_once(make_bench: MakeBench) -> None:
    calls = [call_skill("c1", name="sql"), call_skill("c2", name="sql")]
    model = ScriptedModel([calls, DONE])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    await ask(bench, QUESTION)

    assert text_of(model.transcripts[-1]).count("Bind every parameter.") == 1
    assert activated(bench) == [("sql", "model")]


async def test_a_name_that_there_is_not_is_answered_with_those_there_are(
    make_bench: MakeBench,
) -> None:
    model = ScriptedModel([[call_skill(name="deploy"), call_skill("c2", name="../sql")], DONE])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    await ask(bench, QUESTION)

    for text in results(model.transcripts[-1]):
        assert "'pdf-forms' or 'sql'" in text
    assert "Ask the operator." not in text_of(model.transcripts[-1])


async def test_a_flat_skill_has_no_files(make_bench: MakeBench) -> None:
    calls = [
        call_skill("c1", name="sql", resource="main.py"),
        call_skill("c2", name="sql", resource="sql.md"),
    ]
    model = ScriptedModel([calls, DONE])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    await ask(bench, QUESTION)

    single, itself = results(model.transcripts[-1])
    assert "is a single file" in single
    assert "Bind every parameter." in itself


async def test_a_question_that_mentions_a_keyword_activates_a_skill(make_bench: MakeBench) -> None:
    model = ScriptedModel([DONE])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    await ask(bench, "How does `main` write SQL?")

    assert "kind=skill name=sql place=skills/sql.md:6" in model.transcripts[0][1].text
    assert activated(bench) == [("sql", "trigger")]


@pytest.mark.parametrize("sign", ["/", "$", "@", "／"])
async def test_a_user_asks_for_a_skill_by_its_name(make_bench: MakeBench, sign: str) -> None:
    model = ScriptedModel([DONE])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    await ask(bench, f"{sign}deploy what now?")

    request = model.transcripts[0][1].text
    assert "Ask the operator." in request
    assert "The user asks you to go by the skill `deploy`." in request
    assert request.endswith(f"{sign}deploy what now?")
    assert activated(bench) == [("deploy", "user")]


async def test_a_name_alone_is_a_question_that_is_not_refused(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, model=ScriptedModel(["As it says."]), settings=OWN_ONLY)

    answer = await bench.application.ask("/pdf-forms", emit=bench.hear)

    assert (answer.refused, answer.markdown) == (None, "As it says.")


async def test_a_skill_that_users_cannot_ask_for_is_told(make_bench: MakeBench) -> None:
    skill = PDF.replace("compatibility:", "user-invocable: false\ncompatibility:")
    files = {**FILES, f"{FOLDER}/SKILL.md": skill}
    bench = make_bench(files, model=ScriptedModel([DONE, DONE]), settings=OWN_ONLY)

    english, chinese, _ = await ask(bench, f"/pdf-forms {QUESTION}", "/pdf-forms `main` 做什么？")

    assert "`pdf-forms` was not activated: its header says `user-invocable: false`." in english
    assert "`pdf-forms` 未激活" in chinese
    assert activated(bench) == []


# Never lost


async def test_a_skill_stays_active_and_is_sent_once(make_bench: MakeBench) -> None:
    model = ScriptedModel([call_skill(name="pdf-forms"), DONE, DONE, DONE])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    await ask(bench, QUESTION, QUESTION, QUESTION)

    for transcript in model.transcripts[1:]:
        assert text_of(transcript).count(BODY) == 1
    assert activated(bench) == [("pdf-forms", "model")]


async def test_in_a_later_turn_the_tool_says_that_a_skill_is_active(make_bench: MakeBench) -> None:
    model = ScriptedModel([call_skill(name="pdf-forms"), DONE, call_skill(name="pdf-forms"), DONE])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    await ask(bench, QUESTION, QUESTION)

    assert (
        "is active already: its text was given in an earlier turn"
        in (results(model.transcripts[-1])[-1])
    )


@pytest.mark.parametrize("by", ["model", "user", "trigger"])
async def test_trimming_loses_neither_catalogue_nor_skill(make_bench: MakeBench, by: str) -> None:
    first = {"model": QUESTION, "user": f"/sql {QUESTION}", "trigger": f"{QUESTION} (SQL)"}[by]
    begin: list[Reply] = [call_skill(name="sql")] if by == "model" else []
    model = ScriptedModel([*begin, *[LONG] * 8])
    bench = make_bench(FILES, model=model, settings=SMALL)

    notices = await ask(bench, first, *[QUESTION] * 7)

    assert "earlier turns left out" in notices[-2]
    for transcript in model.transcripts[len(begin) :]:
        assert text_of(transcript).count("Bind every parameter.") == 1
        assert "- sql: How SQL is written here." in transcript[0].text
    assert activated(bench) == [("sql", by)]


async def test_a_tiny_window_still_has_the_skill(make_bench: MakeBench) -> None:
    model = ScriptedModel([LONG] * 5)
    settings = {**OWN_ONLY, "model": {"contextTokens": 2_000}}
    bench = make_bench(FILES, model=model, settings=settings)

    await ask(bench, f"/sql {QUESTION}", *[QUESTION] * 4)

    for transcript in model.transcripts:
        assert text_of(transcript).count("Bind every parameter.") == 1


def summarize_or_answer(transcript: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
    is_summary = transcript[0].text.startswith("You write down what has been said")
    return "They asked about `main` (main.py:1)." if is_summary else LONG


async def test_a_summary_does_not_take_the_place_of_a_skill(make_bench: MakeBench) -> None:
    model = ScriptedModel([summarize_or_answer] * 20)
    settings = {**OWN_ONLY, "model": {"contextTokens": 16_000}, "agent": {"summarize": True}}
    bench = make_bench(FILES, model=model, settings=settings)

    notices = await ask(bench, f"/sql {QUESTION}", *[QUESTION] * 8)

    assert "went as a summary" in notices[-2]
    asked = [t for t in model.transcripts if not t[0].text.startswith("You write down")]
    for transcript in asked:
        assert text_of(transcript).count("Bind every parameter.") == 1


async def test_long_rounds_of_one_turn_lose_no_skill(make_bench: MakeBench) -> None:
    reading = [
        ToolCall(f"r{n}", "read_file", f'{{"path": "main.py", "first_line": {n}}}')
        for n in range(1, 6)
    ]
    model = ScriptedModel([call_skill(name="sql"), *reading, DONE])
    bench = make_bench(FILES, model=model, settings=SMALL)

    await ask(bench, QUESTION)

    for transcript in model.transcripts[1:]:
        assert text_of(transcript).count("Bind every parameter.") == 1


async def test_an_edit_counts_in_the_next_turn(make_bench: MakeBench) -> None:
    model = ScriptedModel([DONE, DONE, DONE])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)
    [_, session_id] = await ask(bench, f"/sql {QUESTION}")

    edited = SQL.replace("Bind every parameter.", "Name every column.")
    (bench.root / "skills" / "sql.md").write_text(edited, encoding="utf-8")
    await bench.application.rebuild_index()
    await ask(bench, QUESTION, session_id=session_id)

    assert "Name every column." in model.transcripts[-1][-1].text


async def test_a_skill_that_is_gone_is_active_no_more(make_bench: MakeBench) -> None:
    model = ScriptedModel([LONG] * 8)
    bench = make_bench(FILES, model=model, settings=SMALL)
    [_, session_id] = await ask(bench, f"/sql {QUESTION}")

    (bench.root / "skills" / "sql.md").unlink()
    await bench.application.rebuild_index()
    await ask(bench, *[QUESTION] * 6, session_id=session_id)

    assert "Bind every parameter." not in text_of(model.transcripts[-1])


async def test_a_session_goes_on_in_another_process(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, model=ScriptedModel([LONG]), settings=SMALL)
    [_, session_id] = await ask(bench, f"/deploy {QUESTION}")
    model = ScriptedModel([LONG] * 6)

    later = make_bench(FILES, model=model, settings=SMALL)
    await ask(later, *[QUESTION] * 6, session_id=session_id)

    for transcript in model.transcripts:
        assert text_of(transcript).count("Ask the operator.") == 1


async def test_five_skills_stay_active_and_the_others_end_and_it_is_said(
    make_bench: MakeBench,
) -> None:
    files = {
        f"skills/s{n}.md": f"---\nname: s{n}\ndescription: Skill {n}.\n---\nBody of s{n}.\n"
        for n in range(7)
    }
    calls = [call_skill(f"c{n}", name=f"s{n}") for n in range(7)]
    model = ScriptedModel([calls, LONG, *[LONG] * 6])
    bench = make_bench({**FILES, **files}, model=model, settings=SMALL)

    notices = await ask(bench, QUESTION, *[QUESTION] * 6)

    assert "No longer active: `s0`, `s1`; 5 skills stay active at most." in notices[0]
    assert "`s0` is not active any more" in text_of(model.transcripts[1])
    last = text_of(model.transcripts[-1])
    assert [n for n in range(7) if f"Body of s{n}." in last] == [2, 3, 4, 5, 6]


async def test_without_a_model_what_the_user_asked_for_is_remembered(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)
    [notice, session_id] = await ask(bench, f"/sql {QUESTION}")
    assert "Facts gathered without a model." in notice

    exported = await bench.application.sessions.export(session_id, "json")

    assert '"skills": [\n        "sql"\n      ]' in exported
    assert activated(bench) == []


# Helpers


async def test_a_helper_has_the_catalogue_and_activates_for_itself(make_bench: MakeBench) -> None:
    model = ScriptedModel(
        [
            ToolCall("d", "delegate", '{"task": "Look at main.py."}'),
            call_skill(name="sql"),
            DONE,
            DONE,
        ]
    )
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    await ask(bench, QUESTION)

    helper = model.transcripts[2]
    assert "You are a helper here" in helper[0].text
    assert "- sql: How SQL is written here." in helper[0].text
    assert "Bind every parameter." in text_of(helper)
    acted = [
        event.event
        for event in bench.heard(HelperActed)
        if isinstance(event, HelperActed) and isinstance(event.event, SkillActivated)
    ]
    assert [event.name for event in acted if isinstance(event, SkillActivated)] == ["sql"]
    assert "Bind every parameter." not in text_of(model.transcripts[3])


# Outside the workspace


async def test_files_of_a_bundled_skill_are_read_for_the_tool_alone(
    make_bench: MakeBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundled = tmp_path / "bundled"
    for name, text in {
        "skills/house/SKILL.md": "---\nname: house\ndescription: The style.\n---\nSee more.\n",
        "skills/house/references/more.md": "Be brief.\n",
        "knowledge/a.md": "# A\n\nText.\n",
    }.items():
        (bundled / name).parent.mkdir(parents=True, exist_ok=True)
        (bundled / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr("glossator.app.shelves.bundled_folder", lambda: bundled, raising=False)
    monkeypatch.setattr("glossator.compose.bundled_folder", lambda: bundled)
    outside = str(bundled / "skills" / "house" / "references" / "more.md")
    model = ScriptedModel(
        [
            [
                call_skill("c1", name="house", resource="references/more.md"),
                ToolCall("c2", "read_file", f'{{"path": "{outside}"}}'),
                call_skill("c3", name="house", resource="../../knowledge/a.md"),
            ],
            "Be brief (bundled/skills/house/references/more.md:1).",
        ]
    )
    bench = make_bench({"main.py": "x = 1\n"}, model=model)

    answer = await bench.application.ask("What does main.py do?", emit=bench.hear)

    read, refused, other = results(model.transcripts[-1])
    assert "Be brief." in read
    assert "outside the workspace" in refused
    assert "not below the skill's folder" in other
    assert [(each.verdict, each.reason) for each in answer.citations] == [("exact", "")]
