import os
from pathlib import Path

import pytest

from glossator.core.errors import UnreadableFile
from glossator.tools.opening import resolve_links


def test_a_link_that_is_replaced_while_it_is_looked_at_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    looks = iter([FileNotFoundError("gone"), None])
    readlink = os.readlink

    def vanish_once(path: str) -> str:
        error = next(looks)
        if error is not None:
            raise error
        return readlink(path)

    monkeypatch.setattr(os, "readlink", vanish_once)

    assert resolve_links(tmp_path / "a") == str(tmp_path / "b")


def test_a_link_that_is_replaced_all_the_time_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")

    def vanish(path: str) -> str:
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "readlink", vanish)

    with pytest.raises(UnreadableFile, match="`a` changes while"):
        resolve_links(tmp_path / "a")
