import base64
import hashlib
import json
import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from glossator.app.figures.page import render_page
from glossator.app.figures.report import FiguresReport, find_start, report_figures, to_json
from glossator.app.figures.tables import render_figures
from glossator.app.phrasing import Phrasing
from glossator.audit.figures import Figures
from glossator.core.errors import InvalidArguments
from glossator.core.events import (
    AnswerVerified,
    Event,
    KnowledgeFound,
    RoundEnded,
    ToolFinished,
    TurnEnded,
)
from glossator.core.locations import Span
from glossator.core.messages import Usage
from recorded import BEGAN, lines_of, write_file

ENGLISH, CHINESE = Phrasing(is_chinese=False), Phrasing(is_chinese=True)
SPAN = Span("a.py", 1, 1)
HOSTILE = '</svg><script>alert(1)</script>"\u202e`|'
TURN: tuple[Event, ...] = (
    KnowledgeFound((("Errors", SPAN, 0.5),)),
    RoundEnded(1, "tool_calls", 1, Usage(2_000, 100, 500), 2.0, 0.8, "deepseek-chat"),
    ToolFinished("c1", "read_file", False, "", "", 0.1),
    ToolFinished("c2", HOSTILE, True, "", "", 0.2),
    RoundEnded(2, "stop", 0, Usage(3_000, 200, 2_500), 2.0, 0.5, HOSTILE),
    AnswerVerified((("a.py:1", SPAN, "exact"), ("b.py:1", SPAN, "missing"))),
    TurnEnded("answered", Usage(), 6.5),
)
PRICES = ("deepseek-chat 0.27 0.07 1.10",)


def report(
    folder: Path, *, prices: tuple[str, ...] = PRICES, say: Phrasing = ENGLISH
) -> FiguresReport:
    return report_figures(folder, prices, None, say, is_recording=True)


def test_figures_are_shown_as_tables(tmp_path: Path) -> None:
    write_file(tmp_path, lines_of("t1", TURN))

    text = render_figures(report(tmp_path), ENGLISH)

    assert "1 turn (ask 1)" in text
    assert "| Rounds of a turn | 1 | 2 | 2 | 2 |" in text
    assert "| Time of a whole turn | 1 | 6.5 s | 6.5 s | 6.5 s |" in text
    assert "| Searches of the knowledge with a hit | 1 | 1 | 100 % |" in text
    assert "| Citations: missing | 1 | 2 | 50 % |" in text
    assert "| `deepseek-chat` | 1 | 0 | 2,000 | 500 | 100 | 0.0006 | 800 ms | 800 ms |" in text
    assert "| `read_file` | 1 | 0 | 0 % | 100 ms | 100 ms |" in text
    assert "| answered | 1 | 100 % |" in text


def test_figures_are_shown_in_chinese(tmp_path: Path) -> None:
    write_file(tmp_path, lines_of("t1", TURN))

    text = render_figures(report(tmp_path, say=CHINESE), CHINESE)

    assert "共 1 轮问答（提问 1）" in text
    assert "| 已回答 | 1 | 100 % |" in text
    assert "| 引用：不存在 | 1 | 2 | 50 % |" in text


def test_a_name_that_a_model_made_up_breaks_no_table(tmp_path: Path) -> None:
    write_file(tmp_path, lines_of("t1", TURN))

    rows = [row for row in render_figures(report(tmp_path), ENGLISH).splitlines() if "svg" in row]

    assert len(rows) == 2
    assert all(row.startswith("| `</svg>") and r"\|" in row for row in rows)


def test_a_price_that_is_not_known_is_said_and_costs_are_not_zero(tmp_path: Path) -> None:
    write_file(tmp_path, lines_of("t1", TURN))

    found = report(tmp_path, prices=())

    assert any("`deepseek-chat`: set `audit.prices`" in notice for notice in found.notices)
    assert found.figures.cost is None
    assert "| 500 | 100 | ? |" in render_figures(found, ENGLISH)


def test_a_price_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    found = report(tmp_path, prices=("deepseek-chat cheap",))

    assert any("`deepseek-chat cheap`" in notice for notice in found.notices)


def test_damaged_lines_are_counted_and_said(tmp_path: Path) -> None:
    write_file(tmp_path, [*lines_of("t1", TURN), "{torn", "\0\0"])

    found = report(tmp_path)

    assert found.figures.n_turns == 1
    assert "2 damaged lines of the record left out." in found.notices


def test_rounds_without_counted_tokens_are_said(tmp_path: Path) -> None:
    turn = (RoundEnded(1, "stop", 0, None, 1.0, 0.5, "local"), TurnEnded("answered", Usage(), 1))
    write_file(tmp_path, lines_of("t1", turn))

    assert "Of 1 round the server did not count the tokens." in report(tmp_path).notices


def test_that_nothing_is_recorded_is_said_with_the_reason(tmp_path: Path) -> None:
    since = datetime(2026, 3, 2, tzinfo=UTC)

    nothing = report(tmp_path)
    none_since = report_figures(tmp_path, (), since, ENGLISH, is_recording=True)
    switched_off = report_figures(tmp_path, (), None, ENGLISH, is_recording=False)

    assert nothing.is_empty
    assert nothing.notices[0].startswith("Nothing is recorded yet: ask")
    assert none_since.notices[0].startswith("Nothing was recorded since 2026-03-0")
    assert "`audit.enabled`" in switched_off.notices[0]


@pytest.mark.parametrize("since", ["yesterday", "2026-13-01", "9" * 50])
def test_what_is_no_date_is_refused(since: str) -> None:
    with pytest.raises(InvalidArguments, match="is not a date"):
        find_start(None, since)


@pytest.mark.parametrize("days", [0, -1, 10**9])
def test_what_is_no_number_of_days_is_refused(days: int) -> None:
    with pytest.raises(InvalidArguments, match="`days`"):
        find_start(days, "")


def test_a_date_is_a_day_where_the_user_is_and_days_are_counted_back() -> None:
    assert find_start(None, "2026-03-02") == datetime(2026, 3, 2).astimezone()
    start = find_start(2, "")
    assert start is not None
    assert timedelta(0) <= datetime.now(UTC) - timedelta(days=2) - start < timedelta(minutes=1)
    assert find_start(None, "") is None


def test_figures_are_values_for_programs(tmp_path: Path) -> None:
    write_file(tmp_path, lines_of("t1", TURN))

    value = json.loads(json.dumps(to_json(report(tmp_path))))

    assert value["first"] == "2026-03-02T12:00:00+00:00"
    assert value["turns"]["durationMs"] == {"n": 1, "total": 6500, "median": 6500, "p95": 6500}
    assert value["models"][1]["usage"] == {
        "promptTokens": 2000,
        "cachedTokens": 500,
        "completionTokens": 100,
    }
    assert value["tools"][0] == {
        "name": HOSTILE,
        "nCalls": 1,
        "nErrors": 1,
        "durationMs": {"n": 1, "total": 200, "median": 200, "p95": 200},
    }
    assert value["citations"] == {"exact": 1, "moved": 0, "missing": 1}
    assert value["unpriced"] == [HOSTILE]


class PageReader(HTMLParser):
    """Notes every element and attribute of a page, and how deep it stands."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in ("meta", "rect", "line", "path"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


@pytest.fixture
def page(tmp_path: Path) -> str:
    write_file(tmp_path, lines_of("t1", TURN))
    return render_page(report(tmp_path), ENGLISH)


def test_the_page_runs_and_loads_nothing(page: str) -> None:
    read = PageReader(page)

    assert read.open == []
    assert {"script", "link", "img", "iframe", "object", "a"}.isdisjoint(read.elements)
    names = {name for name, _ in read.attributes}
    assert not any(name.startswith("on") for name in names)
    assert {"src", "href", "style", "xlink:href"}.isdisjoint(names)
    addresses = [value for _, value in read.attributes if "://" in value]
    assert set(addresses) == {"http://www.w3.org/2000/svg"}
    assert "url(" not in page
    assert "@import" not in page


def test_the_policy_of_the_page_lets_in_its_own_style_alone(page: str) -> None:
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)

    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src 'sha256-{digest}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_the_page_has_charts_with_names_and_the_tables(page: str) -> None:
    names = re.findall(r'<svg [^>]*role="img" aria-label="([^"]+)"', page)

    assert names == [
        "Turns a day", "Tokens", "Cost", "Latency", "Tool calls", "Tool error rate", "Citations",
        "How turns ended",
    ]  # fmt: skip
    assert page.count("<table>") == 5
    for svg in re.findall(r"<svg .*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(svg)


def test_the_colours_of_the_charts_are_those_of_the_theme(page: str) -> None:
    used = set(re.findall(r'(?:fill|stroke)="([^"]+)"', page))

    assert used <= {"none"} | {f"var(--{name})" for name in (
        "text", "line", "first", "second", "third", "good", "fair", "bad",
    )}  # fmt: skip
    assert "prefers-color-scheme: dark" in page
    assert "body.vscode-dark" in page


def test_what_models_wrote_stands_in_the_page_as_text(page: str) -> None:
    assert "alert(1)" in page
    assert "<script" not in page
    assert "\u202e" not in page


def test_the_page_speaks_chinese(tmp_path: Path) -> None:
    write_file(tmp_path, lines_of("t1", TURN))

    page = render_page(report(tmp_path, say=CHINESE), CHINESE)

    assert '<html lang="zh-CN">' in page
    assert 'aria-label="每日问答"' in page


def test_an_empty_page_says_why_it_is_empty(tmp_path: Path) -> None:
    page = render_page(report(tmp_path), ENGLISH)

    assert "Nothing is recorded yet" in page
    assert "<svg" not in page


def test_very_many_names_and_days_leave_a_page_that_can_be_read(tmp_path: Path) -> None:
    lines = []
    for number in range(100):
        turn = (
            ToolFinished("c", f"工具{number}" * 30, True, "", "", 0.1),
            RoundEnded(1, "stop", 0, Usage(1, 1), 1.0, 0.1, f"model-{number}"),
            TurnEnded("answered", Usage(), 1.0),
        )
        lines += lines_of(f"t{number}", turn, at=BEGAN + timedelta(days=9 * number))
    write_file(tmp_path, lines)

    page = render_page(report(tmp_path), ENGLISH)

    assert "70 more" in page
    assert page.count("<rect") < 250
    assert len(page) < 200_000


def test_figures_without_a_folder_are_empty() -> None:
    assert report_figures(None, (), None, ENGLISH, is_recording=False).figures == Figures()


def test_names_in_notices_stand_out(page: str) -> None:
    assert "<code>audit.prices</code>" in page
    assert "`" not in page.partition("<figure")[0].partition("<h1")[2]
