"""When a document is used, in one sentence of either language."""

from glossator.app.phrasing import Phrasing
from glossator.instructions.scoping import is_instructions
from glossator.knowledge.documents import Document


def describe_use(document: Document, say: Phrasing) -> str:
    """Say when a document comes into play."""
    if is_instructions(document):
        return _describe_instructions(document, say)
    if document.family == "skill":
        return _describe_skill(document, say)
    return _describe_knowledge(document, say)


def _describe_instructions(document: Document, say: Phrasing) -> str:
    home = document.home
    if document.always and home:
        return say(
            f"Given with questions about files below `{home}`.",
            f"针对 `{home}` 下的文件提问时提供。",
        )
    if document.always:
        return say("Given with every question.", "每个问题都会提供。")
    if document.globs:
        return say("Given with questions about files that match.", "针对匹配的文件提问时提供。")
    if document.manual:
        return say(
            f"Given only when a question names it: `@{document.name}`.",
            f"只有问题点名 `@{document.name}` 时才提供。",
        )
    return say(
        "Given when a question shares words with its description.",
        "问题与其描述有相同的词时提供。",
    )


def _describe_skill(document: Document, say: Phrasing) -> str:
    if document.always:
        return say("Given with every question.", "每个问题都会提供。")
    if document.globs:
        return say(
            "Given with questions about files that match or that call for it; otherwise the model "
            "may read it.",
            "针对匹配的文件提问或问题涉及它时提供；否则由模型决定是否读取。",
        )
    return say(
        "Given with questions that call for it; otherwise the model may read it.",
        "问题涉及它时提供；否则由模型决定是否读取。",
    )


def _describe_knowledge(document: Document, say: Phrasing) -> str:
    if document.always:
        return say(
            "Searched with every question that names some document.",
            "只要问题指向某篇文档，就会一并检索。",
        )
    if document.globs:
        return say(
            "Searched first for questions about files that match or that mention it.",
            "针对匹配的文件提问或问题提到它时，优先检索。",
        )
    return say(
        "Found by questions that mention it or come close to a section.",
        "提到它或与某个章节足够接近的问题会检索到它。",
    )
