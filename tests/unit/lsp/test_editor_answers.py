"""Whatever a client says of code: it is read as far as it fits, and breaks nothing."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.core.errors import OutsideWorkspace
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.lsp.editor_answers import MAX_SPOTS, read_answer
from glossator.tools.editor.facts import SUBJECTS, EditorSilent, Facts, Subject

SOURCE = SourceText("a.py", "x = '约定𝕏'  # here\ny = x\n", Path("/w/a.py"), 3, "python")
HERE = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 10}}
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(
            ["uri", "range", "selectionRange", "start", "end", "line", "character", "fromRanges",
             "children", "name", "kind", "items", "version", "message", "severity", "code"]
        ),
        inner,
        max_size=5,
    ),
    max_leaves=20,
)  # fmt: skip


def read(answer: Any, subject: Subject, encoding: Any = "utf-16") -> Facts | None:
    def refuse(path: Path) -> SourceText:
        raise OutsideWorkspace(str(path))

    return read_answer(answer, subject, SOURCE, encoding, read=refuse, own_source="glossator")


@given(json_values, st.sampled_from(SUBJECTS))
def test_no_answer_breaks_the_reader(answer: Any, subject: Subject) -> None:
    try:
        facts = read(answer, subject)
    except EditorSilent:
        return
    assert facts is None or isinstance(facts, Facts)


@given(st.lists(json_values, max_size=6), st.sampled_from(SUBJECTS))
def test_no_item_breaks_the_reader(items: list[Any], subject: Subject) -> None:
    facts = read({"items": items, "version": 3}, subject)

    assert facts is not None
    for spot in facts.spots:
        assert spot.range.start.line <= len(SOURCE.lines) + 1


@pytest.mark.parametrize(("encoding", "column"), [("utf-16", 8), ("utf-8", 6), ("utf-32", 9)])
def test_positions_are_converted_by_the_negotiated_encoding(encoding: str, column: int) -> None:
    range_ = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 9}}
    answer = {"items": [{"uri": "file:///w/a.py", "range": range_}]}

    facts = read(answer, "definitions", encoding)

    assert facts is not None
    assert facts.spots[0].range == Range(Point(1, 0), Point(1, column))


def test_what_is_outside_is_named_and_never_read() -> None:
    answer = {"items": [{"uri": "file:///etc/passwd", "range": HERE, "name": "root"}]}

    facts = read(answer, "definitions")

    assert facts is not None
    assert facts.spots[0].path is None
    assert facts.spots[0].name == "root"


def test_a_long_list_is_cut_and_counted() -> None:
    answer = {"items": [{"uri": "file:///w/a.py", "range": HERE}] * (MAX_SPOTS + 7)}

    facts = read(answer, "references")

    assert facts is not None
    assert len(facts.spots) == MAX_SPOTS
    assert facts.n_left_out == 7


def test_a_symbol_tree_of_any_depth_is_read() -> None:
    symbol: dict[str, Any] = {"name": "leaf", "kind": 12, "range": HERE}
    for _ in range(5_000):
        symbol = {"name": "x", "kind": 5, "range": HERE, "children": [symbol]}

    facts = read({"items": [symbol]}, "documentSymbols")

    assert facts is not None
    assert 0 < len(facts.spots) <= 50
