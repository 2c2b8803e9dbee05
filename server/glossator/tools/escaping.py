r"""Text made safe to show: what a reader or a terminal would not see is written out.

Files can hold characters that hide words, turn their order around or command a terminal. In a
tool's result they stand as `\u{202e}`, so that a model and a person read the same thing.
"""

import re

# Controls but tab and line feed, C1, Unicode's own line ends, zero width, two-way controls,
# tags, the supplementary variation selectors and lone surrogates. Zero-width joiners stay:
# emoji and several scripts need them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e01ef]"
)


def escape_invisible(text: str) -> str:
    """Write out every character of `text` that would not be seen; keep tabs and line feeds."""
    return _INVISIBLE.sub(_write_out, text)


def count_invisible(text: str) -> int:
    """Return how many characters `escape_invisible` would write out."""
    return len(_INVISIBLE.findall(text))


def quote_name(text: str, *, limit: int = 120) -> str:
    """Return a name or argument from outside in backticks, on one line and of bounded length."""
    line = escape_invisible(text.replace("\n", "\\n").replace("\t", "\\t"))
    if len(line) > limit:
        line = f"{line[: limit - 20]}…{line[-19:]}"
    return f"`{line}`"


def quote_path(path: str) -> str:
    """Return a shown path on one line, as it stands before a line number."""
    return escape_invisible(path.replace("\n", "\\n"))


def _write_out(match: re.Match[str]) -> str:
    return f"\\u{{{ord(match[0]):x}}}"
