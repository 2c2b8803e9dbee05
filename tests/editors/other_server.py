"""Another language server for the editors' tests: functions and their uses, by their words.

It counts UTF-16 units, whatever the client offers, and reports each `strange` as a problem. Between
the notifications `test/hold` and `test/release` it answers nothing; after `test/answer` it answers
requests of a method with what it was told, until `test/forget`.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

Json = dict[str, Any]
_DEFINITION = re.compile(r"(?:def|function) (\w+)\(.*")
_CAPABILITIES = {
    "textDocumentSync": 1,
    "definitionProvider": True,
    "referencesProvider": True,
    "callHierarchyProvider": True,
    "documentSymbolProvider": True,
}
_FUNCTION = 12


def _count_units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _range(line: str, row: int, first: int, last: int) -> Json:
    def point(column: int) -> Json:
        return {"line": row, "character": _count_units(line[:column])}

    return {"start": point(first), "end": point(last)}


class _OtherServer:
    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._held: list[Json] | None = None
        self._told: dict[str, Any] = {}
        self._methods: dict[str, Callable[[Json], Any]] = {
            "initialize": self._initialize,
            "textDocument/didOpen": self._did_open,
            "textDocument/didChange": self._did_change,
            "textDocument/definition": self._definition,
            "textDocument/references": self._references,
            "textDocument/documentSymbol": self._document_symbol,
            "textDocument/prepareCallHierarchy": self._prepare_calls,
            "callHierarchy/incomingCalls": self._incoming_calls,
            "callHierarchy/outgoingCalls": self._outgoing_calls,
        }

    def run(self) -> None:
        while (message := self._receive()) and message["method"] != "exit":
            if message["method"] == "test/release":
                held, self._held = self._held or [], None
                for each in held:
                    self._take(each)
            elif message["method"] == "test/hold":
                self._held = []
            elif message["method"] == "test/forget":
                self._told.clear()
            elif message["method"] == "test/answer":
                self._told[message["params"]["method"]] = message["params"].get("result")
            elif self._held is not None and "id" in message:
                self._held.append(message)
            else:
                self._take(message)

    def _take(self, message: Json) -> None:
        if message["method"] in self._told:
            result = self._told[message["method"]]
        else:
            take = self._methods.get(message["method"])
            result = take(message["params"]) if take else None
        if "id" in message:
            self._send({"id": message["id"], "result": result})

    def _initialize(self, params: Json) -> Json:
        root = Path(unquote(urlsplit(params["rootUri"]).path))
        for path in sorted(root.glob("*.py")):
            self._texts[path.as_uri()] = path.read_text(encoding="utf-8")
        return {"capabilities": _CAPABILITIES}

    def _did_open(self, params: Json) -> None:
        self._keep(params["textDocument"]["uri"], params["textDocument"]["text"])

    def _did_change(self, params: Json) -> None:
        self._keep(params["textDocument"]["uri"], params["contentChanges"][-1]["text"])

    def _definition(self, params: Json) -> list[Json]:
        return [
            {"uri": uri, "range": name_range}
            for uri, name, name_range, _ in self._list_functions()
            if name == self._word_at(params)
        ]

    def _references(self, params: Json) -> list[Json]:
        word = self._word_at(params)
        return [
            {"uri": uri, "range": _range(line, row, found.start(), found.end())}
            for uri, row, line in self._list_lines()
            for found in re.finditer(rf"\b{word}\b", line)
        ]

    def _document_symbol(self, params: Json) -> list[Json]:
        wanted = params["textDocument"]["uri"]
        return [
            {"name": name, "kind": _FUNCTION, "range": range_, "selectionRange": name_range}
            for uri, name, name_range, range_ in self._list_functions()
            if uri == wanted
        ]

    def _prepare_calls(self, params: Json) -> list[Json]:
        word = self._word_at(params)
        return [each for each in self._list_items() if each["name"] == word]

    def _incoming_calls(self, params: Json) -> list[Json]:
        called = params["item"]["name"]
        calls = ((item, self._list_calls(item, called)) for item in self._list_items())
        return [{"from": item, "fromRanges": ranges} for item, ranges in calls if ranges]

    def _outgoing_calls(self, params: Json) -> list[Json]:
        calls = (
            (item, self._list_calls(params["item"], item["name"])) for item in self._list_items()
        )
        return [{"to": item, "fromRanges": ranges} for item, ranges in calls if ranges]

    def _list_lines(self) -> Iterator[tuple[str, int, str]]:
        for uri, text in self._texts.items():
            for row, line in enumerate(text.splitlines()):
                yield uri, row, line

    def _list_functions(self) -> Iterator[tuple[str, str, Json, Json]]:
        """Yield each with its URI, its name, where that stands, and the whole."""
        for uri, row, line in self._list_lines():
            if found := _DEFINITION.search(line):
                name_range = _range(line, row, *found.span(1))
                lines = self._texts[uri].splitlines()
                last = row + 1
                while last < len(lines) and lines[last].startswith(" "):
                    last += 1
                whole = {
                    "start": {"line": row, "character": 0},
                    "end": {"line": last, "character": 0},
                }
                yield uri, found[1], name_range, whole

    def _list_items(self) -> list[Json]:
        return [
            {
                "uri": uri,
                "name": name,
                "kind": _FUNCTION,
                "range": whole,
                "selectionRange": name_range,
            }
            for uri, name, name_range, whole in self._list_functions()
        ]

    def _list_calls(self, item: Json, called: str) -> list[Json]:
        lines = self._texts[item["uri"]].splitlines()
        first, last = item["range"]["start"]["line"] + 1, item["range"]["end"]["line"]
        return [
            _range(lines[row], row, *found.span(1))
            for row in range(first, last)
            for found in re.finditer(rf"\b({called})\(", lines[row])
        ]

    def _word_at(self, params: Json) -> str:
        position = params["position"]
        line = self._texts[params["textDocument"]["uri"]].splitlines()[position["line"]]
        for found in re.finditer(r"\w+", line):
            if (
                _count_units(line[: found.start()])
                <= position["character"]
                < _count_units(line[: found.end()])
            ):
                return found[0]
        return ""

    def _keep(self, uri: str, text: str) -> None:
        self._texts[uri] = text
        diagnostics = [
            {
                "range": _range(line, row, found.start(), found.end()),
                "severity": 2,
                "message": "A `strange` thing",
                "source": "other",
                "code": "S1",
            }
            for where, row, line in self._list_lines()
            for found in re.finditer("strange", line)
            if where == uri
        ]
        params = {"uri": uri, "diagnostics": diagnostics}
        self._send({"method": "textDocument/publishDiagnostics", "params": params})

    def _receive(self) -> Json | None:
        size = 0
        while line := sys.stdin.buffer.readline().strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        message: Json | None = json.loads(sys.stdin.buffer.read(size)) if size else None
        return message

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    _OtherServer().run()
