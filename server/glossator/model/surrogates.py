r"""Halves of UTF-16 pairs in text: joined where both are there, replaced where one is alone.

JSON may carry `"\ud83d"`, and a server may cut an emoji between two pieces of an answer. A lone
half cannot be encoded, so it would break the request that carries it back, or the editor's pipe.
"""


def replace_lone_surrogates(text: str) -> str:
    """Return `text` with split pairs joined and every half that is alone replaced by U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def ends_with_half_pair(text: str) -> bool:
    """Say whether the last character waits for its second half."""
    return bool(text) and "\ud800" <= text[-1] <= "\udbff"
