"""Plays every scenario file against the real client, over a real socket.

`UPDATE_SCENARIOS=1 pytest tests/provider/test_scenarios.py` writes the outcomes anew; read the
difference before you keep it.
"""

import asyncio
import os
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
from glossator.model.dialects import forget_lessons
from glossator.model.endpoints import Endpoint
from glossator.model.openai_chat import OpenAIChat
from provider.scenarios import Scenario, read_scenarios
from provider.server import Provider

_TOOLS = [
    ToolSpec(name, "", {"type": "object", "properties": {}})
    for name in ("r", "w", "read_file", "list_directory")
]
_KEY = "sk-secret-0123456789"
_SCENARIOS = list(read_scenarios())


@pytest.mark.parametrize("scenario", _SCENARIOS, ids=lambda scenario: scenario.id)
async def test_what_the_server_sends_comes_out_as_the_file_says(
    provider: Provider, scenario: Scenario
) -> None:
    forget_lessons()
    provider.script(*scenario.replies)
    settings = ModelSettings(**{"max_retry_wait_s": 0.0, **scenario.settings})
    chat = OpenAIChat(Endpoint(provider.base_url, _KEY, "tiny", "environment"), settings)

    async with asyncio.timeout(10):
        outcome = await _collect(chat)
    await chat.close()
    error = next((line for line in outcome.splitlines() if line.startswith("error ")), "")
    assert len(error.partition(" ")[2].partition(" ")[2]) <= 300
    assert _KEY not in outcome
    n_requests = len(provider.requests())
    if n_requests != 1:
        outcome += f"requests {n_requests}\n"
    outcome = outcome.replace(urlsplit(provider.base_url).netloc, "HOST")
    replies = repr(scenario.replies)
    lines = [_name_new_id(line, replies) for line in outcome.splitlines()]
    outcome = "".join(f"{line}\n" for line in lines)

    if os.environ.get("UPDATE_SCENARIOS"):
        _update(scenario, outcome)
    else:
        assert outcome == scenario.outcome


async def _collect(chat: OpenAIChat) -> str:
    """Return what a listener saw, one line for each kind of piece."""
    texts = {TextDelta: "", ReasoningDelta: ""}
    lines: list[str] = []
    tail: list[str] = []
    try:
        async with aclosing(chat.stream([Message("user", "hi")], _TOOLS)) as pieces:
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


def _update(scenario: Scenario, outcome: str) -> None:
    text = scenario.file.read_text("utf-8")
    start = text.index(f"\n## {scenario.title}\n")
    start = text.index("```outcome\n", start) + len("```outcome\n")
    end = text.index("```", start)
    scenario.file.write_text(text[:start] + outcome + text[end:], "utf-8")
