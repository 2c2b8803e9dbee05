import pytest

from glossator.app.phrasing import Phrasing

ENGLISH, CHINESE = Phrasing.for_locale("en"), Phrasing.for_locale("zh-cn")


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("Use the log. / 请使用日志。", "Use the log.", "请使用日志。"),
        ("Either a / b is meant. / 可以是 a / b。", "Either a / b is meant.", "可以是 a / b。"),
    ],
)
def test_each_reader_gets_one_half(text: str, english: str, chinese: str) -> None:
    assert (ENGLISH.choose(text), CHINESE.choose(text)) == (english, chinese)


@pytest.mark.parametrize(
    "text", ["", "Use a / b.", "请使用日志。", "日志 / 记录", "Use 日志 / 记录."]
)
def test_a_text_that_is_no_pair_stays_whole(text: str) -> None:
    assert ENGLISH.choose(text) == CHINESE.choose(text) == text
