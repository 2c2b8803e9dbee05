"""The syntax tree of the text that was looked at last: what is tried on it is parsed from there."""

from threading import Lock

from glossator.code.languages import Language
from glossator.code.syntax import Syntax, parse_syntax
from glossator.core.text import SourceText


class RecentTree:
    """Parses a text once, however often it is asked for in a row. For any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._last: tuple[tuple[str, str], Syntax] | None = None

    def parse(self, source: SourceText, language: Language) -> Syntax:
        """Return the tree of a text."""
        key = (source.content_hash, language.id)
        with self._lock:
            if self._last is None or self._last[0] != key:
                self._last = (key, parse_syntax(source.text, language))
            return self._last[1]
