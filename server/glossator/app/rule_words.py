"""What a rule says, in the reader's language where it says everything in both."""

import re

from glossator.app.phrasing import Phrasing
from glossator.core.text import contains_chinese

_CHINESE_AGAIN = "中文："
_AGAIN = re.compile(rf"(?<!\S)({_CHINESE_AGAIN}|English: )")


def choose_words(text: str, rationale: str, say: Phrasing) -> tuple[str, str]:
    """Return what a rule says and why.

    Where the rationale goes on with `中文：` or `English: ` and says it all again, it is the
    reader's half of both; the second half tells what and why at once.
    """
    own, *rest = _AGAIN.split(rationale, maxsplit=1)
    if not rest:
        return text, rationale
    sign, again = rest[0], rest[1].strip()
    is_again_chinese = sign == _CHINESE_AGAIN
    has_chinese = contains_chinese(text + own), contains_chinese(again)
    if not again or has_chinese != (not is_again_chinese, is_again_chinese):
        return text, rationale
    if say.is_chinese != is_again_chinese:
        return text, own.strip()
    return again[0].upper() + again[1:], ""
