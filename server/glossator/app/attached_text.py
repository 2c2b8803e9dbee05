"""What is said of attachments: to the model, in an answer from code, and in the notice."""

from collections.abc import Iterator, Sequence

from glossator.app.attachments import Attached
from glossator.app.phrasing import Phrasing
from glossator.app.skills.active import number_lines
from glossator.citations.fences import close_fence
from glossator.core.locations import Span
from glossator.tools.code_map import CodeMap
from glossator.tools.lookup import sort_definitions

_MAX_QUOTED_LINES = 40
_MAX_DEFINITIONS = 40


def write_attached(attached: Sequence[Attached], briefed: Span | None) -> Iterator[tuple[str, str]]:
    """Yield the parts of a request with what is attached; what is `briefed` stands there."""
    for each in attached:
        given = each.given
        label = f"kind=attached-{each.request.kind}"
        if each.request.symbol:
            label += f" symbol={each.request.symbol}"
        if given is None:
            reason = each.problem or "There was no room for it; read it with read_file."
            name = each.span.path if each.span else each.request.path or each.request.symbol
            yield f"{label} place={name}", f"(Not given: {reason})"
            continue
        if briefed is not None and _covers(briefed, given):
            yield f"{label} place={given}", "(The user attached this; its lines stand below.)"
            continue
        text = number_lines(list(enumerate(each.lines, given.first_line)))
        if each.n_left_out:
            text += f"\n({each.n_left_out} more lines; read on with read_file.)"
        yield f"{label} place={given}", text


def _covers(outer: Span, inner: Span) -> bool:
    return (
        outer.path == inner.path
        and outer.first_line <= inner.first_line
        and inner.last_line <= outer.last_line
    )


def render_attached(
    attached: Sequence[Attached], code_map: CodeMap, briefed: Span | None, say: Phrasing
) -> str:
    """Write what the code says of attachments, for an answer without a model."""
    parts = [
        _render(each, code_map, say)
        for each in attached
        if each.span is not None and not (briefed is not None and _covers(briefed, each.span))
    ]
    heading = f"### {say('What you attached', '您附加的内容')}"
    return "\n\n".join([heading, *parts]) if parts else ""


def _render(attached: Attached, code_map: CodeMap, say: Phrasing) -> str:
    source, span = attached.source, attached.span
    assert source is not None
    assert span is not None
    name = f"`{attached.request.symbol}` " if attached.request.symbol else ""
    head = f"{name}{span}"
    outline = code_map.outline(source) if attached.request.kind == "file" else None
    named = sort_definitions(outline) if outline is not None else []
    if not named:
        return f"{head}\n\n{_quote(attached, say)}"
    lines = [
        f"- `{item.qualified_name}` {source.name}:{item.range.start.line}"
        for item in named[:_MAX_DEFINITIONS]
    ]
    n_more = len(named) - _MAX_DEFINITIONS
    if n_more > 0:
        lines.append(say(f"- *({n_more} more)*", f"- *（另有 {n_more} 个）*"))
    return "\n".join([head, "", *lines])


def _quote(attached: Attached, say: Phrasing) -> str:
    """Quote the first lines, in a fence that nothing in them closes."""
    assert attached.source is not None
    assert attached.span is not None
    first, last = attached.span.first_line, attached.span.last_line
    lines = attached.source.lines[first - 1 : min(last, first + _MAX_QUOTED_LINES - 1)]
    text = "\n".join(lines)
    fence = "````" if "```" in text else "```"
    n_more = last - first + 1 - len(lines)
    more = say(f"\n\n*({n_more} more lines)*", f"\n\n*（另有 {n_more} 行）*") if n_more > 0 else ""
    return close_fence(f"{fence}\n{text}\n{fence}") + more


def describe_attached(attached: Sequence[Attached], say: Phrasing) -> str:
    """Say what of the attachments was not read or had no room; "" when all is there."""
    notices = []
    for each in attached:
        name = each.request.symbol or (each.span.path if each.span else each.request.path)
        if each.problem:
            notices.append(say(f"Not attached: {each.problem}", f"未能附加：{each.problem}"))
        elif each.n_left_out:
            n_lines = each.n_given + each.n_left_out
            notices.append(
                say(
                    f"Of the attached `{name}` the first {each.n_given} of {n_lines} lines were "
                    "given; there was no room for more.",
                    f"附加的 `{name}` 共 {n_lines} 行，只提供了前 {each.n_given} 行；空间不足。",
                )
            )
    return " ".join(notices)
