"""Globs that say which files something is meant for, as `.gitignore` reads them, with `{a,b}`."""

import re
from collections.abc import Iterable
from functools import lru_cache

from pathspec import GitIgnoreSpec

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
# `{a,b}` several times over multiplies; nobody writes more than a handful.
_MAX_EXPANSIONS = 100


def matches_any(globs: tuple[str, ...], path: str) -> bool:
    """Say whether the posix `path` below its workspace folder is one that `globs` name."""
    spec = _compile(globs)
    return spec is not None and spec.match_file(path)


def find_invalid_glob(globs: Iterable[str]) -> str | None:
    """Return the first glob that cannot be used, or None."""
    return next((glob for glob in globs if _compile((glob,)) is None), None)


@lru_cache(maxsize=4096)
def _compile(globs: tuple[str, ...]) -> GitIgnoreSpec | None:
    expanded = [pattern for glob in globs for pattern in expand_braces(glob)]
    try:
        return GitIgnoreSpec.from_lines(expanded) if expanded else None
    except (ValueError, re.error):  # pathspec's pattern errors derive from ValueError.
        return None


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
