"""Charts as SVG, drawn by `leather`: no scripts, nothing loaded, colours from the page's style."""

import html
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from unicodedata import east_asian_width

import leather

from glossator.tools.escaping import escape_invisible

Label = str
Colour = str
Bar = tuple[Label, float, Colour]
WriteValue = Callable[[float], str]

_WIDTH = 460
_BAR_HEIGHT = 26
_FRAME_HEIGHT = 60
_COLUMN_CHART_HEIGHT = 200
_SHOWN_BARS = 12
_TELLER = "\u2009"
_SHOWN_DAYS = 60
_LABELLED_DAYS = 5


def draw_bars(title: str, bars: Sequence[Bar], write: WriteValue) -> str:
    """Draw horizontal bars, the first on top; each has a label and a colour of the page's."""
    bars = bars[:_SHOWN_BARS]
    labels = [f"{escape_invisible(label)}  {write(value)}" for label, value, _ in bars]
    # A label that two bars share would join them; what tells them apart is not shown.
    labels = [label + _TELLER * n for n, label in enumerate(labels)]
    colours = {label: colour for label, (_, _, colour) in zip(labels, bars, strict=True)}
    chart = _make_chart()
    chart.add_bars(
        [(value, label) for label, (_, value, _) in zip(labels, bars, strict=True)],
        fill_color=lambda datum: f"var(--{colours[datum.y]})",
    )
    top = max((value for _, value, _ in bars), default=0) or 1
    chart.set_x_scale(leather.Linear(0, top))
    chart.set_x_axis(leather.Axis(ticks=[0, top], tick_formatter=_formatter(write)))
    chart.set_y_axis(leather.Axis(tick_formatter=lambda label, index, n: label.rstrip(_TELLER)))
    return _finish(chart, title, _FRAME_HEIGHT + _BAR_HEIGHT * len(bars))


def draw_days(title: str, days: Mapping[date, float], write: WriteValue) -> str:
    """Draw a column for each day of the latest two months; only some are labelled."""
    last = max(days)
    first = max(min(days), last - timedelta(days=_SHOWN_DAYS - 1))
    shown = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    every = -(-len(shown) // _LABELLED_DAYS)

    def label(value: str, index: int, n_ticks: int) -> str:
        return value[5:] if index % every == 0 else ""

    chart = _make_chart()
    columns = [(day.isoformat(), days.get(day, 0)) for day in shown]
    chart.add_columns(columns, fill_color="var(--first)")
    top = max(value for _, value in columns) or 1
    chart.set_y_scale(leather.Linear(0, top))
    chart.set_y_axis(leather.Axis(ticks=[0, top], tick_formatter=_formatter(write)))
    chart.set_x_axis(leather.Axis(tick_formatter=label))
    return _finish(chart, title, _COLUMN_CHART_HEIGHT)


def _make_chart() -> leather.Chart:
    # The library's way to style: its theme is its module's values.
    theme = leather.theme
    theme.background_color = "none"
    theme.margin = 0.02
    theme.label_color = "var(--text)"
    theme.tick_color = theme.zero_color = "var(--line)"
    theme.tick_font_family = "inherit"
    theme.tick_font_size = 12
    theme.tick_font_char_width = 7
    return leather.Chart()


def _finish(chart: leather.Chart, title: str, height: int) -> str:
    drawn: str = chart.to_svg(width=_WIDTH, height=height)
    frame = f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{html.escape(title)}"'
    return drawn.replace("<svg ", f"<svg {frame} ", 1)


def _formatter(write: WriteValue) -> Callable[[float, int, int], str]:
    return lambda value, index, n_ticks: write(float(value))


def shorten(label: str, cells: int = 22) -> str:
    """Cut a label where its place in a chart ends; a Chinese character takes two cells."""
    label = " ".join(label.split())
    for position, character in enumerate(label):
        cells -= 2 if east_asian_width(character) in "FW" else 1
        if cells < 0:
            return f"{label[:position]}…"
    return label
