import asyncio
import shutil
import time

import pytest

from glossator.app.checking.reasons import Reason
from glossator.app.results import AttachmentRequest, Target
from glossator.core.errors import (
    IncompleteAnswer,
    InvalidArguments,
    ModelUnavailable,
    ProtectedFile,
    UnknownSession,
)
from glossator.core.events import TurnEnded
from glossator.core.locations import Point
from glossator.core.messages import Completion, ReasoningDelta
from glossator.core.text import SourceText
from glossator.model.failures import ContextTooLong
from glossator.model.scripted import Part, Reply, ScriptedModel
from glossator.tools.code_map import MAX_CALLERS
from workbench import FILES, OWN_ONLY, MakeBench

RELEASES = """\
---
keywords: [release, 发布]
---
# Releases

## Freeze

Nothing is released on a Friday. 周五不发布。
"""
WITH_KNOWLEDGE = {"knowledge/releases.md": RELEASES, "main.py": "def main():\n    return 1\n"}


async def test_a_foreign_question_is_refused_and_the_model_is_never_asked(
    make_bench: MakeBench,
) -> None:
    model = ScriptedModel(["Paris."])
    bench = make_bench(WITH_KNOWLEDGE, model=model, settings=OWN_ONLY)

    answer = await bench.application.ask("What is the capital of France?")

    assert answer.refused is not None
    assert answer.stop_reason == "refused"
    assert model.transcripts == []


async def test_a_chinese_question_is_refused_in_chinese(make_bench: MakeBench) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)

    answer = await bench.application.ask("年假有几天？")

    assert answer.refused is not None
    assert "不知道" in answer.markdown


async def test_the_setting_lets_a_model_answer_from_the_code_alone_and_say_so(
    make_bench: MakeBench,
) -> None:
    model = ScriptedModel(["I do not know."])
    settings = {"knowledge": {"bundled": False, "whenUnknown": "code"}}
    bench = make_bench(WITH_KNOWLEDGE, model=model, settings=settings)

    answer = await bench.application.ask("What is our travel policy?")

    assert answer.refused is None
    assert "rests on the code alone" in answer.notice
    assert "No team knowledge matches" in model.transcripts[0][-1].text


@pytest.mark.parametrize("question", ["When may we release?", "周五可以发布吗？"])
async def test_knowledge_answers_without_a_model_in_both_languages(
    make_bench: MakeBench, question: str
) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)

    answer = await bench.application.ask(question)

    assert answer.refused is None
    assert "Nothing is released on a Friday." in answer.markdown
    assert [str(source.place) for source in answer.sources] == ["knowledge/releases.md:6-8"]


@pytest.mark.parametrize(
    ("question", "heading", "text", "other"),
    [
        (
            "What are the conventions for logging?",
            "### What the conventions that come with Glossator say",
            "- One module, one logger",
            "一个模块",
        ),
        (
            "打日志有什么约定？",
            "### Glossator 自带约定的说法",
            "- 一个模块一个日志器",
            "One module",
        ),
    ],
)
async def test_what_ships_is_not_taken_for_the_teams_own_and_told_in_one_language(
    make_bench: MakeBench, question: str, heading: str, text: str, other: str
) -> None:
    answer = await make_bench(WITH_KNOWLEDGE).application.ask(question)

    assert answer.markdown.startswith(heading)
    assert text in answer.markdown
    assert other not in answer.markdown


async def test_a_name_of_the_workspace_makes_it_a_question_about_code(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)

    answer = await bench.application.ask("Explain `main`")

    assert answer.refused is None
    assert "main.py:1-2" in answer.markdown


ORDERS = (
    "def 计算总价(商品):\n    return 商品\n\n\ndef 提交订单(商品):\n    return 计算总价(商品)\n"
)


@pytest.mark.parametrize("question", ["谁调用计算总价？", "谁调用 计算总价？", "解释 `计算总价`"])
async def test_a_chinese_name_needs_no_blanks_around_it(
    make_bench: MakeBench, question: str
) -> None:
    bench = make_bench({**WITH_KNOWLEDGE, "订单.py": ORDERS}, settings=OWN_ONLY)

    answer = await bench.application.ask(question)

    assert answer.refused is None
    assert "- `提交订单` 订单.py:6" in answer.markdown
    assert {citation.verdict for citation in answer.citations} == {"exact"}


WITH_SHORT_NAME = f"{ORDERS}\n\ndef 计算():\n    pass\n"
WORDS = "".join(f"def {name}():\n    pass\n\n\n" for name in ("时间", "会计", "规则", "订单取消"))


@pytest.mark.parametrize(
    "question",
    [
        "北京现在是什么时间？",
        "这次大会计划是什么时候？",
        "公司请假规则是什么？",
        "我们对订单取消有什么约定？",
    ],
)
async def test_a_word_of_a_sentence_is_no_name_of_the_code(
    make_bench: MakeBench, question: str
) -> None:
    bench = make_bench({**WITH_KNOWLEDGE, "话.py": WORDS}, settings=OWN_ONLY)

    assert (await bench.application.ask(question)).refused is not None


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("用Python写的计算总价怎么工作？", "计算总价"),
        ("计算总价出错时，谁调用计算总价？", "计算总价"),
        ("订单.py里的提交订单做了什么？", "提交订单"),
        ("解释一下计算", "计算"),
    ],
)
async def test_a_name_is_found_wherever_it_stands_in_chinese(
    make_bench: MakeBench, question: str, name: str
) -> None:
    bench = make_bench({**WITH_KNOWLEDGE, "订单.py": WITH_SHORT_NAME}, settings=OWN_ONLY)

    answer = await bench.application.ask(question)

    assert f"## `{name}`\n" in answer.markdown


async def test_a_name_within_a_longer_one_counts_where_it_stands_alone(
    make_bench: MakeBench,
) -> None:
    bench = make_bench({"订单.py": WITH_SHORT_NAME}, settings=OWN_ONLY)

    answer = await bench.application.ask("谁调用计算总价和计算？")

    assert "- `计算总价` 订单.py:1\n" in answer.markdown
    assert "- `计算` 订单.py:9\n" in answer.markdown


async def test_the_next_question_carries_the_conversation(make_bench: MakeBench) -> None:
    model = ScriptedModel(["`main` returns 1 (main.py:2).", "Nobody."])
    bench = make_bench(WITH_KNOWLEDGE, model=model, settings=OWN_ONLY)
    first = await bench.application.ask("What does `main` do?")

    await bench.application.ask("And who calls it?", session_id=first.session_id)

    _, request, answer, _ = model.transcripts[1]
    assert request == model.transcripts[0][1]
    assert answer.text == "`main` returns 1 (main.py:2)."


async def test_a_turn_that_failed_leaves_no_trace_in_the_session(make_bench: MakeBench) -> None:
    model = ScriptedModel([ModelUnavailable("It is down. Try later."), "It returns 1."])
    bench = make_bench(WITH_KNOWLEDGE, model=model, settings=OWN_ONLY)
    failed = await bench.application.ask("What does `main` do?")

    await bench.application.ask("What does `main` return?", session_id=failed.session_id)

    assert failed.stop_reason == "failed"
    assert "It is down. Try later." in failed.notice
    assert [message.role for message in model.transcripts[1]] == ["system", "user"]


async def test_an_answer_that_broke_off_is_shown_and_marked_but_not_kept(
    make_bench: MakeBench,
) -> None:
    broken = IncompleteAnswer("The answer is incomplete: it broke off. Ask again.")
    model = ScriptedModel([["It returns 1 (main.py:2). It\n```py\nx", broken], "It returns 1."])
    bench = make_bench(WITH_KNOWLEDGE, model=model, settings=OWN_ONLY)

    answer = await bench.application.ask("What does `main` do?", emit=bench.hear)
    await bench.application.ask("What does `main` return?", session_id=answer.session_id)

    assert answer.markdown == (
        "It returns 1 (main.py:2). It\n```py\nx\n```\n\n*(The answer broke off here.)*\n"
    )
    assert (answer.by_model, answer.stop_reason) == (True, "failed")
    assert answer.notice == "The answer is incomplete: it broke off. Ask again."
    assert [citation.verdict for citation in answer.citations] == ["exact"]
    assert [message.role for message in model.transcripts[1]] == ["system", "user"]
    (end,) = bench.heard(TurnEnded)
    assert (end.stop_reason, end.error) == ("failed", answer.notice)


@pytest.mark.parametrize(
    ("question", "follow_up"),
    [
        ("When do we release?", "And how often?"),
        ("周五发布吗？", "那为什么呢？"),
    ],
)
async def test_a_question_that_points_back_is_about_what_knowledge_answered_before(
    make_bench: MakeBench, question: str, follow_up: str
) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)
    ask = bench.application.ask

    first = await ask(question)
    second = await ask(follow_up, session_id=first.session_id)
    foreign = await ask("What is the capital of France?", session_id=first.session_id)

    assert [source.title for source in second.sources] == ["Releases › Freeze"]
    assert foreign.refused is not None


async def test_a_session_that_never_was_is_named(make_bench: MakeBench) -> None:
    bench = make_bench(WITH_KNOWLEDGE)

    with pytest.raises(UnknownSession, match="`nowhere`"):
        await bench.application.ask("x", session_id="nowhere")


@pytest.mark.parametrize(
    ("question", "is_refused"),
    [
        ("What does this do?", False),
        ("这里为什么返回 1？", False),
        ("购物车的总价是怎么算出来的？", False),
        ("报销怎么申请？", True),
        ("How do I bake sourdough bread?", True),
        ("面包怎么烤？", True),
    ],
)
async def test_a_cursor_makes_it_about_code_only_when_the_question_points_there(
    make_bench: MakeBench, question: str, is_refused: bool
) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)

    answer = await bench.application.ask(question, target=bench.target("main.py", 2))

    assert (answer.refused is not None) is is_refused


async def test_a_foreign_question_is_refused_after_one_about_code_too(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)
    first = await bench.application.ask("Explain `main`")

    second = await bench.application.ask(
        "Who won the world cup in 1974?", session_id=first.session_id
    )

    assert second.refused is not None


async def test_a_convention_asked_with_a_cursor_is_answered_without_the_function_s_facts(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(WITH_KNOWLEDGE, settings=OWN_ONLY)

    answer = await bench.application.ask("When may we release?", target=bench.target("main.py", 2))

    assert "Nothing is released on a Friday." in answer.markdown
    assert "Called by" not in answer.markdown


@pytest.mark.parametrize(
    "question", ["main.py里有什么？", "请看store/disk.py的内容", "what is in main.py?"]
)
async def test_a_file_is_found_with_or_without_a_space_around_its_name(
    make_bench: MakeBench, question: str
) -> None:
    answer = await make_bench().application.ask(question)

    assert answer.refused is None


async def test_one_very_long_word_is_answered_in_time(make_bench: MakeBench) -> None:
    bench = make_bench()
    await bench.application.start()

    async with asyncio.timeout(5):
        answer = await bench.application.ask("x" * 60_000)

    assert answer.refused is not None


async def test_what_the_code_does_brings_no_documents_for_its_kind_of_file(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(WITH_KNOWLEDGE)

    answer = await bench.application.ask("Who calls it?", target=bench.target("main.py", 2))

    assert answer.sources == ()


@pytest.mark.parametrize(
    ("reply", "stop_reason"),
    [
        ("", "failed"),
        (" \n", "failed"),
        (ReasoningDelta("hm"), "failed"),
        (Completion("content_filter"), "filtered"),
        (Completion("length"), "cut"),
    ],
)
async def test_a_model_that_says_nothing_leaves_the_facts_and_a_notice(
    make_bench: MakeBench, reply: Part, stop_reason: str
) -> None:
    model = ScriptedModel([[reply]])
    bench = make_bench(WITH_KNOWLEDGE, model=model, settings=OWN_ONLY)

    answer = await bench.application.ask("When may we release?", emit=bench.hear)

    assert "Nothing is released on a Friday." in answer.markdown
    assert (answer.by_model, answer.stop_reason) == (False, stop_reason)
    assert answer.notice.startswith("The model did not answer: ")
    assert [event.stop_reason for event in bench.heard(TurnEnded)] == [stop_reason]


async def test_what_did_not_fit_or_could_not_be_used_is_said_below_the_answer(
    make_bench: MakeBench,
) -> None:
    too_long = ContextTooLong("too long")
    too_long.n_tokens, too_long.limit = 1_800, 600
    replies: list[Reply] = [too_long, "On Monday."]
    bench = make_bench(WITH_KNOWLEDGE, model=ScriptedModel(replies), settings=OWN_ONLY)

    answer = await bench.application.ask("When may we release?")

    assert answer.markdown == "On Monday."
    assert "so it could not look at files" in answer.notice
    assert "too long for the model" in answer.notice


@pytest.mark.parametrize(
    "question",
    [
        "what tests cover save?",
        "How does save work?",
        "What happens when save is called twice?",
        "how does the store work?",
        "Give me an overview of the architecture",
        "where do we parse arguments?",
        "How do I run the tests?",
        "找出所有用到 write 的地方",
        "这个项目怎么启动？",
        "怎么运行测试？",
        "请解释store/store.py的作用",
        "解释一下 store.py",
        "解释一下 foo.py",
    ],
)
async def test_ordinary_questions_about_code_are_not_refused(
    make_bench: MakeBench, question: str
) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)

    assert (await bench.application.ask(question)).refused is None


@pytest.mark.parametrize(
    "question", ["How do I cook rice?", "How does node.js work?", "写一首诗", "2+2?", "???"]
)
async def test_foreign_questions_are_refused(make_bench: MakeBench, question: str) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)

    assert (await bench.application.ask(question)).refused is not None


async def test_a_file_is_found_by_its_name_alone(make_bench: MakeBench) -> None:
    model = ScriptedModel(["It stores."])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)

    await bench.application.ask("解释一下store.py")

    assert "kind=file place=store/store.py:1-11>" in model.transcripts[0][-1].text


@pytest.mark.parametrize("piece", ["a", "/", "where is ", "a.py ", "中", "`"])
async def test_a_huge_question_is_looked_at_in_bounded_time(
    make_bench: MakeBench, piece: str
) -> None:
    bench = make_bench(FILES, settings=OWN_ONLY)
    started = time.monotonic()

    await bench.application.ask(piece * (100_000 // len(piece)))

    assert time.monotonic() - started < 5


@pytest.mark.parametrize("question", ["", " \n", "a" * 100_001])
async def test_a_question_without_an_end_or_a_beginning_is_an_error(
    make_bench: MakeBench, question: str
) -> None:
    bench = make_bench(FILES)

    with pytest.raises(InvalidArguments, match="The question"):
        await bench.application.ask(question)


@pytest.mark.parametrize("name", ["notes.txt", ""])
async def test_an_open_private_key_is_neither_explained_nor_sent(
    make_bench: MakeBench, name: str
) -> None:
    model = ScriptedModel(["I see nothing."])
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)
    key = "-----BEGIN PRIVATE KEY-----\nsecret-value\n-----END PRIVATE KEY-----\n"
    source = SourceText(name or "Untitled-1", key, bench.root / name if name else None, version=1)
    target = Target(source, Point(1, 0))
    attached = AttachmentRequest("file", source=source)

    with pytest.raises(ProtectedFile):
        await bench.application.explain(target)
    await bench.application.ask("What is in this?", target=target, attachments=[attached])

    assert "secret-value" not in str(model.transcripts)


async def test_an_open_file_with_secrets_is_neither_explained_nor_sent_nor_checked(
    make_bench: MakeBench,
) -> None:
    model = ScriptedModel(["I see nothing."])
    bench = make_bench({".env": "KEY=secret-value\n", **FILES}, model=model, settings=OWN_ONLY)
    source = SourceText(".env", "KEY=secret-value\n", bench.root / ".env", version=1)
    target = Target(source, Point(1, 0))

    with pytest.raises(ProtectedFile):
        await bench.application.explain(target)
    await bench.application.ask("What is in this file?", target=target)
    report = await bench.application.checks.check(source)

    assert "secret-value" not in str(model.transcripts)
    assert (report.outcome, report.reason) == ("not-checked", Reason("secret"))


async def test_a_cancelled_turn_ends_for_its_listeners_too(make_bench: MakeBench) -> None:
    is_asked, never = asyncio.Event(), asyncio.Event()

    def reply(*_: object) -> asyncio.Event:
        is_asked.set()
        return never

    bench = make_bench(WITH_KNOWLEDGE, model=ScriptedModel([reply]), settings=OWN_ONLY)
    turn = asyncio.create_task(bench.application.ask("When may we release?", emit=bench.hear))
    await is_asked.wait()

    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn

    assert [event.stop_reason for event in bench.heard(TurnEnded)] == ["cancelled"]
    assert bench.application.runs.turns == ()


async def test_a_workspace_folder_that_vanished_does_not_end_a_turn(make_bench: MakeBench) -> None:
    bench = make_bench(WITH_KNOWLEDGE, model=ScriptedModel(["On Monday."]), settings=OWN_ONLY)
    await bench.application.start()
    shutil.rmtree(bench.root)

    answer = await bench.application.ask("When may we release?")

    assert answer.stop_reason == "refused"
    assert "There are no knowledge documents" in answer.markdown


async def test_a_chinese_name_in_backticks_is_a_name_of_the_code(make_bench: MakeBench) -> None:
    bench = make_bench({"车.py": "def 总价(项):\n    return 项\n"}, settings=OWN_ONLY)

    answer = await bench.application.ask("`总价` 需要几个参数？")

    assert answer.refused is None
    assert "车.py:1-2" in answer.markdown


URLS = {
    "README.md": "# Shop\n\n[![badge](x)](y)\n\nA shop that sells\nold maps.\n\nMore.\n",
    "knowledge/urls.md": "---\nkeywords: [url]\n---\n# URLs\n\nA URL is lower-case.\n",
    "helpers.py": "def url_for(name):\n    return name\n",
    "templating.py": "TEMPLATES = []\n",
}


async def test_a_name_of_the_code_is_not_taken_for_the_words_in_it(make_bench: MakeBench) -> None:
    application = make_bench(URLS, settings=OWN_ONLY).application

    code = await application.ask("What does url_for do?")
    convention = await application.ask("Should url_for make a lower-case URL?")

    assert "helpers.py:1" in code.markdown
    assert "A URL is lower-case." not in code.markdown
    assert "A URL is lower-case." in convention.markdown


async def test_a_question_about_code_has_the_code_before_the_knowledge(
    make_bench: MakeBench,
) -> None:
    application = make_bench(URLS, settings=OWN_ONLY).application

    answer = await application.ask("How does url_for make a lower-case URL?")

    assert 0 <= answer.markdown.find("helpers.py:1") < answer.markdown.find("A URL is lower-case.")


@pytest.mark.parametrize("question", ["What does this project do?", "这个项目是做什么的？"])
async def test_what_the_project_is_its_readme_says(make_bench: MakeBench, question: str) -> None:
    answer = await make_bench(URLS, settings=OWN_ONLY).application.ask(question)

    assert answer.refused is None
    assert "- README.md:1-" in answer.markdown
    assert answer.markdown.endswith("> A shop that sells\n> old maps.\n")


async def test_a_file_is_found_by_what_it_is_called(make_bench: MakeBench) -> None:
    answer = await make_bench(URLS, settings=OWN_ONLY).application.ask(
        "How does template rendering work?"
    )

    assert "templating.py:1" in answer.markdown


N_CALLS = MAX_CALLERS + 20
SHAPES = {
    "shapes.py": (
        "class Square:\n    def area(self):\n        return 4\n\n\n"
        "class Disc:\n    def area(self):\n        return 3\n"
    ),
    "report.py": "from shapes import Disc\n\n\ndef report():\n    return Disc().area()\n",
}


async def test_of_many_names_with_many_definitions_the_first_are_told_with_their_callers(
    make_bench: MakeBench,
) -> None:
    names = ["load", "save", "send"]
    own = [f"def {name}():\n    pass\n\n\n" for name in names]
    using = [f"def use_{name}():\n    {name}()\n\n\n" for name in names]
    files = {f"m{number}.py": "".join(own + using) for number in range(4)}

    answer = await make_bench(files, settings=OWN_ONLY).application.ask(
        "Who calls `load`, `save` and `send`?"
    )

    assert answer.markdown.count("\n- `") == 12
    assert answer.markdown.count("called by `use_load`") == 4
    assert answer.markdown.count("called by `use_save`") == 4
    assert answer.markdown.count("called by `use_send`") == 0


async def test_calls_that_are_not_listed_are_counted(make_bench: MakeBench) -> None:
    calls = "".join(f"def use_{number}():\n    area()\n\n\n" for number in range(N_CALLS))
    files = {"a.py": f"def area():\n    pass\n\n\n{calls}", "b.py": "def area():\n    pass\n"}

    answer = await make_bench(files, settings=OWN_ONLY).application.ask("Who calls `area`?")

    assert f"  - and {MAX_CALLERS - 5} more\n" in answer.markdown
    assert f"  - {N_CALLS - MAX_CALLERS} further calls, those in tests included" in answer.markdown


@pytest.mark.parametrize(
    ("question", "called_by"),
    [("Who calls `area`?", "called by"), ("谁调用了 area？", "被调用：")],
)
async def test_a_name_with_several_definitions_is_answered_with_who_calls_each(
    make_bench: MakeBench, question: str, called_by: str
) -> None:
    answer = await make_bench(SHAPES, settings=OWN_ONLY).application.ask(question)

    assert answer.markdown.splitlines()[2:] == [
        "- `Square.area` shapes.py:2",
        "- `Disc.area` shapes.py:7",
        f"  - {called_by} `report` report.py:5",
    ]
    assert [citation.verdict for citation in answer.citations] == ["exact"] * 3
