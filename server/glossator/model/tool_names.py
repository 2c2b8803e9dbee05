"""Names of tools as models and their servers write them: often with something around them."""

import re
from collections.abc import Collection

_QUOTES = " \t\r\n`'\""
_PREFIX = re.compile(r"^(?:\w+(?:\.|::|/|:))+(?=\w)")
_SUFFIX = re.compile(r"(?:[:.]\d+|<\|.*|\(\))$", re.DOTALL)


def find_tool_name(name: str, tool_names: Collection[str]) -> str:
    """Return the tool that `name` is when its decoration is taken off, else `name` as it is."""
    if name in tool_names:
        return name
    bare = _SUFFIX.sub("", name.strip(_QUOTES)).strip(_QUOTES)
    for candidate in (bare, _PREFIX.sub("", bare)):
        if candidate in tool_names:
            return candidate
    return name
