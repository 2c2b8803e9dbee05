"""Figures as one page: charts and tables, without scripts and without anything loaded."""

import base64
import hashlib
import html
import re
from collections.abc import Iterator

from glossator.app.figures.charts import Bar, draw_bars, draw_days, shorten
from glossator.app.figures.report import FiguresReport
from glossator.app.figures.tables import (
    Table,
    describe_span,
    make_tables,
    name_verdict,
    write_seconds,
)
from glossator.app.phrasing import Phrasing
from glossator.app.stop_reasons import name_stop
from glossator.audit.figures import Figures
from glossator.tools.escaping import escape_invisible

_IN_BACKTICKS = re.compile(r"`([^`]+)`")
_VERDICT_COLOURS = {"exact": "good", "moved": "fair", "missing": "bad"}

_STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --page: #fff; --line: #d0d7de;
  --first: #3b73b9; --second: #7aa7dc; --third: #c77b28; --good: #2c8a4b; --fair: #b7861b;
  --bad: #c93c3c; }
@media (prefers-color-scheme: dark) { :root { --text: #d8dee4; --page: #1b1f24; --line: #3d444d;
  --first: #5b93d9; --second: #2f5f97; --third: #d99a53; --good: #4bb36b; --fair: #d3a94a;
  --bad: #e5686a; } }
body.vscode-dark, body.vscode-light, body.vscode-high-contrast {
  --text: var(--vscode-foreground); --page: var(--vscode-editor-background);
  --line: var(--vscode-editorWidget-border, #8888); --first: var(--vscode-charts-blue);
  --third: var(--vscode-charts-orange); --good: var(--vscode-charts-green);
  --fair: var(--vscode-charts-yellow); --bad: var(--vscode-charts-red); }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; color: var(--text);
  background: var(--page); font: 0.9rem/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.4rem; } h2 { margin: 0 0 .5rem; font-size: 1.05rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 1rem; }
figure, section { margin: 1rem 0 0; padding: .8rem 1rem; border: 1px solid var(--line);
  border-radius: .4rem; overflow-x: auto; }
figcaption { font-weight: 600; } svg { width: 100%; height: auto; overflow: visible; }
table { border-collapse: collapse; }
th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: 0; text-align: left; }
.notice { padding-left: .6rem; border-left: .2rem solid var(--fair); }
"""


def render_page(report: FiguresReport, say: Phrasing) -> str:
    """Write the page. It says itself that nothing may be loaded or run."""
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    title = say("Glossator: Figures", "Glossator：统计")
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="{say("en", "zh-CN")}">',
        '<head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style></head>",
        "<body>",
        f"<h1>{title}</h1>",
        f"<p>{_escape(describe_span(report.figures, say))}</p>",
        *(f'<p class="notice">{_render_names(notice)}</p>' for notice in report.notices),
        *_render_charts(report.figures, say),
        *map(_render_table, make_tables(report.figures, say)),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _render_charts(figures: Figures, say: Phrasing) -> Iterator[str]:
    charts = list(_draw_charts(figures, say))
    if charts:
        yield '<div class="charts">'
        for title, drawn in charts:
            yield f"<figure><figcaption>{_escape(title)}</figcaption>{drawn}</figure>"
        yield "</div>"


def _draw_charts(figures: Figures, say: Phrasing) -> Iterator[tuple[str, str]]:
    """Yield the charts that have something to show, with their titles."""
    if figures.days:
        title = say("Turns a day", "每日问答")
        yield title, draw_days(title, {day.date: day.n_turns for day in figures.days}, _write_count)
    for title, bars, write in (
        (say("Tokens", "词元用量"), _tokens(figures, say), _write_count),
        (say("Cost", "费用"), _costs(figures), _write_cost),
        (say("Latency", "延迟"), _latencies(figures, say), write_seconds),
        (say("Tool calls", "工具调用"), _calls(figures), _write_count),
        (say("Tool error rate", "工具出错率"), _error_rates(figures), _write_percent),
        (say("Citations", "引用"), _verdicts(figures, say), _write_count),
        (say("How turns ended", "问答如何结束"), _stops(figures, say), _write_count),
    ):
        if any(value for _, value, _ in bars):
            yield title, draw_bars(title, bars, write)


def _tokens(figures: Figures, say: Phrasing) -> list[Bar]:
    fresh, cached, written = (
        say("prompt", "提示"), say("cached", "缓存"), say("completion", "生成"),
    )  # fmt: skip
    bars = []
    for model in figures.models:
        name, usage = shorten(model.name or "?", 14), model.usage
        bars += [
            (f"{name} · {fresh}", float(usage.prompt_tokens - usage.cached_tokens), "first"),
            (f"{name} · {cached}", float(usage.cached_tokens), "second"),
            (f"{name} · {written}", float(usage.completion_tokens), "third"),
        ]
    return bars


def _costs(figures: Figures) -> list[Bar]:
    return [
        (shorten(model.name or "?"), model.cost, "first")
        for model in figures.models
        if model.cost is not None
    ]


def _latencies(figures: Figures, say: Phrasing) -> list[Bar]:
    bars = []
    for name, spread in (
        (say("first token", "首个词元"), figures.first_token_s),
        (say("whole turn", "完整一轮"), figures.turn_s),
    ):
        bars += [
            (f"{name} · {say('median', '中位数')}", spread.median or 0.0, "first"),
            (f"{name} · 95 %", spread.p95 or 0.0, "second"),
        ]
    return bars


def _calls(figures: Figures) -> list[Bar]:
    return [(shorten(tool.name or "?"), float(tool.n_calls), "first") for tool in figures.tools]


def _error_rates(figures: Figures) -> list[Bar]:
    rates = [
        (shorten(tool.name or "?"), 100 * tool.n_errors / tool.n_calls, "bad")
        for tool in figures.tools
    ]
    return sorted((bar for bar in rates if bar[1]), key=lambda bar: -bar[1])


def _verdicts(figures: Figures, say: Phrasing) -> list[Bar]:
    return [
        (name_verdict(verdict, say), float(figures.verdicts.get(verdict, 0)), colour)
        for verdict, colour in _VERDICT_COLOURS.items()
    ]


def _stops(figures: Figures, say: Phrasing) -> list[Bar]:
    return [
        (shorten(name_stop(name, say)), float(n), "good" if name == "answered" else "third")
        for name, n in figures.stop_reasons.items()
    ]


def _render_table(table: Table) -> str:
    head = "".join(f'<th scope="col">{_escape(cell)}</th>' for cell in table.head)
    rows = "\n".join(
        f"<tr>{''.join(f'<td>{_escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows
    )
    return (
        f"<section><h2>{_escape(table.title)}</h2>\n<table><thead><tr>{head}</tr></thead>\n"
        f"<tbody>{rows}</tbody></table></section>"
    )


def _render_names(text: str) -> str:
    """Write a line of text whose names stand in backticks."""
    return _IN_BACKTICKS.sub(r"<code>\1</code>", _escape(text))


def _escape(text: str) -> str:
    return html.escape(escape_invisible(text))


def _write_count(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:,.1f}"


def _write_cost(value: float) -> str:
    return f"{value:,.4f}"


def _write_percent(value: float) -> str:
    return f"{value:.0f} %"
