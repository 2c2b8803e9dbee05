import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.knowledge.stemming import stem
from glossator.knowledge.words import find_parts, find_tokens, find_words, fold


def test_chinese_gives_characters_and_pairs() -> None:
    assert find_words("数据库") == ["数", "据", "库", "数据", "据库"]


def test_an_identifier_is_kept_whole_and_split() -> None:
    assert find_words("parseHTTPRequest") == ["parsehttprequest", "pars", "http", "request"]
    assert find_words("使用useEffect时")[-4:] == ["useeffect", "use", "effect", "时"]


@pytest.mark.parametrize(
    "spelling", ["useEffect", "UseEffect", "use-effect", "use_effect", "use effect", "USE_EFFECT"]
)
def test_spelling_variants_meet(spelling: str) -> None:
    assert {"use", "effect"} <= set(find_words(spelling))


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("http2", {"http2", "http"}),
        ("utf8", {"utf8"}),
        ("utf-8", {"utf8", "utf", "8"}),
        ("OAuth2Client", {"oauth2client", "oauth2", "oauth", "client"}),
        ("e-mail", {"email"}),
        ("eMail", {"email"}),
        ("front-end", {"frontend", "front", "end"}),
        ("app.config.compilerOptions", {"app", "config", "compileroptions", "option"}),
        ("node.js", {"nodejs", "node"}),
        ("k8s", {"k8s"}),
        ("i18n", {"i18n"}),
        ("iOS", {"ios"}),
        ("HTTPServer_v2", {"httpserver", "http", "server", "v2"}),
        ("readAsBase64String", {"base64", "string"}),
    ],
)
def test_an_identifier_is_found_by_each_of_its_names(identifier: str, words: set[str]) -> None:
    assert words <= set(find_words(identifier))


@pytest.mark.parametrize(
    ("identifier", "parts"),
    [
        ("http2", ("http2",)),
        ("utf-8", ("utf", "8")),
        ("OAuth2Client", ("oauth2", "client")),
        ("useEffect", ("use", "effect")),
        ("v-for", ("for",)),
        ("数据库", ("数", "据", "库", "数据", "据库")),
    ],
)
def test_a_number_is_part_of_what_an_identifier_means(
    identifier: str, parts: tuple[str, ...]
) -> None:
    (token,) = find_tokens(identifier)

    assert find_parts(token) == parts


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("資料庫連線設定", "资料库连线设定"),
        ("後端開發環境變數", "后端开发环境变数"),
        ("執行緒與佇列", "执行绪与伫列"),
        ("啟用/啓用", "启用/启用"),
        ("這裡、這裏", "这里、这里"),
        ("說明檔案為何", "说明档案为何"),
        ("臺灣繁體", "台湾繁体"),
    ],
)
def test_traditional_and_simplified_chinese_give_the_same_words(
    traditional: str, simplified: str
) -> None:
    assert find_words(traditional) == find_words(simplified)


@given(st.text(alphabet="資料库後后裡abc Ａ１，。", max_size=40))
def test_folded_text_folds_to_itself(text: str) -> None:
    folded = fold(text)

    assert fold(folded) == folded
    assert find_words(folded) == find_words(text)


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
        "configuration configure configured configures",
        "deploy deployment deploys deployed",
        "validate validation validating validator",
        "connect connection connections connecting",
        "render rendering rendered renders",
        "normal normally",
        "behaviour behavior behaviours",
        "colour color coloured",
        "initialise initialize initialised initialization initialisation",
        "serialise serialiser serializer",
        "analyse analyze analysing",
        "catalogue catalog",
        "centre center",
        "licence license licenses",
        "cancelled canceled",
        "modelling modeling",
        "note notes noted",
        "use used using uses",
        "api apis",
    ],
)
def test_forms_of_an_english_word_share_a_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    "pair",
    [
        "not note", "general generate", "apply app", "file fill", "community communicate",
        "user use", "server serve", "setting set", "css cs", "core cors", "new news", "their there",
    ],
)  # fmt: skip
def test_different_words_keep_different_stems(pair: str) -> None:
    first, second = pair.split()

    assert stem(first) != stem(second)


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
def test_full_width_text_gives_the_same_words(text: str) -> None:
    wide = "".join(chr(ord(character) + 0xFEE0) for character in text)

    assert find_words(wide) == find_words(text)


@given(st.text(max_size=200))
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
