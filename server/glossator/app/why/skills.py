"""How skills stand: given with their text, offered to the model, or neither."""

from collections.abc import Iterable, Mapping
from itertools import zip_longest

from glossator.app.skills.active import measure_skill
from glossator.app.why.report import Cause, Code, Verdict
from glossator.knowledge.documents import Document
from glossator.skills.choosing import Choice, Reasoned
from glossator.skills.reasons import Reason, ReasonKind
from glossator.skills.skill import Skill

_CODES: Mapping[ReasonKind, Code] = {
    "invoked": "invoked",
    "always": "always",
    "name": "named",
    "keyword": "keyword",
    "glob": "glob",
    "words": "description",
    "shadowed": "shadowed",
    "over-limit": "over-limit",
    "user-only": "user-only",
}


def judge_skill(
    document: Document,
    choice: Choice,
    offered: Iterable[Skill],
    globs: Iterable[Cause],
    *,
    has_question: bool,
) -> Verdict:
    """Say what comes of a skill. `globs` are those of its own that match the file."""
    for item in choice.chosen:
        if item.skill.path == document.path:
            causes = _explain(item, globs)
            n_tokens = measure_skill(document.body, document.body_first_line)
            return Verdict("used", causes, n_tokens)
    is_offered = any(skill.path == document.path for skill in offered)
    catalogue = (Cause("catalogue"),) if is_offered else ()
    for item in choice.left_out:
        if item.skill.path == document.path:
            causes = (*_explain(item, globs), *catalogue)
            return Verdict("by-question" if is_offered else "unused", causes)
    silence = (Cause("not-mentioned"),) if has_question else ()
    if is_offered:
        return Verdict("by-question", (*silence, *catalogue))
    return Verdict("unused", (*silence, Cause("user-only", document.name)))


def _explain(item: Reasoned, globs: Iterable[Cause]) -> tuple[Cause, ...]:
    causes: list[Cause] = []
    for reason in item.reasons:
        causes += globs if reason.kind == "glob" else _translate(reason, item.skill)
    return tuple(causes)


def _translate(reason: Reason, skill: Skill) -> list[Cause]:
    code = _CODES[reason.kind]
    if code == "keyword":
        return [
            Cause(code, keyword, said=said)
            for keyword, said in zip_longest(reason.detail, reason.said, fillvalue="")
        ]
    detail = (skill.name,) if code == "named" else reason.detail
    return [Cause(code, next(iter(detail), ""))]
