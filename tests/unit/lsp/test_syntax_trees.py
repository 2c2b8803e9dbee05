import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from glossator.code import syntax
from glossator.code.languages import Language, find_language
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.lsp.documents import Change, Document
from glossator.lsp.syntax_trees import SyntaxTrees

URI = "file:///a.py"
LARGE = "x = 1  # 名\n" * 1_000


def python() -> Language:
    language = find_language("a.py")
    assert language is not None
    return language


async def names_at(trees: SyntaxTrees, source: SourceText, point: Point) -> list[Range]:
    found = await trees.find_functions(URI, source, python(), point, point)
    return [extent.name_range for extent in found if point in extent]


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Each parse that was begun: its text, and what it began from."""
    begun: list[tuple[str, Any]] = []
    parse: Callable[..., syntax.Syntax] = syntax.parse_syntax

    def record(text: str, language: Language, earlier: Any = None) -> syntax.Syntax:
        begun.append((text, earlier))
        return parse(text, language, earlier)

    monkeypatch.setattr(syntax, "parse_syntax", record)
    return begun


async def test_a_version_is_parsed_once_and_the_next_one_from_it(
    parses: list[tuple[str, Any]],
) -> None:
    trees = SyntaxTrees()
    document = Document(URI, "python", 1, None, "a.py", ["def f():\r\n", "    '😀'\r\n"])
    first = document.source

    assert await names_at(trees, first, Point(2, 7)) == [Range(Point(1, 4), Point(1, 5))]
    assert await names_at(trees, first, Point(3, 0)) == []
    document.change(Change("'名'\ndef 函(): pass", (1, 6), (1, 8)), "utf-16")
    assert await names_at(trees, document.source, Point(3, 3)) == [
        Range(Point(3, 4), Point(3, 5))
    ]  # fmt: skip

    assert [text for text, _ in parses] == [first.text, document.source.text]
    assert parses[1][1].source.text == first.text


async def test_a_closed_document_leaves_nothing_behind(parses: list[tuple[str, Any]]) -> None:
    trees = SyntaxTrees()
    source = SourceText("a.py", "def f(): pass\n")

    await names_at(trees, source, Point(1, 0))
    trees.forget(URI)
    await names_at(trees, source, Point(1, 0))

    assert [earlier for _, earlier in parses] == [None, None]


async def test_a_cancelled_request_leaves_the_tree_to_the_others(
    monkeypatch: pytest.MonkeyPatch, parses: list[tuple[str, Any]]
) -> None:
    trees = SyntaxTrees()
    source = SourceText("a.py", LARGE + "def f(): pass\n")
    may_go_on, began, loop = threading.Event(), asyncio.Event(), asyncio.get_running_loop()
    parse: Callable[..., syntax.Syntax] = syntax.parse_syntax

    def wait_and_parse(*arguments: Any) -> syntax.Syntax:
        loop.call_soon_threadsafe(began.set)
        may_go_on.wait(5)
        return parse(*arguments)

    monkeypatch.setattr(syntax, "parse_syntax", wait_and_parse)
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        first = group.create_task(names_at(trees, source, Point(1_001, 2)))
        await began.wait()  # The loop is free while a large text is parsed.
        second = group.create_task(names_at(trees, source, Point(1_001, 2)))
        first.cancel()
        may_go_on.set()

    assert second.result() == [Range(Point(1_001, 4), Point(1_001, 5))]
    assert len(parses) == 1


async def test_a_parse_that_failed_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    trees = SyntaxTrees()
    source = SourceText("a.py", "def f(): pass\n")

    def fail(*_: Any) -> syntax.Syntax:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(syntax, "parse_syntax", fail)
        with pytest.raises(MemoryError):
            await names_at(trees, source, Point(1, 0))

    assert len(await names_at(trees, source, Point(1, 0))) == 1


async def test_a_selection_in_a_large_text_is_searched_beside_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from glossator.code import outline

    threads: list[str] = []
    find: Callable[..., Any] = outline.find_functions

    def record(*arguments: Any) -> Any:
        threads.append(threading.current_thread().name)
        return find(*arguments)

    monkeypatch.setattr(outline, "find_functions", record)
    source = SourceText("a.py", "def f(): pass\n" * 1_000)

    found = await SyntaxTrees().find_functions(URI, source, python(), Point(1, 0), Point(1_001, 0))

    assert len(found) == 1_000
    assert threads != [threading.current_thread().name]
