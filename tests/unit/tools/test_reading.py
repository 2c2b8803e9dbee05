"""What the reading tools give: true line numbers, and what was cut and how to read on."""

from pathlib import Path

import pytest

from glossator.core.messages import ToolCall
from glossator.core.text import SourceText
from glossator.tools.reading import MAX_CHARACTERS, make_reading_tools
from glossator.tools.toolbox import Toolbox, make_toolbox
from glossator.tools.workspace import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def toolbox(root: Path) -> Toolbox:
    return make_toolbox(make_reading_tools(Workspace([root])))


async def read(toolbox: Toolbox, arguments: str) -> str:
    return (await toolbox.run(ToolCall("1", "read_file", arguments))).text


async def list_folder(toolbox: Toolbox, path: str = ".") -> str:
    call = ToolCall("1", "list_directory", f'{{"path": "{path}"}}')
    return (await toolbox.run(call)).text


async def test_lines_are_numbered_as_an_editor_counts_them(toolbox: Toolbox, root: Path) -> None:
    (root / "a.py").write_bytes("一\r\ntwo\x0c\rthree\u2028four\nfive".encode())

    text = await read(toolbox, '{"path": "a.py"}')

    assert text == (
        "`a.py`, lines 1-4 of 4\n\n1| 一\n2| two\\u{c}\n3| three\\u{2028}four\n4| five\n\n"
        "2 invisible or control characters are written as \\u{…}."
    )


async def test_without_a_last_line_200_lines_are_shown_and_the_way_on(
    toolbox: Toolbox, root: Path
) -> None:
    (root / "a.py").write_text("x\n" * 1000, encoding="utf-8")

    text = await read(toolbox, '{"path": "a.py", "first_line": 300}')

    assert text.startswith("`a.py`, lines 300-499 of 1000\n\n300| x\n")
    assert text.endswith("Lines 500-1000 are not shown; read on with first_line=500.")


async def test_a_long_answer_stops_at_a_line_and_the_way_on_is_true(
    toolbox: Toolbox, root: Path
) -> None:
    (root / "a.py").write_text(("y" * 400 + "\n") * 500, encoding="utf-8")

    text = await read(toolbox, '{"path": "a.py", "last_line": 500}')

    shown = text.count("| y")
    assert len(text) < MAX_CHARACTERS + 200
    assert f"lines 1-{shown} of 500" in text
    assert f"read on with first_line={shown + 1}." in text


async def test_an_endless_line_is_cut_inside_and_can_be_read_on(
    toolbox: Toolbox, root: Path
) -> None:
    line = "".join(f"{number:07}" for number in range(700_000))
    (root / "min.js").write_text(f"//\n{line}\nend\n", encoding="utf-8")

    first = await read(toolbox, '{"path": "min.js"}')
    second = await read(
        toolbox, '{"path": "min.js", "first_line": 2, "last_line": 2, "first_column": 500}'
    )

    assert f"2| {line[:500]}… [characters 0-499 of 4900000; read on with" in first
    assert "3| end" in first
    assert f"2| …{line[500:24500]}… [characters 500-24499 of 4900000" in second


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('{"path": "a.py", "first_line": 9}', "`a.py` has 2 lines; there is no line 9."),
        ('{"path": "a.py", "first_line": 2, "last_line": 1}', "(2) is after `last_line` (1)"),
        ('{"path": "."}', "is a folder; list it instead"),
        ('{"path": "a.py/x"}', "`a.py/x`"),
        ('{"path": "empty"}', "`empty` is empty"),
    ],
)
async def test_lines_that_are_not_there_are_said(
    toolbox: Toolbox, root: Path, arguments: str, said: str
) -> None:
    (root / "a.py").write_text("1\n2\n", encoding="utf-8")
    (root / "empty").write_text("", encoding="utf-8")

    assert said in await read(toolbox, arguments)


async def test_where_the_text_comes_from_is_said(root: Path) -> None:
    path = root / "a.py"
    (root / ".gitignore").write_text("*.gen\n", encoding="utf-8")
    (root / "b.gen").write_bytes("编码\n".encode("gb18030"))
    buffers = {path: SourceText("a.py", "unsaved\n", path=path, version=3)}
    toolbox = make_toolbox(make_reading_tools(Workspace([root], buffers)))

    assert "(as open in the editor)\n\n1| unsaved" in await read(toolbox, '{"path": "a.py"}')
    assert "(decoded from GB18030, ignored by Git)" in await read(toolbox, '{"path": "b.gen"}')


async def test_of_a_huge_file_the_beginning_is_read_and_this_is_said(root: Path) -> None:
    (root / "big.log").write_text("line\n" * 5000, encoding="utf-8")
    workspace = Workspace([root], max_file_bytes=10_000)
    toolbox = make_toolbox(make_reading_tools(workspace))

    text = await read(toolbox, '{"path": "big.log", "first_line": 1999}')

    assert "lines 1999-2000 of the first 2000" in text
    assert "The file has 25 kB; only its beginning, 2000 lines, can be read." in text


async def test_a_folder_is_listed_with_what_is_hidden_said(toolbox: Toolbox, root: Path) -> None:
    for name in ("src", "node_modules", "build"):
        (root / name).mkdir()
    (root / ".gitignore").write_text("build/\n", encoding="utf-8")
    (root / "a.py").write_text("x" * 1500, encoding="utf-8")
    (root / ".env").write_text("K=1", encoding="utf-8")
    (root / "out").symlink_to("/etc")
    (root / "two\nlines\x1b").write_text("", encoding="utf-8")

    text = await list_folder(toolbox)

    assert text == (
        "`.`: 1 folder, 5 files\n\n"
        "src/\n.env  (protected, never read)\n.gitignore  7 bytes\na.py  1.5 kB\n"
        "out  (leads out of the workspace)\ntwo\\nlines\\u{1b}  0 bytes\n\n"
        "Ignored by Git or generated: build/, node_modules/"
    )
    assert "`build`: 0 folders, 0 files (ignored by Git)" in await list_folder(toolbox, "build")


async def test_a_listing_is_bounded(toolbox: Toolbox, root: Path) -> None:
    for number in range(350):
        (root / f"{number:03}.txt").touch()

    text = await list_folder(toolbox)

    assert "299.txt" in text
    assert "300.txt" not in text
    assert "50 more are not shown" in text


async def test_the_top_of_several_folders_lists_them(root: Path) -> None:
    (root / "one").mkdir()
    (root / "two").mkdir()
    toolbox = make_toolbox(make_reading_tools(Workspace([root / "one", root / "two"])))

    assert await list_folder(toolbox) == "The workspace has 2 folders\n\none/\ntwo/"
