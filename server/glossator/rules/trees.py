"""The syntax tree of a text as ast-grep has it, whatever characters the text holds."""

import re

from ast_grep_py import SgNode, SgRoot

_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LONE_RETURN = re.compile(r"\r(?!\n)")


def replace_surrogates(text: str) -> str:
    """Return `text` as valid Unicode; one code point for another keeps all positions."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def parse_tree(text: str, language: str) -> SgNode:
    r"""Return the root of the tree of `text`; offsets in it are those of the text.

    To ast-grep a `\r` alone ends no line: indentation and comments would go on behind it.
    """
    return SgRoot(_LONE_RETURN.sub("\n", replace_surrogates(text)), language).root()
