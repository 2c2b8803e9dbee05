import pytest

from glossator.knowledge.question import MAX_TERMS, Question, parse_question


def covered_words(question: Question) -> set[str]:
    """Return the words of any way to cover any unit."""
    return {word for unit in question.units for way in unit.ways for word in way.words}


def own_words(text: str) -> set[str]:
    return {word for unit in parse_question(text).units for word in unit.own}


@pytest.mark.parametrize(
    "frame",
    [
        "How do I {} ?", "what is the best way to {}?", "Could you please tell me how we should {}",
        "can I {}", "why would you want to {}?", "{}",
    ],
)  # fmt: skip
def test_the_frame_of_an_english_question_carries_nothing(frame: str) -> None:
    assert own_words(frame.format("squash commits")) == {"squash", "commit"}


@pytest.mark.parametrize(
    "frame",
    [
        "请问怎么{}？", "如何{}", "能不能告诉我{}是什么", "我们应该怎样{}？", "{}有什么要求吗",
        "請問怎麼{}？", "帮我看看{}", "{}",
    ],
)  # fmt: skip
def test_the_frame_of_a_chinese_question_carries_nothing(frame: str) -> None:
    assert own_words(frame.format("回滚")) == {"回滚"}


def test_verbs_of_any_question_count_less_than_its_subject() -> None:
    shares = {unit.own[0]: unit.share for unit in parse_question("set up a proxy").units}

    assert 0 < shares["set"] < shares["proxi"]


@pytest.mark.parametrize(
    ("text", "word"), [("Which word wraps?", "word"), ("the setting page", "setting")]
)
def test_content_words_are_no_stop_words(text: str, word: str) -> None:
    assert word in own_words(text)


@pytest.mark.parametrize("text", ["what it does", "the", "to be or not to be", "是什么", "how?"])
def test_a_question_of_stop_words_alone_still_searches(text: str) -> None:
    question = parse_question(text)

    assert question.units == ()
    assert question.terms


@pytest.mark.parametrize("text", ["Which conventions are there?", "规范", "我们的标准是什么？"])
def test_how_a_team_speaks_of_its_ways_is_asked_for_where_nothing_else_is(text: str) -> None:
    question = parse_question(text)

    assert question.units
    assert not question.has_subject


@pytest.mark.parametrize(
    "text",
    [
        "What time is it?", "Hello, how are you today?", "tell me a joke", "Thanks a lot!",
        "现在几点了？", "你好，最近怎么样？", "讲个笑话给我听", "谢谢你", "對不起",
    ],
)  # fmt: skip
def test_small_talk_asks_for_nothing(text: str) -> None:
    assert parse_question(text).units == ()


@pytest.mark.parametrize(
    "text",
    [
        "What time zone do timestamps use?", "hello, how do I deploy?", "Thanks! How do I revert?",
        "Do you know how sessions expire?", "Can you explain the retry policy?", "Thank you page",
        "谢谢，再问一下怎么配置代理？", "你好，数据库怎么备份", "困难的迁移怎么做",
        "累计金额怎么算", "你知道怎么部署吗",
    ],
)  # fmt: skip
def test_a_question_after_a_greeting_is_one(text: str) -> None:
    assert parse_question(text).has_subject


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("use effect cleanup", "useeffect"),
        ("the file name", "filename"),
        ("front end build", "frontend"),
        ("filename", "file"),
        ("frontend", "front"),
        ("time zone", "时区"),
        ("分页", "pagin"),
        ("資料庫", "databas"),
    ],
)
def test_other_spellings_and_words_cover_too(text: str, word: str) -> None:
    assert word in covered_words(parse_question(text))


def test_a_name_with_a_number_is_hardly_covered_by_the_name_alone() -> None:
    (unit,) = parse_question("http2").units
    credit_of = {way.words: way.credit for way in unit.ways}

    assert unit.is_name
    assert credit_of["http2",] == 1.0
    assert credit_of["http",] < 0.5


def test_an_endless_question_has_bounded_terms() -> None:
    question = parse_question(" ".join(f"word{n}x" for n in range(2_000)))

    assert len(question.terms) == len(question.units) == MAX_TERMS
