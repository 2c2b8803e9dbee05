from pathlib import Path

import pytest

from glossator.lsp.uris import is_below, name_from_uri, path_from_uri, uri_from_path


@pytest.mark.parametrize("name", ["a b.py", "错误.md", "(auth)", "50%.py", "a#b?c.py"])
def test_a_path_survives_the_way_to_a_uri_and_back(name: str) -> None:
    path = Path("/work") / name

    assert path_from_uri(uri_from_path(path)) == path


@pytest.mark.parametrize(
    "uri", ["untitled:a", "git:/a/b.py?x", "http://a/b.py", "", "file:", "file:///a%00b", "[", "a",
     "file://elsewhere/etc/passwd", "file:///%5B\ud800"],
)  # fmt: skip
def test_other_uris_name_no_file(uri: str) -> None:
    assert path_from_uri(uri) is None


def test_characters_that_need_no_escape_may_be_escaped() -> None:
    assert path_from_uri("file:///a/%28auth%29/b%2Epy") == Path("/a/(auth)/b.py")


def test_this_host_may_be_named() -> None:
    assert path_from_uri("file://localhost/a/b.py") == Path("/a/b.py")
    assert path_from_uri("FILE://LOCALHOST/a/b.py") == Path("/a/b.py")


def test_a_name_is_the_last_part() -> None:
    assert name_from_uri("file:///a/%E9%94%99.py?x#y") == "错.py"
    assert name_from_uri("untitled:%5B\ud800.py") == "[?.py"


def test_a_longer_name_is_not_below() -> None:
    assert is_below("file:///a/b", "file:///a")
    assert is_below("file:///a", "file:///a")
    assert not is_below("file:///ab", "file:///a")
