"""Scenario files: what a server sends, and what must come of it, for people to read.

A file has a `##` heading per scenario, a sentence on what it shows, one `reply` block for each
request and an `outcome` block. Optional are

    settings   names and values of model settings
    server     `strict RULE...` refuses what strict servers refuse (`strict.py`), `host HOST` speaks
               the dialect of that host, `max-tokens N` limits the answer, `no-tools` offers none
    history    the transcript to go on with, one message a line: `system TEXT`, `user TEXT`,
               `thinking TEXT` and `call ID NAME ARGUMENTS` (both of the assistant's next or last
               message), `extra {json}` (other fields of the last call), `assistant TEXT`,
               `result ID TEXT`; Python's escapes between quotes
    sent       the last request in the same notation, with what else stands in its body

A reply has one directive a line:

    T(index,id,name,args)   a chunk with one tool call entry; `·` is an absent key, `null` is null
    Δ{json}                 a chunk with this delta            Δ'text'   the same, content only
    F:reason                a chunk with this finish reason    usage 10 5 0
    data TEXT               an event with this text            DONE      the event `[DONE]`
    raw 'bytes'             bytes as they are                  body TEXT a line of a body
    status 429              the HTTP status                    header Name: value
    bytewise                everything byte by byte            line-end 'bytes' instead of \\n
    nested 1000             an event of that many braces       long 1000 DIRECTIVE   that many times
    hold                    nothing more, connection open      reset     the connection is reset
    chunked                 chunked, and cut without its end   chunked extended   with extensions
                            and trailers, and whole
    before 'bytes'          before the head                    no-head   and without one
    encoding gzip           the body compressed (gzip, deflate), or said to be (any other name)
"""

import ast
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from glossator.core.messages import Message, ToolCall
from provider.server import Reply, delta, event, head, usage

FOLDER = Path(__file__).with_name("scenarios")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"T\(([^,]*),([^,]*),([^,]*),(.*)\)$", re.DOTALL)


@dataclass(frozen=True)
class Scenario:
    """One `##` section of a file."""

    file: Path
    title: str
    replies: tuple[Reply, ...]
    outcome: str
    settings: dict[str, float] = field(default_factory=dict)
    server: tuple[str, ...] = ()
    history: tuple[Message, ...] = (Message("user", "hi"),)
    sent: str = ""

    @property
    def id(self) -> str:
        return f"{self.file.stem}: {self.title}"


def read_scenarios() -> Iterator[Scenario]:
    """Yield every scenario of every file."""
    for file in sorted(FOLDER.glob("*.md")):
        for section in file.read_text("utf-8").split("\n## ")[1:]:
            title = section.partition("\n")[0]
            blocks = _BLOCK.findall(section)
            texts = dict(blocks)
            settings = texts.get("settings", "").split()
            yield Scenario(
                file,
                title,
                tuple(parse_reply(text) for kind, text in blocks if kind == "reply"),
                texts.get("outcome", ""),
                dict(zip(settings[::2], map(float, settings[1::2]), strict=True)),
                tuple(texts.get("server", "").splitlines()),
                parse_history(texts.get("history", "user hi")),
                texts.get("sent", ""),
            )


def parse_history(text: str) -> tuple[Message, ...]:
    """Return the transcript that a `history` block describes."""
    messages: list[Message] = []
    thinking = ""
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "thinking":
            thinking = _unquote(rest)
        elif word == "call":
            call_id, name, arguments = (_unquote(part) for part in rest.split(" ", 2))
            if messages[-1].role != "assistant":
                messages.append(Message("assistant", "", reasoning=thinking))
                thinking = ""
            calls = (*messages[-1].tool_calls, ToolCall(call_id, name, arguments))
            messages[-1] = replace(messages[-1], tool_calls=calls)
        elif word == "extra":
            *others, last = messages[-1].tool_calls
            calls = (*others, replace(last, extra=json.loads(rest)))
            messages[-1] = replace(messages[-1], tool_calls=calls)
        elif word == "result":
            call_id, _, result = rest.partition(" ")
            messages.append(Message("tool", _unquote(result), call_id=_unquote(call_id)))
        elif word in ("system", "user", "assistant"):
            messages.append(Message(word, _unquote(rest), reasoning=thinking))
            thinking = ""
        else:
            raise ValueError(f"not a message: {line}")
    return tuple(messages)


def render_request(body: dict[str, Any]) -> str:
    """Write a request in the notation of a `sent` block."""
    lines: list[str] = []
    for item in body["messages"]:
        if item.get("reasoning_content"):
            lines.append(f"thinking {_quote(item['reasoning_content'])}")
        if item["role"] == "tool":
            lines.append(f"result {item['tool_call_id']} {_quote(item['content'])}")
        else:
            lines.append(f"{item['role']} {_quote(item['content'])}")
        for call in item.get("tool_calls", ()):
            function = call["function"]
            lines.append(f"call {call['id']} {function['name']} {function['arguments']}")
            extra = {key: call[key] for key in call.keys() - {"id", "type", "function"}}
            lines += [f"extra {json.dumps(extra)}"] if extra else []
    for name, value in body.items():
        if name == "tools":
            value = " ".join(tool["function"]["name"] for tool in value)
        if name not in ("messages", "model") and (name, value) != ("stream", True):
            lines.append(f"{name}: {value}")
    return "".join(f"{line}\n" for line in lines)


def _quote(text: str | None) -> str:
    return text if text is not None and text.strip() and "\n" not in text else repr(text)


def _unquote(text: str) -> str:
    return str(ast.literal_eval(text)) if text[:1] in ("'", '"') and len(text) > 1 else text


def parse_reply(text: str) -> Reply:
    """Return the reply that the directives of a `reply` block describe."""
    status, headers, marks = 200, {}, {}
    steps: list[tuple[str, Any]] = []
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "status":
            status = int(rest)
        elif word == "header":
            name, _, headers[name] = rest.partition(": ")
        elif word in _MARKS:
            marks[word] = rest
        elif word in ("hold", "reset"):
            steps.append((word, "for ever"))
        else:
            steps.append(("send", parse_directive(line)))
    if "chunked" in marks:
        headers["Transfer-Encoding"] = "chunked"
    if "encoding" in marks:
        headers["Content-Encoding"] = marks["encoding"]
    start = b"" if "no-head" in marks else head(status, headers)
    start = ast.literal_eval("b" + marks.get("before", "''")) + start
    return Reply((("send", start), *_frame(steps, marks)))


_MARKS = ("bytewise", "chunked", "line-end", "before", "no-head", "encoding")


def _frame(steps: list[tuple[str, Any]], marks: dict[str, str]) -> list[tuple[str, Any]]:
    """Return the steps as they go over the wire."""
    parts = [value for kind, value in steps if kind == "send"]
    rest = [step for step in steps if step[0] != "send"]
    if "line-end" in marks:
        parts = [part.replace(b"\n", ast.literal_eval("b" + marks["line-end"])) for part in parts]
    if "encoding" in marks:
        parts = [_ENCODERS.get(marks["encoding"], bytes)(b"".join(parts))]
    if "bytewise" in marks:
        parts = [bytes([byte]) for byte in b"".join(parts)]
    if "chunked" in marks:
        extension = b'; name="value"' if marks["chunked"] == "extended" else b""
        parts = [b"%x%b\r\n%b\r\n" % (len(part), extension, part) for part in parts]
        parts += [b"0\r\nX-Checksum: 1\r\n\r\n"] if extension else []
    return [*(("send", part) for part in parts), *rest]


_ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "deflate": zlib.compress,
}


def parse_directive(line: str) -> bytes:
    """Return the bytes that one line sends."""
    word, _, rest = line.partition(" ")
    if line.startswith("T("):
        return event(delta(tool_calls=[parse_call(line)]))
    if line.startswith("Δ{"):
        return event(delta(**json.loads(line[1:])))
    if line.startswith("Δ'"):
        return event(delta(content=ast.literal_eval(line[1:])))
    if line.startswith("F:"):
        return event(delta(finish=line[2:].replace('""', "")))
    if word == "raw":
        return ast.literal_eval("b" + rest)  # type: ignore[no-any-return]  # bytes by its b
    if word not in _EVENTS:
        raise ValueError(f"no such directive: {line}")
    return _EVENTS[word](rest)


_EVENTS: dict[str, Callable[[str], bytes]] = {
    "data": event,
    "body": lambda text: text.encode() + b"\n",
    "long": lambda text: int(text.partition(" ")[0]) * parse_directive(text.partition(" ")[2]),
    "nested": lambda depth: b"data: " + b'{"a":' * int(depth) + b"\n\n",
    "usage": lambda counts: event(usage(*map(int, counts.split()))),
    "DONE": lambda _: event("[DONE]"),
}


def parse_call(line: str) -> dict[str, Any]:
    match = _CALL.match(line)
    if match is None:
        raise ValueError(f"not a tool call: {line}")
    index, call_id, name, arguments = (_parse_value(part.strip()) for part in match.groups())
    function = {"name": name, "arguments": arguments}
    entry = {"index": int(index) if isinstance(index, str) else index, "id": call_id}
    return {
        **{key: value for key, value in entry.items() if value is not _ABSENT},
        "function": {key: value for key, value in function.items() if value is not _ABSENT},
    }


_ABSENT = object()


def _parse_value(text: str) -> Any:
    if text == "·":
        return _ABSENT
    if text == "null":
        return None
    if text.startswith("{"):
        return json.loads(text)
    if text[:1] in ("'", '"'):
        return ast.literal_eval(text)
    return text
