"""What a server calls text and thinking in one piece of an answer, and where it puts them."""

from collections.abc import Iterator, Mapping
from typing import Any

from glossator.model.thinking import Part

NOTHING = frozenset(("", "null", "none", "undefined"))
"""What stands for a field that has no value, in small letters."""

# The first that is there counts: some servers send the same thinking under two names.
_REASONING = ("reasoning_content", "reasoning", "thinking", "reasoning_text", "reasoning_details")
_MAX_DEPTH = 4


def read_objects(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list; also of one written as `{"0": …}`, or as its only item."""
    if isinstance(value, dict):
        is_numbered = all(isinstance(name, str) and name.isdigit() for name in value)
        value = list(value.values()) if is_numbered else [value]
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def read_content(content: object, depth: int = 0) -> Iterator[Part]:
    """Yield the text and thinking of a `content`: text, a number, a part, or a list of these."""
    if isinstance(content, str) or _is_number(content):
        # A number comes from a writer of JSON that takes digits for one.
        if content != "":
            yield ("text", str(content))
    elif isinstance(content, list) and depth < _MAX_DEPTH:
        for part in content:
            yield from read_content(part, depth + 1)
    elif isinstance(content, dict) and depth < _MAX_DEPTH:
        thinking = join_texts(content.get("thinking"))
        if not thinking and _is_thinking(content.get("type")):
            thinking = join_texts(content)
            content = {}
        if thinking:
            yield ("reasoning", thinking)
        for name in ("text", "content", "parts"):
            if content.get(name):
                yield from read_content(content[name], depth + 1)
                break


def read_reasoning(delta: Mapping[str, Any]) -> str:
    """Return the thinking that stands in a field of its own."""
    for name in _REASONING:
        value = delta.get(name)
        if value and (text := join_texts(value)):
            return text
    return ""


def join_texts(value: object, depth: int = 0) -> str:
    """Return the text of a value that may be text, a part with text in it, or a list of these."""
    if isinstance(value, str):
        return value
    if depth >= _MAX_DEPTH:
        return ""
    if isinstance(value, list):
        return "".join(join_texts(item, depth + 1) for item in value)
    if isinstance(value, dict):
        names = ("text", "content", "summary", "thinking")
        return next(
            (text for name in names if (text := join_texts(value.get(name), depth + 1))), ""
        )
    return ""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_thinking(kind: object) -> bool:
    return isinstance(kind, str) and ("thinking" in kind or "reasoning" in kind)
