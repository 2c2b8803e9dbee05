from pathlib import Path

from glossator.app.phrasing import Phrasing
from glossator.app.results import Citation
from glossator.app.verdicts import describe_verdict, render_sources, summarize_verdicts
from glossator.citations.judging import Verdict
from glossator.core.locations import Span

ENGLISH, CHINESE = Phrasing(is_chinese=False), Phrasing(is_chinese=True)


def cite(text: str, line: int, verdict: Verdict = "exact", reason: str = "") -> Citation:
    path = None if verdict == "missing" else Path("/w/a.py")
    return Citation(text, Span("a.py", line, line), path, verdict, reason)


FOUND = (
    cite("a.py:3", 3),
    cite("a.py#L3", 3),
    cite("a.py:5", 9, "moved", "the file changed since it was read"),
    cite("a.py:99", 99, "missing", "the file has 41 lines"),
)


def test_places_are_counted_once_however_often_they_are_written() -> None:
    assert summarize_verdicts(FOUND, ENGLISH) == "3 places checked: 1 exact, 1 moved, 1 missing"
    assert summarize_verdicts(FOUND[:1], ENGLISH) == "1 place checked: 1 exact, 0 moved, 0 missing"
    assert "3 处引用：1 处准确，1 处已移动，1 处缺失" in summarize_verdicts(FOUND, CHINESE)
    assert summarize_verdicts((), ENGLISH) == ""


def test_a_place_is_shown_with_its_mark_where_it_stands_really_and_why() -> None:
    assert [describe_verdict(each) for each in FOUND[1:]] == [
        "✓ a.py#L3",
        "~ a.py:5 → a.py:9: the file changed since it was read",
        "✗ a.py:99: the file has 41 lines",
    ]


def test_sources_are_a_list_of_links() -> None:
    text = render_sources(FOUND, lambda each: each.path and each.path.as_uri(), ENGLISH)

    assert text.split("\n") == [
        "---",
        "",
        "**Sources** · 3 places checked: 1 exact, 1 moved, 1 missing",
        "",
        "- ✓ [`a.py:3`](file:///w/a.py#L3)",
        "- ~ `a.py:5` → [`a.py:9`](file:///w/a.py#L9): the file changed since it was read",
        "- ✗ `a.py:99`: the file has 41 lines",
        "",
    ]
    assert render_sources((), lambda _: None, ENGLISH) == ""


def test_what_would_not_be_seen_or_end_the_code_is_written_out() -> None:
    [line] = render_sources((cite("a\u202e`.py:3", 3, "missing"),), lambda _: None, CHINESE).split(
        "\n"
    )[4:5]

    assert line == r"- ✗ `a\u{202e}.py:3`"
