"""What a text tells without being parsed: enough to leave most files alone.

Nothing here is an answer. Each question may be answered with too much, and what is left is parsed;
too little only where code is written as nobody writes it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from glossator.code.imports import read_python_imports

Purpose = Literal["definition", "call"]
_LOOK_BACK = 120
SOMETHING = "…"

# All begin with the name: a search for letters is many times faster than one for anything else.
# What precedes is one space, as it is written.
_DEFINED = {
    "python": r"{0}(?!\w)(?:{behind}|\s*(?::[^=\n]*)?=\s*\(*\s*lambda)",
    "go": r"{0}(?!\w)(?:{behind}|\s*(?::=|=|:)\s*func|(?:(?<=[\t\n)]{0})|(?<=[){{; ] {0}))[(\[])",
    "rust": r"{0}(?!\w)(?:{behind})",
    "ruby": r"{0}(?!\w)",
    "php": r"{0}(?!\w)(?:{behind}|(?<=\${0})\s*=)",
}
_BEHIND = {
    "python": ("def ", "class "),
    "go": ("func ", "type "),
    "rust": ("fn ", "struct ", "enum ", "trait ", "type ", "union ", "mod ", "macro_rules! ",
             "let ", "mut "),
    "php": ("function ", "function &", "class ", "interface ", "trait ", "enum "),
    "": ("class ", "interface ", "struct ", "enum ", "record ", "namespace ", "type ", "union ",
         "object ", "module "),
}  # fmt: skip
# A name, then a parameter list or a value. See `_is_head` for what precedes it.
_DECLARED = r"{0}(?!\w)(?:(?<![\w.]{0})\s*(?:<[^<>;{{}}]*>\s*)?[(=:]|(?<=\.{0})\s*=[^=]|{behind})"
_BETWEEN = " \t\r\n*&:~#"
# Called, or imported under another name that is called.
_CALLED = r"{0}(?!\w)(?<!\w{0})\s*(?:\(|<|\?\.|!|`|::|\{{|\[|as\b)"
_DECORATES = r"{0}(?!\w)(?<!\w{0})(?:\s*(?:\(|\[|as\b)|(?<=@{0})|(?<=\.{0})[ \t]*(?:[\n#]|\Z))"

# What follows such a word, up to the body, has the type's name in it.
_HEADS = (
    r"(?:class|interface|struct|enum|union|record|trait|impl|mod|module|namespace|extension)\b"
    r"([^{;=\n]*)"
)
_OWNERS = {
    "python": re.compile(r"class(?<!\wclass)[ \t]+(\w+)"),
    "go": re.compile(
        r"func\s*\(\s*(?:\w+\s+)?\*?\s*(?:\w+\s*\.\s*)?(\w+)"
        r"|type[ \t]+(\w+)|(\w+)[ \t]+(?:struct|interface)\s*\{"
    ),
    "javascript": re.compile(r"(?:class|interface|enum|namespace|module)[ \t]+([\w$.]+)"),
    "ruby": re.compile(rf"{_HEADS}|\bdef\s+(\w+)\s*\.|(\w+)\s*=\s*\w+\.new\b"),
    "cpp": re.compile(rf"{_HEADS}|(\w+)\s*(?:<[^<>\n]*>\s*)?::"),
    "": re.compile(_HEADS),
}
_OWNERS["typescript"] = _OWNERS["tsx"] = _OWNERS["javascript"]
_OWNERS["c"] = _OWNERS["cpp"]
_SCRIPT_VALUE = re.compile(
    r"[=:]\s*(?:[\w$.]+\s*\(\s*|\(\s*)*"
    r"(?:\{|(?:class|function|async)\b|[\w$]+\s*=>|\([^()]*\)\s*(?::[^={}\n]*)?=>)"
)
_STATEMENT_END = re.compile(r"[;,(){}\n]")
# The methods of an object that is returned or handed on belong to the function around it.
_LOOSE_OBJECT = re.compile(r"\{(?:(?<=return \{)|(?<=[(\[,?:&|]\{)|(?<=[(\[,?:&|\n] \{))\s*[^\s}]")
_SCRIPT_FUNCTION = re.compile(r"([\w$]+)\s*(?:[=(<]|:\s*(?:async|function|\(|[\w$]+\s*=>))")

_PYTHON_IMPORT = re.compile(
    r"(?:^|[;:])[ \t]*((?:from|import)\b(?:[^\n(]*\([^)]*\)|(?:[^\n;]*\\\n)*[^\n;]*))", re.MULTILINE
)
_QUOTED_MODULE = {
    "go": re.compile(r"^\s*(?:import\s+)?(?:[\w.]+\s+)?[\"`]([^\"`\s]+)[\"`]", re.MULTILINE),
    "javascript": re.compile(r"\b(?:from|import|require)\b[^\"'`\n;]{0,80}[\"'`]([^\"'`\n]+)"),
}
_QUOTED_MODULE["typescript"] = _QUOTED_MODULE["tsx"] = _QUOTED_MODULE["javascript"]
_WORD = re.compile(r"[\w$]+")
_LAST_WORD = re.compile(r"[\w$]+\Z")


def find_word(name: str) -> str:
    """Return a name as it stands among words: Ruby's `empty?` and JavaScript's `#key` have more."""
    return name.strip("?!=#$@") or name


def holds_word(text: str, word: str) -> bool:
    """Say whether `word` stands in a text as a whole word."""
    return word in text and _whole_word(word).search(text) is not None


def may_stand(text: str, name: str, purpose: Purpose, language_id: str) -> bool:
    """Say whether `name` may be defined, or called, in a text."""
    standing = _find_standing(text, find_word(name), purpose, language_id)
    if purpose == "definition" and language_id not in _DEFINED:
        return any(_is_head(text, match) for match in standing)
    return next(standing, None) is not None


def _is_head(text: str, match: "re.Match[str]") -> bool:
    """Say whether a name stands behind a type or keyword, or first on its line."""
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    kept = before.rstrip(_BETWEEN)
    between = before[len(kept) :]
    return (
        not kept
        or kept[-1].isalnum()
        or kept[-1] in "_>],;{}()"
        or (kept[-1] == "." and not between)  # Only a value can follow, see `_DECLARED`.
        or any(each in between for each in "\n*&~")
    )


def list_receivers(text: str, name: str, language_id: str) -> frozenset[str]:
    """Return the last name of what `name` may be called on: "" for nothing, "…" for no name."""
    word = find_word(name)
    return frozenset(
        _read_receiver(text, match.start())
        for match in _find_standing(text, word, "call", language_id)
    )


def list_owners(text: str, language_id: str) -> frozenset[str]:
    """Return the names of what functions of a text may be members of."""
    pattern = _OWNERS.get(language_id) or _OWNERS[""]
    heads = (match[match.lastindex or 0] for match in pattern.finditer(text))
    found = {word for head in heads for word in _WORD.findall(head)}
    if pattern is _OWNERS["javascript"]:
        found.update(_list_bound_names(text))
        if _LOOSE_OBJECT.search(text):
            found.update(_SCRIPT_FUNCTION.findall(text))
    return frozenset(found)


def _list_bound_names(text: str) -> Iterator[str]:
    """Yield the names that JavaScript's objects, classes and functions may be bound to."""
    for match in _SCRIPT_VALUE.finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        yield from _WORD.findall(_STATEMENT_END.split(before)[-1])


def list_module_names(text: str, language_id: str) -> frozenset[str] | None:
    """Return the modules that a text may import; None when that cannot be told."""
    if language_id == "python":
        return frozenset(_list_python_modules(text))
    pattern = _QUOTED_MODULE.get(language_id)
    return None if pattern is None else frozenset(pattern.findall(text))


def list_declared_types(name: str, text: str) -> Iterator[str]:
    """Yield the types that a text gives to `name`."""
    for found in _compile_declaration(re.escape(name)).finditer(text):
        yield (found["after"] or found["before"]).rpartition(".")[2]


def _list_python_modules(text: str) -> Iterator[str]:
    for statement in _PYTHON_IMPORT.findall(text):
        for module, name, alias in read_python_imports(statement):
            yield module
            if name not in {"", "*"}:
                yield module + name if module.endswith(".") else f"{module}.{name}"
            elif not name and not alias:
                # `import a` is enough to call `a.b.c.f()`.
                head = module.partition(".")[0]
                yield from re.findall(rf"\b{re.escape(head)}(?:\.\w+)+(?=\.)", text)


def _read_receiver(text: str, position: int) -> str:
    before = text[max(0, position - _LOOK_BACK) : position]
    kept = before.rstrip()
    separator = next((mark for mark in ("->", "::", ".", "\\") if kept.endswith(mark)), None)
    if separator is None:
        return ""
    kept = kept.removesuffix(separator)
    bare = kept.rstrip(" \t?!&")
    # A comment may stand at the end of the line above.
    found = _LAST_WORD.search(bare)
    return SOMETHING if found is None or bare.endswith("\n") else found[0]


def _find_standing(
    text: str, word: str, purpose: Purpose, language_id: str
) -> Iterator["re.Match[str]"]:
    return _standing(word, purpose, language_id).finditer(text)


@lru_cache(maxsize=512)
def _whole_word(word: str) -> "re.Pattern[str]":
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


@lru_cache(maxsize=512)
def _standing(word: str, purpose: Purpose, language_id: str) -> "re.Pattern[str]":
    """Return a pattern that every definition (or call) of `word` matches; some others may too."""
    name, behind = re.escape(word), ""
    if purpose == "definition":
        template = _DEFINED.get(language_id, _DECLARED)
        before = _BEHIND.get(language_id, _BEHIND[""])
        behind = "|".join(rf"(?<={each}{name})" for each in map(re.escape, before))
    elif language_id == "ruby" or word[:1].isupper():
        # Components and C++ objects are made without parentheses behind the type's name.
        template = r"{0}(?!\w)(?<!\w{0})"
    else:
        template = _DECORATES if language_id == "python" else _CALLED
    return re.compile(template.format(name, behind=behind))


@lru_cache(maxsize=1024)
def _compile_declaration(name: str) -> re.Pattern[str]:
    qualified = r"(?:\w+(?:\.|::|\\))*[A-Z]\w*"
    return re.compile(
        rf"\b{name}\b\??\s*(?::\s*[\"'&*]?|\s[*&]?)(?:mut\s+)?(?P<after>{qualified})"
        rf"|(?P<before>{qualified})(?:<[^<>]*>)?\s*[*&]?\s+[*&$]*{name}\b(?!\s*[(<])"
    )
