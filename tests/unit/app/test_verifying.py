"""Where the texts come from; what an answer may say about them is in `tests/unit/citations`."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from glossator.app.phrasing import Phrasing
from glossator.app.results import Citation
from glossator.app.verifying import verify_citations
from glossator.core.text import SourceText
from glossator.tools.seen_texts import SeenTexts
from glossator.tools.workspace import Workspace

FILES = {
    "src/store.py": "class Store:\n    def load(self):\n        x = 0\n        return 1\n",
    "a/util.py": "x = 1\n",
    "b/util.py": "y = 2\n",
    "文档/说明.md": "# 说明\n\n第三行\n",
}

ENGLISH = Phrasing(is_chinese=False)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return Workspace([tmp_path], {})


def verify(
    answer: str,
    workspace: Workspace,
    *,
    looked_at: SourceText | None = None,
    seen: SeenTexts | None = None,
    shown: Iterable[str] | None = None,
    say: Phrasing = ENGLISH,
) -> list[str]:
    found = verify_citations(
        answer,
        workspace,
        files={},
        looked_at=looked_at,
        seen=seen,
        shown=shown,
        say=say,
    )
    return [write(each) for each in found]


def write(citation: Citation) -> str:
    reason = f" – {citation.reason}" if citation.reason else ""
    return f"{citation.verdict} {citation.place}{reason}"


def test_lines_that_are_part_of_what_is_named_are_exact(workspace: Workspace) -> None:
    assert verify("`Store.load` (src/store.py:3)", workspace) == ["exact src/store.py:3"]


def test_the_buffer_counts_not_the_disk(tmp_path: Path, workspace: Workspace) -> None:
    path = (tmp_path / "src/store.py").resolve()
    workspace.buffers[path] = SourceText("store.py", "# new\n" + FILES["src/store.py"], path, 7)

    assert verify("`load` (src/store.py:2)", workspace) == ["moved src/store.py:3"]


def test_a_text_that_was_read_counts_not_what_the_disk_holds_a_minute_later(
    tmp_path: Path, workspace: Workspace
) -> None:
    seen = SeenTexts()
    workspace.noting(seen).read("src/store.py")
    (tmp_path / "src/store.py").write_text("import os\n\n" + FILES["src/store.py"])

    found = verify("src/store.py:2", workspace, seen=seen)

    assert found == ["moved src/store.py:4 – the file changed since it was read"]


def test_a_file_that_was_deleted_since_it_was_read_is_said_to_have_changed(
    tmp_path: Path, workspace: Workspace
) -> None:
    seen = SeenTexts()
    workspace.noting(seen).read("src/store.py")
    (tmp_path / "src/store.py").unlink()

    assert verify("src/store.py:2 and store.py:2", workspace, seen=seen) == [
        "missing src/store.py:2 – the file changed since it was read",
        "missing src/store.py:2 – the file changed since it was read",
    ]


def test_reading_again_is_no_reading(workspace: Workspace) -> None:
    seen = SeenTexts()

    verify("src/store.py:2", workspace.noting(seen), seen=seen)

    assert seen.versions_of(workspace.locate("src/store.py")) == ()


def test_of_two_files_with_one_name_the_one_that_was_read_is_meant(workspace: Workspace) -> None:
    seen = SeenTexts()
    workspace.noting(seen).read("b/util.py")

    assert verify("util.py:1", workspace, seen=seen) == ["exact b/util.py:1"]
    assert verify("util.py:1", workspace) == ["missing util.py:1 – several files are called so"]


def test_a_document_without_a_file_is_found_by_its_name(workspace: Workspace) -> None:
    looked_at = SourceText("Untitled-1", "def f():\n    pass\n", language_id="python")

    found = verify("`f` (Untitled-1:2); more at Untitled-1:9", workspace, looked_at=looked_at)

    assert found == [
        "exact Untitled-1:2",
        "missing Untitled-1:9 – the file has 2 lines",
    ]


def test_a_document_that_stands_in_no_folder_is_found_by_the_end_of_its_name(
    workspace: Workspace,
) -> None:
    looked_at = SourceText("scratch/alone.py", "x = 1\n", Path("/nowhere/scratch/alone.py"))

    assert verify("alone.py:1", workspace, looked_at=looked_at) == ["exact scratch/alone.py:1"]


def test_a_workspace_that_vanished_holds_nothing(tmp_path: Path) -> None:
    workspace = Workspace([tmp_path / "gone"])

    assert verify("a.py:1", workspace) == ["missing a.py:1 – there is no such file"]


@pytest.mark.parametrize(
    ("content", "answer", "expected"),
    [
        (b"\xef\xbb\xbfone\r\ntwo\r\n", "`two` (x.txt:2)", "exact x.txt:2"),
        (b"one\rtwo", "`two` (x.txt:2)", "exact x.txt:2"),
        (b"one\x0c\x0b\xe2\x80\xa8\xc2\x85\ntwo\n", "`two` (x.txt:2)", "exact x.txt:2"),
        (b"one\n", "x.txt:2", "missing x.txt:2 – the file has 1 line"),
        (b"", "x.txt:1", "missing x.txt:1 – the file is empty"),
        (b"\x00\x01\x02" * 50, "x.txt:1", "missing x.txt:1 – it is no text file that can be read"),
        (b"x\n" * 5_000_000, "x.txt:1", "missing x.txt:1 – it is no text file that can be read"),
    ],
    ids=["bom and crlf", "cr", "no line ends", "one line", "empty", "binary", "too large"],
)
def test_lines_are_counted_as_editors_do(
    tmp_path: Path, workspace: Workspace, content: bytes, answer: str, expected: str
) -> None:
    (tmp_path / "x.txt").write_bytes(content)

    assert verify(answer, workspace) == [expected]


def test_of_a_file_that_is_too_large_the_beginning_that_was_read_counts(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("one\ntwo\n" * 100)
    workspace, seen = Workspace([tmp_path], max_file_bytes=64), SeenTexts()
    workspace.noting(seen).read_part("x.txt")

    assert verify("x.txt:2", workspace, seen=seen) == ["exact x.txt:2"]


def test_a_secret_and_what_lies_outside_are_never_read(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret.py").write_text("password = 1\n")
    (root / ".env").write_text("PASSWORD=1\n")
    (root / "link.py").symlink_to(tmp_path / "secret.py")
    workspace = Workspace([root])

    assert verify("`password` ../secret.py:1, link.py:1, `PASSWORD` .env:1", workspace) == [
        "missing ../secret.py:1 – it is outside the workspace",
        "missing link.py:1 – it is outside the workspace",
        "missing .env:1 – the file is never read",
    ]


def test_reasons_are_given_in_the_language_of_the_answer(workspace: Workspace) -> None:
    found = verify(
        "见 src/store.py：99、src/没有.py：1、util.py：1",
        workspace,
        shown=[],
        say=Phrasing(is_chinese=True),
    )

    assert found == [
        "missing src/store.py:99 – 文件只有 4 行",
        "missing src/没有.py:1 – 没有这个文件",
        "missing util.py:1 – 有多个同名文件",
    ]


def test_a_file_of_the_knowledge_that_ships_is_read_where_it_is(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shipped = tmp_path_factory.mktemp("shipped") / "a.md"
    shipped.write_text("# Rules\n")
    files = {"bundled/a.md": shipped, "bundled/gone.md": shipped.with_name("gone.md")}

    found = verify_citations("bundled/a.md:1, bundled/gone.md:1", workspace, files=files)

    assert [(each.verdict, each.path) for each in found] == [("exact", shipped), ("missing", None)]


def test_a_name_in_another_normal_form_is_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "cafe\u0301.py").write_text("x = 1\n")

    [found] = verify("caf\u00e9.py:1", Workspace([tmp_path]))

    assert found.startswith("exact")


def test_a_name_as_our_tools_write_it_leads_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "a\u202eb.py").write_text("x = 1\n")

    [found] = verify(r"a\u{202e}b.py:1", Workspace([tmp_path]))

    assert found.startswith("exact")


def test_of_a_huge_answer_the_first_places_are_verified(workspace: Workspace) -> None:
    answer = "".join(
        f"`load` src/store.py:{number} 参见说明.md:{number}\n" for number in range(30_000)
    )

    found = verify(answer, workspace)

    assert len(found) == 300
