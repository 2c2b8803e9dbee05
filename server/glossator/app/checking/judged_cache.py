"""What a model judged before: by the code, the rule, the model and what the model was told.

Kept in the cache folder from one start to the next, also what was found to be clean. Nothing is
published from here unseen: a claim that is read back has to stand its proof again.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glossator.app.byte_cache import ByteCache
from glossator.core.text import SourceText
from glossator.model.port import ChatModel
from glossator.rules.judging.claim import AskedRule, Claim
from glossator.rules.judging.prompt import VERSION

MAX_BYTES = 32 * 1024 * 1024
"""About 100,000 pairs of a rule and a piece of code."""

Key = bytes
Verdict = tuple[Claim, ...]
"""What breaks a rule in a piece of code; nothing is clean. Lines count from its first one, 0."""


@dataclass(frozen=True, slots=True)
class KeyMaker:
    """Makes the keys of one document as one model judges it."""

    model: ChatModel
    source: SourceText

    def make(self, rule: AskedRule, code: str) -> Key:
        """Return what a verdict of the model on `code` is known by."""
        known_by = (
            str(VERSION), self.model.endpoint, self.model.name,
            self.source.scope, rule.id, rule.text, code,
        )  # fmt: skip
        joined = json.dumps(known_by).encode()
        return hashlib.blake2b(joined, digest_size=16).digest()


class JudgedCache:
    """Verdicts by key. Without a folder nothing is kept.

    Reads and writes a file: not to be used on the event loop.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = ByteCache(folder / "judged.sqlite3", max_bytes=MAX_BYTES) if folder else None

    def read(self, keys: Sequence[Key]) -> dict[Key, Verdict]:
        """Return the verdicts that are known; one that cannot be read is not."""
        found = self._file.read("", keys) if self._file is not None else {}
        verdicts = {key: _decode(data) for key, data in found.items()}
        return {key: verdict for key, verdict in verdicts.items() if verdict is not None}

    def write(self, verdicts: Mapping[Key, Verdict]) -> None:
        """Keep verdicts; the oldest make room."""
        if self._file is not None:
            encoded = {key: _encode(verdict) for key, verdict in verdicts.items()}
            self._file.write("", encoded)

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        if self._file is not None:
            self._file.close()


def _encode(verdict: Iterable[Claim]) -> bytes:
    rows = [
        [claim.rule_id, claim.rule_quote, claim.code, claim.line, claim.message, claim.fix]
        for claim in verdict
    ]
    return json.dumps(rows).encode()


def _decode(data: bytes) -> Verdict | None:
    try:
        return tuple(_read_claim(*row) for row in json.loads(data))
    except (ValueError, TypeError, RecursionError):
        return None


def _read_claim(
    rule_id: Any, rule_quote: Any, code: Any, line: Any, message: Any, fix: Any
) -> Claim:
    texts = (rule_id, rule_quote, code, message)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError
    if not isinstance(line, int | None) or not isinstance(fix, str | None):
        raise TypeError
    return Claim(rule_id, rule_quote, code, line, message, fix)
