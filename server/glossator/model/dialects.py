"""What differs between servers when sending, as data; and what a server taught us by refusing.

A refusal that names something optional is learnt: it is sent differently at once, and remembered
for this address and model as long as the process lives.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal
from urllib.parse import urlsplit

from glossator.model.endpoints import Endpoint

EmptyContent = Literal["null", "empty"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a server wants its requests.

    `reasoning`: whether a model's thinking goes back with its message (`never`, `calls`: only
    with tool calls, `required`: with tool calls, a blank where there was none).
    `empty_content`: what stands for the text of a message that is only calls.
    `short_ids`: call ids are nine letters and digits.
    `max_tokens_name`: the field that limits an answer.
    `user_follows_tool`: the user may speak right after a tool's result.
    """

    name: str
    reasoning: Literal["never", "calls", "required"] = "never"
    empty_content: EmptyContent = "null"
    short_ids: bool = False
    max_tokens_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    user_follows_tool: bool = True


_PLAIN = Dialect("plain")
_KIMI = Dialect("kimi", reasoning="required")
_BY_HOST = {
    "api.openai.com": Dialect("openai", max_tokens_name="max_completion_tokens"),
    "api.deepseek.com": Dialect("deepseek", reasoning="calls"),
    "api.moonshot.cn": _KIMI,
    "api.moonshot.ai": _KIMI,
    "api.kimi.com": _KIMI,
    "api.mistral.ai": Dialect("mistral", short_ids=True, user_follows_tool=False),
}
# LM Studio's usual port: it refuses null.
_LM_STUDIO = Dialect("lm-studio", empty_content="empty")
_LM_STUDIO_PORT = 1234


def find_dialect(endpoint: Endpoint) -> Dialect:
    """Return the dialect of a server, by its address."""
    parts = urlsplit(endpoint.base_url)
    host = parts.hostname or ""
    if endpoint.is_local and parts.port == _LM_STUDIO_PORT:
        return _LM_STUDIO
    return _BY_HOST.get(host, _PLAIN)


@dataclass(slots=True)
class Learnt:
    """What one server refused for one model, and that it repeats the text in each piece."""

    dropped: set[str] = field(default_factory=set)
    max_tokens_name: str | None = None
    empty_content: EmptyContent | None = None
    sends_reasoning: bool | None = None
    wants_tools: bool = False
    user_follows_tool: bool = True
    streams: bool = True
    is_cumulative: bool = False

    def learn(self, body: dict[str, Any], detail: str) -> str | None:
        """Take in a refusal of `body` and say what will be different, or None if nothing is.

        Each lesson changes the next request, and none is learnt twice, so asking again ends.
        """
        for lesson in _LESSONS:
            note = lesson(self, body, detail)
            if note:
                return note
        return None


_LEARNT: dict[tuple[str, str], Learnt] = {}


def recall(endpoint: Endpoint) -> Learnt:
    """Return what was learnt about an address and model; the same value each time."""
    return _LEARNT.setdefault((endpoint.base_url, endpoint.model), Learnt())


def forget_lessons() -> None:
    """Forget everything learnt, as a new process would."""
    _LEARNT.clear()


def _swap_max_tokens(learnt: Learnt, body: dict[str, Any], detail: str) -> str | None:
    other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
    for name, swapped in other.items():
        if name in body and re.search(rf"\b{name}\b", detail) and learnt.max_tokens_name is None:
            learnt.max_tokens_name = swapped
            return f"`{swapped}` is sent instead of `{name}`"
    return None


def _drop_parameter(learnt: Learnt, body: dict[str, Any], detail: str) -> str | None:
    for name in ("stream_options", "temperature", "tool_choice"):
        words = rf"\b{name}\b" if name != "stream_options" else r"stream_options|include_usage"
        if name in body and re.search(words, detail):
            learnt.dropped.add(name)
            return f"`{name}` is not sent any more: the server refuses it"
    return None


def _stop_streaming(learnt: Learnt, body: dict[str, Any], detail: str) -> str | None:
    """Learn from `Your organization must be verified to stream this model` and its like."""
    if not learnt.streams or not re.search(r"(?i)\bstream(ing|ed)?\b", detail):
        return None
    learnt.streams = False
    return "answers come whole, not as a stream: the server refuses it"


def _change_reasoning(learnt: Learnt, body: dict[str, Any], detail: str) -> str | None:
    if learnt.sends_reasoning is not None or not re.search(r"reasoning(_content)?\b", detail):
        return None
    learnt.sends_reasoning = not any("reasoning_content" in item for item in body["messages"])
    verb = "sent back" if learnt.sends_reasoning else "not sent back any more"
    return f"the model's thinking is {verb}"


def _change_empty_content(learnt: Learnt, body: dict[str, Any], detail: str) -> str | None:
    if learnt.empty_content is not None or not re.search(r"(?i)\bcontent\b", detail):
        return None
    sent = {item["content"] for item in body["messages"] if item.get("tool_calls")}
    if None in sent:
        learnt.empty_content = "empty"
        return 'empty text is sent as `""`'
    if "" in sent:
        learnt.empty_content = "null"
        return "empty text is sent as null"
    return None


def _offer_tools(learnt: Learnt, body: dict[str, Any], detail: str) -> str | None:
    has_calls = any(item.get("tool_calls") for item in body["messages"])
    if "tools" in body or not has_calls or not re.search(r"(?i)\btools?\b", detail):
        return None
    learnt.wants_tools = True
    return "tools are named again where the history holds their calls"


def _move_words_of_user(learnt: Learnt, body: dict[str, Any], detail: str) -> str | None:
    """Learn from `Unexpected role 'user' after role 'tool'` and its like."""
    if not learnt.user_follows_tool or not re.search(r"(?i)\brole|\balternat", detail):
        return None
    roles = [item["role"] for item in body["messages"]]
    if ("tool", "user") not in pairwise(roles):
        return None
    learnt.user_follows_tool = False
    return "what the user says after a tool is sent with the tool's result"


_LESSONS: tuple[Callable[[Learnt, dict[str, Any], str], str | None], ...] = (
    _swap_max_tokens,
    _drop_parameter,
    _stop_streaming,
    _change_reasoning,
    _offer_tools,
    _move_words_of_user,
    _change_empty_content,
)
