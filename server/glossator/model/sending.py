"""The body of a request: a transcript in the form that even strict servers accept.

Whatever state a transcript is in (after a cancel, a crash, a cut), what is sent has one system
message at most, and that first; user and assistant take turns; every call has its result, in order,
right behind it; ids are unique; arguments are JSON objects; nothing is empty and nothing holds half
a character.
"""

import hashlib
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from glossator.core.messages import Message, ToolCall, ToolSpec
from glossator.model.arguments import to_valid_object
from glossator.model.dialects import Dialect, Learnt
from glossator.model.surrogates import replace_lone_surrogates

NO_OUTPUT = "(no output)"
NO_RESULT = "(no result: this call was not run)"
NO_TEXT = "(no text)"
_ID_CHARACTERS = string.ascii_letters + string.digits
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_SHORT_ID = re.compile(r"[a-zA-Z0-9]{9}")


def make_body(
    model: str,
    transcript: Sequence[Message],
    tools: Sequence[ToolSpec],
    *,
    dialect: Dialect,
    learnt: Learnt,
    temperature: float,
    max_tokens: int | None = None,
) -> dict[str, Any]:
    """Return the JSON body that asks `model` to go on with `transcript`."""
    body: dict[str, Any] = {
        "model": model,
        "messages": _Writer(dialect, learnt).write(transcript),
        "stream": learnt.streams,
    }
    if learnt.streams:
        body["stream_options"] = {"include_usage": True}
    body["temperature"] = temperature
    if max_tokens is not None:
        body[learnt.max_tokens_name or dialect.max_tokens_name] = max_tokens
    if tools:
        body["tools"] = write_tools(tools)
    elif learnt.wants_tools:
        body |= _name_used_tools(body["messages"])
    return {name: value for name, value in body.items() if name not in learnt.dropped}


def write_messages(transcript: Sequence[Message]) -> list[dict[str, Any]]:
    """Return a transcript in the plain form, for who is no server."""
    return _Writer(Dialect("plain"), Learnt()).write(transcript)


def write_tools(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Return the tools on offer as they are sent."""
    return [_write_tool(tool) for tool in tools]


def add_nudge(body: dict[str, Any], text: str) -> dict[str, Any]:
    """Return `body` with a remark for the model at the end of what was last said to it."""
    messages = [*body["messages"]]
    if messages[-1]["role"] in ("user", "tool"):
        messages[-1] = {**messages[-1], "content": f"{messages[-1]['content']}\n\n{text}"}
    else:
        messages.append({"role": "user", "content": text})
    return {**body, "messages": messages}


class _Writer:
    """Writes one transcript; remembers which ids it has used."""

    def __init__(self, dialect: Dialect, learnt: Learnt) -> None:
        self._dialect = dialect
        self._empty = None if (learnt.empty_content or dialect.empty_content) == "null" else ""
        self._reasoning = dialect.reasoning
        if learnt.sends_reasoning is not None:
            self._reasoning = "required" if learnt.sends_reasoning else "never"
        self._user_follows_tool = dialect.user_follows_tool and learnt.user_follows_tool
        self._used_ids: set[str] = set()

    def write(self, transcript: Sequence[Message]) -> list[dict[str, Any]]:
        n_leading = next(
            (n for n, message in enumerate(transcript) if message.role != "system"),
            len(transcript),
        )
        system = "\n\n".join(item.text for item in transcript[:n_leading] if item.text.strip())
        written: list[dict[str, Any]] = []
        if system:
            written.append({"role": "system", "content": replace_lone_surrogates(system)})
        rest = list(transcript[n_leading:])
        while rest:
            message = rest.pop(0)
            text = replace_lone_surrogates(message.text)
            if message.role == "assistant" and message.tool_calls:
                if written and written[-1]["role"] == "assistant":
                    said = written.pop()["content"]
                    message = replace(message, text=f"{said}\n\n{message.text}".rstrip())
                written.extend(self._write_round(message, _take_results(rest)))
            elif message.role == "assistant":
                if text.strip():
                    _say(written, "assistant", text)
            elif message.role != "tool":
                # A later system message is refused by many; what it reminds of is still said.
                self._say_as_user(written, text if text.strip() else NO_TEXT)
            # A result without its call is left out: nothing can be done with it.
        return written

    def _say_as_user(self, written: list[dict[str, Any]], text: str) -> None:
        if self._user_follows_tool or not written or written[-1]["role"] != "tool":
            _say(written, "user", text)
        else:
            _say(written, "tool", text)

    def _write_round(
        self, message: Message, results: dict[str, list[str]]
    ) -> Iterator[dict[str, Any]]:
        """Write a message with calls, and the result of each call in the order of the calls."""
        ids = [self._claim_id(call.id) for call in message.tool_calls]
        text = replace_lone_surrogates(message.text)
        assistant: dict[str, Any] = {
            "role": "assistant",
            "content": text if text.strip() else self._empty,
            "tool_calls": [
                _write_call(call, call_id)
                for call, call_id in zip(message.tool_calls, ids, strict=True)
            ],
        }
        reasoning = replace_lone_surrogates(message.reasoning)
        if self._reasoning == "required" or (self._reasoning == "calls" and reasoning):
            assistant["reasoning_content"] = reasoning if reasoning.strip() else " "
        yield assistant
        for call, call_id in zip(message.tool_calls, ids, strict=True):
            texts = results.get(call.id)
            result = replace_lone_surrogates(texts.pop(0)) if texts else NO_RESULT
            yield {
                "role": "tool",
                "tool_call_id": call_id,
                "content": result if result.strip() else NO_OUTPUT,
            }

    def _claim_id(self, call_id: str) -> str:
        """Return an id not used before in this request; the same for the same transcript.

        What the server sent goes back unchanged where that is possible; the id may not depend on
        chance, or the server's cache of the beginning of the prompt would miss.
        """
        wanted = replace_lone_surrogates(call_id)
        if not wanted or (self._dialect.short_ids and not _SHORT_ID.fullmatch(wanted)):
            wanted = _make_short_id(wanted)
        while wanted in self._used_ids:
            wanted = _make_short_id(f"{wanted}+{len(self._used_ids)}")
        self._used_ids.add(wanted)
        return wanted


def _say(written: list[dict[str, Any]], role: str, text: str) -> None:
    """Add `text`; to the last message where that is of the same role, for roles have to alternate.

    A message with calls is not gone on with: its results stand behind it.
    """
    last = written[-1] if written else None
    if last is not None and last["role"] == role:
        last["content"] = f"{last['content']}\n\n{text}"
    else:
        written.append({"role": role, "content": text})


def _take_results(rest: list[Message]) -> dict[str, list[str]]:
    """Remove the results up to the next answer from `rest` and return their texts by call id."""
    results: dict[str, list[str]] = {}
    position = 0
    while position < len(rest) and rest[position].role != "assistant":
        if rest[position].role == "tool":
            message = rest.pop(position)
            results.setdefault(message.call_id or "", []).append(message.text)
        else:
            position += 1
    return results


def _write_call(call: ToolCall, call_id: str) -> dict[str, Any]:
    name = call.name
    if not _NAME.fullmatch(name):
        name = re.sub(r"[^a-zA-Z0-9_-]+", "_", name)[:64] or "unnamed"
    return {
        **call.extra,
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": to_valid_object(call.arguments)},
    }


def _write_tool(tool: ToolSpec) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": replace_lone_surrogates(tool.description),
            "parameters": dict(tool.parameters),
        },
    }


def _name_used_tools(messages: list[dict[str, Any]]) -> dict[str, Any]:
    calls = [call for message in messages for call in message.get("tool_calls", ())]
    names = dict.fromkeys(call["function"]["name"] for call in calls)
    if not names:
        return {}
    nothing = {"type": "object", "properties": {}}
    specs = [ToolSpec(name, "Not to be called any more.", nothing) for name in names]
    return {"tools": [_write_tool(spec) for spec in specs], "tool_choice": "none"}


def _make_short_id(seed: str) -> str:
    number = int.from_bytes(hashlib.blake2b(seed.encode(), digest_size=8).digest(), "big")
    digits = []
    for _ in range(9):
        number, digit = divmod(number, len(_ID_CHARACTERS))
        digits.append(_ID_CHARACTERS[digit])
    return "".join(digits)
