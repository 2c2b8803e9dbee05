"""What is attached to a question: found, guarded, cut, cited, kept."""

from pathlib import Path

import pytest

from glossator.app.attachments import MAX_ATTACHMENTS
from glossator.app.results import AttachmentRequest
from glossator.core.errors import InvalidArguments
from glossator.core.text import SourceText
from glossator.model.scripted import ScriptedModel
from glossator.sessions.session import Attachment
from workbench import FILES, OWN_ONLY, Bench, MakeBench, script

STORE = AttachmentRequest("file", "store/store.py")


def sent_to(model: ScriptedModel) -> str:
    return model.transcripts[0][-1].text


async def test_the_lines_of_an_attached_file_are_given_and_count_as_read(
    make_bench: MakeBench,
) -> None:
    model = script("It counts one, see store/disk.py:1-2 and main.py:4.")
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    answer = await bench.application.ask(
        "What is this?", attachments=[AttachmentRequest("file", "store/disk.py")]
    )

    assert "kind=attached-file place=store/disk.py:1-2" in sent_to(model)
    assert [each.verdict for each in answer.citations] == ["exact", "missing"]
    assert answer.attachments == (Attachment("file", "store/disk.py", 1, 2),)


async def test_the_buffer_of_an_open_document_counts_before_the_disk(make_bench: MakeBench) -> None:
    model = script("Fine, store/disk.py:1.")
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)
    path = bench.root / "store/disk.py"
    bench.buffers[path] = SourceText("store/disk.py", "def unsaved():\n    pass\n", path)

    await bench.application.ask(
        "What is this?", attachments=[AttachmentRequest("file", path.as_uri())]
    )

    assert "def unsaved" in sent_to(model)
    assert "print(item)" not in sent_to(model)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("gone.py", "does not exist"),
        ("../elsewhere.py", "outside the workspace"),
        (".env", "never read"),
        ("picture.png", "not text"),
    ],
)
async def test_what_cannot_be_attached_says_why_and_the_question_is_answered(
    make_bench: MakeBench, tmp_path: Path, path: str, reason: str
) -> None:
    bench = make_bench({**FILES, ".env": "KEY=secret\n", "picture.png": "\0\1"}, settings=OWN_ONLY)
    (tmp_path / "elsewhere.py").write_text("secret = 1\n", encoding="utf-8")

    answer = await bench.application.ask(
        "What does `main` do?", attachments=[AttachmentRequest("file", path)]
    )

    [attached] = answer.attachments
    assert reason in attached.problem
    assert attached.problem in answer.notice
    assert "secret" not in answer.markdown
    assert "main.py" in answer.markdown


async def test_a_protected_file_is_named_to_who_attached_it_by_its_name(
    make_bench: MakeBench,
) -> None:
    bench = make_bench({**FILES, ".env": "KEY=secret\n"}, settings=OWN_ONLY)
    uri = (bench.root / ".env").as_uri()

    answer = await bench.application.ask(
        "What does `main` do?", attachments=[AttachmentRequest("file", uri)]
    )

    [attached] = answer.attachments
    assert attached.problem == (
        "`.env` may hold keys, passwords or repository internals, so it is never read."
    )


async def test_a_reason_is_told_in_the_language_of_the_question(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)

    answer = await bench.application.ask(
        "`main` 做什么？", attachments=[AttachmentRequest("file", "不存在.py")]
    )

    assert "不存在" in answer.attachments[0].problem
    assert "未能附加" in answer.notice


async def test_a_symbol_is_the_definition_of_its_name(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)

    answer = await bench.application.ask(
        "What does this do?", attachments=[AttachmentRequest("symbol", symbol="Store.count")]
    )

    assert answer.attachments == (Attachment("symbol", "store/store.py", 10, 11, "Store.count"),)
    assert "`Store.save` store/store.py:" in answer.markdown, "who calls it is said"


async def test_a_symbol_of_several_files_has_to_be_told_apart(make_bench: MakeBench) -> None:
    bench = make_bench({"a.py": "def run(): ...\n", "b.py": "def run(): ...\n"}, settings=OWN_ONLY)

    answer = await bench.application.ask(
        "What is this?",
        attachments=[
            AttachmentRequest("symbol", symbol="run"),
            AttachmentRequest("symbol", "b.py", symbol="run"),
            AttachmentRequest("symbol", symbol="nowhere"),
        ],
    )

    several, found, nowhere = answer.attachments
    assert "a.py:1, b.py:1" in several.problem
    assert (found.path, found.first_line) == ("b.py", 1)
    assert "Nothing in the workspace is called `nowhere`" in nowhere.problem


async def test_without_a_model_the_answer_shows_what_the_code_says(make_bench: MakeBench) -> None:
    notes = "first\n```\nsecond\n"
    bench = make_bench({**FILES, "笔记.txt": notes}, settings=OWN_ONLY)

    answer = await bench.application.ask(
        "What is this?",
        attachments=[STORE, AttachmentRequest("selection", "笔记.txt", (2, 3))],
    )

    assert "### What you attached" in answer.markdown
    assert "- `Store.save` store/store.py:5" in answer.markdown
    assert "笔记.txt:2-3" in answer.markdown
    assert all(each.verdict == "exact" for each in answer.citations)


async def test_what_has_no_room_is_cut_and_this_is_said(make_bench: MakeBench) -> None:
    model = script("See small.py:1.")
    long = "".join(f"value_{number} = {number}\n" for number in range(20_000))
    bench = make_bench({"long.py": long, "small.py": "x = 1\n"}, model=model, settings=OWN_ONLY)

    answer = await bench.application.ask(
        "What are these?",
        attachments=[AttachmentRequest("file", "long.py"), AttachmentRequest("file", "small.py")],
    )

    cut, whole = answer.attachments
    assert cut.n_lines_left_out == 20_000 - cut.last_line > 0
    assert whole.n_lines_left_out == 0
    assert f"the first {cut.last_line} of 20000 lines" in answer.notice
    assert f"({cut.n_lines_left_out} more lines; read on with read_file.)" in sent_to(model)


async def test_more_than_can_be_looked_at_is_refused(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)

    with pytest.raises(InvalidArguments, match="Attach fewer"):
        await bench.application.ask("What?", attachments=[STORE] * (MAX_ATTACHMENTS + 1))


async def test_a_document_without_a_file_is_attached_as_it_is(make_bench: MakeBench) -> None:
    model = script("It is one, notes.txt:1.")
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)
    source = SourceText("notes.txt", "answer = 42\n")

    answer = await bench.application.ask(
        "What is this?",
        attachments=[AttachmentRequest("file", "untitled:notes.txt", source=source)],
    )

    assert "answer = 42" in sent_to(model)
    assert [each.verdict for each in answer.citations] == ["exact"]


async def test_attachments_are_kept_with_the_turn_and_exported(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)
    answer = await bench.application.ask("这是什么？", attachments=[STORE])

    session = await bench.application.sessions.read(answer.session_id)
    markdown = await bench.application.sessions.export(answer.session_id, "markdown")

    assert session.turns[0].attachments == answer.attachments
    assert "`store/store.py:1-11`" in markdown


async def find(bench: Bench, kind: str, query: str) -> list[str]:
    found = await bench.application.find_attachable("symbol" if kind == "symbol" else "file", query)
    return [f"{each.name} {each.path}" for each in found]


async def test_files_are_found_by_the_letters_of_their_path(make_bench: MakeBench) -> None:
    files = {**FILES, "文档/说明.md": "# 说明\n", ".env": "KEY=1\n"}
    bench = make_bench(files, settings=OWN_ONLY)

    assert (await find(bench, "file", "sto"))[0] == "store.py store/store.py"
    assert await find(bench, "file", "说明") == ["说明.md 文档/说明.md"]
    assert await find(bench, "file", "tests/te") == ["test_store.py tests/test_store.py"]
    assert await find(bench, "file", "env") == []
    assert len(await find(bench, "file", "")) == len(files) - 1


async def test_symbols_are_found_by_a_part_of_their_name(make_bench: MakeBench) -> None:
    bench = make_bench(
        {**FILES, "税.py": "def 计算税额(金额):\n    return 金额\n"}, settings=OWN_ONLY
    )

    assert (await find(bench, "symbol", "sav"))[0] == "Store.save store/store.py"
    assert "Store store/store.py" in await find(bench, "symbol", "store")
    assert await find(bench, "symbol", "税额") == ["计算税额 税.py"]
    assert await find(bench, "symbol", "") == []
