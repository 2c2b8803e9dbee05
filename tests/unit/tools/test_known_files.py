import os
from pathlib import Path

import pytest

from glossator.tools.file_names import FileNames
from glossator.tools.seen_texts import SeenTexts
from glossator.tools.workspace import Workspace

OLD_NS = 1_600_000_000_000_000_123


def write(root: Path, *names: str) -> None:
    for name in names:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x\n", encoding="utf-8")


def age(root: Path) -> None:
    """Let everything be from long ago, so that a change shows in the times."""
    for place in (root, *root.rglob("*")):
        os.utime(place, ns=(OLD_NS, OLD_NS))


def show_all(workspace: Workspace) -> list[str]:
    return [workspace.show(Path(path)) for path in workspace.list_files().paths]


def test_files_are_listed_once_while_none_comes_or_goes(tmp_path: Path) -> None:
    write(tmp_path, "a/b.py", "c.md")
    age(tmp_path)
    workspace = Workspace([tmp_path])

    first = workspace.list_files()
    (tmp_path / "c.md").write_text("changed\n", encoding="utf-8")

    assert show_all(workspace) == ["a/b.py", "c.md"]
    assert workspace.list_files() is first
    assert workspace.noting(SeenTexts()).list_files() is first


@pytest.mark.parametrize("name", ["a/new.py", "new/deep/x.py"])
def test_a_file_that_came_and_one_that_went_are_noticed(tmp_path: Path, name: str) -> None:
    write(tmp_path, "a/b.py", "a/c.py")
    age(tmp_path)
    workspace = Workspace([tmp_path])
    workspace.list_files()

    write(tmp_path, name)
    came = show_all(workspace)
    (tmp_path / "a" / "b.py").unlink()
    gone = show_all(workspace)

    assert came == sorted(["a/b.py", "a/c.py", name])
    assert gone == sorted(["a/c.py", name])


@pytest.mark.parametrize("rules", [".gitignore", ".glossatorignore"])
def test_rules_that_change_in_their_place_are_noticed(tmp_path: Path, rules: str) -> None:
    write(tmp_path, "a.py", "b.py")
    (tmp_path / rules).write_text("nothing\n", encoding="utf-8")
    age(tmp_path)
    workspace = Workspace([tmp_path])
    before = show_all(workspace)

    (tmp_path / rules).write_text("b.py\n", encoding="utf-8")

    assert {"a.py", "b.py"} <= {*before}
    assert "b.py" not in show_all(workspace)


def test_a_file_made_right_after_the_look_is_noticed(tmp_path: Path) -> None:
    write(tmp_path, "a.py")
    workspace = Workspace([tmp_path])
    workspace.list_files()

    write(tmp_path, "b.py")

    assert show_all(workspace) == ["a.py", "b.py"]


def test_names_are_found_by_the_end_of_their_path(tmp_path: Path) -> None:
    write(tmp_path, "src/store.py", "lib/store.py", "src/restore.py")
    names = FileNames(Workspace([tmp_path]), more=["bundled/store.py"])

    assert names.ending_with("store.py") == ("bundled/store.py", "lib/store.py", "src/store.py")
    assert names.ending_with("src/store.py") == ("src/store.py",)
    assert names.ending_with("./lib\\store.py") == ("lib/store.py",)
    assert names.ending_with("other.py") == ()
