"""For which files a rule is: its document's globs, its own, and the languages it names.

A place is where a file stands: its posix path below its workspace folder and, where there are
several folders, the name of that one. The empty place of a text without a file is in every scope.
"""

from typing import Literal

from glossator.core.globs import matches_any
from glossator.rules.rule import Check, Rule, name_language

Mismatch = Literal["", "other-files", "other-language"]
"""Why a rule is not for a file; "" is that it is."""


_BETWEEN = "\0"  # Stands in no path.


def name_place(path: str, root: str = "") -> str:
    """Return the place of the file `path` of the workspace folder `root`, as one text."""
    return f"{root}{_BETWEEN}{path}" if root else path


def split_place(place: str) -> tuple[str, str]:
    """Return the workspace folder and the path that `name_place` was given."""
    root, _, path = place.rpartition(_BETWEEN)
    return root, path


def find_mismatch(rule: Rule, place: str, language_id: str) -> Mismatch:
    """Say why `rule` is not for the file at `place`.

    `language_id` may be ours or the editor's; without one only rules for all languages fit.
    """
    language = name_language(language_id)
    if rule.checks:
        checks = [check for check in rule.checks if is_for_language(rule, check, language)]
        if not checks:
            return "other-language"
        return "" if any(is_in_scope(rule, place, check) for check in checks) else "other-files"
    if rule.languages and language not in rule.languages:
        return "other-language"
    return "" if is_in_scope(rule, place) else "other-files"


def is_for_language(rule: Rule, check: Check, language: str) -> bool:
    """Say whether a check of `rule` is for a language, named as in `LANGUAGES`."""
    return language in check.languages and (not rule.languages or language in rule.languages)


def is_limited(rule: Rule, check: Check) -> bool:
    """Say whether a check of `rule` is for some files only."""
    narrowed = (rule.globs, rule.files, rule.root, rule.roots_without, check.files, check.ignores)
    return any(narrowed)


def is_in_scope(rule: Rule, place: str, check: Check | None = None) -> bool:
    """Say whether a rule, and one of its checks, is for the file at `place`, whatever is in it."""
    root, path = split_place(place)
    if not path:
        return True
    if root and (root in rule.roots_without or rule.root not in ("", root)):
        return False
    if rule.globs and not matches_any(rule.globs, path):
        return False
    if rule.files and not _is_named(rule.files, path, rule.home):
        return False
    if check is None:
        return True
    return (not check.files or _is_named(check.files, path, rule.home)) and not (
        check.ignores and _is_named(check.ignores, path, rule.home)
    )


def _is_named(globs: tuple[str, ...], path: str, home: str) -> bool:
    """Say whether globs name a file, counted from the top or from the rule's folder.

    In a folder's own document people write either.
    """
    if matches_any(globs, path):
        return True
    return bool(home) and path.startswith(f"{home}/") and matches_any(globs, path[len(home) + 1 :])
