"""The other end of `regex_process`: matches a pattern in a process that can be killed.

Run as a script with nothing but the standard library. Python's `re` holds the interpreter while
it works, and some patterns work for ever; here that stops nobody.

Standard input: one JSON line with the pattern, then batches. A batch is one JSON line with the
lengths of its texts in bytes, then the texts in UTF-8. The answer to each is one JSON line.
"""

import contextlib
import json
import re
import sys
from typing import Any

_MEMORY_BYTES = 1 << 30
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def main() -> None:
    """Answer batches until standard input ends."""
    _limit_memory()
    request = json.loads(sys.stdin.buffer.readline())
    try:
        pattern = re.compile(request["pattern"], re.IGNORECASE)
    except (re.error, RecursionError, OverflowError, MemoryError) as error:
        _answer({"error": str(error)[:200]})
        return
    _answer({"error": None})
    for header in sys.stdin.buffer:
        texts = [
            sys.stdin.buffer.read(length).decode("utf-8", "surrogatepass")
            for length in json.loads(header)
        ]
        _answer([_find(pattern, text, request["limit"]) for text in texts])


def _find(pattern: "re.Pattern[str]", text: str, limit: int) -> list[tuple[int, int, int]]:
    """Return the first match of each matching line: line number, start and end column."""
    hits = []
    for number, line in enumerate(_LINE.findall(text), start=1):
        match = pattern.search(line.rstrip("\r\n"))
        if match is not None:
            hits.append((number, *match.span()))
            if len(hits) >= limit:
                break
    return hits


def _answer(value: Any) -> None:
    sys.stdout.buffer.write(json.dumps(value).encode() + b"\n")
    sys.stdout.buffer.flush()


def _limit_memory() -> None:
    # Not on every system, and then only time limits a pattern.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))


if __name__ == "__main__":
    main()
