"""Typed values out of the header of a Markdown file, and what in it could not be used."""

import difflib
from collections.abc import Mapping, Sequence

from glossator.core.globs import compile_patterns, expand_braces
from glossator.knowledge.front_matter import COMMAS, Entry, FrontMatter, split_at_commas, unquote

MAX_ITEMS = 100

_TRUE = frozenset({"true", "yes", "on", "1", "是"})
_NOTHING = frozenset({"null", "~"})
_FALSE = frozenset({"", "false", "no", "off", "0", "否"}) | _NOTHING


class HeaderReader:
    """Takes typed values out of a header and collects what could not be used.

    `keys` are those that mean something here, `aliases` other words for them. Of a key that looks
    like one of them it is said what was meant; others are the business of other tools.
    """

    def __init__(
        self, header: FrontMatter, keys: Sequence[str], aliases: Mapping[str, str] | None = None
    ) -> None:
        self.problems: list[tuple[int, str]] = []
        self._entries: dict[str, Entry] = {}
        aliases = aliases or {}
        for key, entry in header.entries.items():
            if key in keys:
                self._entries[key] = entry
            elif key in aliases:
                self._entries.setdefault(aliases[key], entry)
            else:
                self._judge_unknown(entry, keys)

    def find(self, key: str) -> Entry | None:
        """Return the entry of a key as it is, or None."""
        return self._entries.get(key)

    def text(self, key: str) -> str:
        """Return a text on one line, empty where there is none."""
        entry = self._entries.get(key)
        if entry is None or entry.value is None:
            return ""
        if not isinstance(entry.value, str):
            self._refuse(entry, "text")
            return ""
        return " ".join(entry.value.split())

    def items(self, key: str, commas: str = COMMAS) -> tuple[str, ...]:
        """Return the texts of a list, however it is written; `commas` stand between its items."""
        entry = self._entries.get(key)
        if entry is None or entry.value is None or entry.written.lower() in _NOTHING:
            return ()
        if isinstance(entry.value, str):
            items = [unquote(item) for item in split_at_commas(entry.value, commas)]
        elif isinstance(entry.value, list) and all(isinstance(i, str) for i in entry.value):
            items = [item.strip() for item in entry.value if item.strip()]
        else:
            self._refuse(entry, "a list of texts")
            return ()
        if len(items) > MAX_ITEMS:
            self.problems.append(
                (entry.line, f"`{key}` has {len(items)} items; only {MAX_ITEMS} are used.")
            )
        return tuple(dict.fromkeys(items[:MAX_ITEMS]))

    def flag(self, key: str, *, is_strict: bool = False) -> bool:
        """Return true or false; where `is_strict`, a text in quotes is neither and no yes."""
        entry = self._entries.get(key)
        word = "" if entry is None or entry.value is None else str(entry.value).lower()
        if entry is None:
            return False
        if is_strict and entry.is_quoted:
            self.problems.append(
                (
                    entry.line,
                    f"`{entry.key}: {entry.written}` is text in quotes, not true or false, so it "
                    "does not switch anything on. Take the quotes away.",
                )
            )
            return False
        if word not in _TRUE | _FALSE:
            self._refuse(entry, "`true` or `false`")
        return word in _TRUE

    def globs(self, key: str) -> tuple[str, ...]:
        """Return patterns of the gitignore kind: `*.py` matches in every folder."""
        usable: list[str] = []
        for glob in self.items(key):
            for expanded in expand_braces(glob.removeprefix("./")):
                if len(usable) < MAX_ITEMS and self.is_usable_glob(key, expanded):
                    usable.append(expanded)
        return tuple(usable)

    def is_usable_glob(self, key: str, glob: str) -> bool:
        """Say whether a glob can be used; if not, that is a problem."""
        try:
            compile_patterns([glob])
        except ValueError as error:
            reason = str(error).splitlines()[0]
            entry = self._entries[key]
            self.problems.append((entry.line, f"The glob `{glob}` cannot be used: {reason}"))
            return False
        return True

    def _judge_unknown(self, entry: Entry, keys: Sequence[str]) -> None:
        """Speak up only where a key looks misspelt: headers carry keys of many other tools."""
        by_lower = {key.lower(): key for key in keys}
        near = difflib.get_close_matches(entry.key.lower(), by_lower, n=1, cutoff=0.8)
        if near:
            self.problems.append(
                (entry.line, f"`{entry.key}` is not a key; did you mean `{by_lower[near[0]]}`?")
            )

    def _refuse(self, entry: Entry, expected: str) -> None:
        self.problems.append((entry.line, f"`{entry.key}` must be {expected}; it is ignored."))
