"""Which documents a question is put to, and whether what they say is close enough to be known.

Refusal is decided here, from words alone, before any model is asked.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from glossator.core.globs import matches_any
from glossator.core.text import contains_chinese
from glossator.knowledge.documents import Document
from glossator.knowledge.index import Hit, KnowledgeIndex
from glossator.knowledge.question import Unit, parse_question
from glossator.knowledge.wording import Terms, Wording, prepare_terms, read_wording

CLOSE_ROUTED = 0.5
CLOSE_ANYWHERE = 0.75
"""The score a section needs: in documents that the question names, and in all others.

Measured on `tests/unit/knowledge/data`: 86 questions that its twelve documents answer, 64 foreign
ones, 32 near ones about the same tools, half of each in Chinese. Of the answered 2.3 % are refused,
of the foreign 98.4 %, of the near 84 %. With the six English documents alone 4.7 % and 100 %, with
the six Chinese 0 % and 96.9 %. On the public documentation of two frameworks (879 and 2,311
sections, headings taken out and asked) 2.2 and 4.8 % are refused, and 90 % of the foreign questions
(those documents do mention coffee machines and cron jobs). The optimum is flat: 0.45 to 0.55 and
0.70 to 0.80 do nearly as well.
"""
NEAR_BEST = 0.7
"""The part of the best section's score that the others need."""

POOL = 40
"""So many sections, the best by their words, are judged for one answer."""

N_NEAREST = 3


@dataclass(frozen=True, slots=True)
class Found:
    """Sections that answer, best first; `cut` more were close enough but over the limit.

    `routed` are the names of the documents that were searched; empty when all were.
    """

    hits: tuple[Hit, ...]
    routed: tuple[str, ...]
    cut: int


@dataclass(frozen=True, slots=True)
class NoKnowledge:
    """Nothing answers. `nearest` are the best sections there are, none of them close enough.

    `routed` are the names of the documents that the question mentions.
    """

    reason: Literal["nothing-routed", "nothing-close"]
    nearest: tuple[Hit, ...]
    routed: tuple[str, ...] = ()
    n_documents: int = 0


def retrieve(
    index: KnowledgeIndex, question: str, *, path: str | None = None, limit: int = 6
) -> Found | NoKnowledge:
    """Find what the documents say about `question`, asked while looking at the file `path`.

    Documents whose keywords, name or description the question mentions, or whose globs match
    `path`, are searched first. Where they say nothing close, all are, and then more is needed.
    """
    parsed = parse_question(question)
    wording = read_wording(question)
    mentioned = tuple(d for d in index.documents.values() if is_about(d, wording))
    matching = tuple(d for d in index.documents.values() if path and matches_any(d.globs, path))
    routed = {document.path: document for document in (*mentioned, *matching)}
    names = tuple(document.name for document in routed.values())
    about = tuple(document.name for document in mentioned)
    if not parsed.units:
        return _answer_by_path(index, matching, limit)
    is_subject = any(map(_names_a_subject, parsed.units))
    if routed and (mentioned or is_subject):
        joined = routed.keys() | {d.path for d in index.documents.values() if d.always}
        found = _choose(index.search(parsed, limit=POOL, among=joined), CLOSE_ROUTED, limit)
        if found is not None:
            return Found(found[0], names, found[1])
    hits = index.search(parsed, limit=POOL)
    found = _choose(hits, CLOSE_ANYWHERE, limit) if is_subject else None
    if found is not None:
        return Found(found[0], (), found[1])
    nearest = tuple(sorted(hits[:10], key=lambda hit: -hit.score)[:N_NEAREST])
    reason: Literal["nothing-routed", "nothing-close"] = (
        "nothing-close" if about else "nothing-routed"
    )
    return NoKnowledge(reason, nearest, about, len(index.documents))


def _names_a_subject(unit: Unit) -> bool:
    """Say whether a unit is more than a number or a character that happens to be left over."""
    return any(len(word) > 1 and not word.isdigit() for word in unit.own)


def _choose(hits: tuple[Hit, ...], needed: float, limit: int) -> tuple[tuple[Hit, ...], int] | None:
    """Return the hits that are close enough and how many more there are, or None.

    Beside a sure answer, one that only just passes is noise: an array index is no database index.
    """
    needed = max(needed, NEAR_BEST * max((hit.score for hit in hits), default=0.0))
    close = tuple(hit for hit in hits if hit.score >= needed)
    return (close[:limit], len(close) - len(close[:limit])) if close else None


def _answer_by_path(
    index: KnowledgeIndex, matching: tuple[Document, ...], limit: int
) -> Found | NoKnowledge:
    """Answer "which rules apply here?": it names no subject but the file one is looking at."""
    sections = [section for document in matching for section in document.sections]
    if not sections:
        return NoKnowledge("nothing-routed", (), (), len(index.documents))
    hits = tuple(Hit(section, CLOSE_ROUTED) for section in sections[:limit])
    return Found(hits, tuple(d.name for d in matching), len(sections) - len(hits))


def is_about(document: Document, wording: Wording) -> bool:
    """Say whether a question mentions a keyword, the name or the subject of a document."""
    return wording.mentions_any(
        _prepare_terms(document.name, document.description, document.keywords)
    )


@lru_cache(maxsize=65_536)
def _prepare_terms(name: str, description: str, keywords: tuple[str, ...]) -> Terms:
    return prepare_terms(keywords=keywords, text=f"{name}\n{description}")


def explain_refusal(outcome: NoKnowledge, question: str) -> str:
    """Say in the asker's language what was searched, what came nearest and what can be done."""
    return _explain_in_chinese(outcome) if contains_chinese(question) else _explain(outcome)


def _explain(outcome: NoKnowledge) -> str:
    n = outcome.n_documents
    lines = ["I don't know: the team's knowledge does not answer this question."]
    if not n:
        lines.append("There are no knowledge documents yet.")
    elif outcome.reason == "nothing-routed":
        count = "the one document" if n == 1 else f"any of the {n} documents"
        lines.append(
            f"The question names no keyword of {count}, and a search of all of them found nothing "
            "close enough."
        )
    else:
        lines.append(
            f"The question is about {_join(outcome.routed)}, but nothing in there, nor in the "
            "other documents, is close enough."
        )
    if outcome.nearest:
        there = f"{CLOSE_ROUTED:.2f} is needed there, " if outcome.routed else ""
        lines += [f"Nearest ({there}{CLOSE_ANYWHERE:.2f} anywhere):", ""]
        lines += _list_nearest(outcome)
    lines += [
        "",
        "Next: add a document under `knowledge/`, or set `knowledge.whenUnknown` to `code` to be "
        "answered from the code alone.",
    ]
    return "\n".join(lines)


def _explain_in_chinese(outcome: NoKnowledge) -> str:
    lines = ["我不知道：团队知识库里没有这个问题的答案。"]
    if not outcome.n_documents:
        lines.append("目前还没有任何知识文档。")
    elif outcome.reason == "nothing-routed":
        lines.append(
            f"问题没有提到 {outcome.n_documents} 篇文档中任何一篇的关键词，"
            "在全部文档中搜索也没有找到足够接近的内容。"
        )
    else:
        lines.append(
            f"问题与 {_join(outcome.routed, '、')} 有关，但其中以及其他文档里都没有足够接近的内容。"
        )
    if outcome.nearest:
        there = f"这些文档中需达到 {CLOSE_ROUTED:.2f} 分，" if outcome.routed else ""
        lines += [f"最接近的内容（{there}任意文档中需达到 {CLOSE_ANYWHERE:.2f} 分）：", ""]
        lines += _list_nearest(outcome)
    lines += [
        "",
        "下一步：在 `knowledge/` 下补充一篇文档，或把 `knowledge.whenUnknown` 设为 `code`，"
        "仅根据代码回答。",
    ]
    return "\n".join(lines)


def _list_nearest(outcome: NoKnowledge) -> list[str]:
    return [
        f"- {hit.section.title} ({hit.section.path}:{hit.section.first_line}) {hit.score:.2f}"
        for hit in outcome.nearest
    ]


def _join(names: tuple[str, ...], separator: str = ", ") -> str:
    shown = separator.join(f"`{name}`" for name in names[:5])
    return f"{shown} …" if len(names) > 5 else shown
