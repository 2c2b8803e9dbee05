"""The catalogue of skills as a model is told it, at the end of the system message.

There it is never trimmed, and costs nothing twice: no turn keeps it, each writes it anew, as a rule
to the same letter. Its lines come from files, so they stand in a frame that they cannot close.
"""

import hashlib

from glossator.agent.prompt import frame_material

_WITH_TOOL = """\
Skills: how things are done here
- Before you do something that one of these is about, activate it with the tool `skill` and go by \
what it says; several may be activated in one round.
- Leave alone what does not fit, and what you were given the text of already."""
_WITHOUT_TOOL = """\
Skills: how things are done here
- You cannot activate one of these now. Where one fits and its text is not there, tell the user to \
put `/name` before the question."""


def render_catalogue(lines: str, *, has_tool: bool = True) -> str:
    """Write what a model is told of the skills that there are; empty when there are none."""
    if not lines:
        return ""
    # No text holds its own hash.
    marker = hashlib.blake2b(lines.encode("utf-8", "replace"), digest_size=6).hexdigest()
    intro = _WITH_TOOL if has_tool else _WITHOUT_TOOL
    return f"\n{intro}\n\n{frame_material([('kind=skills', lines)], marker=marker)}\n"
