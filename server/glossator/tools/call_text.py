"""Calls as people read them: on one line, with the separator of their language, not too long."""

import re

from glossator.code.outline import Call

_MAX_RECEIVER = 40
_SEPARATOR = r"(\?->|->|::|[?&!]?\.)"
_BLANK_BEFORE_MEMBER = re.compile(r"\s+(?=(?:\?->|->|::|[?&!]?\.))")


def show_call(call: Call) -> str:
    """Return what is called: `client.users.get`, `Store::new`, `….map` where much comes before."""
    if not call.receiver:
        return call.name
    receiver = _BLANK_BEFORE_MEMBER.sub("", call.receiver)
    if len(receiver) > _MAX_RECEIVER:
        receiver = "…"
    # The text is cut when it is long, and then the separator may be missing.
    found = re.search(rf"{_SEPARATOR}\s*{re.escape(call.name)}(?!\w)", call.text)
    return f"{receiver}{found[1] if found else '.'}{call.name}"
