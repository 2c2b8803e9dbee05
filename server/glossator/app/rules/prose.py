"""List items that nothing makes a rule: conventions for people and the model, in words alone."""

from collections.abc import Iterator

from glossator.app.library import Library
from glossator.app.library.making import read_rules
from glossator.core.text import SourceText
from glossator.knowledge.documents import Document
from glossator.rules.rule import Rule
from glossator.tools.workspace import Workspace

_WRITTEN_HERE = "workspace"


def list_prose(library: Library, workspace: Workspace) -> Iterator[Rule]:
    """Yield the top-level list items of the workspace's documents that are no rules yet.

    Their ids are made of their words; a check below one makes it a rule with that id. Skills have
    none: all of their items are rules. Parses each document: for a worker thread.
    """
    for found in library.list_found():
        if found.standing == "used" and found.kind != "skill":
            yield from read_prose(found.document, library, workspace)


def read_prose(document: Document, library: Library, workspace: Workspace) -> Iterator[Rule]:
    """Yield the items of one document that counts; none where the workspace did not write it."""
    if document.origin != _WRITTEN_HERE:
        return
    file = library.files[document.path]
    below = workspace.path_below_root(file)
    root = SourceText(document.path, "", file, below=below).root
    known = {rule.line for rule in library.rules if rule.path == document.path}
    for rule in read_rules(document, document.text, root=root, every_item=True)[0]:
        if rule.kind == "prose" and rule.text and rule.line not in known:
            yield rule
