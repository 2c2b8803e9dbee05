import asyncio
from collections.abc import Callable, Sequence

import pytest

from glossator.app.analysis import change_subject, package_subject
from glossator.app.results import Analysis
from glossator.core.errors import (
    InvalidArguments,
    ModelUnavailable,
    OutsideWorkspace,
    UnknownSession,
    UnreadableFile,
)
from glossator.core.events import (
    AnswerVerified,
    BriefingReady,
    HelperActed,
    HelperEnded,
    HelperStarted,
    RoundEnded,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from glossator.core.messages import Message, ToolCall, ToolSpec, Usage
from glossator.model.scripted import MakeReply, Reply, ScriptedModel
from repositories import commit, make_repository, write
from workbench import FILES, Bench, MakeBench

USAGE = Usage(100, 10, 0)
DISK, STORE = "`store/disk.py`", "`store/store.py`"


class Cast:
    """A model that plays helpers by the title of their part, and whoever merges."""

    def __init__(
        self,
        reports: dict[str, Reply | MakeReply],
        merged: Reply = "Both write (store/disk.py:1).",
    ) -> None:
        self.model = ScriptedModel([self._reply] * 50, usage=USAGE)
        self._reports = reports
        self._merged = merged
        self.n_at_work = 0
        self._begun = asyncio.Event()

    def _reply(self, transcript: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        if not is_helper(transcript):
            return self._merged
        self.n_at_work += 1
        self._begun.set()
        task = transcript[1].text
        reply = next(
            reply
            for title, reply in self._reports.items()
            if f"Your part is {title};" in task or f"what it does in {title};" in task
        )
        return reply(transcript, tools) if callable(reply) else reply

    async def until_at_work(self, n: int) -> None:
        async with asyncio.timeout(5):
            while self.n_at_work < n:
                self._begun.clear()
                await self._begun.wait()

    @property
    def merging(self) -> Sequence[Message]:
        return next(each for each in reversed(self.model.transcripts) if not is_helper(each))


def is_helper(transcript: Sequence[Message]) -> bool:
    return "You are a helper here" in transcript[0].text


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be a part of its own."""
    monkeypatch.setattr(package_subject, "PART_TOKENS", 40)
    monkeypatch.setattr(change_subject, "PART_TOKENS", 40)


async def explain_store(bench: Bench, question: str = "") -> Analysis:
    return await bench.application.analyze(
        "package", path="store", question=question, emit=bench.hear
    )


async def test_without_a_model_the_map_is_the_answer(make_bench: MakeBench) -> None:
    bench = make_bench()

    result = await explain_store(bench)

    assert (result.title, result.by_model, result.stop_reason) == (
        "Package `store`", False, "no-model",
    )  # fmt: skip
    for fact in (
        "2 files, 13 lines, 3 functions, 1 type: Python (2)",
        "- store/store.py:1-11: `Store` (:4)",
        "- store/store.py:1 → store/disk.py",
        "- main.py:1 → store/store.py",
        "- tests/test_store.py:1 → store/store.py",
        "rules checked here, 0 findings",
    ):
        assert fact in result.markdown
    assert {each.verdict for each in result.citations} == {"exact"}
    assert "Facts gathered without a model." in result.notice
    assert len(bench.heard(TurnStarted)) == len(bench.heard(TurnEnded)) == 1


async def test_a_small_package_is_one_request_with_its_facts_and_tools(
    make_bench: MakeBench,
) -> None:
    model = ScriptedModel(["It writes (store/disk.py:1-2)."])
    bench = make_bench(model=model)

    result = await explain_store(bench)

    [transcript] = model.transcripts
    assert result.by_model
    assert result.parts == ()
    assert "store/store.py:1 imports store/disk.py" in transcript[1].text
    assert "read_file" in {spec.name for spec in model.tools_offered[0]}
    assert not bench.heard(HelperStarted)


@pytest.mark.usefixtures("small_parts")
async def test_each_part_is_looked_at_by_a_helper_and_the_reports_are_merged(
    make_bench: MakeBench,
) -> None:
    cast = Cast({DISK: "Prints (store/disk.py:1-2).", STORE: "Keeps (store/store.py:5-8)."})
    bench = make_bench(model=cast.model)

    result = await explain_store(bench)

    assert result.markdown == "Both write (store/disk.py:1)."
    assert [(part.title, part.paths, part.markdown) for part in result.parts] == [
        (DISK, ("store/disk.py",), "Prints (store/disk.py:1-2)."),
        (STORE, ("store/store.py",), "Keeps (store/store.py:5-8)."),
    ]
    cited = [each for part in result.parts for each in part.citations] + [*result.citations]
    assert {each.verdict for each in cited} == {"exact"}
    request = cast.merging[1].text
    assert "Prints (store/disk.py:1-2)." in request
    assert "Keeps (store/store.py:5-8)." in request
    assert cast.model.tools_offered[-1] == ()


@pytest.mark.usefixtures("small_parts")
async def test_the_parts_are_looked_at_side_by_side_and_keep_their_order(
    make_bench: MakeBench,
) -> None:
    other_has_begun = asyncio.Event()
    cast = Cast({DISK: [other_has_begun, "First."], STORE: [other_has_begun, "Second."]})
    bench = make_bench(model=cast.model)

    task = asyncio.create_task(explain_store(bench))
    await cast.until_at_work(2)
    other_has_begun.set()
    result = await task

    assert [part.markdown for part in result.parts] == ["First.", "Second."]


@pytest.mark.usefixtures("small_parts")
async def test_everything_is_told_as_it_happens_and_counted_once(make_bench: MakeBench) -> None:
    read = ToolCall("c", "read_file", '{"path": "store/disk.py"}')
    replies = iter([[read], "Prints (store/disk.py:1)."])
    cast = Cast({DISK: lambda transcript, tools: next(replies), STORE: "Keeps."})
    bench = make_bench(model=cast.model)

    result = await explain_store(bench)

    kinds = [type(event) for event in bench.events if not isinstance(event, HelperActed)]
    assert kinds[:3] == [TurnStarted, StepStarted, BriefingReady]
    assert kinds[-2:] == [AnswerVerified, TurnEnded]
    assert kinds.count(HelperStarted) == kinds.count(HelperEnded) == 2
    rounds = [event.event if isinstance(event, HelperActed) else event for event in bench.events]
    usages = [event.usage for event in rounds if isinstance(event, RoundEnded)]
    assert len(usages) == 4
    assert result.usage == Usage(400, 40, 0)
    [ended] = bench.heard(TurnEnded)
    assert isinstance(ended, TurnEnded)
    assert ended.usage == result.usage


@pytest.mark.usefixtures("small_parts")
async def test_a_place_that_a_helper_made_up_is_not_handed_on(make_bench: MakeBench) -> None:
    cast = Cast(
        {DISK: "Prints (store/disk.py:1) to store/gone.py:7.", STORE: "See store/store.py:99."}
    )
    bench = make_bench(model=cast.model)

    result = await explain_store(bench)

    verdicts = [[each.verdict for each in part.citations] for part in result.parts]
    assert verdicts == [["exact", "missing"], ["missing"]]
    request = cast.merging[1].text
    assert "gone.py:7" not in request
    assert "store.py:99" not in request
    assert "`store/gone.py` (place not verified: there is no such file)" in request


@pytest.mark.usefixtures("small_parts")
async def test_a_part_whose_helper_failed_is_named_and_the_rest_is_merged(
    make_bench: MakeBench,
) -> None:
    cast = Cast({DISK: ModelUnavailable("The key is wrong."), STORE: "Keeps."})
    bench = make_bench(model=cast.model)

    result = await explain_store(bench)

    assert result.by_model
    assert [part.stop_reason for part in result.parts] == ["failed", "answered"]
    assert "1 of 2 parts were not looked at: `store/disk.py`." in result.notice
    assert "The helper came to no report: The key is wrong." in cast.merging[1].text


@pytest.mark.usefixtures("small_parts")
async def test_when_every_helper_fails_the_facts_are_the_answer(make_bench: MakeBench) -> None:
    failure = ModelUnavailable("The key is wrong.")
    cast = Cast({DISK: failure, STORE: failure})
    bench = make_bench(model=cast.model)

    result = await explain_store(bench)

    assert (result.by_model, result.stop_reason, result.parts) == (False, "failed", ())
    assert "The model did not answer: The key is wrong." in result.notice
    assert "### Who imports whom" in result.markdown
    assert [event.stop_reason for event in bench.heard(TurnEnded)] == ["failed"]  # type: ignore[attr-defined] # as heard


@pytest.mark.usefixtures("small_parts")
async def test_reports_that_could_not_be_merged_are_the_answer(make_bench: MakeBench) -> None:
    cast = Cast(
        {DISK: "Prints (store/disk.py:1).", STORE: "Keeps."}, ModelUnavailable("Gone away.")
    )
    bench = make_bench(model=cast.model)

    result = await explain_store(bench)

    assert "## `store/disk.py`\n\nPrints (store/disk.py:1)." in result.markdown
    assert "The reports were not joined: the model did not answer: Gone away." in result.notice
    assert result.stop_reason == "failed"
    assert len(result.parts) == 2


@pytest.mark.usefixtures("small_parts")
async def test_where_nothing_is_delegated_one_request_has_it_all(make_bench: MakeBench) -> None:
    model = ScriptedModel(["All at once."])
    bench = make_bench(model=model, settings={"agent.helpers": 0})

    result = await explain_store(bench)

    assert result.parts == ()
    assert not bench.heard(HelperStarted)
    assert "delegate" not in {spec.name for spec in model.tools_offered[0]}


@pytest.mark.usefixtures("small_parts")
async def test_a_budget_that_is_spent_leaves_the_reports(make_bench: MakeBench) -> None:
    cast = Cast({DISK: "Prints (store/disk.py:1).", STORE: "Keeps."})
    cast.model._usage = Usage(6_000, 0, 0)
    bench = make_bench(model=cast.model, settings={"agent.turnTokens": 10_000})

    result = await explain_store(bench)

    assert result.stop_reason == "token-limit"
    assert [part.markdown for part in result.parts] == ["Prints (store/disk.py:1).", "Keeps."]
    assert "Prints (store/disk.py:1)." in result.markdown


@pytest.mark.usefixtures("small_parts")
async def test_one_can_ask_on_about_an_analysis(make_bench: MakeBench) -> None:
    cast = Cast({DISK: "Prints.", STORE: "Keeps."})
    bench = make_bench(model=cast.model)

    first = await explain_store(bench)
    await bench.application.ask("And where is that called?", session_id=first.session_id)

    texts = [message.text for message in cast.merging]
    assert "Both write (store/disk.py:1)." in texts
    [entry] = await bench.application.sessions.find()
    assert entry.title == "Explain `store`"


@pytest.mark.usefixtures("small_parts")
async def test_cancelling_leaves_nothing_running_and_nothing_remembered(
    make_bench: MakeBench,
) -> None:
    never = asyncio.Event()
    cast = Cast({DISK: [never], STORE: [never]})
    bench = make_bench(model=cast.model)
    await bench.application.rebuild_index()
    before = asyncio.all_tasks()

    task = asyncio.create_task(explain_store(bench))
    await cast.until_at_work(2)
    task.cancel()
    await asyncio.wait([task], timeout=5)

    assert task.cancelled()
    assert asyncio.all_tasks() == before
    assert bench.application.runs.turns == ()
    ended = [event.stop_reason for event in bench.events if isinstance(event, HelperEnded)]
    assert ended == ["cancelled", "cancelled"]
    assert [event.stop_reason for event in bench.heard(TurnEnded)] == ["cancelled"]  # type: ignore[attr-defined] # as heard
    assert await bench.application.sessions.find() == ()


async def test_a_chinese_question_is_put_in_chinese(make_bench: MakeBench) -> None:
    model = ScriptedModel(["写入（store/disk.py:1）。"])
    bench = make_bench(model=model)

    result = await explain_store(bench, "数据写到哪里？")

    assert result.title == "包 `store`"
    assert model.transcripts[0][1].text.endswith("首先请尽量回答：数据写到哪里？")
    assert "### 导入关系" in model.transcripts[0][1].text


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("../elsewhere", OutsideWorkspace),
        ("nowhere", UnreadableFile),
        ("docs", InvalidArguments),
    ],
)
async def test_what_cannot_be_explained_is_refused_with_the_reason(
    make_bench: MakeBench, path: str, error: type[Exception]
) -> None:
    bench = make_bench({**FILES, "docs/README.md": "# Docs\n"})

    with pytest.raises(error, match=path):
        await bench.application.analyze("package", path=path, emit=bench.hear)

    assert [event.stop_reason for event in bench.heard(TurnEnded)] == ["failed"]  # type: ignore[attr-defined] # as heard


async def test_a_session_that_is_not_there_is_said_before_anything_is_read(
    make_bench: MakeBench,
) -> None:
    bench = make_bench()

    with pytest.raises(UnknownSession):
        await bench.application.analyze("package", session_id="nobody", emit=bench.hear)

    assert bench.events == []


# Changes


@pytest.fixture
def changed_bench(make_bench: MakeBench) -> Callable[..., Bench]:
    """Open an application on a repository in which two files changed since the commit."""

    def open_(**options: object) -> Bench:
        bench = make_bench(**options)
        make_repository(bench.root, dict(FILES))
        write(bench.root, "store/disk.py", FILES["store/disk.py"].replace("print", "log"))
        write(bench.root, "store/store.py", FILES["store/store.py"].replace("write(item)", "pass"))
        return bench

    return open_


async def test_without_a_model_a_review_is_what_changed_and_who_is_concerned(
    changed_bench: Callable[..., Bench],
) -> None:
    bench = changed_bench()

    result = await bench.application.analyze("change", emit=bench.hear)

    for fact in (
        "2 files, 2 lines added, 2 removed",
        "- store/disk.py:2 (changed, +1, −1)",
        "- `Store.save` store/store.py:5-8: called by `main` main.py:5; "
        "tests: `test_save` tests/test_store.py:5",
        "- `write` store/disk.py:1-2: no caller found; no test found",
        "- 2 files checked, nothing found on changed lines",
    ):
        assert fact in result.markdown
    assert result.title.startswith("Changes since `HEAD` (")
    assert {each.verdict for each in result.citations} == {"exact"}


@pytest.mark.usefixtures("small_parts")
async def test_a_review_gives_each_helper_its_diff_and_what_is_known_about_it(
    changed_bench: Callable[..., Bench],
) -> None:
    cast = Cast({DISK: "Logs (store/disk.py:2).", STORE: "Drops it (store/store.py:7)."}, "Bad.")
    bench = changed_bench(model=cast.model)

    result = await bench.application.analyze("change", emit=bench.hear)

    assert result.markdown == "Bad."
    assert [each.verdict for part in result.parts for each in part.citations] == ["exact"] * 2
    requests = [each[1].text for each in cast.model.transcripts if is_helper(each)]
    [request] = [text for text in requests if "2|+    log(item)" in text]
    assert "3|" not in request
    assert "- store/disk.py:2 (changed, +1, −1)" in request
    assert "## `write`" in request
    assert "(bundled/skills/" in request


async def test_nothing_changed_is_said_without_asking_a_model(make_bench: MakeBench) -> None:
    model = ScriptedModel([])
    bench = make_bench(model=model)
    make_repository(bench.root, {})
    commit(bench.root, "all")

    result = await bench.application.analyze("change", emit=bench.hear)

    assert result.markdown.startswith("Nothing differs from `HEAD` (")
    assert (result.by_model, result.stop_reason, result.notice) == (False, "answered", "")


async def test_a_folder_without_a_repository_or_a_revision_unknown_is_refused(
    make_bench: MakeBench,
) -> None:
    bench = make_bench()
    with pytest.raises(InvalidArguments, match="no Git repository"):
        await bench.application.analyze("change")

    make_repository(bench.root, {})
    with pytest.raises(InvalidArguments, match="no-such-branch"):
        await bench.application.analyze("change", revision="no-such-branch")
