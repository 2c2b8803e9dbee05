"""One turn's questions to the editor: asked once, for a bounded time, and withdrawn."""

import asyncio
from pathlib import Path

from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.tools.code_map import CodeMap
from glossator.tools.editor.facts import Editor, EditorSilent, Facts, Silence, Spot, Subject
from glossator.tools.editor.inquiry import Inquiry
from glossator.tools.editor.merging import EditorSupplement
from glossator.tools.workspace import Workspace

SHOP = "def total(cart):\n    return price(cart)\n\n\ndef price(cart):\n    return 1\n"


class FakeEditor:
    """Answers from a table; an Event is waited for, a silence is raised."""

    def __init__(
        self, answers: dict[Subject, Facts | Silence | asyncio.Event], *offers: Subject
    ) -> None:
        self.offers: frozenset[Subject] = frozenset(offers or tuple(answers))
        self.asked: list[Subject] = []
        self.is_asked = asyncio.Event()
        self.n_withdrawn = 0
        self._answers = answers

    async def ask(
        self,
        subject: Subject,
        source: SourceText,
        point: Point | None,
        workspace: Workspace,
        *,
        timeout_s: float,
    ) -> Facts | None:
        self.asked.append(subject)
        self.is_asked.set()
        answer = self._answers.get(subject)
        if isinstance(answer, asyncio.Event):
            try:
                await answer.wait()
            except asyncio.CancelledError:
                self.n_withdrawn += 1
                raise
            return None
        if isinstance(answer, str):
            raise EditorSilent(answer)
        return answer


def begin(editor: Editor, folder: Path, *, turn_s: float = 3.0) -> tuple[Inquiry, SourceText]:
    (folder / "shop.py").write_text(SHOP)
    workspace = Workspace([folder])
    return Inquiry(editor, workspace, turn_s=turn_s), workspace.read("shop.py")


async def test_the_same_is_asked_once(tmp_path: Path) -> None:
    editor = FakeEditor({"diagnostics": Facts()})
    inquiry, source = begin(editor, tmp_path)

    inquiry.begin("diagnostics", source)
    answers = [await asyncio.to_thread(inquiry.ask, "diagnostics", source) for _ in range(2)]

    assert answers == [Facts(), Facts()]
    assert editor.asked == ["diagnostics"]


async def test_a_subject_that_was_too_slow_is_not_asked_for_again(tmp_path: Path) -> None:
    editor = FakeEditor({"references": "slow", "definitions": Facts()})
    inquiry, source = begin(editor, tmp_path)

    for line in (1, 5):
        await asyncio.to_thread(inquiry.ask, "references", source, Point(line, 4))
    other = await asyncio.to_thread(inquiry.ask, "definitions", source, Point(1, 4))

    assert editor.asked == ["references", "definitions"]
    assert inquiry.silences == {"references": "slow"}
    assert other == Facts()


async def test_a_turn_waits_no_longer_than_its_limit_in_all(tmp_path: Path) -> None:
    editor = FakeEditor({"references": asyncio.Event(), "definitions": Facts()})
    inquiry, source = begin(editor, tmp_path, turn_s=0.05)

    for subject in ("references", "definitions"):
        assert await asyncio.to_thread(inquiry.ask, subject, source, Point(1, 4)) is None

    assert editor.asked == ["references"]
    assert inquiry.silences == {"references": "slow", "definitions": "slow"}


async def test_closing_withdraws_what_is_asked_and_nothing_is_asked_after_it(
    tmp_path: Path,
) -> None:
    editor = FakeEditor({"references": asyncio.Event(), "diagnostics": Facts()})
    inquiry, source = begin(editor, tmp_path)
    waiting = asyncio.create_task(asyncio.to_thread(inquiry.ask, "references", source, Point(1, 4)))
    await editor.is_asked.wait()

    inquiry.close()

    async with asyncio.timeout(5):
        assert await waiting is None
    assert await asyncio.to_thread(inquiry.ask, "diagnostics", source) is None
    assert editor.asked == ["references"]
    assert editor.n_withdrawn == 1


async def test_references_stand_in_where_no_call_hierarchy_is_known(tmp_path: Path) -> None:
    editor = FakeEditor({}, "incomingCalls", "references")
    inquiry, source = begin(editor, tmp_path)
    call = Range(Point(2, 11), Point(2, 16))
    definition = Range(Point(5, 4), Point(5, 9))
    editor._answers["references"] = Facts(
        spots=(Spot(source.path, call, call), Spot(source.path, definition, definition))
    )
    code_map = CodeMap(Workspace([tmp_path]))
    outline = code_map.outline(source)
    assert outline is not None
    price = outline.functions[1]

    with_editor = code_map.with_supplement(EditorSupplement(inquiry, code_map))
    callers = await asyncio.to_thread(with_editor.find_callers, source, price)

    assert [(caller.line, caller.origin) for caller in callers] == [(2, "editor")]


async def test_calls_are_looked_up_one_by_one_where_no_call_hierarchy_is_known(
    tmp_path: Path,
) -> None:
    editor = FakeEditor({}, "definitions")
    inquiry, source = begin(editor, tmp_path)
    spot = Range(Point(1, 4), Point(1, 9))
    editor._answers["definitions"] = Facts(spots=(Spot(source.path, spot, spot),))
    code_map = CodeMap(Workspace([tmp_path]))
    outline = code_map.outline(source)
    assert outline is not None

    with_editor = code_map.with_supplement(EditorSupplement(inquiry, code_map))
    calls = await asyncio.to_thread(with_editor.resolve_calls, source, outline.functions[0])

    assert [(call.targets[0].line, call.origin) for call in calls] == [(1, "editor")]
