"""Code without the comments that dismiss findings: to dismiss one must not make others new."""

import re

_COMMENT = r"(?:\{?/\*|<!--|//|#|--)[ \t]*glossator[:：][ \t]*ignore[^\r\n]*"
_LINE = re.compile(rf"^[ \t]*{_COMMENT}(?:\r\n|\r|\n|\Z)", re.MULTILINE | re.IGNORECASE)
_BEHIND = re.compile(rf"[ \t]*{_COMMENT}", re.IGNORECASE)


def may_dismiss(text: str) -> bool:
    """Say whether a comment in the text may dismiss something: seldom, and quickly said."""
    # A pattern that leaves case aside is fifty times slower; so is `str.lower` beyond ASCII.
    return b"glossator" in text.encode("utf-8", "surrogatepass").lower()


def strip_directives(code: str) -> str:
    """Return `code` without dismissing comments, and without the lines that hold nothing else."""
    if not may_dismiss(code):
        return code
    return _BEHIND.sub("", _LINE.sub("", code))
