import pytest

from glossator.citations.finding import find_citations
from glossator.citations.judging import FileText, Judge, Judgement, Reason
from glossator.core.text import SourceText

STORE = SourceText(
    "src/store.py",
    "class Store:\n    def load(self):\n        return 1\n\n    def saved?(self):\n        pass\n",
)
FILES = {"src/store.py": STORE, "src/仓库.py": SourceText("src/仓库.py", "x = 1\n")}


def find(path: str) -> list[FileText] | Reason:
    return [FileText((), FILES[path])] if path in FILES else "no-file"


def judged(answer: str) -> Judgement:
    [cited] = find_citations(answer)
    return Judge(find).judge(cited)


@pytest.mark.parametrize(
    ("answer", "verdict", "place"),
    [
        ("`Store.saved?` src/store.py:6", "exact", "src/store.py:6"),
        ("`Store` src/store.py:6", "exact", "src/store.py:6"),
        ("`Store` src/store.py:3", "exact", "src/store.py:3"),
        ("`find(1).load` src/store.py:2", "exact", "src/store.py:2"),
        ("`$this->load` src/store.py:2", "exact", "src/store.py:2"),
        ("`store.load?` src/store.py:2", "exact", "src/store.py:2"),
        ("`Store::load(f(1))` src/store.py:2", "exact", "src/store.py:2"),
        ("`load` src/store.py:2-99", "moved", "src/store.py:2-6"),
        ("`return 1` src/store.py:0-5", "moved", "src/store.py:3-6"),
    ],
)
def test_a_name_is_found_however_it_is_written(answer: str, verdict: str, place: str) -> None:
    judgement = judged(answer)

    assert (judgement.verdict, str(judgement.place)) == (verdict, place)


ORDERS = SourceText(
    "订单.py",
    "# 金额以分为单位\n\ndef 计算总价(商品):\n    # 注意金额以分为单位保存\n    return 商品\n\n\n"
    "def 提交订单(商品):\n    总价 = 计算总价(商品)\n    return 总价\n",
)
FILES["订单.py"] = ORDERS


@pytest.mark.parametrize(
    ("answer", "verdict", "place"),
    [
        ("`提交订单` 订单.py:9", "exact", "订单.py:9"),
        ("`提交订单` 订单.py:10", "exact", "订单.py:10"),
        ("`计算总价` 订单.py:9", "exact", "订单.py:9"),
        ("`计算总价(商品)` 订单.py:9", "exact", "订单.py:9"),
        ("`订单.提交订单` 订单.py:8", "exact", "订单.py:8"),
        ("`提交订单` 订单.py:4", "moved", "订单.py:8"),
        ("`金额以分为单位` 订单.py:4", "exact", "订单.py:4"),
        ("“金额以分为单位” 订单.py:10", "moved", "订单.py:4"),
        # What is named last counts first, whatever it is.
        ("`提交订单` 里写着 `注意金额以分为单位`（订单.py:4）", "exact", "订单.py:4"),
        ("`计算总价(商品)` 订单.py:1", "moved", "订单.py:3"),
        ("`退款()` 订单.py:5", "exact", "订单.py:5"),
    ],
)
def test_a_chinese_name_counts_as_any_other_and_a_chinese_quote_too(
    answer: str, verdict: str, place: str
) -> None:
    judgement = judged(answer)

    assert (judgement.verdict, str(judgement.place)) == (verdict, place)


def test_words_glued_in_front_of_a_path_are_no_part_of_the_citation() -> None:
    assert judged("参见src/仓库.py：1").text == "src/仓库.py：1"
    assert judged("参见src/无.py：1").text == "参见src/无.py：1"


def test_a_name_that_stands_all_over_moves_nothing() -> None:
    text = "\n" * 30 + "count = count + 1\n" * 30
    FILES["counter.py"] = SourceText("counter.py", text)

    assert judged("`count` counter.py:1").verdict == "exact"
    assert str(judged("`count` counter.py:29").place) == "counter.py:31"


def test_of_several_files_that_hold_a_place_equally_none_is_chosen() -> None:
    [cited] = find_citations("store.py:2")

    judgement = Judge(lambda path: [FileText((), STORE), FileText((), STORE)]).judge(cited)

    assert (judgement.verdict, judgement.reason) == ("missing", "several-files")


def test_a_file_that_is_gone_since_it_was_read_is_missing() -> None:
    [cited] = find_citations("`load` src/store.py:2")

    judgement = Judge(lambda path: [FileText((STORE,), None)]).judge(cited)

    assert (judgement.verdict, judgement.reason) == ("missing", "changed")


def test_of_two_versions_that_were_read_the_one_counts_in_which_the_place_holds() -> None:
    newer = SourceText("src/store.py", f"import os\n{STORE.text}")
    file = FileText((newer, STORE), newer)
    [cited] = find_citations("`load` src/store.py:2")

    judgement = Judge(lambda path: [file]).judge(cited)

    assert (judgement.verdict, str(judgement.place)) == ("moved", "src/store.py:3")
    assert judgement.reason == "changed"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("It is in my code/a b.py:1.", "my code/a b.py:1"),
        ("function · 我的 代码/甲 乙.py:1-1", "我的 代码/甲 乙.py:1"),
        ("见我的 代码/甲 乙.py:1。", "我的 代码/甲 乙.py:1"),
        ("both my code/a b.py:1 and src/store.py", "my code/a b.py:1"),
        ("see a b.py:1", None),
    ],
)
def test_a_path_with_blanks_needs_no_backticks(answer: str, text: str | None) -> None:
    names = ("my code/a b.py", "我的 代码/甲 乙.py")
    files = {name: [FileText((), SourceText(name, "x = 1\n"))] for name in names}
    [cited] = find_citations(answer)

    judgement = Judge(lambda path: files.get(path, "no-file")).judge(cited)

    assert judgement.verdict == ("exact" if text else "missing")
    if text:
        assert judgement.text.removesuffix("-1") == text
