"""An index in a file: what comes back is what was written, or nothing at all."""

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from random import Random

import pytest

from glossator.knowledge import snapshot
from glossator.knowledge.documents import Document, DocumentProblem, Section, parse_document
from glossator.knowledge.index import KnowledgeIndex
from glossator.knowledge.snapshot import MAGIC, SnapshotUnusable

TEXTS = {
    "zh/数据库.md": "---\nkeywords: [sql]\nalways: true\n---\n# 数据库\n\n## 索引\n联合索引。\n",
    "a.md": "---\nglobs: ['*.py', 'src/**']\n---\r\n# Retries\r\n\r\nRetry twice.\r\n\r\n"
    "## Later\r\nThen stop.\r\n",
    "empty.md": "",
    "broken.md": "---\nkeywords: {a: 1}\nnane: x\n---\nText \ud800 here\rand there\r",
    "headings.md": "# Only\n## Headings\n",
    "mixed.md": "first\r\nsecond\rthird\n\n\nfourth\u2028still fourth",
}
QUESTIONS = ("retry", "索引", "数据库", "then stop", "fourth", "only headings", "nothing of it")


def make_documents() -> list[Document]:
    return [parse_document(text, path=path) for path, text in TEXTS.items()]


def search_all(index: KnowledgeIndex) -> list[object]:
    return [
        index.search(question, weighting=weighting)
        for question in QUESTIONS
        for weighting in ("bm25", "cosine")
    ]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "knowledge.index"


def test_what_was_saved_comes_back_whole(file: Path) -> None:
    documents = make_documents()
    built = KnowledgeIndex.build(documents)

    saved = built.save(file, note="目录".encode())
    loaded = KnowledgeIndex.load(file)

    for index in (saved, loaded):
        assert index.note == "目录".encode()
        assert index.n_sections == built.n_sections
        assert list(index.documents) == sorted(TEXTS)
        assert dict(index.documents) == {document.path: document for document in documents}
        assert search_all(index) == search_all(built)
        assert index.always == {"zh/数据库.md"}
        assert index.globs == {"a.md": ("*.py", "src/**")}


def test_every_field_of_a_document_and_a_section_travels(file: Path) -> None:
    section = Section("doc", "x.md", ("A", "B"), 2, 3, "text that stands\nnowhere in the file")
    of_type: dict[object, object] = {bool: True, int: 2, str: "value"}
    values = {field.name: of_type.get(field.type, ("one", "two")) for field in fields(Document)}
    values |= {
        "path": "x.md",
        "text": "# A\n\nlines\n",
        "sections": (section,),
        "problems": (DocumentProblem("x.md", 3, "Something.\u2028"),),
        "origin": "personal",
        "family": "cursor",
    }
    document = Document(**values)  # type: ignore[arg-type] # Made for whatever fields there are.

    index = KnowledgeIndex.build([document]).save(file)

    assert index.documents["x.md"] == document
    assert [field.name for field in fields(Section)] == [
        "document", "path", "heading_path", "first_line", "last_line", "text",
    ]  # fmt: skip
    assert index.search("nowhere")[0].section == section


def test_a_loaded_index_is_changed_and_saved_again(file: Path) -> None:
    documents = make_documents()
    index = KnowledgeIndex.build(documents).save(file)

    changed = parse_document("# Retries\n\nRetry three times, 索引.\n", path="a.md")
    added = parse_document("# Fourth\n\nNew.\n", path="new.md")
    index = index.replace([changed, added], removed=["mixed.md", "zh/数据库.md", "never.md"])
    again = index.save(file)
    once_more = again.replace(documents, removed=["new.md"]).save(file)

    kept = [d for d in documents if d.path not in {"a.md", "mixed.md", "zh/数据库.md"}]
    fresh = KnowledgeIndex.build([*kept, changed, added])
    for made in (index, again):
        assert search_all(made) == search_all(fresh)
        assert dict(made.documents) == dict(fresh.documents)
        assert made.always == frozenset()
        assert made.globs == {}
    assert search_all(once_more) == search_all(KnowledgeIndex.build(documents))


def test_taking_all_out_leaves_an_empty_index(file: Path) -> None:
    index = KnowledgeIndex.build(make_documents()).save(file)

    emptied = index.replace(removed=list(TEXTS)).save(file)

    assert emptied.n_sections == 0
    assert not emptied.documents
    assert all(hits == () for hits in search_all(emptied))


def test_one_process_may_replace_what_another_has_read(file: Path) -> None:
    first = KnowledgeIndex.build(make_documents()).save(file)
    before = search_all(first)

    KnowledgeIndex.build([parse_document("# Other\n\nOther text.\n", path="o.md")]).save(file)

    assert search_all(first) == before
    assert first.documents["a.md"].text == TEXTS["a.md"]
    assert list(KnowledgeIndex.load(file).documents) == ["o.md"]


def test_a_missing_file_is_unusable(file: Path) -> None:
    with pytest.raises(SnapshotUnusable, match="cannot be read"):
        KnowledgeIndex.load(file)


def test_a_folder_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(SnapshotUnusable):
        KnowledgeIndex.load(tmp_path)


@pytest.mark.parametrize(
    "content", [b"", b"x", MAGIC, b"{}" * 5000, bytes(4096), b"PK\x03\x04" * 99]
)
def test_a_foreign_file_is_unusable(file: Path, content: bytes) -> None:
    file.write_bytes(content)

    with pytest.raises(SnapshotUnusable):
        KnowledgeIndex.load(file)


def test_a_file_cut_anywhere_is_unusable(file: Path) -> None:
    KnowledgeIndex.build(make_documents()).save(file, note=b"note")
    whole = file.read_bytes()

    for size in range(0, len(whole), max(1, len(whole) // 400)):
        file.write_bytes(whole[:size])
        with pytest.raises(SnapshotUnusable):
            KnowledgeIndex.load(file)
    file.write_bytes(whole + b"\0")
    with pytest.raises(SnapshotUnusable):
        KnowledgeIndex.load(file)


def test_a_damaged_byte_is_found_or_means_nothing(file: Path) -> None:
    index = KnowledgeIndex.build(make_documents())
    index.save(file, note=b"note")
    whole = file.read_bytes()
    random = Random(4)
    expected = search_all(index)

    for place in random.sample(range(len(whole)), 300):
        damaged = bytearray(whole)
        damaged[place] ^= random.randrange(1, 256)
        file.write_bytes(damaged)
        try:
            loaded = KnowledgeIndex.load(file)
        except SnapshotUnusable:
            continue
        # Between two tables stand a few bytes that nobody reads.
        assert search_all(loaded) == expected
        assert dict(loaded.documents) == dict(index.documents)


def _with_head(content: bytes, change: Callable[[dict[str, object]], None]) -> bytes:
    size = int.from_bytes(content[8:12], "little")
    head = json.loads(content[16 : 16 + size])
    change(head)
    packed = json.dumps(head).encode()
    checksum = zlib.crc32(packed).to_bytes(4, "little")
    return MAGIC + len(packed).to_bytes(4, "little") + checksum + packed + content[16 + size :]


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head.update(format=0),
        lambda head: head.update(made_by="another"),
        lambda head: head.update(sizes={}),
        lambda head: head.update(sizes=[]),
        lambda head: head["sizes"].update(ids=-8),
        lambda head: head["sizes"].update(ids=1 << 60),
        lambda head: head["sizes"].update(ids="8"),
        lambda head: head["sizes"].update(other=0),
        lambda head: head["sizes"].pop("texts"),
        lambda head: head.clear(),
    ],
)
def test_a_head_that_does_not_fit_is_refused(
    file: Path, change: Callable[[dict[str, object]], None]
) -> None:
    KnowledgeIndex.build(make_documents()).save(file)
    file.write_bytes(_with_head(file.read_bytes(), change))

    with pytest.raises(SnapshotUnusable):
        KnowledgeIndex.load(file)


def test_what_decides_the_words_is_part_of_the_fingerprint(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    KnowledgeIndex.build(make_documents()).save(file)
    monkeypatch.setattr(snapshot, "find_fingerprint", lambda: "made by a later version")

    with pytest.raises(SnapshotUnusable, match="another version"):
        KnowledgeIndex.load(file)


def test_the_fingerprint_hashes_the_modules_that_cut_text_and_find_words() -> None:
    hashed = {file.name for file in snapshot.list_deciding_files()}

    assert {"words.py", "section_words.py", "documents.py", "segment.py", "text.py"} <= hashed
    assert len(snapshot.find_fingerprint()) == 32


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = KnowledgeIndex.build(make_documents()).save(file)
    before = file.read_bytes()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(snapshot.os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        index.replace(removed=["a.md"]).save(file)

    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_a_file_in_a_folder_that_is_not_there_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        KnowledgeIndex.build([]).save(tmp_path / "none" / "knowledge.index")


def test_a_file_that_is_cut_off_while_it_is_used_takes_nothing_away(file: Path) -> None:
    index = KnowledgeIndex.build(make_documents())
    index.save(file)
    program = (
        "import os, sys, pathlib\n"
        "from glossator.knowledge.index import KnowledgeIndex\n"
        "index = KnowledgeIndex.load(pathlib.Path(sys.argv[1]))\n"
        "os.truncate(sys.argv[1], 0)\n"
        "print(len(index.search('retry')), len(index.documents['a.md'].text))\n"
    )

    done = subprocess.run([sys.executable, "-c", program, file], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [str(len(index.search("retry"))), str(len(TEXTS["a.md"]))]


def test_a_pipe_in_the_place_of_the_file_holds_nobody_up(file: Path) -> None:
    os.mkfifo(file)

    with pytest.raises(SnapshotUnusable, match="no regular file"):
        KnowledgeIndex.load(file)
    KnowledgeIndex.build(make_documents()).save(file)

    assert list(KnowledgeIndex.load(file).documents) == sorted(TEXTS)


def test_documents_and_words_are_made_only_when_they_are_asked_for(file: Path) -> None:
    KnowledgeIndex.build(make_documents()).save(file)

    index = KnowledgeIndex.load(file)

    assert len(index.documents) == len(TEXTS)
    assert "a.md" in index.documents
    assert "b.md" not in index.documents
    assert 3 not in index.documents
    assert index.documents.get("b.md") is None
    assert replace(index.documents["a.md"], name="x") != index.documents["a.md"]
