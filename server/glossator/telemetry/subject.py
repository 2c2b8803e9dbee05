"""Whom the spans speak of, and what they may quote."""

import json
from dataclasses import dataclass, field
from typing import Any

from glossator.core.messages import Message
from glossator.core.redaction import redact, redact_name

_CONTENT_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Subject:
    """The model asked by default and its server; `secrets` are taken out of every text.

    `keep_content` puts questions, answers, arguments and results into the spans.
    """

    model: str = ""
    base_url: str = ""
    keep_content: bool = False
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def line(self, text: str) -> str:
        """Return a line of ours."""
        return redact(text, self.secrets)

    def name(self, text: str) -> str:
        """Return what a model wrote as a name."""
        return redact_name(text, self.secrets)

    def content(self, text: str) -> str | None:
        """Return a text when content is kept."""
        if not self.keep_content:
            return None
        return redact(text, self.secrets)[:_CONTENT_CHARACTERS]

    def question(self, text: str) -> str | None:
        """Return what an agent was asked, in the conventions' form."""
        content = self.content(text)
        if not content:
            return None
        return _to_json([{"role": "user", "parts": [{"type": "text", "content": content}]}])

    def reply(self, reply: Message | None, finish: str) -> str | None:
        """Return what a model said, in the conventions' form."""
        if not self.keep_content or reply is None:
            return None
        text = self.content(reply.text)
        parts: list[dict[str, Any]] = [{"type": "text", "content": text}] if text else []
        parts += [
            {
                "type": "tool_call",
                "id": self.name(call.id),
                "name": self.name(call.name),
                "arguments": self.content(call.arguments),
            }
            for call in reply.tool_calls
        ]
        return _to_json([{"role": "assistant", "parts": parts, "finish_reason": finish}])


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
