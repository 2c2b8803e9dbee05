"""The JSON text of a tool call's arguments: read without surprises, written as servers take it."""

import json
from typing import Any, NoReturn

from glossator.model.surrogates import replace_lone_surrogates


class UnreadableArguments(ValueError):
    """Text that is not one JSON value; what it says is meant for the model."""


def read_value(text: str) -> Any:
    """Return the JSON value that `text` holds. Nothing is repaired.

    Raw line breaks inside strings are let through, as they are meant as they stand.

    Raises:
        UnreadableArguments: `text` is no JSON, more than one value, too deep to be read, or holds
            a number that JSON does not have or that is too large.
    """
    try:
        return json.loads(
            text, strict=False, parse_constant=_refuse_number, parse_float=_parse_float
        )
    except UnreadableArguments:
        raise
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and text[error.pos :].lstrip().startswith("{"):
            raise UnreadableArguments(
                "The arguments hold more than one JSON object, so nothing was run. "
                "Send one call per object."
            ) from None
        raise UnreadableArguments(
            f"The arguments are not valid JSON ({error.msg.lower()} at character "
            f"{error.pos + 1} of {len(text)}), so nothing was run. Send the whole call again."
        ) from None
    except (ValueError, RecursionError):
        # An integer of thousands of digits, or brackets nested thousands deep.
        raise UnreadableArguments(
            "The arguments hold a number or nesting that is too large. Send a small JSON object."
        ) from None


def parse_object(text: str) -> dict[str, Any] | None:
    """Return the object that `text` holds, or None."""
    try:
        value = read_value(text)
    except UnreadableArguments:
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
            inner = read_value(value)
        except UnreadableArguments:
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
    if value is None:
        return "{}"
    written = text if _is_strict(text, value) else json.dumps(value, ensure_ascii=False)
    return replace_lone_surrogates(written)


def _is_strict(text: str, value: dict[str, Any]) -> bool:
    """Say whether any reader finds `value` in `text`. An escape may hold half a character."""
    try:
        return "\\u" not in text and bool(json.loads(text) == value)
    except (ValueError, RecursionError):
        return False


def _refuse_number(name: str) -> NoReturn:
    raise UnreadableArguments(f"The arguments hold {name}, which is not a JSON number.")


def _parse_float(digits: str) -> float:
    value = float(digits)
    if value in {float("inf"), float("-inf")}:
        _refuse_number(digits[:20])
    return value
