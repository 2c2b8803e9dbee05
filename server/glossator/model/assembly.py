"""Text, thinking and whole tool calls from the raw chunks of a chat completion.

Nothing is handed on as a call before the stream has ended well; `slots.py` collects the calls.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from glossator.core.messages import (
    Completion,
    FinishReason,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    Usage,
)
from glossator.model.slots import CallSlots
from glossator.model.surrogates import ends_with_half_pair, replace_lone_surrogates
from glossator.model.thinking import Part, ThinkSplitter

_FINISHES: dict[str, FinishReason | Literal["error"]] = {
    **dict.fromkeys(("stop", "eos", "eos_token", "end_turn", "stop_sequence", "end"), "stop"),
    **dict.fromkeys(("tool_calls", "function_call", "tool_use"), "tool_calls"),
    **dict.fromkeys(("length", "max_tokens", "model_length", "max_output_tokens"), "length"),
    **dict.fromkeys(
        ("content_filter", "content-filter", "safety", "sensitive", "recitation", "blocklist",
         "prohibited_content", "spii", "blocked"),
        "content_filter",
    ),
    **dict.fromkeys(
        ("error", "network_error", "insufficient_system_resource", "abort", "unexpected_tool_call",
         "malformed_function_call"),
        "error",
    ),
    "refusal": "refusal",
}  # fmt: skip


@dataclass(slots=True)
class Assembly:
    """One answer while it arrives.

    `tool_names` are the tools on offer, `used_ids` the call ids that the transcript holds already.
    `error` is what the server reported inside a choice.
    """

    tool_names: Collection[str] = ()
    used_ids: Collection[str] = ()
    cumulative_text: bool = False
    error: object = None
    has_ended: bool = False
    usage: Usage | None = None
    notes: list[str] = field(default_factory=list)
    n_chunks: int = 0
    has_content: bool = False
    _pending: list[Part] = field(default_factory=list)
    _splitter: ThinkSplitter = field(default_factory=ThinkSplitter)
    _half_pair: str = ""
    _text_so_far: str = ""
    _calls: CallSlots = field(default_factory=CallSlots)
    _finish: FinishReason = "stop"
    _has_text: bool = False
    _has_refusal: bool = False

    def __post_init__(self) -> None:
        self._calls.tool_names = self.tool_names

    def feed(self, chunk: Mapping[str, Any]) -> bool:
        """Take in one chunk; say whether it was a sign of progress."""
        usage = chunk.get("usage")
        if usage:
            self._read_usage(usage)
        choices = chunk.get("choices")
        if not isinstance(choices, list):
            return bool(usage)
        for choice in choices:
            if isinstance(choice, dict):
                self._read_choice(choice)
        if choices:
            self.n_chunks += 1
        return bool(choices or usage)

    def take_pieces(self) -> list[TextDelta | ReasoningDelta]:
        """Return what can be shown since the last call, pieces of one kind joined."""
        if not self._pending:
            return []
        pending, self._pending = self._pending, []
        pieces: list[TextDelta | ReasoningDelta] = []
        joined: list[str] = []
        for position, (kind, text) in enumerate(pending):
            joined.append(text)
            if position + 1 == len(pending) or pending[position + 1][0] != kind:
                whole = "".join(joined)
                joined = []
                pieces.append(TextDelta(whole) if kind == "text" else ReasoningDelta(whole))
        return pieces

    def has_cut_call(self) -> bool:
        """Say whether the arguments of some call are begun but not whole."""
        return self._calls.has_cut_call()

    def conclude(self) -> list[TextDelta | ReasoningDelta | ToolCall | Completion]:
        """Return the held-back end of the text, the calls and the completion."""
        self._flush_text()
        finish: FinishReason = "refusal" if self._has_refusal else self._finish
        calls = self._calls.make_calls(self.used_ids)
        self.notes += self._calls.notes
        if finish not in ("stop", "tool_calls"):
            self.notes += [f"the call of `{call.name}` was not run: {finish}" for call in calls]
            calls = []
        elif calls:
            finish = "tool_calls"
        elif finish == "tool_calls":
            self.notes.append("finish `tool_calls` without a call")
            finish = "stop"
        if not (calls or self._has_text or self._has_refusal):
            self.notes.append("empty answer")
        completion = Completion(finish, self.usage, tuple(dict.fromkeys(self.notes)))
        return [*self.take_pieces(), *calls, completion]

    def _read_choice(self, choice: dict[str, Any]) -> None:
        place = choice.get("index")
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            # A whole completion instead of a stream, or sent once more after one.
            message = choice.get("message")
            delta = message if isinstance(message, dict) and not self.has_content else {}
        if place not in (0, None) and delta:
            self.notes.append("the answer is spread over several choices")
        content = delta.get("content")
        if content:
            self._read_content(content)
        if len(delta) > 1 or not content:
            self._read_other_fields(delta, place if isinstance(place, int) else 0)
        finish = choice.get("finish_reason")
        if finish and isinstance(finish, str):
            self._read_finish(finish)
        if choice.get("error"):
            self.error = choice["error"]

    def _read_content(self, content: object) -> None:
        if isinstance(content, str):
            self._add_text(content)
        elif isinstance(content, list):
            for part in content:
                if isinstance(part, str):
                    self._add_text(part)
                elif isinstance(part, dict):
                    self._read_part(part)

    def _read_part(self, part: dict[str, Any]) -> None:
        thinking = part.get("thinking")
        if isinstance(thinking, list):
            thinking = "".join(str(p.get("text", "")) for p in thinking if isinstance(p, dict))
        if isinstance(thinking, str) and thinking:
            self._add_reasoning(thinking)
        text = part.get("text")
        if isinstance(text, str) and text:
            self._add_text(text)

    def _read_other_fields(self, delta: dict[str, Any], place: int) -> None:
        reasoning = delta.get("reasoning_content") or delta.get("reasoning")
        if reasoning and isinstance(reasoning, str):
            self._add_reasoning(reasoning)
        refusal = delta.get("refusal")
        if refusal and isinstance(refusal, str):
            self._has_refusal = True
            self._add_text(refusal)
        entries = delta.get("tool_calls")
        if not entries and isinstance(delta.get("function_call"), dict):
            entries = {"index": "function_call", "function": delta["function_call"]}
        for entry in [entries] if isinstance(entries, dict) else entries or ():
            if isinstance(entry, dict) and self._calls.add(entry, place):
                self.has_content = True

    def _add_text(self, text: str) -> None:
        if self.cumulative_text:
            if text.startswith(self._text_so_far):
                text = text[len(self._text_so_far) :]
            self._text_so_far += text
        if not text.isascii() or self._half_pair:
            text = self._half_pair + text
            self._half_pair = text[-1] if ends_with_half_pair(text) else ""
            text = replace_lone_surrogates(text[:-1] if self._half_pair else text)
        if not text:
            return
        self.has_content = True
        if self._splitter.is_open:
            self._pending.append(("text", text))
        else:
            self._add_parts(self._splitter.feed(text))

    def _add_parts(self, parts: list[Part]) -> None:
        for kind, part in parts:
            self._pending.append((kind, part))
            self._has_text = self._has_text or (kind == "text" and not part.isspace())

    def _add_reasoning(self, text: str) -> None:
        self.has_content = True
        self._pending.append(("reasoning", replace_lone_surrogates(text)))

    def _flush_text(self) -> None:
        if self._half_pair:
            self._half_pair = ""
            self._add_parts(self._splitter.feed("\ufffd"))
        if self._splitter.is_thinking:
            self.notes.append("the thinking was never closed")
        self._add_parts(self._splitter.close())

    def _read_finish(self, word: str) -> None:
        finish = _FINISHES.get(word.strip().lower())
        if finish == "error":
            self.error = self.error or f"the model stopped with `{word}`"
            return
        if finish is None:
            self.notes.append(f"unknown finish reason `{word}`")
        self.has_ended = True
        self._finish = finish or "stop"

    def _read_usage(self, usage: object) -> None:
        if isinstance(usage, dict):
            details = usage.get("prompt_tokens_details")
            cached = details.get("cached_tokens") if isinstance(details, dict) else None
            self.usage = Usage(
                _count(usage.get("prompt_tokens") or usage.get("input_tokens")),
                _count(usage.get("completion_tokens") or usage.get("output_tokens")),
                _count(cached or usage.get("prompt_cache_hit_tokens")),
            )


def _count(value: object) -> int:
    return max(0, int(value)) if isinstance(value, int) else 0
