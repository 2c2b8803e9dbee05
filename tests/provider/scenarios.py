"""Scenario files: what a server sends, and what must come of it, for people to read.

A file has a `##` heading per scenario, a sentence on what it shows, one `reply` block for each
request and an `outcome` block. `settings` and `history` blocks are optional. A reply has one
directive a line:

    T(index,id,name,args)   a chunk with one tool call entry; `·` is an absent key, `null` is null
    Δ{json}                 a chunk with this delta            Δ'text'   the same, content only
    F:reason                a chunk with this finish reason    usage 10 5 0
    data TEXT               an event with this text            DONE      the event `[DONE]`
    raw 'bytes'             bytes as they are                  body TEXT a line of a body
    status 429              the HTTP status                    header Name: value
    bytewise                everything byte by byte            line-end 'bytes' instead of \\n
    nested 1000             an event of that many braces
    hold                    nothing more, connection open      reset     the connection is reset
    chunked                 chunked, and cut without its end
"""

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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

    @property
    def id(self) -> str:
        return f"{self.file.stem}: {self.title}"


def read_scenarios() -> Iterator[Scenario]:
    """Yield every scenario of every file."""
    for file in sorted(FOLDER.glob("*.md")):
        for section in file.read_text("utf-8").split("\n## ")[1:]:
            title = section.partition("\n")[0]
            blocks = _BLOCK.findall(section)
            settings = " ".join(text for kind, text in blocks if kind == "settings").split()
            yield Scenario(
                file,
                title,
                tuple(parse_reply(text) for kind, text in blocks if kind == "reply"),
                next((text for kind, text in blocks if kind == "outcome"), ""),
                dict(zip(settings[::2], map(float, settings[1::2]), strict=True)),
            )


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
        elif word in ("bytewise", "chunked", "line-end"):
            marks[word] = rest
        elif word in ("hold", "reset"):
            steps.append((word, "for ever"))
        else:
            steps.append(("send", parse_directive(line)))
    if "chunked" in marks:
        headers["Transfer-Encoding"] = "chunked"
    return Reply((("send", head(status, headers)), *_frame(steps, marks)))


def _frame(steps: list[tuple[str, Any]], marks: dict[str, str]) -> list[tuple[str, Any]]:
    """Return the steps as they go over the wire."""
    parts = [value for kind, value in steps if kind == "send"]
    rest = [step for step in steps if step[0] != "send"]
    if "line-end" in marks:
        parts = [part.replace(b"\n", ast.literal_eval("b" + marks["line-end"])) for part in parts]
    if "bytewise" in marks:
        parts = [bytes([byte]) for byte in b"".join(parts)]
    if "chunked" in marks:
        parts = [b"%x\r\n%b\r\n" % (len(part), part) for part in parts]
    return [*(("send", part) for part in parts), *rest]


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
