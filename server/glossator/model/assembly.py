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
from glossator.model.deltas import (
    NOTHING,
    join_texts,
    read_content,
    read_objects,
    read_reasoning,
)
from glossator.model.pieces import PieceReader
from glossator.model.slots import CallSlots
from glossator.model.thinking import Part, ThinkSplitter
from glossator.model.usage import read_usage

_FINISHES: dict[str, FinishReason | Literal["error"]] = {
    **dict.fromkeys(
        ("stop", "eos", "eos_token", "end_turn", "stop_sequence", "end", "complete", "completed"),
        "stop",
    ),
    **dict.fromkeys(
        ("tool_calls", "tool-calls", "tool_call", "function_call", "function_calls", "tool_use"),
        "tool_calls",
    ),
    **dict.fromkeys(
        ("length", "max_tokens", "max_length", "model_length", "max_output_tokens",
         "max_completion_tokens", "model_context_window_exceeded", "context_length_exceeded",
         "token_limit", "incomplete"),
        "length",
    ),
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

    `tool_names` are the tools on offer, `used_ids` the call ids that the transcript holds already;
    `is_cumulative` says that each piece repeats the text before it. `error` is what the server
    reported inside a choice; `n_content` grows with all that is part of the answer.
    """

    tool_names: Collection[str] = ()
    used_ids: Collection[str] = ()
    is_cumulative: bool = False
    error: object = None
    has_ended: bool = False
    usage: Usage | None = None
    notes: list[str] = field(default_factory=list)
    n_chunks: int = 0
    n_content: int = 0
    _pending: list[Part] = field(default_factory=list)
    _splitter: ThinkSplitter = field(default_factory=ThinkSplitter)
    _text: PieceReader = field(default_factory=PieceReader)
    _reasoning: PieceReader = field(default_factory=PieceReader)
    _calls: CallSlots = field(default_factory=CallSlots)
    _finish: FinishReason = "stop"
    _has_text: bool = False
    _has_refusal: bool = False
    _came_in_deltas: bool = False

    def __post_init__(self) -> None:
        self._calls.tool_names = self.tool_names
        self._text.is_cumulative = self._reasoning.is_cumulative = self.is_cumulative

    def feed(self, chunk: Mapping[str, Any]) -> bool:
        """Take in one chunk; say whether it was a sign of progress."""
        usage = chunk.get("usage") or chunk.get("x_groq")
        if usage:
            self.usage = read_usage(usage, self.usage)
        choices = chunk.get("choices")
        for choice in read_objects(choices):
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
        self._flush()
        finish: FinishReason = "refusal" if self._has_refusal else self._finish
        calls = self._calls.make_calls(self.used_ids)
        self.notes += self._calls.notes
        cut_calls: tuple[ToolCall, ...] = ()
        if finish not in ("stop", "tool_calls"):
            self.notes += [f"the call of `{call.name}` was not run: {finish}" for call in calls]
            cut_calls = tuple(calls) if finish == "length" else ()
            calls = []
        elif calls:
            finish = "tool_calls"
        elif finish == "tool_calls":
            self.notes.append("finish `tool_calls` without a call")
            finish = "stop"
        if not (calls or self._has_text or self._has_refusal):
            self.notes.append("empty answer")
        notes = tuple(dict.fromkeys(self.notes))
        completion = Completion(finish, self.usage, notes, cut_calls)
        return [*self.take_pieces(), *calls, completion]

    def _read_choice(self, choice: dict[str, Any]) -> None:
        index = choice.get("index")
        place = index if isinstance(index, int) else 0
        n_before = self.n_content
        delta = choice.get("delta")
        if isinstance(delta, dict):
            self._read_delta(delta, place)
            self._came_in_deltas = self._came_in_deltas or self.n_content > n_before
        # A whole completion instead of a stream; or sent once more after one, and left out.
        if not self._came_in_deltas:
            self._read_delta(_find_message(choice), place)
        if index not in (0, None) and self.n_content > n_before:
            self.notes.append("the answer is spread over several choices")
        if choice.get("finish_reason"):
            self._read_finish(choice["finish_reason"])
        if choice.get("error"):
            self.error = choice["error"]
        if choice.get("usage"):
            self.usage = read_usage(choice["usage"], self.usage)

    def _read_delta(self, delta: Mapping[str, Any], place: int) -> None:
        content = delta.get("content")
        has_more = len(delta) > 1 or not content
        if has_more and (reasoning := read_reasoning(delta)):
            self._add_reasoning(reasoning)
        if isinstance(content, str):
            if content:
                self._add_text(content)
        elif content is not None:
            self._add_parts_of(content)
        if has_more:
            self._read_refusal_and_calls(delta, place)

    def _add_parts_of(self, content: object) -> None:
        for kind, text in read_content(content):
            if kind == "text":
                self._add_text(text)
            else:
                self._add_reasoning(text)

    def _read_refusal_and_calls(self, delta: Mapping[str, Any], place: int) -> None:
        refusal = join_texts(delta.get("refusal"))
        if refusal:
            self._has_refusal = True
            self._add_text(refusal)
        entries = read_objects(delta.get("tool_calls"))
        if not entries and isinstance(delta.get("function_call"), dict):
            entries = [{"index": "function_call", "function": delta["function_call"]}]
        if entries:
            self.n_content += self._calls.add(entries, place)

    def _add_text(self, text: str) -> None:
        self.n_content += 1
        if self._reasoning.is_holding:
            self._show_reasoning(self._reasoning.release())
        self._show_text(self._text.feed(text))

    def _add_reasoning(self, text: str) -> None:
        self.n_content += 1
        if self._text.is_holding:
            self._show_text(self._text.release())
        self._show_reasoning(self._reasoning.feed(text))

    def _show_text(self, text: str) -> None:
        if not text:
            return
        if self._splitter.is_open:
            self._pending.append(("text", text))
        else:
            self._add_parts(self._splitter.feed(text))

    def _show_reasoning(self, text: str) -> None:
        if text:
            self._pending.append(("reasoning", text))

    def _add_parts(self, parts: list[Part]) -> None:
        for kind, part in parts:
            self._pending.append((kind, part))
            self._has_text = self._has_text or (kind == "text" and not part.isspace())

    def _flush(self) -> None:
        """Show what was held back, now that nothing follows."""
        self._show_reasoning(self._reasoning.release())
        self._show_text(self._text.release())
        if self._splitter.is_thinking:
            self.notes.append("the thinking was never closed")
        self._add_parts(self._splitter.close())
        if self._text.is_cumulative and not self.is_cumulative:
            self.is_cumulative = True
            self.notes.append("each piece repeats the text before it: only what is new is shown")

    def _read_finish(self, word: object) -> None:
        if isinstance(word, dict):
            word = word.get("type") or word.get("reason")
        elif isinstance(word, list):
            word = word[0] if word else None
        word = str(word or "").strip()
        if word.lower() in NOTHING:
            return
        finish = _FINISHES.get(word.lower())
        if finish == "error":
            self.error = self.error or f"the model stopped with `{word}`"
            return
        if finish is None:
            self.notes.append(f"unknown finish reason `{word[:40]}`")
        self.has_ended = True
        # That something was cut or filtered is not undone by a later word.
        if self._finish in ("stop", "tool_calls"):
            self._finish = finish or "stop"


def _find_message(choice: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the message of a choice that is no delta."""
    message = choice.get("message")
    if isinstance(message, dict):
        return message
    return {"content": choice["text"]} if isinstance(choice.get("text"), str) else {}
