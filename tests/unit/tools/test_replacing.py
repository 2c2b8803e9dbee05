from pathlib import Path

import pytest

from glossator.tools.replacing import replace_file


def test_a_file_gets_its_new_bytes_and_the_mode_that_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "说明.md"
    file.write_bytes(b"old")

    replace_file(file, b"new", mode=0o644)

    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o644


def test_a_file_without_a_mode_is_for_its_owner_alone(tmp_path: Path) -> None:
    replace_file(tmp_path / "answers.json", b"{}")

    assert (tmp_path / "answers.json").stat().st_mode & 0o777 == 0o600


def test_where_a_file_cannot_be_replaced_nothing_is_left_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "taken"
    (folder / "below").mkdir(parents=True)

    with pytest.raises(OSError, match="taken"):
        replace_file(folder, b"new")

    assert list(tmp_path.iterdir()) == [folder]
