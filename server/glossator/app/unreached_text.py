"""Write what no test reaches of a function as a line of its briefing."""

from glossator.app.phrasing import Phrasing
from glossator.tools.escaping import quote_path
from glossator.tools.reports.unreached import Unreached

_SHOWN_RANGES = 12
_UNITS = ((86400, "day", "天"), (3600, "hour", "小时"), (60, "minute", "分钟"))


def render_unreached(unreached: Unreached, say: Phrasing) -> str:
    """Write which lines no test reached, by which report, and how old that is."""
    report = f"{quote_path(unreached.report)}, {_render_age(unreached.age_s, say)}"
    doubt = say("; lines may have moved since", "；行号可能已变") if unreached.is_doubtful else ""
    if not unreached.ranges:
        return say(
            f"- every line is reached ({report}{doubt})", f"- 每一行都被覆盖（{report}{doubt}）"
        )
    shown = [f"{first}" if first == last else f"{first}-{last}" for first, last in unreached.ranges]
    n_more = len(shown) - _SHOWN_RANGES
    lines = ", ".join(shown[:_SHOWN_RANGES])
    more = say(f" and {n_more} more", f" 等，另有 {n_more} 处") if n_more > 0 else ""
    return say(
        f"- not reached by tests: lines {lines}{more} ({report}{doubt})",
        f"- 测试未覆盖：第 {lines} 行{more}（{report}{doubt}）",
    )


def _render_age(seconds: float, say: Phrasing) -> str:
    for size, english, chinese in _UNITS:
        number = int(seconds // size)
        if number:
            plural = "" if number == 1 else "s"
            return say(f"{number} {english}{plural} old", f"{number} {chinese}前")
    return say("just written", "刚刚生成")
