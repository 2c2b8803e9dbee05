"""What is said about the places that an answer names: in one line, and one by one."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from glossator.app.phrasing import Phrasing, count
from glossator.app.results import Citation
from glossator.core.locations import Span
from glossator.tools.escaping import quote_name

if TYPE_CHECKING:
    from glossator.citations.judging import Verdict

MARKS: Mapping["Verdict", str] = {"exact": "✓", "moved": "~", "missing": "✗"}


def list_verdicts(citations: Sequence[Citation]) -> tuple[tuple[str, Span, str], ...]:
    """Return citations as events and sessions hold them: as written, where, and the verdict."""
    return tuple((each.text, each.place, each.verdict) for each in citations)


def summarize_verdicts(citations: Sequence[Citation], say: Phrasing) -> str:
    """Say how many places were checked, and what came of it; nothing when there are none."""
    found = Counter(each.verdict for each in _each_place_once(citations))
    if not found:
        return ""
    exact, moved, missing = found["exact"], found["moved"], found["missing"]
    return say(
        f"{count(found.total(), 'place')} checked: {exact} exact, {moved} moved, {missing} missing",
        f"核对了 {found.total()} 处引用：{exact} 处准确，{moved} 处已移动，{missing} 处缺失",
    )


def describe_verdict(citation: Citation) -> str:
    """Write a place with its mark, where it stands really, and why it does not hold."""
    place = f" → {citation.place}" if citation.verdict == "moved" else ""
    reason = f": {citation.reason}" if citation.reason else ""
    return f"{MARKS[citation.verdict]} {citation.text}{place}{reason}"


def render_sources(
    citations: Sequence[Citation], find_uri: Callable[[Citation], str | None], say: Phrasing
) -> str:
    """Write a list of the places with marks and links, for where nothing else shows them."""
    lines = [_render_source(each, find_uri(each)) for each in _each_place_once(citations)]
    if not lines:
        return ""
    head = f"**{say('Sources', '出处')}** · {summarize_verdicts(citations, say)}"
    return "\n".join(["---", "", head, "", *lines]) + "\n"


def _render_source(citation: Citation, uri: str | None) -> str:
    place, mark = citation.place, MARKS[citation.verdict]
    name = quote_name(str(place) if citation.verdict == "exact" else citation.text.replace("`", ""))
    reason = f": {citation.reason}" if citation.reason else ""
    if citation.verdict == "missing" or uri is None:
        return f"- {mark} {name}{reason}"
    link = f"{uri}#L{place.first_line}"
    if citation.verdict == "moved":
        return f"- {mark} {name} → [{quote_name(str(place))}]({link}){reason}"
    return f"- {mark} [{name}]({link})"


def _each_place_once(citations: Sequence[Citation]) -> list[Citation]:
    """Leave out what is the same place in other words: a link and its label."""
    return list({(each.place, each.verdict): each for each in reversed(citations)}.values())[::-1]
