import pytest

from glossator.watch.litter import is_litter


@pytest.mark.parametrize(
    "name",
    [
        ".#a.md", "#a.md#", "a.md~", ".a.md.swp", ".a.md.swx", "a.md.tmp", "a.md.tmp.123.456",
        "~$a.md", ".~lock.a.md#", "a.md.bak", "a.orig", ".goutputstream-AB12", ".DS_Store",
        "._a.md", "Thumbs.db", "a.md___jb_tmp___", ".fuse_hidden0001", ".nfs00001f",
    ],
)  # fmt: skip
def test_drafts_locks_and_leftovers_are_litter(name: str) -> None:
    assert is_litter(name)


@pytest.mark.parametrize(
    "name",
    [
        "a.md",
        "AGENTS.md",
        ".cursorrules",
        "tmp.md",
        "2024",
        "template.md",
        "swp.md",
        "a~b.md",
        "约定.md",
    ],
)
def test_what_people_write_is_none(name: str) -> None:
    assert not is_litter(name)
