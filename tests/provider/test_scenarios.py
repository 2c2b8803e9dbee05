"""Plays every scenario file against the real client, over a real socket.

`UPDATE_SCENARIOS=1 pytest tests/provider/test_scenarios.py` writes outcomes and requests anew; read
the difference before you keep it.
"""

import asyncio
import os
from collections.abc import Sequence
from contextlib import aclosing
from urllib.parse import urlsplit

import pytest

from glossator.core.errors import GlossatorError
from glossator.core.messages import (
    Completion,
    Message,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolSpec,
    Waiting,
)
from glossator.core.settings import ModelSettings
from glossator.model import openai_chat
from glossator.model.dialects import find_dialect, forget_lessons
from glossator.model.endpoints import Endpoint
from glossator.model.openai_chat import OpenAIChat
from provider.scenarios import Scenario, read_scenarios, render_request
from provider.server import Provider

_TOOLS = [
    ToolSpec(name, "", {"type": "object", "properties": {}})
    for name in ("r", "w", "read_file", "list_directory")
]
_KEY = "sk-secret-0123456789"
_SCENARIOS = list(read_scenarios())


@pytest.mark.parametrize("scenario", _SCENARIOS, ids=lambda scenario: scenario.id)
async def test_what_the_server_sends_comes_out_as_the_file_says(
    provider: Provider, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_lessons()
    provider.script(*scenario.replies)
    tools, max_tokens = _TOOLS, None
    for line in scenario.server:
        match line.split():
            case ["strict", *rules]:
                provider.be_strict(*rules)
            case ["host", host]:
                dialect = find_dialect(Endpoint(f"https://{host}/v1", "", "tiny", "environment"))
                monkeypatch.setattr(openai_chat, "find_dialect", lambda _, found=dialect: found)
            case ["max-tokens", number]:
                max_tokens = int(number)
            case ["no-tools"]:
                tools = []
    settings = ModelSettings(**{"max_retry_wait_s": 0.0, **scenario.settings})
    endpoint = Endpoint(provider.base_url, _KEY, "tiny", "environment")
    chat = OpenAIChat(endpoint, settings, max_tokens=max_tokens)

    async with asyncio.timeout(10):
        outcome = await _collect(chat, scenario.history, tools)
    await chat.close()
    error = next((line for line in outcome.splitlines() if line.startswith("error ")), "")
    assert len(error.partition(" ")[2].partition(" ")[2]) <= 300
    assert _KEY not in outcome
    requests = provider.requests()
    if len(requests) != 1:
        outcome += f"requests {len(requests)}\n"
    sent = render_request(requests[-1].body)
    outcome = outcome.replace(urlsplit(provider.base_url).netloc, "HOST")
    replies = repr(scenario.replies)
    lines = [_name_new_id(line, replies) for line in outcome.splitlines()]
    outcome = "".join(f"{line}\n" for line in lines)

    if os.environ.get("UPDATE_SCENARIOS"):
        _update(scenario, "outcome", outcome)
        if scenario.sent:
            _update(scenario, "sent", sent)
    else:
        assert outcome == scenario.outcome
        assert not scenario.sent or sent == scenario.sent


async def _collect(chat: OpenAIChat, history: Sequence[Message], tools: Sequence[ToolSpec]) -> str:
    """Return what a listener saw, one line for each kind of piece."""
    texts = {TextDelta: "", ReasoningDelta: ""}
    lines: list[str] = []
    tail: list[str] = []
    try:
        async with aclosing(chat.stream(history, tools)) as pieces:
            async for piece in pieces:
                if isinstance(piece, TextDelta | ReasoningDelta):
                    texts[type(piece)] += piece.text
                elif isinstance(piece, ToolCall):
                    extra = f" {dict(piece.extra)}" if piece.extra else ""
                    lines.append(f"call {piece.id} {piece.name} {piece.arguments}{extra}")
                elif isinstance(piece, Waiting):
                    lines.append(f"wait {piece.reason}")
                elif isinstance(piece, Completion):
                    tail = _describe_end(piece)
    except GlossatorError as error:
        tail = [f"error {type(error).__name__} {error}"]
    shown = [("reasoning", texts[ReasoningDelta]), ("text", texts[TextDelta])]
    lines = [*(f"{name} {text}" for name, text in shown if text), *lines, *tail]
    return "".join(line.replace("\n", "\\n") + "\n" for line in lines)


def _describe_end(end: Completion) -> list[str]:
    lines = [f"finish {end.finish}"]
    if end.usage is not None:
        usage = end.usage
        lines.append(f"usage {usage.prompt_tokens} {usage.completion_tokens} {usage.cached_tokens}")
    return lines + [f"note {note}" for note in end.notes]


def _name_new_id(line: str, replies: str) -> str:
    words = line.split(" ")
    if words[0] == "call" and len(words[1]) == 9 and words[1] not in replies:
        words[1] = "<new>"
    return " ".join(words)


def _update(scenario: Scenario, kind: str, found: str) -> None:
    text = scenario.file.read_text("utf-8")
    start = text.index(f"\n## {scenario.title}\n")
    start = text.index(f"```{kind}\n", start) + len(f"```{kind}\n")
    end = text.index("```", start)
    scenario.file.write_text(text[:start] + found + text[end:], "utf-8")
