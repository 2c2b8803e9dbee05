from pathlib import Path

import pytest

from glossator.core.errors import InvalidArguments
from glossator.core.messages import ToolCall
from glossator.tools import chaining
from glossator.tools.chaining import Direction, make_chaining_tools, show_call_chain
from glossator.tools.code_map import CodeMap
from glossator.tools.toolbox import make_toolbox
from glossator.tools.workspace import Workspace

FILES = {
    "a.py": "from b import pong\n\n\ndef start():\n    ping()\n\n\ndef ping():\n    pong()\n"
    "    print(1)\n",
    "b.py": "import a\n\n\ndef pong():\n    a.ping()\n\n\nclass Thing:\n    def run(self):\n"
    "        pong()\n\n    def twice(self):\n        pass\n\n\ndef twice():\n    pass\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def look(root: Path, path: str, name: str, depth: int = 2, direction: Direction = "both") -> str:
    workspace = Workspace([root])
    return show_call_chain(workspace, CodeMap(workspace), path, name, depth, direction)


async def test_both_directions_are_trees_with_places_and_cycles_are_marked(root: Path) -> None:
    workspace = Workspace([root])
    toolbox = make_toolbox(make_chaining_tools(workspace, CodeMap(workspace)))

    call = ToolCall("1", "call_chain", '{"path": "a.py", "name": "ping"}')
    outcome = await toolbox.run(call)

    assert outcome.text == (
        """\
ping  a.py:8

Called by:
  start  a.py:4
  pong  b.py:4
    ping  a.py:8 (again, see above)
    Thing.run  b.py:9

Calls:
  pong  b.py:4
    ping  a.py:8 (again, see above)
  print  outside"""
    )


def test_one_direction_and_a_depth_can_be_asked_for(root: Path) -> None:
    assert look(root, "a.py", "start", 1, "callees") == "start  a.py:4\n\nCalls:\n  ping  a.py:8"
    assert look(root, "a.py", "start", 9, "callers") == (
        "start  a.py:4\n\nCalled by:\n  nobody in this workspace"
    )


def test_a_name_that_is_defined_twice_says_where_the_others_are(root: Path) -> None:
    text = "if x:\n    def same():\n        pass\nelse:\n    def same():\n        pass\n"
    (root / "c.py").write_text(text, encoding="utf-8")

    assert "Others of that name are defined at lines 5; give" in look(root, "c.py", "same")
    assert look(root, "b.py", "twice").startswith("twice  b.py:16\n\n")
    assert look(root, "b.py", "Thing.twice").startswith("Thing.twice  b.py:12\n\n")


def test_a_class_is_not_called(root: Path) -> None:
    with pytest.raises(InvalidArguments, match=r"`Thing` in `b\.py` is a class\. Name one of"):
        look(root, "b.py", "Thing")


def test_a_name_that_is_not_there_says_what_is(root: Path) -> None:
    with pytest.raises(InvalidArguments, match=r"has no `nope`\. It defines `start`, `ping`"):
        look(root, "a.py", "nope")


def test_a_tree_with_too_many_lines_is_cut_and_says_so(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chaining, "MAX_LINES", 2)

    assert "  … 2 more lines; ask with a smaller depth." in look(root, "a.py", "ping")


def test_functions_on_one_line_are_told_apart(tmp_path: Path) -> None:
    text = "function a(){b()}function b(){c()}function c(){return 1}"
    (tmp_path / "min.js").write_text(text, encoding="utf-8")

    chain = look(tmp_path, "min.js", "a", depth=3, direction="callees")

    assert chain.endswith("Calls:\n  b  min.js:1\n    c  min.js:1")
