"""Run the compiled checks on a text. Loads little: workers start with it."""

import hashlib

from glossator.app.checking.generated import judge_text
from glossator.app.checking.reasons import Reason
from glossator.app.checking.records import Record
from glossator.rules.matching import MAX_DEPTH, RuleSet, TooDeeplyNested
from glossator.rules.suppressing.stripping import may_dismiss


def examine(
    text: str, rule_set: RuleSet, language_id: str, place: str, *, with_outline: bool = False
) -> Record:
    """Run the compiled checks on a text; `place` is that of `rules.scope`."""
    reason = judge_text(text)
    if reason is not None:
        return Record(reason=reason)
    try:
        found = rule_set.search(text, language_id, place, with_outline=with_outline)
    except TooDeeplyNested:
        return Record(reason=Reason("too-deep", (MAX_DEPTH,)))
    return Record(
        found.findings,
        may_suppress=may_dismiss(text),
        broken_lines=found.broken_lines,
        lost_ids=found.lost_ids,
        outline=found.outline,
    )


def hash_content(data: bytes) -> bytes:
    """Return what the content of a file is known by."""
    return hashlib.blake2b(data, digest_size=16).digest()
