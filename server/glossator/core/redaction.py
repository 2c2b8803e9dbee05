"""Take secrets out of text before it is written or sent anywhere."""

import re
from collections.abc import Iterable

SECRETS = (
    re.compile(
        r"(?i)\b(?:sk|pk|rk|gsk|xai|hf|npm|pypi|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|AKIA|AIza)"
        r"[-_A-Za-z0-9]{12,}"
    ),
    re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"),
    re.compile(r"(?i)\bbearer\s+[\w.~+/=-]{8,}"),
    re.compile(r"(?i)\bauthorization\\*[\"']?\s*[:=]\s*\\*[\"']?basic\s+[\w+/=-]{8,}"),
    re.compile(
        r"(?i)(?<=[\"'\s?&;,{(\[])"
        r"[\w-]{0,64}(?:api[_-]?key|secret|token|passw(?:or)?d|authorization)[\w-]{0,64}"
        # JSON inside a JSON string has its quotes escaped.
        r"\\*[\"']?\s*[:=：]\s*\\*[\"']?[^\s\"'&,;}\\]{4,}"
    ),
    re.compile(r"(?<=://)[^\s/@:]+:[^\s/@]+(?=@)"),
    re.compile(
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S
    ),
)
_MARK = "[redacted]"
_NAME_CHARACTERS = 200
_SHORTEST_KNOWN = 6
"""A shorter key is a word of a local server (`none`, `local`) that stands in ordinary text."""


def redact(text: str, known: Iterable[str] = ()) -> str:
    """Return `text` with keys, tokens and passwords replaced by `[redacted]`.

    `known` are secrets that are replaced whatever they look like.
    """
    for secret in known:
        if len(secret) >= _SHORTEST_KNOWN:
            text = text.replace(secret, _MARK)
    padded = f" {text}"
    for pattern in SECRETS:
        padded = pattern.sub(_MARK, padded)
    return padded[1:]


def redact_name(text: str, known: Iterable[str] = ()) -> str:
    """Return what a model wrote as a name: it may be long, and hold what the model has read."""
    # Cut first, a secret at the end would be no longer known for one.
    return redact(text, known)[:_NAME_CHARACTERS]
