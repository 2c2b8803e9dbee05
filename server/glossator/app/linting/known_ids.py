"""Every id that a rule has, to tell an id that was misspelt from one that does not count here."""

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path

from glossator.app.library import Library
from glossator.app.rules.nearest import find_nearest
from glossator.tools.workspace import Workspace


class KnownIds:
    """The ids that `check.disabledRules` may hold: of rules, whether they count or not, and codes.

    What takes long to find is looked for only when an id is not among the rules that were read.
    Reads files: for a worker thread.
    """

    def __init__(self, library: Library, workspace: Workspace) -> None:
        self._library = library
        self._workspace = workspace

    def list_unread(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return those of the ids that no rule has which was read; takes no time."""
        read = frozenset(self._list_read())
        return tuple(each for each in ids if each not in read)

    def list_unknown(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return those of the ids that nothing has."""
        left = [each for each in self.list_unread(ids) if each not in self._here]
        return tuple(each for each in left if each not in _list_bundled())

    def find_nearest(self, rule_id: str) -> tuple[str, ...]:
        """Return the ids that are spelt most like one, of what is read here."""
        return find_nearest(rule_id, sorted(self._here))

    def _list_read(self) -> Iterator[str]:
        for item in self._library.known.items.values():
            yield from (rule.id for rule in item.rules)

    @cached_property
    def _here(self) -> frozenset[str]:
        # Loaded when something is unknown: a check without a slip needs none of it.
        from glossator.app.checking.suppressing import LAPSED_ID, UNUSED_ID
        from glossator.app.linting.settings_file import CODES
        from glossator.app.linting.text import PREFIX
        from glossator.app.rules.prose import list_prose
        from glossator.linting.finding import SEVERITIES

        prose = list_prose(self._library, self._workspace)
        codes = (*(f"{PREFIX}{code}" for code in SEVERITIES), *CODES, UNUSED_ID, LAPSED_ID)
        return frozenset((*self._list_read(), *(rule.id for rule in prose), *codes))


@cache
def _list_bundled() -> frozenset[str]:
    """Return the ids of the rules that ship with Glossator, which a setting may leave out."""
    from glossator.app.bundled import bundled_folder
    from glossator.app.library.listing import look_at
    from glossator.app.library.making import make_item
    from glossator.app.shelves import list_bundled

    return frozenset(
        rule.id
        for shelf in list_bundled(bundled_folder())
        for file, signature in look_at(shelf).list_files()
        for rule in make_item(shelf, file, shelf.read(Path(file)), signature, "")[0].rules
    )
