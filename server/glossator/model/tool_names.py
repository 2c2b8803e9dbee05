"""Names of tools as models and their servers write them: often with something around them."""

import re
from collections.abc import Collection

_QUOTES = " \t\r\n`'\""
_PREFIX = re.compile(r"^(?:\w+(?:\.|::|/|:))+(?=\w)")
_SUFFIX = re.compile(r"(?:[:.]\d+|<\|.*|\(\))$", re.DOTALL)
_MCP_PREFIX = re.compile(r"^mcp__\w+?__")
_BETWEEN_WORDS = re.compile(r"[^\w-]+")
# What templates of models write around a name.
_FRAME = re.compile(
    r"assistant|commentary|analysis|final|channel|message|constrain|json|to|call|invoke|name|"
    r"functions?|tools?|tool_calls?|function_calls?|default_api|\d*"
)


def find_tool_name(name: str, tool_names: Collection[str]) -> str:
    """Return the tool that `name` is when its decoration is taken off, else `name` as it is."""
    if name in tool_names:
        return name
    bare = _SUFFIX.sub("", name.strip(_QUOTES)).strip(_QUOTES)
    for candidate in (bare, _PREFIX.sub("", bare), _MCP_PREFIX.sub("", bare)):
        if candidate in tool_names:
            return candidate
    words = [word for word in _BETWEEN_WORDS.split(name) if not _FRAME.fullmatch(word)]
    plain = {_plain(tool): tool for tool in tool_names}
    return plain.get(_plain(words[0]), name) if len(words) == 1 else name


def _plain(name: str) -> str:
    """Return `name` without what spellings differ in: `readFile`, `read-file`, `READ_FILE`."""
    return re.sub(r"[-_]", "", name).casefold()
