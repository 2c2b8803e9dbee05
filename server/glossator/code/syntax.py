"""A text and its syntax tree, built anew or from the tree of what the text was before."""

import re
from dataclasses import dataclass

from tree_sitter import Parser, Tree

from glossator.code.grammars import load_grammar
from glossator.code.languages import LANGUAGES, Language
from glossator.code.positions import CodeText
from glossator.core.locations import Point

# Headers of C++ are often named `.h`.
_CPP = next(language for language in LANGUAGES if language.id == "cpp")
_LOOKS_LIKE_CPP = re.compile(
    r"^[ \t]*(?:class\s+\w+|namespace\b|template\s*<|(?:public|private|protected)\s*:)|\bstd::",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Syntax:
    """A parsed text. Its language is C++ when a text that was called C holds that."""

    language: Language
    source: CodeText
    tree: Tree

    @property
    def has_errors(self) -> bool:
        """Say whether there is something that the parser did not understand, or did not see."""
        return self.tree.root_node.has_error or self.source.is_cut


def parse_syntax(text: str, language: Language, earlier: Syntax | None = None) -> Syntax:
    """Parse `text`, whatever it holds; faster with what it was before a few changes.

    The result is the same either way: of texts with errors nothing is used again, because what
    an error does to the tree depends on where the parser began.
    """
    syntax = _parse_changes(text, language, earlier) if earlier is not None else None
    if syntax is None or syntax.has_errors:
        source = CodeText(text)
        tree = Parser(load_grammar(language.id).language).parse(source.read_piece)
        syntax = Syntax(language, source, tree)
    if language.id == "c" and syntax.tree.root_node.has_error and _LOOKS_LIKE_CPP.search(text):
        return parse_syntax(text, _CPP, earlier)
    return syntax


def count_faults(syntax: Syntax) -> int:
    """Return how many places the parser did not understand, or did not see."""
    n_faults = int(syntax.source.is_cut)
    waiting = [syntax.tree.root_node]
    while waiting:
        node = waiting.pop()
        n_faults += node.is_error or node.is_missing
        waiting += [child for child in node.children if child.has_error or child.is_missing]
    return n_faults


def is_comment(syntax: Syntax, point: Point) -> bool:
    """Say whether a comment begins at a point."""
    offset = syntax.source.offset(point)
    node = syntax.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    while node is not None and node.start_byte == offset:
        if "comment" in node.type:
            return True
        node = node.parent
    return False


def _parse_changes(text: str, language: Language, earlier: Syntax) -> Syntax | None:
    if earlier.language != language or earlier.has_errors:
        return None
    source = CodeText(text)
    tree = earlier.tree.copy()
    _edit(tree, earlier.source.data, source.data)
    tree = Parser(load_grammar(language.id).language).parse(source.read_piece, tree)
    return Syntax(language, source, tree)


def _edit(tree: Tree, old: bytes, new: bytes) -> None:
    """Tell a tree the one change that holds all changes between two texts.

    The change is widened over the white space around it, and told as a deletion and an insertion.
    An indent of Python is a token without width, and one that is touched costs all that follows:
    the parser passes over what stands at the same place. Put before the indent, the insertion
    leaves nothing there.
    """
    n_before = _count_equal(old, new)
    n_after = _count_equal(old[n_before:][::-1], new[n_before:][::-1])
    after = old[len(old) - n_after :]
    n_after = max(0, len(after.lstrip()) - 1)
    start, old_end, new_end = len(old[:n_before].rstrip()), len(old) - n_after, len(new) - n_after
    at_start = _row_column(old, start)
    tree.edit(start, old_end, start, at_start, _row_column(old, old_end), at_start)
    tree.edit(start, start, new_end, at_start, at_start, _row_column(new, new_end))


def _count_equal(left: bytes, right: bytes) -> int:
    """Return how many bytes are the same at the start of both."""
    count, limit = 0, min(len(left), len(right))
    while count < limit:
        # Halves are compared, not bytes: the interpreter is slow, a comparison in C is not.
        middle = (count + limit + 1) // 2
        if left[count:middle] == right[count:middle]:
            count = middle
        else:
            limit = middle - 1
    return count


def _row_column(data: bytes, offset: int) -> tuple[int, int]:
    return data.count(b"\n", 0, offset), offset - data.rfind(b"\n", 0, offset) - 1
