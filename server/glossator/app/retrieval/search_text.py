"""A search as Markdown for people and as JSON for programs."""

from typing import Any

from glossator.app.phrasing import Phrasing
from glossator.app.retrieval.searching import Search, Standing

_ENGLISH: dict[Standing, str] = {
    "given": "given",
    "left-out": "close, left out",
    "refused": "not close enough",
    "unused": "no file here matches its globs",
}
_CHINESE: dict[Standing, str] = {
    "given": "会使用",
    "left-out": "足够接近，未包含",
    "refused": "不够接近",
    "unused": "此处没有文件匹配其 globs",
}


def render_search(search: Search, say: Phrasing) -> str:
    """Write what was found, best first, and whether the question would be answered."""
    title = say(f"# Search: {search.question}", f"# 搜索：{search.question}")
    lines = [title, "", _describe(search, say), ""]
    if search.sections:
        head = (
            ("score", "section", "place", "tokens", "use"),
            ("分数", "章节", "位置", "词元", "用途"),
        )
        cells = head[0] if say("english", "chinese") == "english" else head[1]
        lines += [f"| {' | '.join(cells)} |", "|---|---|---|---|---|"]
    for each in search.sections:
        use = say(_ENGLISH[each.standing], _CHINESE[each.standing])
        title = each.title.replace("|", "\\|")
        lines.append(f"| {each.score:.2f} | {title} | {each.place} | {each.n_tokens:,} | {use} |")
    if search.message and search.is_known:
        lines += ["", search.message]
    for notice in search.notices:
        lines += ["", notice]
    return "\n".join(lines) + "\n"


def _describe(search: Search, say: Phrasing) -> str:
    if not search.is_known:
        return search.message
    n_close, needed = search.n_close, f"{search.needed:.2f}"
    routed = say.join(f"`{name}`" for name in search.routed[:5])
    sections = "1 section is" if n_close == 1 else f"{n_close} sections are"
    if search.routed:
        return say(
            f"Known: {sections} close enough (the question is about {routed}; {needed} is needed).",
            f"已知：{n_close} 个章节足够接近（问题与 {routed} 有关，需达到 {needed} 分）。",
        )
    return say(
        f"Known: {sections} close enough (all {search.n_documents:,} documents were "
        f"searched; {needed} is needed).",
        f"已知：{n_close} 个章节足够接近（搜索了全部 {search.n_documents:,} 篇文档，"
        f"需达到 {needed} 分）。",
    )


def to_json(search: Search) -> dict[str, Any]:
    """Return a search as plain values."""
    return {
        "question": search.question,
        "known": search.is_known,
        "reason": search.reason,
        "needed": round(search.needed, 4),
        "routed": list(search.routed),
        "nClose": search.n_close,
        "nDocuments": search.n_documents,
        "nSections": search.n_sections,
        "message": search.message,
        "notices": list(search.notices),
        "sections": [
            {
                "title": each.title,
                "path": each.place.path,
                "firstLine": each.place.first_line,
                "lastLine": each.place.last_line,
                "score": round(each.score, 4),
                "nTokens": each.n_tokens,
                "standing": each.standing,
            }
            for each in search.sections
        ],
    }
