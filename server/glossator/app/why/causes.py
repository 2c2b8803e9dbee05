"""The causes of *Why*, in words of both languages."""

from collections.abc import Mapping

from glossator.app.phrasing import Phrasing
from glossator.app.why.report import Cause, Code

_Forms = tuple[str, str]

# `{0}` is what decided, `{1}` the score and `{2}` the one that is needed.
_WORDS: Mapping[Code, _Forms] = {
    "always": ("always applies", "始终适用"),
    "glob": ("the glob `{0}` matches", "匹配 glob `{0}`"),
    "named": ("the question names `{0}`", "问题提到了 `{0}`"),
    "invoked": ("the question asks for it", "由提问者指定"),
    "keyword": ("the question mentions the keyword `{0}`", "问题提到了关键词 `{0}`"),
    "description": ("the question mentions words of its description", "问题提到了描述中的词"),
    "score": ("found: {1}, where {2} is needed", "已检索到：得分 {1}，需要 {2}"),
    "catalogue": (
        "the model is told its name and description and may read it",
        "模型会看到它的名称和描述，可以自行读取",
    ),
    "search": ("a question about it would find it", "与之相关的问题会检索到它"),
    "for-files": ("counts for files that match `{0}`", "适用于匹配 `{0}` 的文件"),
    "no-glob-matches": ("no glob matches: `{0}`", "没有匹配的 glob：`{0}`"),
    "elsewhere": ("speaks only for files below `{0}`", "只适用于 `{0}` 下的文件"),
    "not-named": ("counts only when a question names it: `{0}`", "只有问题点名 `{0}` 时才会使用"),
    "not-called-for": (
        "its description decides, and the question has nothing of it",
        "由描述决定是否使用，而问题没有涉及",
    ),
    "not-mentioned": ("nothing in the question calls for it", "问题没有涉及它"),
    "too-low": (
        "its nearest section “{0}” scores {1}, where {2} is needed",
        "最接近的章节“{0}”得分 {1}，需要 {2}",
    ),
    "outranked": (
        "“{0}” scores {1}, but sections of the documents that the question names come first",
        "章节“{0}”得分 {1}，但优先采用问题所指文档的章节",
    ),
    "no-file-matches": (
        "no file here matches its globs, so a question has to name `{0}`",
        "此处没有文件匹配其 globs，须在问题中点名 `{0}`",
    ),
    "over-limit": ("others fit better", "其他内容更合适"),
    "over-budget": ("no tokens are left for it", "词元预算已用完"),
    "user-only": ("only `/{0}` in a question activates it", "只有在问题中写 `/{0}` 才会启用"),
    "no-description": (
        "a skill without a description cannot be offered",
        "没有描述的技能无法提供",
    ),
    "shadowed": ("`{0}` has the same name and comes first", "`{0}` 与它同名且优先"),
    "repeated": ("`{0}` says the same and comes first", "`{0}` 内容相同且优先"),
    "covered": ("stands in what is given whole", "已包含在完整提供的内容中"),
    "untrusted": ("the workspace is not trusted", "工作区未受信任"),
    "off": ("switched off: `{0}`", "已关闭：`{0}`"),
    "empty": ("there is no text in it", "其中没有正文"),
    "unreadable": ("cannot be read: {0}", "无法读取：{0}"),
    "refused": (
        "the question is refused, so nothing is given to a model",
        "问题被拒答，因此不会提供给模型",
    ),
    "imported": ("`{0}` imports it", "由 `{0}` 导入"),
    "ignored": ("Git ignores it, which changes nothing here", "Git 忽略此文件，但不影响使用"),
    "note": ("{0}", "{0}"),
}


# What decided is a text of ours there, and no name.
_SENTENCES = frozenset({"note", "unreadable"})
_BY_SYNONYM: _Forms = (
    "the question says `{3}`, which means the keyword `{0}`",
    "问题中的 `{3}` 与关键词 `{0}` 同义",
)
_ALWAYS_BELOW: _Forms = ("always applies below `{0}`", "在 `{0}` 下始终适用")


def describe_cause(cause: Cause, say: Phrasing) -> str:
    """Say in a few words what decided."""
    text = say(*_find_forms(cause))
    detail = say.translate(cause.detail) if cause.code in _SENTENCES else cause.detail
    # Not `format`: a glob may hold braces of its own.
    return (
        text.replace("{1}", _number(cause.score))
        .replace("{2}", _number(cause.needed))
        .replace("{3}", cause.said)
        .replace("{0}", detail)
    )


def _find_forms(cause: Cause) -> _Forms:
    if cause.code == "always" and cause.detail:
        return _ALWAYS_BELOW
    return _BY_SYNONYM if cause.said else _WORDS[cause.code]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
