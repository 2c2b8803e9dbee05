"""What a server calls text and thinking in one piece of an answer, and where it puts them."""

from collections.abc import Iterator, Mapping
from typing import Any

from glossator.model.thinking import Part

# The first that is there counts: some servers send the same thinking under two names.
_REASONING = ("reasoning_content", "reasoning", "thinking", "reasoning_text", "reasoning_details")
_MAX_DEPTH = 4


def read_content(content: object, depth: int = 0) -> Iterator[Part]:
    """Yield the text and thinking of a `content`: text, a part, or a list of either."""
    if isinstance(content, str):
        if content:
            yield ("text", content)
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


def _is_thinking(kind: object) -> bool:
    return isinstance(kind, str) and ("thinking" in kind or "reasoning" in kind)
