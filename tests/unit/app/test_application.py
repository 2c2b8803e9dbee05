import pytest

from workbench import MakeBench

OWN_ONLY = {"knowledge": {"bundled": False}}


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


async def test_a_broken_settings_file_is_named(make_bench: MakeBench) -> None:
    bench = make_bench({"glossator.toml": "[agent\n"})

    assert any("`glossator.toml` is not used" in p for p in bench.application.status().problems)


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
