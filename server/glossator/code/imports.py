"""Imports, read from the text of one import statement.

The statements of each language are regular enough for patterns, and their trees are not: twelve
shapes of nodes would say less than the patterns below.
"""

import re
from collections.abc import Callable, Iterable, Iterator

ImportedName = tuple[str, str, str]  # module, name, alias
ImportReader = Callable[[str], Iterator[ImportedName]]

_MAX_GROUP_DEPTH = 32
_QUOTED_OR_COMMENT = re.compile(
    r"""("[^"\n]*"|'[^'\n]*'|`[^`\n]*`)|/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*"""
)
_GROUP_PART = re.compile(r"[{},]|[^{},]+")
_PYTHON_COMMENT = re.compile(r"#[^\n]*|\\\n")
_PYTHON_FROM = re.compile(r"from ((?:\. ?)*(?:\w[\w.]*)?) ?\bimport\b(.*)")
_QUOTED = re.compile(r"""["'`]([^"'`\n]*)["'`]""")
_JAVASCRIPT_CLAUSE = re.compile(
    r"(?:import|export)\s+(?:type\s+|typeof\s+)?(.*?)\s*(?:\bfrom\b|=\s*require\b)", re.DOTALL
)
_JAVASCRIPT_REQUIRE = re.compile(
    r"(.*?)(?::[^={}]*)?=\s*(?:await\s+)?(?:require|import)\s*\(\s*[\"'`]([^\"'`]*)[\"'`]\s*\)"
    r"(?:\.([\w$]+))?",
    re.DOTALL,
)
_GO = re.compile(r"\s*([\w.]*)\s*[\"`]([^\"`]*)[\"`]")
_JAVA = re.compile(r"\s*import\s+(?:static\s+)?([\w.\s]+?)(?:\.\s*(\*))?\s*;?\s*$")
_RUST = re.compile(r"(?:.*?\s)?use\s+(.*?);?\s*$", re.DOTALL)
_INCLUDE = re.compile(r"#\s*(?:include|import|include_next)\s*[<\"]([^>\"\n]*)[>\"]")
_CSHARP = re.compile(
    r"\s*(?:global\s+)?using\s+(?:static\s+)?(?:unsafe\s+)?(?:(\w+)\s*=\s*)?([^;=]+?)\s*;?\s*$"
)
_RUBY = re.compile(r"\s*(?:require|require_relative|load)\s*\(?\s*[\"']([^\"']*)[\"']")
_PHP = re.compile(r"\s*use\s+(?:function\s+|const\s+)?(.*?);?\s*$", re.DOTALL)


def read_python_imports(text: str) -> Iterator[ImportedName]:
    """Read `import a.b as x, c` and `from ..a import (b as c, d)`."""
    text = " ".join(_PYTHON_COMMENT.sub(" ", text).split())
    if match := _PYTHON_FROM.match(text):
        module = "".join(match[1].split())
        for name, alias in _read_names(match[2].strip(" ()").split(",")):
            yield module, name, alias
        return
    for module, alias in _read_names(text.removeprefix("import").split(",")):
        yield module, "", alias


def read_javascript_imports(text: str) -> Iterator[ImportedName]:
    """Read `import`, `export … from`, and what `require` is bound to."""
    text = _flatten(text)
    if not text.startswith(("import", "export")):
        yield from _read_required(text)
        return
    quoted = _QUOTED.findall(text)
    if not quoted:
        return
    module = quoted[-1]
    clause = _JAVASCRIPT_CLAUSE.match(text)
    if clause is None:
        yield module, "", ""
        return
    if "require" in text[clause.end(1) : clause.end()]:
        yield module, "", clause[1].strip()
        return
    outside, brace, inside = clause[1].partition("{")
    for name, alias in _read_names(outside.split(",")):
        is_everything = name == "*"
        yield module, "*" if is_everything else "default", alias if is_everything else name
    if brace:
        names = (part.strip().removeprefix("type ") for part in inside.rstrip("} \n").split(","))
        for name, alias in _read_names(names):
            yield module, name, alias


def _read_required(text: str) -> Iterator[ImportedName]:
    match = _JAVASCRIPT_REQUIRE.match(text)
    if match is None:
        for module in _QUOTED.findall(text)[:1]:
            yield module, "", ""
        return
    target, module, member = match[1].strip(), match[2], match[3] or ""
    if not target.startswith("{"):
        yield module, member, target
        return
    for part in target.strip("{} \n").split(","):
        name, _, alias = part.partition(":")
        if name := name.partition("=")[0].strip(" .\n"):
            yield module, name, alias.partition("=")[0].strip()


def read_go_imports(text: str) -> Iterator[ImportedName]:
    """Read one line of a Go import: `x "a/b"`."""
    if match := _GO.match(text):
        is_everything = match[1] == "."
        yield match[2], "*" if is_everything else "", "" if is_everything else match[1]


def read_java_imports(text: str) -> Iterator[ImportedName]:
    """Read `import static a.B.c;` and `import a.*;`."""
    if match := _JAVA.match(_flatten(text)):
        path = "".join(match[1].split())
        if match[2]:
            yield path, "*", ""
        else:
            module, _, name = path.rpartition(".")
            yield module, name, ""


def read_rust_imports(text: str) -> Iterator[ImportedName]:
    """Read `use a::{b, c as d};`, one result a name."""
    if match := _RUST.match(_flatten(text)):
        yield from _read_paths(match[1], "::")


def read_php_imports(text: str) -> Iterator[ImportedName]:
    r"""Read `use A\B as C, D\{E, F};`."""
    if match := _PHP.match(_flatten(text)):
        yield from _read_paths(match[1], "\\")


def read_c_includes(text: str) -> Iterator[ImportedName]:
    """Read `#include <a.h>`."""
    if match := _INCLUDE.match(text):
        yield match[1], "", ""


def read_csharp_imports(text: str) -> Iterator[ImportedName]:
    """Read `using A.B;` and `using X = A.B;`."""
    if match := _CSHARP.match(_flatten(text)):
        yield "".join(match[2].split()), "", match[1] or ""


def read_ruby_imports(text: str) -> Iterator[ImportedName]:
    """Read `require "a"` and `require_relative "b"`."""
    if match := _RUBY.match(text):
        yield match[1], "", ""


def _flatten(text: str) -> str:
    """Put a statement on one line without its comments; runs of spaces make patterns slow."""
    return " ".join(_QUOTED_OR_COMMENT.sub(lambda match: match[1] or " ", text).split())


def _read_paths(text: str, separator: str) -> Iterator[ImportedName]:
    for path, alias in _read_names(_expand_groups(text)):
        module, _, name = path.rpartition(separator)
        yield (module, "", alias) if name == "self" else (module, name, alias)


def _read_names(parts: Iterable[str]) -> Iterator[tuple[str, str]]:
    for part in parts:
        words = part.split()
        if len(words) >= 3 and words[-2] == "as":
            yield words[0], words[-1]
        elif words:
            yield "".join(words), ""


def _expand_groups(text: str) -> Iterator[str]:
    """Turn `a::{b, c::{d}}` into `a::b` and `a::c::d`."""
    prefixes, current = [""], ""
    for part in _GROUP_PART.findall(text):
        if part == "{":
            if len(prefixes) > _MAX_GROUP_DEPTH:
                return
            prefixes.append(prefixes[-1] + current)
            current = ""
        elif part in ",}":
            if current:
                yield prefixes[-1] + current
            current = ""
            if part == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            current = part.strip()
    if current:
        yield prefixes[-1] + current
