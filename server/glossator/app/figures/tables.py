"""Figures as tables, which a terminal shows and a page repeats below its charts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from glossator.app.figures.report import FiguresReport
from glossator.app.phrasing import Phrasing, count
from glossator.app.stop_reasons import name_stop
from glossator.audit.figures import VERDICTS, Figures, ModelFigures, Spread, ToolFigures

_SHOWN_ROWS = 30
_NONE = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as people read them. The first column names, the others count.

    `names_code`: the names were written by programs and models.
    """

    id: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names_code: bool = False


def make_tables(figures: Figures, say: Phrasing) -> tuple[Table, ...]:
    """Return the tables that have something to say."""
    tables = (
        _tabulate_turns(figures, say),
        _tabulate_shares(figures, say),
        _tabulate_models(figures, say),
        _tabulate_tools(figures.tools, say),
        _tabulate_stops(figures.stop_reasons, say),
    )
    return tuple(table for table in tables if table.rows)


def render_figures(report: FiguresReport, say: Phrasing) -> str:
    """Write the figures as Markdown."""
    lines = [f"# {say('Figures', '统计')}", "", describe_span(report.figures, say)]
    for table in make_tables(report.figures, say):
        lines += ["", f"## {table.title}", "", *_render_table(table)]
    return "\n".join(lines) + "\n"


def describe_span(figures: Figures, say: Phrasing) -> str:
    """Say what the figures are of."""
    if figures.first is None or figures.last is None:
        return say("Nothing is recorded.", "没有记录。")
    first, last = (f"{time.astimezone():%Y-%m-%d %H:%M}" for time in (figures.first, figures.last))
    kinds = say.join(
        f"{say(name, _CHINESE_KINDS.get(name, name))} {n}" for name, n in figures.kinds.items()
    )
    text = say(
        f"{first} to {last}, {count(figures.n_turns, 'turn')} ({kinds})",
        f"{first} 至 {last}，共 {figures.n_turns} 轮问答（{kinds}）",
    )
    if figures.n_unfinished:
        n = figures.n_unfinished
        text += say(f", {n} without an end in the record", f"，其中 {n} 轮在记录中没有结束")
    return text


def name_verdict(verdict: str, say: Phrasing) -> str:
    """Return a verdict on a citation in the reader's language."""
    return say(verdict, {"exact": "准确", "moved": "已移动", "missing": "不存在"}[verdict])


def write_seconds(seconds: float | None) -> str:
    """Write a time with the digits that matter."""
    if seconds is None:
        return _NONE
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds:.0f} s"


def _tabulate_turns(figures: Figures, say: Phrasing) -> Table:
    rows = [
        (say("Rounds of a turn", "每轮问答的请求数"), figures.rounds_per_turn, _write_number),
        (say("Tool calls of a turn", "每轮问答的工具调用"), figures.calls_per_turn, _write_number),
        (say("Time to the first token of a round", "首个词元 用时"), figures.first_token_s,
         write_seconds),
        (say("Time of a whole turn", "完整一轮用时"), figures.turn_s, write_seconds),
        (say("Pauses before a request", "请求前的等待"), figures.waited_s, write_seconds),
    ]  # fmt: skip
    return Table(
        "turns",
        say("Turns that a model answered", "由模型回答的问答"),
        ("", say("number", "次数"), say("median", "中位数"), "95 %", say("sum", "合计")),
        tuple(
            (name, str(spread.n), write(spread.median), write(spread.p95), write(spread.total))
            for name, spread, write in rows
            if spread.n
        ),
    )


def _tabulate_shares(figures: Figures, say: Phrasing) -> Table:
    verdicts = sum(figures.verdicts.values())
    n_calls = sum(tool.n_calls for tool in figures.tools)
    n_errors = sum(tool.n_errors for tool in figures.tools)
    rows = [
        (say("Searches of the knowledge with a hit", "知识检索命中"), figures.n_searches_hit,
         figures.n_searches),
        (say("Questions refused", "被拒绝的问题"), figures.n_refused, figures.n_turns),
        (say("Tool calls gone wrong", "出错的工具调用"), n_errors, n_calls),
        (say("Repaired answers that were better", "修正后更好的回答"), figures.n_repairs_used,
         figures.n_repairs),
        (say("Judged findings that quote rule and code", "引用了规则和代码原文的模型判断"),
         figures.n_proven, figures.n_claims),
        (say("Of these confirmed", "其中经复核确认"), figures.n_confirmed, figures.n_proven),
        *(
            (say("Citations", "引用") + say(": ", "：") + name_verdict(verdict, say),
             figures.verdicts.get(verdict, 0), verdicts)
            for verdict in VERDICTS
        ),
    ]  # fmt: skip
    return Table(
        "shares",
        say("Shares", "比例"),
        ("", say("number", "数量"), say("of", "总数"), say("share", "比例")),
        tuple(
            (name, str(part), str(whole), _write_share(part, whole))
            for name, part, whole in rows
            if whole
        ),
    )


def _tabulate_models(figures: Figures, say: Phrasing) -> Table:
    rows = [_row_of_model(model) for model in figures.models]
    return Table(
        "models",
        say("Models", "模型"),
        (
            say("model", "模型"), say("rounds", "请求"), say("failed", "失败"),
            say("prompt tokens", "提示词元"), say("of these cached", "其中缓存"),
            say("completion tokens", "生成词元"), say("cost", "费用"),
            say("first token, median", "首个词元 中位数"), "95 %",
        ),
        _limit(rows, say),
        names_code=True,
    )  # fmt: skip


def _row_of_model(model: ModelFigures) -> tuple[str, ...]:
    usage = model.usage
    return (
        model.name or "?",
        str(model.n_rounds),
        str(model.n_failed),
        _write_number(usage.prompt_tokens),
        _write_number(usage.cached_tokens),
        _write_number(usage.completion_tokens),
        _write_cost(model.cost),
        write_seconds(model.first_token_s.median),
        write_seconds(model.first_token_s.p95),
    )


def _tabulate_tools(tools: Iterable[ToolFigures], say: Phrasing) -> Table:
    rows = [
        (
            tool.name or "?",
            str(tool.n_calls),
            str(tool.n_errors),
            _write_share(tool.n_errors, tool.n_calls),
            *_write_times(tool.duration_s),
        )
        for tool in tools
    ]
    head = (
        say("tool", "工具"), say("calls", "调用"), say("errors", "出错"),
        say("error rate", "出错率"), say("median", "中位数"), "95 %",
    )  # fmt: skip
    return Table("tools", say("Tools", "工具"), head, _limit(rows, say), names_code=True)


def _tabulate_stops(stop_reasons: Mapping[str, int], say: Phrasing) -> Table:
    total = sum(stop_reasons.values())
    rows = [
        (name_stop(name, say), str(n), _write_share(n, total)) for name, n in stop_reasons.items()
    ]
    head = (say("stop reason", "结束原因"), say("turns", "轮数"), say("share", "比例"))
    return Table("stops", say("How turns ended", "问答如何结束"), head, _limit(rows, say))


def _limit(rows: Sequence[tuple[str, ...]], say: Phrasing) -> tuple[tuple[str, ...], ...]:
    """Keep a table readable: a model can invent any number of tools."""
    n_more = len(rows) - _SHOWN_ROWS
    if n_more <= 0:
        return tuple(rows)
    rest = (say(f"{n_more} more", f"另有 {n_more} 个"), *[""] * (len(rows[0]) - 1))
    return (*rows[:_SHOWN_ROWS], rest)


def _render_table(table: Table) -> Iterator[str]:
    yield _render_row(table.head)
    yield "|".join(["", "---", *["---:"] * (len(table.head) - 1), ""])
    for name, *cells in table.rows:
        shown = f"`{name.replace('`', '')}`" if table.names_code else name
        yield _render_row([shown, *cells])


def _render_row(cells: Iterable[str]) -> str:
    escaped = (" ".join(cell.replace("|", r"\|").split()) for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _write_times(spread: Spread) -> tuple[str, str]:
    return write_seconds(spread.median), write_seconds(spread.p95)


def _write_number(value: float | None) -> str:
    if value is None:
        return _NONE
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def _write_share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else _NONE


def _write_cost(cost: float | None) -> str:
    """Write a cost in whatever currency the prices are; four digits show a single question."""
    return "?" if cost is None else f"{cost:,.4f}"


_CHINESE_KINDS = {
    "ask": "提问",
    "explain": "解释",
    "analyze": "分析",
    "judge": "规则判断",
    "compile": "规则编译",
}
