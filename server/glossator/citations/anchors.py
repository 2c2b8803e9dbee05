"""What an answer names beside a place, made into what can be looked for in a text."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_NAME = re.compile(r"[\w.:#$@-]+")
# `save` in `find(id).save`, `$this->save`, `Store::save`, `store.empty?`.
_MEMBER = re.compile(r"(?:^|\.|::|->)([^\W\d]\w*)[?!=]?\Z")
_CALL = re.compile(r"\((?:[^()]*|.*)\)$")
# A signature may be written with other types than the file has.
_DEFINED = re.compile(
    r"(?:(?:async|await|class|const|def|enum|export|fn|func|function|interface|let|new|private|"
    r"protected|pub|public|static|struct|trait|type|val|var)\s+)+(?P<name>[\w.:#$]+)"
)
_WIDE = re.compile(r"[\u2e80-\uffef]")
# Every file has these: that one stands elsewhere tells nothing about a place.
_COMMON = frozenset(
    """None True False null nil undefined self this cls super return yield if else elif for while
    in is not and or try except catch finally raise throw import from as with async await def class
    function func fn const let var new type int str float bool bytes list dict set tuple object
    void string number boolean any args kwargs true false""".split()  # noqa: SIM905 - as it reads
)


@dataclass(frozen=True, slots=True)
class Anchors:
    """Names are looked for as whole words, quotes and calls without regard to white space.

    A call is a name with its arguments: the name alone counts as much.
    """

    names: tuple[str, ...]
    quotes: tuple[str, ...]
    calls: tuple[str, ...] = ()

    @property
    def telling_names(self) -> tuple[str, ...]:
        """The names whose place tells something."""
        return tuple(name for name in self.names if name not in _COMMON)


def find_anchors(
    named: Sequence[str], block: str = "", definitions_of: Callable[[str], object] = lambda _: ()
) -> Anchors:
    """Reduce what was named or shown to what can stand in a file: `Store.save()` to `save`.

    Chinese in backticks is a name where the file has `definitions_of` it, else a quote.
    """
    names: list[str] = []
    quotes: list[str] = [block] if block.strip() else []
    calls: list[str] = []
    for text in map(str.strip, named):
        plain = _CALL.sub("", text)
        name = "" if re.search(r"\s", plain) else _find_name(plain)
        is_call = len(text) > len(plain)
        if name and (is_call or not _WIDE.search(plain) or definitions_of(name)):
            names.append(name)
            calls += [text] if len(text) > len(plain) + 2 else []
            continue
        quotes.append(text)
        defined = _DEFINED.match(text)
        if defined and (name := _find_name(defined["name"])):
            names.append(name)
    return Anchors(tuple(names), tuple(quotes), tuple(calls))


def _find_name(text: str) -> str:
    member = _MEMBER.search(text)
    if member:
        return member[1]
    identifiers = _IDENTIFIER.findall(text)
    return identifiers[-1] if identifiers and _NAME.fullmatch(text) else ""
