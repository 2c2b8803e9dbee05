"""What one file of the library holds beside its sections."""

from dataclasses import dataclass

from glossator.app.library.shelf import Kind, Shelf
from glossator.app.library.signatures import Signature
from glossator.app.results import Problem
from glossator.core.text import SourceText
from glossator.knowledge.documents import Origin
from glossator.rules.rule import Rule


@dataclass(frozen=True, slots=True)
class Item:
    """One file as it was read; its document is kept elsewhere.

    `path` is how the file is shown and `name` that of its document. Without a `signature` the file
    is read again at the next look. `stamp` tells what it depends on beside its text.
    """

    file: str
    path: str
    name: str
    kind: Kind
    origin: Origin
    is_used: bool
    signature: Signature | None
    content_hash: str
    stamp: str
    problems: tuple[Problem, ...]
    rules: tuple[Rule, ...]
    has_text: bool = True


def is_same_text(item: Item, shelf: Shelf, source: SourceText, stamp: str) -> bool:
    """Say whether reading `source` for `shelf` would make `item` again.

    The name changes with the workspace's folders, the kind with the settings.
    """
    return (item.content_hash, item.path, item.stamp) == (
        source.content_hash, source.name, stamp
    ) and is_of_shelf(item, shelf)  # fmt: skip


def is_of_shelf(item: Item, shelf: Shelf) -> bool:
    """Say whether an item was read for a shelf like this."""
    return (item.kind, item.origin, item.is_used) == (shelf.kind, shelf.origin, shelf.is_used)
