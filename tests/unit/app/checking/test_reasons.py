import re
from typing import get_args

import pytest

from glossator.app.checking.reasons import Reason, ReasonCode, count_reasons
from glossator.app.phrasing import Phrasing

ENGLISH, CHINESE = Phrasing(is_chinese=False), Phrasing(is_chinese=True)
# What it says is told by whoever could not read the file.
TOLD_ELSEWHERE = {"unreadable"}


@pytest.mark.parametrize("code", sorted(set(get_args(ReasonCode)) - TOLD_ELSEWHERE))
def test_each_reason_is_told_in_both_languages_with_all_it_is_about(code: ReasonCode) -> None:
    arguments = ("`one`", "`two`", "`three`")
    reason = Reason(code, arguments)

    english, chinese = reason.render(ENGLISH), reason.render(CHINESE)

    assert re.search(r"[一-鿿]", chinese)
    assert not re.search(r"[一-鿿]", english)
    assert str(reason) == english
    assert {each in english for each in arguments} == {each in chinese for each in arguments}
    assert not english.endswith(".")


def test_a_text_of_ours_inside_a_reason_is_told_in_chinese_too() -> None:
    reason = Reason("unreadable", ("`b.py` is not a folder, or goes through a file.",))

    assert "文件夹" in reason.render(CHINESE)


def test_reasons_are_counted_the_most_frequent_first() -> None:
    reasons = [Reason("secret"), Reason("ignored"), Reason("ignored")]

    assert [n for _, n in count_reasons(reasons, ENGLISH)] == [2, 1]
