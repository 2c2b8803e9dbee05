import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.knowledge.words import find_words, stem


def test_chinese_gives_characters_and_pairs() -> None:
    assert find_words("数据库") == ["数", "据", "库", "数据", "据库"]


def test_an_identifier_is_kept_whole_and_split() -> None:
    assert find_words("parseHTTPRequest") == ["parsehttprequest", "pars", "http", "request"]
    assert find_words("使用useEffect时")[-4:] == ["useeffect", "use", "effect", "时"]


@pytest.mark.parametrize("spelling", ["useEffect", "use-effect", "use_effect", "use effect"])
def test_spelling_variants_meet(spelling: str) -> None:
    assert {"use", "effect"} <= set(find_words(spelling))


@pytest.mark.parametrize(
    "forms",
    [
        "cache caches cached caching",
        "query queries",
        "run running ran",
        "cancel cancelled cancelling canceled",
        "index indexes indices",
        "class classes",
        "test tests tested testing",
        "write written wrote writing",
        "migration migrations",
        "embed embedded embedding",
        "alias aliases",
    ],
)
def test_forms_of_an_english_word_share_a_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("word", ["string", "status", "analysis", "speed", "this", "redis", "css"])
def test_words_that_only_look_inflected_are_left_alone(word: str) -> None:
    assert stem(word) == word


def test_names_of_languages_stay_apart() -> None:
    assert "java" not in find_words("JavaScript")
    assert find_words("C++ and C#") == ["c++", "and", "c#"]
    assert find_words("Python 3.11") == ["python", "3.11", "11"]


def test_characters_that_nobody_sees_do_not_split_words() -> None:
    assert find_words("时\u200b间 in\u00addex") == find_words("时间 index")


@given(st.text(alphabet=st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=60))
@settings(deadline=None)
def test_full_width_text_gives_the_same_words(text: str) -> None:
    wide = "".join(chr(ord(character) + 0xFEE0) for character in text)

    assert find_words(wide) == find_words(text)


@given(st.text(max_size=200))
@settings(deadline=None)
def test_any_text_has_words_of_bounded_length(text: str) -> None:
    assert all(0 < len(word) <= 200 for word in find_words(text))


@pytest.mark.parametrize(
    "text",
    ["a" * 1_000_000, "a.b" * 330_000, "aB" * 500_000, "中" * 1_000_000, "e\u0316\u0301" * 330_000],
    ids=["token", "chain", "camel", "chinese", "marks"],
)
def test_endless_tokens_cost_bounded_time(text: str) -> None:
    started = time.process_time()

    words = find_words(text)

    assert time.process_time() - started < 3
    assert all(len(word) <= 64 for word in words)
