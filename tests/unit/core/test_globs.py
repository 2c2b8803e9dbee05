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
    assert find_invalid_glob(["**/*.py", "[z-a]"]) == "[z-a]"
    assert not matches_any(("!",), "a.py")


def test_braces_stand_for_several_globs_in_their_order() -> None:
    assert expand_braces("{a, b}/*.{c,d}") == ["a/*.c", "a/*.d", "b/*.c", "b/*.d"]


def test_many_braces_do_not_multiply_without_end() -> None:
    assert not matches_any(("{a,b}" * 40,), "c")
    assert len(expand_braces("{a,b}" * 40)) <= 200


@pytest.mark.parametrize(
    ("glob", "path", "is_named"),
    [
        ("=*.py", "a.py", True),
        ("=*.py", "src/a.py", False),
        ("=**/*.py", "a.py", True),
        ("=**/*.py", "src/deep/a.py", True),
        ("=src/**", "src/deep/a.py", True),
        ("=src/**", "src", False),
        ("=src/*", "src/deep/a.py", False),
        ("=src/", "src/deep/a.py", True),
        ("=src/**/test_*.{py,pyi}", "src/test_a.pyi", True),
        ("=文档/*.md", "文档/规范.md", True),
        ("=[ab]?.py", "b1.py", True),
    ],
)
def test_a_glob_of_the_whole_path_keeps_to_its_folders(
    glob: str, path: str, is_named: bool
) -> None:
    assert matches_any((glob,), path) == is_named


def test_of_globs_that_contradict_each_other_the_last_one_decides() -> None:
    globs = ("**", "!=pkg/**", "=pkg/kept.py")

    named = [path for path in ("a.py", "pkg/a.py", "pkg/kept.py") if matches_any(globs, path)]

    assert named == ["a.py", "pkg/kept.py"]


def test_a_glob_full_of_stars_takes_no_time() -> None:
    assert not matches_any(("=" + "*a" * 40 + "b",), "a" * 5_000)
    assert not matches_any(("=" + "**/" * 59 + "x",), "/".join("a" * 2_000))
    assert find_invalid_glob(["=" + "a/" * 200]) is not None
