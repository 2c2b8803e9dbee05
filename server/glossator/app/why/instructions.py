"""How instructions stand: `AGENTS.md` and what other assistants are told."""

from collections.abc import Mapping

from glossator.app.why.report import Cause, Code, Verdict
from glossator.core.text import split_lines
from glossator.core.tokens import estimate_tokens
from glossator.instructions.standing import Reason, Standing
from glossator.knowledge.documents import Document

_AGAINST: Mapping[Reason, Code] = {
    "elsewhere": "elsewhere",
    "no-glob-matches": "no-glob-matches",
    "not-named": "not-named",
    "search": "not-called-for",
    "shadowed": "repeated",
    "untrusted": "untrusted",
    "over-budget": "over-budget",
    "empty": "empty",
    "off": "off",
}
_FOR: Mapping[Reason, Code] = {
    "always": "always",
    "glob": "glob",
    "named": "named",
    "search": "description",
}


def judge_standing(standing: Standing, *, has_question: bool, has_file: bool) -> Verdict:
    """Put a standing into the terms of *Why*."""
    if standing.counts:
        cause = Cause(_FOR.get(standing.reason, "always"), standing.detail)
        return Verdict("used", (cause,), count_given(standing), standing.lines)
    if standing.reason in ("elsewhere", "no-glob-matches") and not has_file:
        return Verdict("by-question", (Cause("for-files", _describe_scope(standing.document)),))
    cause = Cause(_AGAINST.get(standing.reason, "off"), standing.detail)
    waits = cause.code in ("not-named", "not-called-for") and not has_question
    return Verdict("by-question" if waits else "unused", (cause,))


def _describe_scope(document: Document) -> str:
    homes = (document.home, *document.also_for)
    globs = document.globs_written or document.globs
    return ", ".join(globs or (f"{home}/**" for home in homes))


def count_given(standing: Standing) -> int:
    """Return the tokens of what is given of a document that counts."""
    if standing.lines is None:
        return standing.n_tokens
    first, last = standing.lines
    lines = split_lines(standing.document.text, keep_ends=True)[first - 1 : last]
    return estimate_tokens("".join(lines))
