"""Who says that one function calls another, as it is told to people."""

from glossator.app.phrasing import Phrasing
from glossator.tools.editor.facts import Origin


def describe_origin(origin: Origin, say: Phrasing) -> str:
    """Return the mark behind a fact: nothing for what Glossator found and nobody else was asked."""
    if origin == "editor":
        return say(" · from the editor", " · 来自编辑器")
    if origin == "unconfirmed":
        return say(" · by name, not from the editor", " · 按名称推断，编辑器未确认")
    return ""
