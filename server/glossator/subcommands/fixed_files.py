"""Repaired files in the terminal: what was done to each, what would be, or why nothing was."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from glossator.app.phrasing import Phrasing

if TYPE_CHECKING:
    from glossator.terminal import Terminal


class FixedFile(Protocol):
    """What is shown of a file that was repaired: `reason` is why it was not, if so."""

    @property
    def shown_path(self) -> str: ...

    @property
    def diff(self) -> str: ...

    @property
    def reason(self) -> str: ...


def show_fix(
    fix: FixedFile,
    summary: str,
    lines: Iterable[str],
    terminal: "Terminal",
    say: Phrasing,
    *,
    shows_diff: bool,
) -> None:
    """Show a file's diff, or what was done in a summary and lines, or why nothing was."""
    if fix.reason:
        text = say("is left as it is", "未作修改")
        terminal.show_notice(f"`{fix.shown_path}` {text}{say(': ', '：')}{fix.reason}")
        return
    if shows_diff:
        for line in fix.diff.splitlines():
            terminal.show_line(line)
    elif summary:
        terminal.show_notice(f"{fix.shown_path}{say(': ', '：')}{summary}")
    for line in lines:
        terminal.show_notice(f"  {line}")
