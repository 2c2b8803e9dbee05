"""A session as a file: Markdown for people, JSON for programs.

The JSON holds everything, under `"format": 1`: the session's fields, and for each turn the
messages as they were sent and received (tool calls and results included), the usage, and the
citations with their verdicts. `read_export` reads it again.
"""

import json
import re
from collections.abc import Callable, Iterator

from glossator.core.text import split_lines
from glossator.sessions.encoding import (
    InvalidSession,
    decode_session,
    encode_session,
    render_time,
)
from glossator.sessions.session import Attachment, FinishedTurn, Session, make_title

FORMAT = 1

Say = Callable[[str, str], str]

_MARKS = {"exact": "✓", "moved": "~", "missing": "✗"}
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^`]*)$")
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def export_json(session: Session) -> str:
    """Return everything there is of a session as JSON, for programs."""
    value = {"format": FORMAT, **encode_session(session)}
    text = json.dumps(value, ensure_ascii=False, indent=2)
    # Half a character cannot be written to a file; its escape can, and means the same.
    return _HALF_CHARACTER.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "\n"


def read_export(text: str) -> Session:
    """Return the session that `export_json` wrote.

    Raises:
        InvalidSession: the text is something else, or of a later format; the message says which.
    """
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise InvalidSession(f"This is no exported session: it is not JSON ({error}).") from error
    if not isinstance(value, dict) or "format" not in value:
        raise InvalidSession(
            "This is no exported session: it has no `format`. Write one with `glossator sessions "
            "export ID --format json`."
        )
    if value["format"] != FORMAT:
        raise InvalidSession(
            f"The session has the format {value['format']!r}; this version of Glossator reads "
            f"{FORMAT}. Export it again, or use the version that wrote it."
        )
    try:
        return decode_session(value)
    except InvalidSession as error:
        raise InvalidSession(f"The exported session cannot be read: {error}") from error


def export_markdown(session: Session, say: Say) -> str:
    """Return the questions and answers of a session, to be read by people."""
    parts = [f"# {session.title or session.id}"]
    for number, turn in enumerate(session.turns, 1):
        # Answers have headings of their own.
        parts += ["---"] if number > 1 else []
        question = "\n".join(f"> {line}".rstrip() for line in split_lines(turn.question))
        parts += [
            f"## {number}. {make_title(turn.question)}",
            question,
            *_list_attachments(turn),
            _close_fence(turn.answer.strip()),
            f"*{' · '.join(_describe(turn, say))}*",
        ]
        citations = list(_list_citations(turn))
        if citations:
            parts.append("\n".join(citations))
    return "\n\n".join(parts) + "\n"


def _describe(turn: FinishedTurn, say: Say) -> Iterator[str]:
    yield render_time(turn.finished_at)[:16].replace("T", " ") + " UTC"
    if not turn.by_model:
        yield say("without a model", "未经模型")
    elif turn.stop_reason != "answered":
        yield say(f"stopped: {turn.stop_reason}", f"停止原因：{turn.stop_reason}")
    if turn.usage is not None:
        n_tokens = turn.usage.prompt_tokens + turn.usage.completion_tokens
        yield say(f"{n_tokens} tokens", f"{n_tokens} 个词元")


def _list_attachments(turn: FinishedTurn) -> Iterator[str]:
    if turn.attachments:
        yield "\n".join(f"- 📎 {_describe_attachment(each)}" for each in turn.attachments)


def _describe_attachment(attachment: Attachment) -> str:
    place = attachment.path
    if attachment.first_line:
        place += f":{attachment.first_line}-{attachment.last_line}"
    if attachment.symbol:
        place = f"{attachment.symbol} ({place})" if place else attachment.symbol
    problem = f": {attachment.problem}" if attachment.problem else ""
    return f"`{place}`{problem}"


def _list_citations(turn: FinishedTurn) -> Iterator[str]:
    for text, place, verdict in turn.citations:
        moved = f" → `{place}`" if verdict == "moved" else ""
        yield f"- {_MARKS.get(verdict, verdict)} `{text}`{moved}"


def _close_fence(markdown: str) -> str:
    """Close a code block that was cut off; it would swallow the turns that follow."""
    fence = ""
    for line in split_lines(markdown):
        match = _FENCE.match(line)
        if match is None:
            continue
        if not fence:
            fence = match[1]
        elif match[1].startswith(fence) and not match[2].strip():
            fence = ""
    return f"{markdown}\n{fence}" if fence else markdown
