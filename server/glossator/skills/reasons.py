"""Why a skill was chosen or left out, as values that can be told in either language."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

ReasonKind = Literal[
    "invoked", "always", "name", "keyword", "glob", "words",
    "shadowed", "over-limit", "user-only",
]  # fmt: skip
"""The first six speak for a skill; the last three say why one that was called for is left out."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason. `detail` names what decided.

    All the keywords, the file whose path a glob matches, the number of shared words,
    the path of the skill that comes first, the limit, or the name to type. `said` has for each
    keyword the word of the question that means it, empty where that is the keyword itself.
    """

    kind: ReasonKind
    detail: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


def render_reasons(reasons: Sequence[Reason], *, is_chinese: bool = False) -> str:
    """Write reasons for people, as a part of a sentence."""
    tell = _tell_in_chinese if is_chinese else _tell_in_english
    return ("，" if is_chinese else ", ").join(map(tell, reasons))


def _tell_in_english(reason: Reason) -> str:
    detail = next(iter(reason.detail), "")
    texts: dict[ReasonKind, str] = {
        "invoked": "the user asked for it",
        "always": "it always applies",
        "name": "the question mentions its name",
        "keyword": f"the question mentions {_quote_items(reason, 'said as')}",
        "glob": f"its globs match `{detail}`",
        "words": f"the question shares {detail} words with its description",
        "shadowed": f"`{detail}` has the same name and comes first",
        "over-limit": f"but {detail} skills fit better",
        "user-only": f"but only `/{detail}` activates it (`disable-model-invocation`)",
    }
    return texts[reason.kind]


def _tell_in_chinese(reason: Reason) -> str:
    detail = next(iter(reason.detail), "")
    texts: dict[ReasonKind, str] = {
        "invoked": "由用户指定",
        "always": "始终适用",
        "name": "问题提到了它的名称",
        "keyword": f"问题提到了 {_quote_items(reason, '问题中写作')}",
        "glob": f"其 globs 匹配 `{detail}`",
        "words": f"问题与其描述有 {detail} 个相同的词",
        "shadowed": f"`{detail}` 同名且优先",
        "over-limit": f"但另有 {detail} 个技能更合适",
        "user-only": f"但只能用 `/{detail}` 激活（`disable-model-invocation`）",
    }
    return texts[reason.kind]


def _quote_items(reason: Reason, said_as: str) -> str:
    items = zip_longest(reason.detail, reason.said, fillvalue="")
    return ", ".join(
        f"`{item}` ({said_as} `{said}`)" if said else f"`{item}`" for item, said in items
    )
