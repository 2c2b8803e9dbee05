"""Do server and plug-in fit together?

They are released together. What one must know of the other changes only with the second number of
the version or the first; a third number that differs is no reason to say anything.
"""

import re

from glossator.app.phrasing import Phrasing

_NUMBERS = re.compile(r"(\d{1,6})\.(\d{1,6})")


def explain_mismatch(plugin: str, server: str, say: Phrasing) -> str:
    """Say what to update; nothing if they fit, or if the plug-in does not say which it is."""
    mine, other = _read(server), _read(plugin)
    if mine is None or other is None or mine == other:
        return ""
    if mine < other:
        return say(
            f"The server is {server}, the editor's plug-in {plugin}: update the server.",
            f"服务器为 {server}，编辑器插件为 {plugin}：请更新服务器。",
        )
    return say(
        f"The server is {server}, the editor's plug-in {plugin}: update the plug-in.",
        f"服务器为 {server}，编辑器插件为 {plugin}：请更新插件。",
    )


def _read(version: str) -> tuple[int, int] | None:
    match = _NUMBERS.match(version)
    return (int(match[1]), int(match[2])) if match else None
