import asyncio
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock import Clock
from glossator.app.phrasing import Phrasing
from glossator.core import events
from glossator.core.events import StepStarted, TextArrived, ToolStarted
from glossator.core.messages import Usage
from glossator.lsp.documents import Documents
from glossator.lsp.places import Places
from glossator.lsp.progress import OwnWorkDone, PartialResults, WorkDone, describe
from glossator.lsp.protocol import ClientRefused, GlossatorProtocol

ENGLISH, CHINESE = Phrasing.for_locale("en"), Phrasing.for_locale("zh-cn")


class Recorder:
    """Stands in for the protocol: keeps what is sent and answers what is asked."""

    def __init__(self) -> None:
        self.values: list[dict[str, Any]] = []
        self.sent = asyncio.Semaphore(0)
        self.answer = asyncio.Event()
        self.asked = asyncio.Event()
        self.refuses = False

    def send_progress(
        self, token: object, value: dict[str, Any], *, droppable: bool = False
    ) -> None:
        self.values.append(value)
        self.sent.release()

    async def wait_for(self, count: int) -> None:
        """Wait until so many values were sent."""
        async with asyncio.timeout(5):
            for _ in range(count):
                await self.sent.acquire()

    async def ask_client(self, method: str, params: Any, *, timeout_s: float = 2) -> None:
        self.asked.set()
        await self.answer.wait()
        if self.refuses:
            raise ClientRefused("no")

    @property
    def protocol(self) -> GlossatorProtocol:
        return cast(GlossatorProtocol, self)

    @property
    def kinds(self) -> list[str]:
        return [value["kind"] for value in self.values]


def partial_results(recorder: Recorder) -> PartialResults:
    return PartialResults(recorder.protocol, "t", Places(Documents(), ()))


def plan(*states: events.StepState) -> events.PlanChanged:
    return events.PlanChanged(tuple(events.PlanStep(f"Do {state}", state) for state in states))


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (plan("done", "active", "pending"), "Step 2 of 3: Do active"),
        (plan("done", "dropped", "pending"), "2 of 3 steps are over"),
        (events.SkillActivated("sql", "trigger", 12), "The skill sql is active"),
        (events.HelperStarted("h1", "look at a"), "Helper h1: look at a"),
        (events.HelperActed("h1", ToolStarted("c", "diff", "{}")), "Helper h1 runs diff"),
        (events.HelperActed("h1", TextArrived("x")), None),
        (events.HelperEnded("h1", "failed", "", Usage(), 1.0), "Helper h1 has ended: failed"),
    ],
)
def test_plan_and_helpers_are_told_in_a_few_words(event: events.Event, text: str | None) -> None:
    assert describe(event, ENGLISH) == text


async def test_a_program_hears_which_skill_is_active_also_inside_a_helper() -> None:
    recorder = Recorder()
    activated = events.SkillActivated("代码评审", "model", 120)

    partial_results(recorder).emit(activated)
    partial_results(recorder).emit(events.HelperActed("h1", activated))

    plain = {"type": "skillActivated", "name": "代码评审", "by": "model", "nTokens": 120}
    assert recorder.values == [plain, {"type": "helperActed", "helperId": "h1", "event": plain}]


async def test_the_first_piece_of_text_does_not_wait() -> None:
    recorder = Recorder()

    partial_results(recorder).emit(TextArrived("a"))

    assert recorder.values == [{"type": "textArrived", "text": "a"}]


async def test_text_that_comes_fast_is_joined_and_nothing_is_lost_at_the_end() -> None:
    recorder = Recorder()
    results = partial_results(recorder)

    for piece in "abcd":
        results.emit(TextArrived(piece))
    results.finish()
    results.emit(TextArrived("late"))

    assert [value["text"] for value in recorder.values] == ["a", "bcd"]


async def test_waiting_text_leaves_before_the_event_after_it() -> None:
    recorder = Recorder()
    results = partial_results(recorder)

    results.emit(TextArrived("a"))
    results.emit(TextArrived("b"))
    results.emit(ToolStarted("1", "read_file", "{}"))
    results.emit(events.ReasoningArrived("r"))
    results.emit(TextArrived("c"))
    results.finish()

    assert [value["type"] for value in recorder.values] == [
        "textArrived", "textArrived", "toolStarted", "reasoningArrived", "textArrived",
    ]  # fmt: skip


async def test_text_that_comes_faster_than_a_screen_draws_is_sent_once_for_each_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorder, clock = Recorder(), Clock(monkeypatch)
    results = partial_results(recorder)
    sent: list[list[str]] = []

    for piece in "abcdefgh":
        results.emit(TextArrived(piece))
        await clock.move(0.005, step_s=0.001)
        sent.append([value["text"] for value in recorder.values])

    # 5 ms after each piece: the frame that began with `a` is over 16 ms after it.
    assert sent[:3] == [["a"], ["a"], ["a"]]
    assert sent[3] == ["a", "bcd"]
    assert sent[-1] == ["a", "bcd", "efg"]


async def test_text_that_comes_slowly_never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder, clock = Recorder(), Clock(monkeypatch)
    results = partial_results(recorder)

    for number, piece in enumerate("abc", 1):
        results.emit(TextArrived(piece))
        assert len(recorder.values) == number
        await clock.move(0.017)


async def test_waiting_text_leaves_by_itself_and_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorder, clock = Recorder(), Clock(monkeypatch)
    results = partial_results(recorder)
    results.emit(TextArrived("a"))
    results.emit(TextArrived("b"))

    await clock.move(1)
    results.finish()
    await clock.move(1)

    assert [value["text"] for value in recorder.values] == ["a", "b"]


@given(st.lists(st.sampled_from("trTwes"), max_size=30))
async def test_whatever_happens_when_order_and_text_stay(happening: str) -> None:
    """t, T: a piece of text; r: of thinking; e: another event; w: a frame passes; s: a moment."""
    with pytest.MonkeyPatch.context() as patch:
        recorder, clock = Recorder(), Clock(patch)
        results = partial_results(recorder)
        meant: list[tuple[str, str]] = []
        for number, what in enumerate(happening):
            if what in "tTr":
                kind = "reasoningArrived" if what == "r" else "textArrived"
                piece = f"{number} "
                event = events.ReasoningArrived if what == "r" else TextArrived
                results.emit(event(piece))
                if meant and meant[-1][0] == kind:
                    meant[-1] = (kind, meant[-1][1] + piece)
                else:
                    meant.append((kind, piece))
            elif what == "e":
                results.emit(ToolStarted(f"{number}", "r", "{}"))
                meant.append(("toolStarted", f"{number}"))
            else:
                await clock.move(0.02 if what == "w" else 0.003)
        results.finish()

    told: list[tuple[str, str]] = []
    for value in recorder.values:
        kind, text = value["type"], value.get("text", value.get("callId"))
        if told and told[-1][0] == kind != "toolStarted":
            told[-1] = (kind, told[-1][1] + text)
        else:
            told.append((kind, text))
    assert told == meant


async def test_progress_ends_once_and_nothing_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder, clock = Recorder(), Clock(monkeypatch)
    work = WorkDone(recorder.protocol, "t", "Explaining", say=ENGLISH)

    work.emit(StepStarted("one"))
    work.emit(StepStarted("two"))
    work.finish()
    work.finish()
    work.emit(StepStarted("three"))
    await clock.move(1)

    assert recorder.kinds == ["begin", "report", "end"]


async def test_reports_are_throttled_and_the_last_one_counts() -> None:
    recorder = Recorder()
    work = WorkDone(recorder.protocol, "t", "Checking", say=ENGLISH, counts=True)

    for done in (0, 10, 50, 20, 90):
        work.emit(StepStarted(f"{done}", done, 100))
    await recorder.wait_for(3)

    assert [value.get("percentage") for value in recorder.values] == [0, 0, 90]
    assert recorder.values[-1]["message"] == "90"


async def test_own_progress_begins_when_the_client_agrees_and_ends_even_if_it_is_late() -> None:
    recorder = Recorder()
    tokens: list[Any] = []
    own = OwnWorkDone(
        recorder.protocol, "Explaining", say=ENGLISH, counts=False, on_token=tokens.append
    )
    opening = asyncio.create_task(own.open())
    own.emit(StepStarted("Looking"))
    await recorder.asked.wait()

    own.finish()
    recorder.answer.set()
    await opening

    assert tokens == [own.token]
    assert recorder.kinds == ["begin", "report", "end"]


async def test_quick_work_shows_no_progress_of_its_own() -> None:
    recorder = Recorder()
    own = OwnWorkDone(
        recorder.protocol, "Explaining", say=ENGLISH, counts=False, on_token=lambda _: None
    )
    opening = asyncio.create_task(own.open())

    own.finish()
    await opening

    assert not recorder.asked.is_set()
    assert recorder.values == []


async def test_a_refused_progress_is_none() -> None:
    recorder = Recorder()
    recorder.refuses = True
    recorder.answer.set()
    own = OwnWorkDone(
        recorder.protocol, "Explaining", say=ENGLISH, counts=False, on_token=lambda _: None
    )

    await own.open()
    own.emit(StepStarted("Looking"))
    own.finish()

    assert recorder.values == []


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (events.KnowledgeFound(()), "0 sections"),
        (events.RoundStarted(2, 6), "round 2"),
        (events.WaitingForModel(1.6, "busy"), "Waiting 2 s"),
        (events.ToolStarted("1", "read_file", "{}"), "read_file"),
        (events.ToolFinished("1", "x", False, "3 lines", "", 0), "3 lines"),
        (events.TextArrived("x"), "Writing"),
    ],
)
async def test_people_are_told_what_goes_on(event: events.Event, words: str) -> None:
    recorder = Recorder()

    WorkDone(recorder.protocol, "t", "Answering", say=ENGLISH).emit(event)

    assert words in recorder.values[-1]["message"]


def test_events_are_told_in_the_language_of_the_editor() -> None:
    assert describe(events.RoundStarted(2, 3), CHINESE) == "正在询问模型（第 2 轮）"
    assert describe(ToolStarted("c1", "read_file", "{}"), CHINESE) == "正在运行 read_file"
