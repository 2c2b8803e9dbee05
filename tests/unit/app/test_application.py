import asyncio
import threading
from pathlib import Path

import pytest

from glossator.app import environment
from glossator.app.application import Application
from glossator.app.environment import Environment
from glossator.app.library.current import CurrentLibrary
from glossator.app.parts import Parts
from glossator.app.results import Opening
from glossator.compose import build_parts
from glossator.core.text import SourceText
from workbench import OWN_ONLY, MakeBench


async def test_a_changed_document_is_in_the_index_a_moment_later(make_bench: MakeBench) -> None:
    bench = make_bench({"knowledge/a.md": "# A\n\nNothing.\n"}, settings=OWN_ONLY, watch=True)
    await bench.application.start()
    (bench.root / "knowledge" / "上线.md").write_text("# 上线\n\n周五不上线。\n", encoding="utf-8")
    await bench.index.wait_for(n_documents=2)

    answer = await bench.application.ask("周五上线吗？")
    assert "周五不上线。" in answer.markdown


async def test_settings_change_without_a_restart(make_bench: MakeBench) -> None:
    bench = make_bench({"knowledge/a.md": "# A\n\nText.\n"})
    await bench.application.rebuild_index()
    before = bench.application.status().index

    await bench.application.change_settings({"knowledge": {"bundled": False}})

    after = bench.application.status().index
    assert before is not None
    assert after is not None
    assert (before.n_documents > 1, after.n_documents) == (True, 1)


async def test_an_invalid_setting_is_named_and_the_rest_works(make_bench: MakeBench) -> None:
    bench = make_bench({"glossator.toml": "[agent]\ntoolRounds = 'many'\n[model]\nname = 'x'\n"})

    problems = bench.application.status().problems

    assert any("`agent.toolRounds`" in problem for problem in problems)
    assert any("`model.name` is ignored" in problem for problem in problems)


@pytest.mark.parametrize(
    "content", ["[agent\n", "a = " + "[" * 100_000, "[check]\nmaxFileKb = " + "9" * 5000]
)
async def test_a_broken_settings_file_is_named(make_bench: MakeBench, content: str) -> None:
    bench = make_bench({"glossator.toml": content})

    assert any("glossator.toml` is not used" in p for p in bench.application.status().problems)


@pytest.mark.parametrize("folder", ["../outside", "/etc"])
async def test_a_workspace_cannot_make_a_folder_outside_its_knowledge(
    make_bench: MakeBench, folder: str
) -> None:
    bench = make_bench(
        {"glossator.toml": f"[knowledge]\nfolders = ['{folder}']\nbundled = false\n"}
    )
    outside = bench.root.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# Secret\n\nhunter2\n", encoding="utf-8")

    report = await bench.application.rebuild_index()

    assert report.n_documents == 0


@pytest.mark.parametrize("folder", ["a\0b", "a" * 5000, "/etc", ".."])
async def test_a_folder_that_cannot_be_read_is_named_and_the_rest_works(
    make_bench: MakeBench, folder: str
) -> None:
    files = {"knowledge/a.md": "# A\n\nText.\n"}
    bench = make_bench(
        files, settings={"knowledge": {"folders": [folder, "knowledge"], "bundled": False}}
    )

    report = await bench.application.rebuild_index()

    assert report.n_documents == 1
    assert f"`{folder}` is no folder below `workspace`; it is not read." in (
        bench.application.status().problems
    )


async def test_an_environment_file_that_is_no_text_is_named(make_bench: MakeBench) -> None:
    bench = make_bench(settings={"workspace": {"trusted": True}})
    (bench.root / ".env").write_bytes(b"OPENAI_API_KEY=\xff\xfe\n")

    await bench.application.change_settings({"workspace": {"trusted": True}})

    assert "`workspace/.env` is not used: it is not UTF-8." in bench.application.status().problems


async def test_the_settings_that_came_last_stay_when_an_earlier_change_is_slower(
    tmp_path: Path,
) -> None:
    is_second_built = threading.Event()

    def build(opening: Opening) -> Parts:
        rounds = opening.editor_settings.get("agent.toolRounds")
        if rounds == 1:
            is_second_built.wait(0.3)
        parts = build_parts(opening)
        if rounds == 2:
            is_second_built.set()
        return parts

    opening = Opening(
        roots=(tmp_path,), buffers={}, editor_settings={"audit.enabled": False}, watch=False
    )
    application = Application(opening, build)

    async with asyncio.TaskGroup() as changes:
        for rounds in (1, 2):
            settings = {"audit.enabled": False, "agent.toolRounds": rounds}
            changes.create_task(application.change_settings(settings))

    assert application.settings.agent.tool_rounds == 2
    await application.close()


async def test_a_file_that_only_the_editor_has_is_checked(make_bench: MakeBench) -> None:
    bench = make_bench()
    new = bench.root / "new.py"
    bench.buffers[new] = SourceText("new.py", "try:\n    x()\nexcept:\n    pass\n", new)

    (report,) = await bench.application.checks.check_paths([new])

    assert report.outcome == "findings"


async def test_a_document_of_the_workspace_takes_the_place_of_a_bundled_one(
    make_bench: MakeBench,
) -> None:
    bench = make_bench({"knowledge/git.md": "---\nname: git\n---\n# Git\n\nWe rebase on Zeus.\n"})

    answer = await bench.application.ask("Do we rebase in Git?")

    assert "We rebase on Zeus." in answer.markdown
    assert not any(
        str(source.place).startswith("bundled/knowledge/git.md") for source in answer.sources
    )


async def test_without_any_folder_everything_still_answers(make_bench: MakeBench) -> None:
    bench = make_bench()
    await bench.application.change_roots(())

    answer = await bench.application.ask("May I use a bare except in Python?")

    assert answer.refused is None
    assert bench.application.status().roots == ()


async def test_a_check_at_once_waits_for_the_rules_which_are_read_once(
    make_bench: MakeBench,
) -> None:
    bench = make_bench({"a.py": "try:\n    x()\nexcept:\n    pass\n"})
    source = bench.target("a.py", 1).source

    async with asyncio.TaskGroup() as tasks:
        checks = [tasks.create_task(bench.application.checks.check(source)) for _ in range(3)]
        tasks.create_task(bench.application.start())

    assert [check.result().outcome for check in checks] == ["findings"] * 3
    assert bench.index.n_heard == 1


async def test_a_change_of_settings_that_is_cancelled_leaves_the_folders_watched(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = make_bench({"a.py": "x = 1\n"}, watch=True, settings={"knowledge": {"bundled": False}})
    application = bench.application
    await application.start()
    is_stopped, never = asyncio.Event(), asyncio.Event()

    async def watch_later(_: Environment) -> None:
        is_stopped.set()
        await never.wait()

    with monkeypatch.context() as hanging:
        hanging.setattr(Environment, "_watch", watch_later)
        change = asyncio.create_task(application.change_settings({}))
        await is_stopped.wait()
        change.cancel()
        await asyncio.wait([change])
    await application.change_settings({"knowledge": {"bundled": False}, "audit.enabled": False})

    (bench.root / "knowledge").mkdir()
    (bench.root / "knowledge" / "a.md").write_text("# A\n\nText.\n", encoding="utf-8")
    await bench.index.wait_for(n_documents=1)


GLOBBED = """\
---
keywords: [release]
globs: ["src/**"]
---
# Releases

Nothing on a Friday.

- Never print. {#no-print}

  ```check
  language: python
  rule: {pattern: print($X)}
  ```
"""


async def test_rules_count_in_their_own_folder_and_globs_mean_the_same_in_each(
    make_bench: MakeBench, tmp_path: Path
) -> None:
    code = {"src/a.py": "print(1)\n", "lib/a.py": "print(1)\n"}
    settings = {"knowledge": {"bundled": False}, "check": {"exclude": ["src/b.py"]}}
    bench = make_bench({"knowledge/releases.md": GLOBBED, **code}, settings=settings)
    other = tmp_path / "other"
    for name, content in {**code, "src/b.py": "print(1)\n"}.items():
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        (other / name).write_text(content, encoding="utf-8")
    await bench.application.rebuild_index()

    await bench.application.change_roots((bench.root, other))
    reports = await bench.application.checks.check_paths([bench.root, other])
    opened = SourceText("other/src/c.py", "print(1)\n", other / "src" / "c.py", version=1)
    answer = await bench.application.ask("When may we release?")

    assert [each.shown_path for each in reports if each.outcome == "findings"] == [
        "workspace/src/a.py"
    ]
    assert [str(each.place) for each in answer.sources] == ["workspace/knowledge/releases.md:5-14"]

    (other / "knowledge").mkdir()
    (other / "knowledge" / "ours.md").write_text(GLOBBED, encoding="utf-8")
    await bench.application.rebuild_index()
    reports = await bench.application.checks.check_paths([bench.root, other])

    assert [each.shown_path for each in reports if each.outcome == "findings"] == [
        "workspace/src/a.py",
        "other/src/a.py",
    ]
    assert (await bench.application.checks.check(opened)).outcome == "findings"


async def test_a_folder_that_becomes_one_of_skills_is_read_as_such(make_bench: MakeBench) -> None:
    bench = make_bench({"knowledge/how.md": "# How\n\n- Do it.\n"})
    only_own = {"bundled": False, "folders": ["nowhere"], "skillFolders": ["knowledge"]}
    await bench.application.rebuild_index()

    await bench.application.change_settings({"knowledge": only_own, "audit.enabled": False})

    index = bench.application.status().index
    assert index is not None
    assert (index.n_documents, index.n_skills, index.n_rules) == (0, 1, 1)


async def test_a_question_right_after_a_change_of_folders_is_answered_from_the_new_ones(
    make_bench: MakeBench,
) -> None:
    old, new = "# Zebra\n\nOld stripes.\n", "# Zebra\n\nNew stripes.\n"
    bench = make_bench({"knowledge/a.md": old, "docs/b.md": new}, settings=OWN_ONLY)
    await bench.application.rebuild_index()
    settings = {"audit.enabled": False, "knowledge": {"bundled": False, "folders": ["docs"]}}

    change = asyncio.create_task(bench.application.change_settings(settings))
    await asyncio.sleep(0)
    answer = await bench.application.ask("What about the zebra stripes?")
    await change

    assert [str(source.place) for source in answer.sources] == ["docs/b.md:1-3"]
    assert "Ask again" not in answer.notice


@pytest.mark.parametrize(
    ("question", "said"),
    [("What about the zebra stripes?", "Ask again in a moment."), ("斑马条纹怎么画？", "稍后再问")],
)
async def test_an_answer_that_could_not_wait_for_a_change_of_settings_says_so(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch, question: str, said: str
) -> None:
    text = "# Zebra 斑马\n\nOld stripes. 斑马条纹。\n"
    bench = make_bench({"knowledge/a.md": text}, settings=OWN_ONLY)
    await bench.application.rebuild_index()
    monkeypatch.setattr(environment, "ANSWER_WAITS_S", 0.05)
    never = asyncio.Event()

    async def use_later(_: CurrentLibrary, parts: Parts) -> None:
        await never.wait()

    monkeypatch.setattr(CurrentLibrary, "use", use_later)
    change = asyncio.create_task(bench.application.change_settings(OWN_ONLY))
    await asyncio.sleep(0)
    answer = await bench.application.ask(question)
    change.cancel()
    await asyncio.wait([change])

    assert said in answer.notice
