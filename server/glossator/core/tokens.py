"""How many tokens of a model a text takes, estimated before any model has seen it."""

import math

_CHARACTERS_PER_TOKEN = 3.5


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens `text` takes, rather too many than too few.

    A Chinese character counts as one, told from its three bytes: counting them one by one would
    hold up the event loop in a long session. Accents count half, emoji one and a half.
    """
    if text.isascii():
        return math.ceil(len(text) / _CHARACTERS_PER_TOKEN)
    n_wide = (len(text.encode("utf-8", "surrogatepass")) - len(text)) / 2
    return math.ceil(n_wide + max(0, len(text) - n_wide) / _CHARACTERS_PER_TOKEN)
