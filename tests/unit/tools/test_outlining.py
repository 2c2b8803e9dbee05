from pathlib import Path

import pytest

from glossator.core.errors import InvalidArguments, OutsideWorkspace, UnreadableFile
from glossator.core.messages import ToolCall
from glossator.core.text import SourceText
from glossator.tools import outlining
from glossator.tools.code_map import CodeMap
from glossator.tools.outlining import make_outlining_tools, show_outline
from glossator.tools.signatures import make_signature_tools
from glossator.tools.toolbox import make_toolbox
from glossator.tools.workspace import Workspace

STORE = """\
class Store:
    def save(self, item):
        def inner():
            pass


def open_store():
    pass
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "main.py": "def main():\n    pass\n",
        "src/store.py": STORE,
        "src/deep/er/x.ts": "export class X {}\nexport const f = () => 1\n",
        "src/name.cs": "namespace A.B { class C { void M() {} } }\n",
        "tests/test_store.py": "def test_save():\n    pass\n",
        "README.md": "# Title\n",
        "node_modules/x.js": "function hidden() {}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def look(root: Path, path: str, **buffers: str) -> str:
    documents = {root / name: SourceText(name, text, version=1) for name, text in buffers.items()}
    workspace = Workspace([root], documents)
    return show_outline(workspace, CodeMap(workspace), path)


def test_a_folder_is_a_tree_of_files_with_what_stands_at_their_top(root: Path) -> None:
    assert look(root, ".") == (
        """\
`.`: 5 source files and 1 others

./
  main.py: main() 1-2

src/
  name.cs: class C 1-1
  store.py: class Store 1-4, open_store() 7-8

src/deep/er/
  x.ts: class X 1-1, f() 2-2

tests/
  test_store.py: test_save() 1-2"""
    )


def test_a_file_lists_all_its_definitions_with_their_lines(root: Path) -> None:
    assert look(root, "src/store.py") == (
        """\
`src/store.py` (Python): 3 functions, 1 types

        1-4| class Store
        2-4|   def save(self, item)
        3-4|     def inner()
        7-8| def open_store()"""
    )


async def test_asking_for_the_signature_of_nothing_gives_the_same_list(root: Path) -> None:
    workspace = Workspace([root])
    toolbox = make_toolbox(make_signature_tools(workspace, CodeMap(workspace)))

    call = ToolCall("1", "get_function_signature", '{"path": "src/store.py"}')

    assert (await toolbox.run(call)).text == look(root, "src/store.py")


async def test_the_tool_needs_no_arguments(root: Path) -> None:
    workspace = Workspace([root])
    toolbox = make_toolbox(make_outlining_tools(workspace, CodeMap(workspace)))

    outcome = await toolbox.run(ToolCall("1", "outline", "{}"))

    assert outcome.summary == "`.`: 5 source files and 1 others"


def test_the_editors_text_counts(root: Path) -> None:
    assert "main.py: renamed() 1-1" in look(root, ".", **{"main.py": "def renamed(): pass\n"})


def test_what_has_no_room_is_counted_by_folder_and_tests_give_way_first(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlining, "MAX_PARSED", 2)

    text = look(root, ".")

    assert "main.py: main()" in text
    assert "name.cs: class C" in text
    assert text.endswith(
        "3 source files are not shown; ask with their folder:\n"
        "  src/: 1\n  src/deep/er/: 1\n  tests/: 1"
    )


def test_of_a_file_with_many_definitions_the_public_ones_are_kept(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlining, "MAX_DEFINITIONS", 2)
    monkeypatch.setattr(outlining, "MIN_DEFINITIONS", 1)
    text = "def _a(): pass\ndef b(): pass\ndef _c(): pass\ndef d(): pass\n"
    (root / "many.py").write_text(text, encoding="utf-8")

    assert "many.py: b() 2-2, d() 4-4, 2 more" in look(root, ".")


def test_a_thousand_files_are_outlined_within_the_room_there_is(root: Path) -> None:
    for number in range(1000):
        (root / f"m{number:04}.py").write_text(f"def f{number}(): pass\n", encoding="utf-8")

    text = look(root, ".")

    assert len(text) < outlining.MAX_CHARACTERS + 2000
    assert "source files are not shown; ask with their folder:" in text


@pytest.mark.parametrize(
    ("path", "error"),
    [("README.md", InvalidArguments), ("nope.py", UnreadableFile), ("/etc", OutsideWorkspace)],
)
def test_what_has_no_outline_is_refused(root: Path, path: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        look(root, path)


def test_several_folders_are_outlined_together(root: Path) -> None:
    workspace = Workspace([root / "src", root / "tests"])

    text = show_outline(workspace, CodeMap(workspace), ".")

    assert text.startswith("`src`, `tests`: 4 source files")
    assert "src/deep/er/\n  x.ts" in text


def test_a_file_name_with_a_line_end_stays_on_its_line(root: Path) -> None:
    (root / "src" / "a\nb.py").write_text("def f():\n    pass\n", encoding="utf-8")

    assert "\n  a\\nb.py: f() 1-2\n" in look(root, "src")


def test_a_file_too_large_to_be_understood_is_not_said_to_be_of_another_language(
    root: Path,
) -> None:
    (root / "huge.py").write_text("x = 1\n" * 500_000, encoding="utf-8")

    with pytest.raises(InvalidArguments, match="too large"):
        look(root, "huge.py")


def test_deep_nesting_does_not_indent_without_end(root: Path) -> None:
    depth = 300
    text = "function a(){" * depth + "}" * depth
    (root / "deep.js").write_text(text, encoding="utf-8")

    assert max(map(len, look(root, "deep.js").splitlines())) < 100
