"""Globs that say which files something is meant for, as `.gitignore` reads them, with `{a,b}`.

Other tools read theirs otherwise: what begins with `=` names the whole path, and its `*` stays
within one folder. `=*.py` is a file beside the workspace's top, `*.py` one in any folder.
"""

import fnmatch
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

EXACT = "="
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
# `{a,b}` several times over multiplies; nobody writes more than a handful.
_MAX_EXPANSIONS = 100
_MAX_SEGMENTS = 60

Matcher = Callable[[str], bool]


def matches_any(globs: tuple[str, ...], path: str) -> bool:
    """Say whether the posix `path` below its workspace folder is one that `globs` name.

    Of globs that contradict each other (`!docs/**`) the last one that speaks of the path decides.
    """
    is_named = _compile(globs)
    return is_named is not None and is_named(path)


def find_invalid_glob(globs: Iterable[str]) -> str | None:
    """Return the first glob that cannot be used, or None."""
    return next((glob for glob in globs if _compile((glob,)) is None), None)


def compile_patterns(lines: Iterable[str]) -> "GitIgnoreSpec":
    """Return what the patterns of a `.gitignore` match.

    Raises ValueError for a pattern that is none.
    """
    # Loaded with the first pattern: a process that only checks files may never have one.
    from pathspec import GitIgnoreSpec

    # pathspec's own errors derive from ValueError.
    try:
        return GitIgnoreSpec.from_lines(lines)
    except re.error as error:  # Of a range such as `[z-a]`.
        raise ValueError(str(error)) from error


@lru_cache(maxsize=4096)
def _compile(globs: tuple[str, ...]) -> Matcher | None:
    expanded = [pattern for glob in globs for pattern in expand_braces(glob)]
    try:
        if any(pattern.removeprefix("!").startswith(EXACT) for pattern in expanded):
            return _join([_compile_one(pattern) for pattern in expanded])
        return compile_patterns(expanded).match_file if expanded else None
    except ValueError:
        return None


def _compile_one(pattern: str) -> tuple[bool, Matcher]:
    """Return whether a pattern lets in or shuts out, and what it speaks of."""
    bare = pattern.removeprefix("!")
    if bare.startswith(EXACT):
        wanted = tuple(_compile_segment(name) for name in _split_exact(bare[len(EXACT) :]))
        return bare == pattern, lambda path: _fits(wanted, path.split("/"))
    return bare == pattern, compile_patterns([bare]).match_file


def _join(steps: Sequence[tuple[bool, Matcher]]) -> Matcher:
    def is_named(path: str) -> bool:
        verdict = False
        for lets_in, speaks_of in steps:
            if verdict != lets_in and speaks_of(path):
                verdict = lets_in
        return verdict

    return is_named


def _split_exact(pattern: str) -> list[str]:
    names = pattern.removeprefix("./").strip("/").split("/")
    if len(names) > _MAX_SEGMENTS:
        raise ValueError("it has too many folders")
    return [*names, "**"] if pattern.endswith("/") else names


def _compile_segment(name: str) -> re.Pattern[str] | None:
    """Return what one name of a path has to look like; None is any number of names."""
    return None if name == "**" else re.compile(fnmatch.translate(name))


def _fits(wanted: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Say whether names fit what is wanted of them, in time that grows with their product."""
    reached = {0}
    for position, pattern in enumerate(wanted):
        if pattern is None:
            # At the end `src/**` is what stands in `src`, not `src` itself.
            least = min(reached, default=len(names)) + (position == len(wanted) - 1)
            reached = set(range(least, len(names) + 1))
        else:
            reached = {n + 1 for n in reached if n < len(names) and pattern.match(names[n])}
    return len(names) in reached


def expand_braces(glob: str) -> list[str]:
    """Return the globs that `glob` stands for: `*.{ts,tsx}` is `*.ts` and `*.tsx`.

    Beyond a hundred the braces of the rest are left as they are.
    """
    done: list[str] = []
    waiting = [glob]
    while waiting and len(waiting) + len(done) <= _MAX_EXPANSIONS:
        pattern = waiting.pop(0)
        braces = _BRACES.search(pattern)
        if braces is None:
            done.append(pattern)
            continue
        head, tail = pattern[: braces.start()], pattern[braces.end() :]
        waiting.extend(head + choice.strip() + tail for choice in braces[1].split(","))
    return done + waiting
