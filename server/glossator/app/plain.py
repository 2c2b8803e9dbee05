"""Results as JSON for programs, in a form that any terminal and any reader takes."""

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

# Half characters, and what a terminal takes for a command or does not show: valid JSON either way.
_UNSHOWN = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def render_json(value: Any) -> str:
    """Return results as one JSON value over several lines."""
    text = json.dumps(to_plain(value), ensure_ascii=False, indent=2)
    return _UNSHOWN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def to_plain(value: Any) -> Any:
    """Return results as JSON values; names become camelCase, paths and keys text."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            _camel_case(item.name): to_plain(getattr(value, item.name)) for item in fields(value)
        }
    if isinstance(value, Mapping):
        return {str(key): to_plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | frozenset | set):
        return [to_plain(inner) for inner in value]
    if isinstance(value, Path):
        return str(value)
    return value


def _camel_case(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)
