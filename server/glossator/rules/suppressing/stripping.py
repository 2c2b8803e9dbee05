"""Code without the comments that dismiss findings: to dismiss one must not make others new."""

import re

_COMMENT = r"(?:\{?/\*|<!--|//|#|--)[ \t]*glossator[:：][ \t]*ignore[^\r\n]*"
_LINE = re.compile(rf"^[ \t]*{_COMMENT}(?:\r\n|\r|\n|\Z)", re.MULTILINE | re.IGNORECASE)
_BEHIND = re.compile(rf"[ \t]*{_COMMENT}", re.IGNORECASE)


def strip_directives(code: str) -> str:
    """Return `code` without dismissing comments, and without the lines that hold nothing else."""
    if "glossator" not in code:
        return code
    return _BEHIND.sub("", _LINE.sub("", code))
