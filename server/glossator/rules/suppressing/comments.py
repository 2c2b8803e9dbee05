"""Comments of a text and how one is written: by the syntax tree, or by marks where there is none.

What only looks like a comment, in a string or in text between tags, is none.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ast_grep_py import SgNode

from glossator.rules.fixes import find_offsets
from glossator.rules.rule import name_language
from glossator.rules.trees import parse_tree


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its marks. `start` and `end` are offsets in the text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Language:
    """How comments are found: by `kinds` of ast-grep's tree, or by a scan of this `syntax`.

    `forms` are how one may be written, the usual first; not each fits in every place.
    """

    forms: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    syntax: re.Pattern[str] | None = None


_QUOTED = r"""(?P<quoted>'(?:''|\\.|[^'\\])*'|"(?:""|\\.|[^"\\])*")"""
_HASHES = re.compile(rf"{_QUOTED}|(?P<comment>#[^\r\n]*)", re.DOTALL)
_DASHES = re.compile(
    r"(?P<quoted>'(?:''|[^'])*'|\"[^\"]*\"|\$(\w*)\$.*?\$\2\$)"
    r"|(?P<comment>--[^\r\n]*|/\*.*?\*/)",
    re.DOTALL,
)
_SLASHES = re.compile(rf"{_QUOTED}|(?P<comment>//[^\r\n]*|/\*.*?\*/)", re.DOTALL)
_TAGS = re.compile(r"(?P<quoted><!\[CDATA\[.*?\]\]>)|(?P<comment><!--.*?-->)", re.DOTALL)
# Markup with scripts in it: quotes may stand alone, so only lines that are comments count as such.
_MIXED = re.compile(
    r"(?P<comment><!--.*?-->|/\*.*?\*/|^[ \t]*//[^\r\n]*)", re.DOTALL | re.MULTILINE
)

_HASH, _SLASH, _BLOCK, _DASH, _TAG = "# {}", "// {}", "/* {} */", "-- {}", "<!-- {} -->"
# Without blanks, Go's tools know a directive and keep it out of the documentation.
_TIGHT = "//{}"
_LINE_AND_BLOCK = ("line_comment", "block_comment")

_LANGUAGES: Mapping[str, _Language] = {
    "python": _Language((_HASH,), ("comment",)),
    "javascript": _Language((_SLASH, "{{/* {} */}}", _BLOCK), ("comment",)),
    "typescript": _Language((_SLASH, _BLOCK), ("comment",)),
    "tsx": _Language((_SLASH, "{{/* {} */}}", _BLOCK), ("comment",)),
    "go": _Language((_TIGHT, _BLOCK), ("comment",)),
    "java": _Language((_SLASH, _BLOCK), _LINE_AND_BLOCK),
    "rust": _Language((_SLASH, _BLOCK), _LINE_AND_BLOCK),
    "c": _Language((_SLASH, _BLOCK), ("comment",)),
    "cpp": _Language((_SLASH, _BLOCK), ("comment",)),
    "csharp": _Language((_SLASH, _BLOCK), ("comment",)),
    "ruby": _Language((_HASH,), ("comment",)),
    "php": _Language((_SLASH, _BLOCK), ("comment",)),
    "html": _Language((_TAG,), ("comment",)),
    "css": _Language((_BLOCK,), ("comment",)),
    "bash": _Language((_HASH,), ("comment",)),
    "lua": _Language((_DASH,), ("comment",)),
    "yaml": _Language((_HASH,), ("comment",)),
    "kotlin": _Language((_SLASH, _BLOCK), ("line_comment", "multiline_comment")),
    "swift": _Language((_SLASH, _BLOCK), ("comment", "multiline_comment")),
    "scala": _Language((_SLASH, _BLOCK), ("comment", "block_comment")),
    "sql": _Language((_DASH, _BLOCK), syntax=_DASHES),
    "toml": _Language((_HASH,), syntax=_HASHES),
    "dockerfile": _Language((_HASH,), syntax=_HASHES),
    "makefile": _Language((_HASH,), syntax=_HASHES),
    "scss": _Language((_SLASH, _BLOCK), syntax=_SLASHES),
    "less": _Language((_SLASH, _BLOCK), syntax=_SLASHES),
    "dart": _Language((_SLASH, _BLOCK), syntax=_SLASHES),
    "xml": _Language((_TAG,), syntax=_TAGS),
    "markdown": _Language((_TAG,), syntax=_TAGS),
    "vue": _Language((_TAG, _SLASH), syntax=_MIXED),
}
_OTHER_NAMES: Mapping[str, str] = {
    "shellscript": "bash",
    "htm": "html",
    "svelte": "vue",
    "svg": "xml",
    "kt": "kotlin",
    "mk": "makefile",
    "pgsql": "sql",
    "mysql": "sql",
    "plsql": "sql",
}


def find_comments(text: str, language: str) -> tuple[Comment, ...]:
    """Return the comments of `text` in their order; none for a language that is not known.

    `language` is a name of ours, one that editors use, or an extension without its dot.
    """
    found = _find_language(language)
    if found is None:
        return ()
    name, known = found
    if known.syntax is not None:
        return tuple(_scan(text, known.syntax))
    root = parse_tree(text, name)
    places = sorted(find_offsets(node) for node in _find_nodes(root, known.kinds))
    return tuple(_trim(text, start, end) for start, end in places)


def render_comments(words: str, language: str) -> tuple[str, ...]:
    """Return `words` as comments of a language, the usual form first."""
    found = _find_language(language)
    if found is None:
        return ()
    tight = words.replace(": ", ":", 1)
    return tuple(form.format(tight if form == _TIGHT else words) for form in found[1].forms)


def _find_language(language: str) -> tuple[str, _Language] | None:
    name = name_language(language)
    name = _OTHER_NAMES.get(name, name)
    return (name, _LANGUAGES[name]) if name in _LANGUAGES else None


def _find_nodes(root: SgNode, kinds: tuple[str, ...]) -> Iterator[SgNode]:
    for kind in kinds:
        yield from root.find_all(kind=kind)


def _trim(text: str, start: int, end: int) -> Comment:
    """Return a comment without the line break that some grammars count to it."""
    shown = text[start:end].rstrip("\r\n")
    return Comment(shown, start, start + len(shown))


def _scan(text: str, syntax: re.Pattern[str]) -> Iterator[Comment]:
    for match in syntax.finditer(text):
        if match.lastgroup == "comment":
            yield Comment(match[0], match.start(), match.end())
