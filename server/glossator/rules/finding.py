"""A place where code breaks a rule, and what it is known by when lines move."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from glossator.core.locations import Range
from glossator.rules.rule import Rule, Severity, Tag
from glossator.rules.suppressing.stripping import strip_directives

# A formatter that breaks a line puts it there.
_LAST_COMMA = re.compile(r",(?=[)\]}])")

Proof = Literal["compiled", "judged"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where code breaks a rule.

    `code` is the text at `range`. `fix` are edits that repair it; they never overlap. `proof` says
    whether a compiled check matched there, or a model judged it and its quotes stood the test.
    `tags` are those of the check.
    """

    rule: Rule
    range: Range
    message: str
    severity: Severity
    code: str
    fix: tuple[tuple[Range, str], ...] = ()
    proof: Proof = "compiled"
    tags: tuple[Tag, ...] = ()


@lru_cache(maxsize=4096)  # Each save asks for that of all findings in a document.
def hash_code(code: str) -> str:
    """Return what code is known by: the same however it is laid out, and with dismissals in it."""
    bare = "".join(strip_directives(code).split())
    return _digest(_LAST_COMMA.sub("", bare))


def hash_rule(rule: Rule) -> str:
    """Return what a rule is known by: its words, its rationale and its checks, not its place."""
    checks = (repr((check.languages, check.message, check.config)) for check in rule.checks)
    return _digest("\0".join((rule.id, rule.text, rule.rationale, *checks)))


def number_alike(findings: Iterable[Finding]) -> Iterator[tuple[Finding, int]]:
    """Yield each finding with how many before it break the same rule with the same code."""
    seen: dict[tuple[str, str], int] = {}
    for finding in findings:
        key = (finding.rule.id, hash_code(finding.code))
        number = seen[key] = seen.get(key, -1) + 1
        yield finding, number


def fingerprint(finding: Finding, path: str, number: int = 0) -> str:
    """Return what stays the same when only the lines around a finding change.

    `path` is posix and below the workspace folder; `number` is that of `number_alike`.
    """
    return _digest("\0".join((finding.rule.id, path, hash_code(finding.code), str(number))))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
