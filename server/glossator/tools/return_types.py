"""What a function returns, as its head says: the type that a chain of calls goes on from."""

import re

from glossator.code.outline import Function
from glossator.tools.scopes import last_part

_OWN_TYPE = frozenset({"Self", "self", "this", "static"})
_QUALIFIED = r"(?:\w+(?:\.|::|\\))*\w+"
_WRAPPERS = frozenset({"Option", "Result", "Promise", "Task", "Optional"})
_NEW = re.compile(r"\(?\s*new\b")
_CALLED = re.compile(
    r"(?:(?:\?->|->|::|[?&!]?\.)\s*|(?<![\w$.]))(?P<name>[^\W\d][\w$]*[?!]?)(?:::)?(?:<[^<>]*>)?\s*\Z"
)
# `-> Store`, `-> "shop.Store"`, `-> &'a mut Store`, `): ?Store`, `): Store<T>`.
_BEHIND = {
    "python": rf"->\s*[\"']?({_QUALIFIED})[\"']?$",
    "rust": rf"->\s*(?:&\s*)?(?:'\w+\s+)?(?:mut\s+)?({_QUALIFIED})(?:<[^<>]*>)?(?:\s+where\b.*)?$",
    "php": rf"\)\s*:\s*\??\\?({_QUALIFIED})$",
    "go": rf"\)\s*\*?({_QUALIFIED})(?:\[[^\[\]]*\])?$",
}
_BEHIND_SCRIPT = rf"\)\s*:\s*({_QUALIFIED})(?:<[^()]*>)?(?:\s*=>)?$"
_BEFORE = rf"({_QUALIFIED})(?:<[^()]*>)?\s*[*&\s]\s*(?:\w+::)*"


def find_return_type(function: Function, language_id: str) -> str:
    """Return the name of the type, "" where the head does not say or says more than a name."""
    if function.kind == "constructor":
        return last_part(function.container)
    signature = function.signature
    if language_id in {"java", "csharp", "c", "cpp"}:
        found = re.search(rf"{_BEFORE}{re.escape(function.name)}\s*(?:<[^()]*>)?\(", signature)
    elif language_id in {"javascript", "typescript", "tsx"}:
        found = re.search(_BEHIND_SCRIPT, signature)
    elif language_id in _BEHIND:
        found = re.search(_BEHIND[language_id], signature)
    else:
        return ""
    if found is None:
        return ""
    name = re.split(r"\.|::|\\", found[1])[-1]
    if name in _OWN_TYPE:
        return last_part(function.container)
    # A single letter is a type parameter, and a wrapper is opened before its content is used.
    is_type = name[:1].isupper() and len(name) > 1 and name not in _WRAPPERS
    return name if is_type else ""


def split_chained_call(receiver: str) -> tuple[str, str] | None:
    """Return `("client.users()", "first")` for the receiver `client.users().first(1)`.

    None where the receiver is no call of a name, or makes a new object.
    """
    text = receiver.rstrip("?!& ")
    if not text.endswith(")") or _NEW.match(text):
        return None
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        depth += (text[position] == ")") - (text[position] == "(")
        if not depth:
            break
    found = _CALLED.search(text[:position])
    if depth or found is None:
        return None
    return text[: found.start()].rstrip(), found["name"]
