import pytest

from glossator.core.globs import expand_braces, find_invalid_glob, matches_any


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("**/*.py", "a.py", True),
        ("**/*.py", "a/b/c.py", True),
        ("*.py", "a/b.py", True),
        ("src/**", "src/a/b.py", True),
        ("src/**", "lib/src/b.py", False),
        ("**/*.{ts,tsx}", "a/b.tsx", True),
        ("{src,lib}/*.{a,b}", "lib/x.b", True),
        ("**/tests/**", "x/tests/a.py", True),
        ("**/tests/**", "tests/a.py", True),
        ("文档/**", "文档/说明.py", True),
    ],
)
def test_globs_read_like_those_of_gitignore_with_braces(
    glob: str, path: str, expected: bool
) -> None:
    assert matches_any((glob,), path) is expected


def test_an_invalid_glob_is_found_and_matches_nothing() -> None:
    assert find_invalid_glob(["**/*.py", "!"]) == "!"
    assert not matches_any(("!",), "a.py")


def test_braces_stand_for_several_globs_in_their_order() -> None:
    assert expand_braces("{a, b}/*.{c,d}") == ["a/*.c", "a/*.d", "b/*.c", "b/*.d"]


def test_many_braces_do_not_multiply_without_end() -> None:
    assert not matches_any(("{a,b}" * 40,), "c")
    assert len(expand_braces("{a,b}" * 40)) <= 200
