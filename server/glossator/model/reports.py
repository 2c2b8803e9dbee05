"""What a server says about an error, whatever shape it says it in.

Objects, lists, text and login pages all occur. Nothing here raises for what it is given, and what
it returns holds no HTML and no key.
"""

import contextlib
import json
import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from glossator.model.pauses import find_wait_in_words

_MAX_DEPTH = 6
_TEXT_FIELDS = ("message", "msg", "detail", "error", "errors", "reason", "title", "status_msg")
_CODE_FIELDS = ("code", "type", "status", "param", "status_code")
_COUNT_FIELDS = ("n_prompt_tokens", "n_ctx")
_KEY_LIKE = re.compile(
    r"(?i)\bbearer\s+\S+|\b(?:sk|pk|gsk|xai|rk)-[\w*.-]{4,}|\bAIza[\w-]{10,}|[\w-]*\*{4,}[\w-]*"
)
_LIMIT = re.compile(
    r"(?i)(?:maximum|max|limit|context (?:length|size|window)|n_ctx)[^\d]{0,40}(\d[\d,]*)"
)
_COUNT = re.compile(r"(?<![\w.])\d[\d,]{2,12}(?![\w])")


@dataclass(slots=True)
class Report:
    """An error in a server's words: its text, its codes, the token counts and pause it names."""

    text: str = ""
    codes: set[str] = field(default_factory=set)
    n_tokens: int | None = None
    limit: int | None = None
    wait_s: float | None = None

    def says(self, pattern: str) -> bool:
        """Say whether the text matches, upper and lower case alike."""
        return re.search(pattern, self.text, re.IGNORECASE) is not None


def read_report(error: object, api_key: str = "") -> Report:
    """Return what an error says: the body of an answer, or a value from inside a stream."""
    if isinstance(error, str):
        with contextlib.suppress(ValueError, RecursionError):
            error = json.loads(error)
    report = Report()
    texts: list[str] = []
    counts: dict[str, int] = {}
    _collect(error, report.codes, texts, counts, 0)
    report.text = leave_out_keys(strip_markup("; ".join(dict.fromkeys(texts))[:20_000]), api_key)
    report.n_tokens, report.limit = _find_token_counts(report.text)
    report.n_tokens = counts.get("n_prompt_tokens", report.n_tokens)
    report.limit = counts.get("n_ctx", report.limit)
    report.wait_s = find_wait_in_words(report.text)
    return report


def leave_out_keys(text: str, api_key: str = "") -> str:
    """Return `text` without the key and without what looks like one."""
    if len(api_key) >= 6:
        text = text.replace(api_key, "…")
    return _KEY_LIKE.sub("…", text)


def strip_markup(text: str) -> str:
    """Return `text` on one line, without tags, scripts and invisible characters."""
    text = re.sub(r"(?is)<(script|style)\b.*?(</\1\s*>|\Z)", " ", text)
    text = unescape(re.sub(r"(?s)<!--.*?(-->|\Z)|</?[a-zA-Z!][^>]*(>|\Z)", " ", text))
    text = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(text.replace("<", "‹").replace(">", "›").split())


def cut(text: str, length: int) -> str:
    """Return `text` in at most `length` characters, with `…` where it was cut."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def _collect(
    value: object, codes: set[str], texts: list[str], counts: dict[str, int], depth: int
) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, list) and depth < _MAX_DEPTH:
        for item in value[:5]:
            _collect(item, codes, texts, counts, depth + 1)
    elif isinstance(value, dict) and depth < _MAX_DEPTH:
        _collect_fields(value, codes, texts, counts)
        for inner in (value.get(name) for name in (*_TEXT_FIELDS, "innererror", "details")):
            _collect(inner, codes, texts, counts, depth + 1)


def _collect_fields(
    value: dict[str, Any], codes: set[str], texts: list[str], counts: dict[str, int]
) -> None:
    codes.update(
        str(value[name]) for name in _CODE_FIELDS if isinstance(value.get(name), str | int)
    )
    counts.update({name: value[name] for name in _COUNT_FIELDS if isinstance(value.get(name), int)})
    if isinstance(value.get("retryDelay"), str):
        texts.append(f"retry in {value['retryDelay']}")
    place = value.get("loc")
    if isinstance(place, list):
        texts.append(".".join(str(part) for part in place[:8]))


def _find_token_counts(text: str) -> tuple[int | None, int | None]:
    """Return how many tokens were sent and how many fit, where a text names both."""
    counts = {int(digits.replace(",", "")) for digits in _COUNT.findall(text)}
    counts = {count for count in counts if count >= 100}
    if len(counts) < 2:
        return None, None
    n_tokens = max(counts)
    named = _LIMIT.search(text)
    limit = int(named[1].replace(",", "")) if named else 0
    return n_tokens, limit if 100 <= limit < n_tokens else max(counts - {n_tokens})
