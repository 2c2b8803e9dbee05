"""What strict servers refuse in a request, as one list of complaints.

The rules of every server are always checked; those of some servers are named, and chosen by
`Provider.be_strict("short-ids", ...)`.
"""

import json
import re
from itertools import pairwise
from typing import Any

SOME_SERVERS = {
    "short-ids": "Tool call id must be a-z, A-Z, 0-9, with a length of 9",
    "no-reasoning": "Extra inputs are not permitted: reasoning_content",
    "needs-reasoning": "reasoning_content is missing in the assistant message with tool calls",
    "no-null-content": "messages: content must be a string, got null",
    "no-empty-content": "messages: content must not be empty",
    "no-stream-options": "Unknown parameter: stream_options",
    "no-stream": "Your organization must be verified to stream this model",
    "no-temperature": "Unsupported value: 'temperature' does not support 0 with this model",
    "no-max-tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead",
    "no-max-completion-tokens": "Unknown parameter: max_completion_tokens",
    "needs-tools": "tools must be given when messages hold tool calls",
    "no-user-after-tool": "Unexpected role 'user' after role 'tool'",
    "no-tools": "registry.ollama.ai/library/tiny does not support tools",
}
_ROLES = ("system", "user", "assistant", "tool")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def find_violations(text: str, rules: list[str]) -> list[str]:
    """Return what is wrong with the body of a request."""
    try:
        body = json.loads(text)
    except ValueError as error:
        return [f"the body is not JSON: {error}"]
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return ["messages must be a list with something in it"]
    problems = [f"unknown rule {rule}" for rule in rules if rule not in SOME_SERVERS]
    problems += _check_top(body)
    problems += _check_roles(messages)
    problems += _check_calls(messages)
    problems += _check_texts(messages)
    problems += [SOME_SERVERS[rule] for rule in rules if _breaks(rule, body, messages)]
    return problems


def _check_top(body: dict[str, Any]) -> list[str]:
    problems = []
    if body.get("tools") == []:
        problems.append("tools must not be an empty list")
    if "max_tokens" in body and "max_completion_tokens" in body:
        problems.append("max_tokens and max_completion_tokens must not both be set")
    if "tool_choice" in body and "tools" not in body:
        problems.append("tool_choice needs tools")
    return problems


def _check_roles(messages: list[dict[str, Any]]) -> list[str]:
    problems = [f"unknown role {item['role']}" for item in messages if item["role"] not in _ROLES]
    places = [n for n, item in enumerate(messages) if item["role"] == "system"]
    if places not in ([], [0]):
        problems.append("there must be one system message at most, and it must be first")
    pairs = set(pairwise(item["role"] for item in messages))
    if pairs & {("user", "user"), ("assistant", "assistant")}:
        problems.append("conversation roles must alternate user/assistant/user/assistant/...")
    return problems


def _check_calls(messages: list[dict[str, Any]]) -> list[str]:
    problems: list[str] = []
    seen: set[str] = set()
    waiting: list[str] = []
    for item in messages:
        if item["role"] == "tool":
            if not waiting or item.get("tool_call_id") != waiting.pop(0):
                problems.append(f"the result {item.get('tool_call_id')} does not follow its call")
            continue
        if waiting:
            problems.append(f"the call {waiting[0]} has no result")
        waiting = []
        for call in item.get("tool_calls", ()):
            problems += _check_call(call)
            if call["id"] in seen:
                problems.append(f"the id {call['id']} is used twice")
            seen.add(call["id"])
            waiting.append(call["id"])
        if item.get("tool_calls") == []:
            problems.append("tool_calls must not be an empty list")
    if waiting:
        problems.append(f"the call {waiting[0]} has no result")
    return problems


def _check_call(call: dict[str, Any]) -> list[str]:
    problems = []
    function = call.get("function", {})
    if not isinstance(call.get("id"), str) or not call["id"]:
        problems.append("a call needs an id")
    if call.get("type") != "function":
        problems.append("the type of a call must be function")
    if not _NAME.fullmatch(function.get("name") or ""):
        problems.append(f"the function name {function.get('name')!r} is not allowed")
    try:
        is_object = isinstance(json.loads(function["arguments"], parse_constant=_refuse), dict)
    except (ValueError, KeyError, TypeError):
        is_object = False
    if not is_object:
        problems.append("the arguments of a call must be the JSON of an object")
    return problems


def _check_texts(messages: list[dict[str, Any]]) -> list[str]:
    problems = []
    for item in messages:
        content = item.get("content")
        has_calls = bool(item.get("tool_calls"))
        if not has_calls and (not isinstance(content, str) or not content.strip()):
            problems.append(f"the content of a {item['role']} message must not be empty")
    if re.search(r"[\ud800-\udfff]", json.dumps(messages, ensure_ascii=False)):
        problems.append("a text holds half a character")
    return problems


def _breaks(rule: str, body: dict[str, Any], messages: list[dict[str, Any]]) -> bool:
    rounds = [item for item in messages if item.get("tool_calls")]
    ids = [call["id"] for item in rounds for call in item["tool_calls"]]
    checks = {
        "short-ids": any(not re.fullmatch(r"[a-zA-Z0-9]{9}", call_id) for call_id in ids),
        "no-reasoning": any("reasoning_content" in item for item in messages),
        "needs-reasoning": any(not item.get("reasoning_content") for item in rounds),
        "no-null-content": any(item.get("content") is None for item in messages),
        "no-empty-content": any(item.get("content") == "" for item in messages),
        "no-stream-options": "stream_options" in body,
        "no-stream": bool(body.get("stream")),
        "no-temperature": "temperature" in body,
        "no-max-tokens": "max_tokens" in body,
        "no-max-completion-tokens": "max_completion_tokens" in body,
        "no-user-after-tool": ("tool", "user") in pairwise(item["role"] for item in messages),
        "needs-tools": bool(rounds) and "tools" not in body,
        "no-tools": "tools" in body,
    }
    return checks.get(rule, False)


def _refuse(name: str) -> None:
    raise ValueError(name)
