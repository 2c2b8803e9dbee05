import time
from pathlib import Path

import pytest

from glossator.app.answers import verify_citations
from glossator.core.text import SourceText
from glossator.tools.code_map import CodeMap
from glossator.tools.workspace import Workspace

FILES = {
    "src/store.py": "class Store:\n    def load(self):\n        return 1\n",
    "a/util.py": "x = 1\n",
    "b/util.py": "y = 2\n",
    "my dir/foo bar.py": "def z():\n    pass\n",
    "app/[id]/page.tsx": "export function Page() {}\n",
    "文档/说明.md": "# 说明\n\n第三行\n",
    ".env": "KEY=secret\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return Workspace([tmp_path])


def verify(
    answer: str, workspace: Workspace, looked_at: SourceText | None = None
) -> list[tuple[str, str]]:
    found = verify_citations(answer, workspace, CodeMap(workspace), files={}, looked_at=looked_at)
    return [(str(each.place), each.verdict) for each in found]


@pytest.mark.parametrize(
    ("answer", "place", "verdict"),
    [
        ("`store.py:2`", "src/store.py:2", "exact"),
        ("参见说明.md：3", "文档/说明.md:3", "exact"),
        ("`my dir/foo bar.py:1`", "my dir/foo bar.py:1", "exact"),
        ("[z](my%20dir/foo%20bar.py#L1)", "my dir/foo bar.py:1", "exact"),
        ("`app/[id]/page.tsx:1`", "app/[id]/page.tsx:1", "exact"),
        ("`run src/store.py:2`", "src/store.py:2", "exact"),
        ("util.py:1", "util.py:1", "missing"),
        ("re.py:1", "re.py:1", "missing"),
        (".env:1", ".env:1", "missing"),
    ],
)
def test_a_file_is_found_by_the_end_of_its_path_when_only_one_ends_so(
    workspace: Workspace, answer: str, place: str, verdict: str
) -> None:
    assert verify(answer, workspace) == [(place, verdict)]


def test_of_two_files_with_one_name_the_document_in_question_is_meant(workspace: Workspace) -> None:
    looked_at = workspace.read("b/util.py")

    assert verify("util.py:1", workspace, looked_at) == [("b/util.py:1", "exact")]


def test_knowledge_that_vanished_is_missing_and_nothing_fails(
    workspace: Workspace, tmp_path: Path
) -> None:
    found = verify_citations(
        "bundled/gone.md:1",
        workspace,
        CodeMap(workspace),
        files={"bundled/gone.md": tmp_path / "x"},
    )

    assert [each.verdict for each in found] == ["missing"]


def test_a_huge_answer_is_verified_in_bounded_time(workspace: Workspace) -> None:
    answer = "".join(
        f"`load` src/store.py:{number} 参见说明.md:{number}\n" for number in range(30_000)
    )
    started = time.monotonic()

    found = verify(answer, workspace)

    assert len(found) == 300
    assert time.monotonic() - started < 10
