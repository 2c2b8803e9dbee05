"""The JSON text of a tool call's arguments: read without surprises, written as servers take it."""

import json
from typing import Any

from glossator.model.surrogates import replace_lone_surrogates


def parse_object(text: str) -> dict[str, Any] | None:
    """Return the object that `text` holds, or None.

    Raw line breaks inside strings are let through, as models write them; numbers that JSON does
    not have (`NaN`, `Infinity`) and values too deep or too long to read are not.
    """
    try:
        value = json.loads(text, strict=False, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def is_complete(text: str) -> bool:
    """Say whether `text` is a whole JSON object."""
    return text.rstrip().endswith("}") and parse_object(text) is not None


def render_arguments(value: object) -> str:
    """Return arguments as JSON text: an object becomes text, text that holds text is unwrapped.

    Text is otherwise left as the model wrote it, so that a mistake is answered, not hidden.
    """
    if not isinstance(value, str):
        return replace_lone_surrogates(json.dumps(value, ensure_ascii=False))
    if value.lstrip().startswith('"'):
        try:
            inner = json.loads(value)
        except (ValueError, RecursionError):
            return value
        if isinstance(inner, str) and parse_object(inner) is not None:
            return inner
    return value


def canonical(text: str) -> str:
    """Return text that is equal for arguments that say the same."""
    value = parse_object(text)
    return text if value is None else json.dumps(value, sort_keys=True)


def to_valid_object(text: str) -> str:
    """Return `text` if it is the JSON of an object that any server can read, else one that is.

    A server that cannot read the arguments of an old call refuses every later request, so what
    cannot be read becomes `{}`; the call's result has told the model what was wrong.
    """
    value = parse_object(render_arguments(text))
    try:
        written = json.dumps(value or {}, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return "{}"
    if "\\u" not in text and _is_strict(text, value):
        written = text
    return replace_lone_surrogates(written)


def _is_strict(text: str, value: object) -> bool:
    try:
        return value is not None and bool(json.loads(text) == value)
    except (ValueError, RecursionError):
        return False


def _refuse_constant(name: str) -> None:
    raise ValueError(name)
