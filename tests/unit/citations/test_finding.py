import time

import pytest

from glossator.citations.finding import find_citations


@pytest.mark.parametrize(
    ("answer", "path", "first", "last"),
    [
        ("see src/a.py:12.", "src/a.py", 12, 12),
        ("see `src/a.py:12-14`", "src/a.py", 12, 14),
        ("see (src/a.py:12–14)", "src/a.py", 12, 14),
        ("[src/a.py:3](src/a.py)", "src/a.py", 3, 3),
        ("见 src/错误处理.py：12", "src/错误处理.py", 12, 12),
        ("（src/a.py：12-15）", "src/a.py", 12, 15),
        ("src/a.py:第12", "src/a.py", 12, 12),
        ("src\\win\\a.py:7", "src\\win\\a.py", 7, 7),
        ("C:\\code\\a.py:7", "C:\\code\\a.py", 7, 7),
        ("a.ts#L3-L9", "a.ts", 3, 9),
        ("a.ts: line 3", "a.ts", 3, 3),
        ("Makefile:4", "Makefile", 4, 4),
        ("a.py:0", "a.py", 0, 0),
        ("a.py:12:5", "a.py", 12, 12),
        ("a.py:L12-L14", "a.py", 12, 14),
        ("a.py#L3C5-L9C1", "a.py", 3, 9),
        ("a.py, lines 3-9", "a.py", 3, 9),
        ("`a.py` (line 3)", "a.py", 3, 3),
        ('File "a.py", line 3, in f', "a.py", 3, 3),
        ("a.py 第3行", "a.py", 3, 3),
        ("`a.py`的第 3-9 行", "a.py", 3, 9),
        ("`app/(auth)/[id]/page.tsx:3`", "app/(auth)/[id]/page.tsx", 3, 3),
        ("a.py:123456789012", "a.py", 123456789012, 123456789012),
    ],
)
def test_a_place_is_found_however_it_is_written(
    answer: str, path: str, first: int, last: int
) -> None:
    [found] = find_citations(answer)

    assert (found.path, found.first_line, found.last_line) == (path, first, last)
    assert answer[found.start : found.end] == found.text


@pytest.mark.parametrize(
    "answer",
    [
        "http://localhost:8080/a.py:3",
        "https://example.org/x/a.py#L3",
        "at 12:30 today",
        "ratio 3:4",
        "localhost:8080",
        "version 1.2.3:4.5",
        "a.py without a line",
        "a.py:12:30:45",
        "example.com:443",
        "a.py 第3章",
    ],
)
def test_what_is_no_place_is_left_alone(answer: str) -> None:
    assert find_citations(answer) == ()


def test_the_name_before_a_citation_belongs_to_it() -> None:
    first, second = find_citations("`load` (a.py:1) calls `save` (a.py:9).")

    assert (first.named, second.named) == (("load",), ("save",))


def test_the_name_after_a_citation_counts_when_none_stands_before() -> None:
    [found] = find_citations("- a.py:3 defines `save`")

    assert found.named == ("save",)


def test_the_cited_file_itself_is_no_name() -> None:
    [found] = find_citations("In `a.py` the function `save` starts at a.py:3")

    assert found.named == ("save",)


@pytest.mark.parametrize(
    "piece", ["a", "中", "/", "a:1", "a.py:1", "a.py:1 `x` ", "#L1", "a.py line 1 ", "“", "`", "1"]
)
def test_a_huge_answer_is_searched_in_bounded_time(piece: str) -> None:
    started = time.monotonic()

    find_citations(piece * (300_000 // len(piece)))

    assert time.monotonic() - started < 5
