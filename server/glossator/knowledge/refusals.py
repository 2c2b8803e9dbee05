"""Why a question is refused, in the asker's language, with what came nearest and what to do."""

from glossator.core.text import contains_chinese
from glossator.knowledge.outcomes import CLOSE_ANYWHERE, CLOSE_ROUTED, NoKnowledge


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
        there = f"{CLOSE_ROUTED:.2f} is needed there, " if outcome.needed < CLOSE_ANYWHERE else ""
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
        there = (
            f"这些文档中需达到 {CLOSE_ROUTED:.2f} 分，" if outcome.needed < CLOSE_ANYWHERE else ""
        )
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
