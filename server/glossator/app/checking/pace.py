"""Which checks are over so soon that handing them to another process would take as long."""

from collections import OrderedDict
from pathlib import Path

from glossator.core.text import SourceText
from glossator.rules.matching import RuleSet

# Nothing else runs while ast-grep does, whatever the thread, and the loop may be held up for 50 ms;
# so much slower no edit makes the same file.
_QUICK_S = 0.03
_QUICK_CHARACTERS = 64_000
_MAX_GROWTH = 1.25
_KEPT = 512
# A process is as slow as this when it does something for the first time.
_COLD_S = 0.1
# What every check takes, whatever it is of, is as much as that of so many characters.
_LEAST_CHARACTERS = 1_000


class Pace:
    """How long the last check of each document took. For any thread."""

    def __init__(self) -> None:
        self._rule_set: RuleSet | None = None
        self._known: OrderedDict[Path, tuple[int, float]] = OrderedDict()

    def is_quick(self, source: SourceText, rule_set: RuleSet) -> bool:
        """Say whether nearly the same text was just checked by these rules in no time."""
        if rule_set is not self._rule_set or source.path is None:
            return False
        n_characters, took_s = self._known.get(source.path, (0, 0.0))
        n_allowed = min(n_characters * _MAX_GROWTH, _QUICK_CHARACTERS)
        return took_s < _QUICK_S and len(source.text) <= n_allowed

    def note(
        self, source: SourceText, rule_set: RuleSet, took_s: float, *, n_characters: int
    ) -> None:
        """Know how many seconds of CPU time it took to check so much of a document.

        What a part takes says of the whole only that it was slow for having been the first.
        """
        if source.path is None:
            return
        if rule_set is not self._rule_set:
            self._rule_set, self._known = rule_set, OrderedDict()
        known, n_whole = self._known, len(source.text)
        if n_characters < n_whole:
            took_s *= n_whole / max(n_characters, _LEAST_CHARACTERS)
            _, whole_s = known.get(source.path, (0, 0.0))
            if whole_s >= _COLD_S or took_s >= whole_s:
                return
        known[source.path] = (n_whole, took_s)
        known.move_to_end(source.path)
        if len(known) > _KEPT:
            known.popitem(last=False)
