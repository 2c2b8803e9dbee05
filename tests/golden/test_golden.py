"""Scenarios in Markdown, read by people and run here.

Each `##` of a file in this folder is one conversation. Fenced blocks say what there is and what
happens: `file PATH` (content of the workspace), `user` (a question; several make a session),
`model` (the model's replies, separated by `---`; a line `name {json}` is a tool call, a line
`finish REASON` how the reply ends; no such block means no model is set up), `settings` (the
editor's, as JSON) and `transcript` (what is expected; behind `prompt:` stand the instructions that
were sent). `--update-golden` rewrites the expected transcripts.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest

from glossator.app.application import Application
from glossator.app.results import Answer, ModelStatus, Opening
from glossator.compose import build_parts
from glossator.core.events import (
    ContextTrimmed,
    Event,
    HelperActed,
    HelperEnded,
    HelperStarted,
    PlanChanged,
    RoundStarted,
    SkillActivated,
    ToolFinished,
    ToolStarted,
)
from glossator.core.messages import Completion, FinishReason, Message, ToolCall
from glossator.model.scripted import Part, ScriptedModel

FOLDER = Path(__file__).parent
_BLOCK = re.compile(r"^(`{3,})(\w+)(?: (\S+))?\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_MARKER = re.compile(r"material [0-9a-f]{12}\b")
_INSTRUCTIONS = re.compile(r"<material \w+ (kind=instructions[^>]*)>\n(.*?)\n</material", re.DOTALL)
_FINISH = re.compile(r"^finish (\w+)$")
_CALL = re.compile(r"^(\w+) (\{.*\})$")


@dataclass
class Scenario:
    file: Path
    title: str
    text: str
    files: dict[str, str] = field(default_factory=dict)
    questions: list[str] = field(default_factory=list)
    replies: list[list[Part]] | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    transcript: str = ""

    def __post_init__(self) -> None:
        for _, kind, name, body in _BLOCK.findall(self.text):
            match kind:
                case "file":
                    self.files[name] = body
                case "user":
                    self.questions.append(body.strip())
                case "model":
                    self.replies = [parse_reply(reply) for reply in body.split("---\n")]
                case "settings":
                    self.settings = json.loads(body)
                case "transcript":
                    self.transcript = body
                case _:
                    raise ValueError(f"{self.file.name}: a block cannot be `{kind}`")

    def __str__(self) -> str:
        return f"{self.file.stem}: {self.title}"


def parse_reply(text: str) -> list[Part]:
    parts: list[Part] = []
    prose = []
    for line in text.splitlines():
        call, finish = _CALL.match(line), _FINISH.match(line)
        if finish:
            parts.append(Completion(cast(FinishReason, finish[1])))
        elif call:
            parts.append(ToolCall(f"call-{len(parts) + 1}", call[1], call[2]))
        else:
            prose.append(line)
    said = "\n".join(prose).strip()
    return [said, *parts] if said else parts


def load_scenarios() -> Iterator[Scenario]:
    for file in sorted(FOLDER.glob("*.md")):
        text = file.read_text(encoding="utf-8")
        for title, body in split_scenarios(text):
            yield Scenario(file, title, body)


def split_scenarios(text: str) -> Iterator[tuple[str, str]]:
    """Split at the `##` headings that stand outside fenced blocks."""
    blank = _BLOCK.sub(lambda match: re.sub(r"[^\n]", "x", match[0]), text)
    starts = [match.start() for match in re.finditer(r"^## ", blank, re.MULTILINE)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        title, _, body = text[start + 3 : end].partition("\n")
        yield title.strip(), body


async def play(scenario: Scenario, folder: Path) -> str:
    for name, content in scenario.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    settings = {"audit": {"enabled": False}, **scenario.settings}
    opening = Opening(roots=(folder,), watch=False, editor_settings=settings)
    model = ScriptedModel(scenario.replies) if scenario.replies is not None else None
    status = ModelStatus(is_configured=model is not None, message="Add a model.")
    application = Application(
        opening, lambda opening: replace(build_parts(opening), model=model, model_status=status)
    )
    lines: list[str] = []
    session_id = ""
    try:
        for question in scenario.questions:
            n_before = len(model.transcripts) if model is not None else 0
            turn: list[str] = []
            writer = Writer(turn)
            answer = await application.ask(question, session_id=session_id, emit=writer.write)
            session_id = answer.session_id
            if model is not None:
                lines.extend(list_instructions(model.transcripts[n_before:]))
            lines.extend(turn)
            lines.extend(write_answer(answer))
    finally:
        await application.close()
    return "\n".join(lines) + "\n"


def list_instructions(transcripts: Sequence[tuple[Message, ...]]) -> Iterator[str]:
    """Yield what a turn's model was told as instructions, in the order in which it was."""
    for transcript in transcripts[:1]:
        asked = next(each for each in reversed(transcript) if each.role == "user")
        for head, text in _INSTRUCTIONS.findall(asked.text):
            yield f"prompt: {head}"
            yield from (f"prompt: {line}".rstrip() for line in text.splitlines())


class Writer:
    """Writes what happens; results stand in the order of their calls, however they finish."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._running: dict[str, ToolFinished | None] = {}
        self._helpers: dict[str, list[str]] = {}

    def write(self, event: Event) -> None:
        match event:
            case RoundStarted():
                self._lines.append(f"round {event.number}, {event.remaining} remain")
            case ContextTrimmed():
                self._lines.append(
                    f"trimmed: turns {event.n_turns_left_out}, sections "
                    f"{event.n_sections_left_out}, results {event.n_results_shortened}"
                )
            case SkillActivated(by="user" | "model"):
                self._lines.append(f"skill {event.name}, by {event.by}")
            case ToolStarted():
                arguments = json.dumps(json.loads(event.arguments), ensure_ascii=False)
                self._lines.append(f"call {event.name} {arguments}")
                self._running[event.call_id] = None
            case ToolFinished():
                self._running[event.call_id] = event
                self._write_results()
            case PlanChanged():
                self._lines.extend(f"plan: {step.state} {step.text}" for step in event.steps)
            case HelperStarted() | HelperActed() | HelperEnded():
                self._write_helper(event)

    def _write_helper(self, event: HelperStarted | HelperActed | HelperEnded) -> None:
        """Write what a helper did when it has ended: others may work at the same time."""
        match event:
            case HelperStarted():
                self._helpers[event.helper_id] = [f"task {event.task}"]
            case HelperActed():
                Writer(self._helpers[event.helper_id]).write(event.event)
            case HelperEnded():
                report = [f"report: {line}" for line in event.result.splitlines()]
                said = [*self._helpers[event.helper_id], *report, f"ended {event.stop_reason}"]
                self._lines.extend(f"{event.helper_id} {line}" for line in said)

    def _write_results(self) -> None:
        finished = [event for event in self._running.values() if event is not None]
        if len(finished) < len(self._running):
            return
        for event in finished:
            kind = "error" if event.is_error else "tool"
            # The marker around what is data is another one each time.
            result = _MARKER.sub("material", event.result)
            self._lines.extend(f"{kind}: {line}".rstrip() for line in result.splitlines())
        self._running.clear()


def write_answer(answer: Answer) -> Iterator[str]:
    who = "assistant" if answer.by_model else "refusal" if answer.refused else "facts"
    yield from (f"{who}: {line}".rstrip() for line in answer.markdown.strip().splitlines())
    for citation in answer.citations:
        moved = f" -> {citation.place}" if citation.verdict == "moved" else ""
        reason = f": {citation.reason}" if citation.reason else ""
        yield f"citation: {citation.text} {citation.verdict}{moved}{reason}"
    if answer.notice:
        yield f"notice: {answer.notice}"
    yield f"stop: {answer.stop_reason}"


@pytest.mark.parametrize("scenario", list(load_scenarios()), ids=str)
async def test_a_conversation_goes_as_written(
    scenario: Scenario, tmp_path: Path, update_golden: bool
) -> None:
    folder = tmp_path / "workspace"
    folder.mkdir()

    transcript = await play(scenario, folder)

    if update_golden and transcript != scenario.transcript:
        text = scenario.file.read_text(encoding="utf-8")
        old = f"transcript\n{scenario.transcript}"
        start = text.index(old, text.index(f"## {scenario.title}"))
        text = text[:start] + f"transcript\n{transcript}" + text[start + len(old) :]
        scenario.file.write_text(text, encoding="utf-8")
    else:
        assert transcript == scenario.transcript
