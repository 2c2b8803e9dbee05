"""List items that nothing makes a rule: conventions for people and the model, in words alone."""

from collections.abc import Iterator

from glossator.app.library import Library
from glossator.app.library.making import read_rules
from glossator.core.text import SourceText
from glossator.rules.rule import Rule
from glossator.tools.workspace import Workspace

_WRITTEN_HERE = "workspace"


def list_prose(library: Library, workspace: Workspace) -> Iterator[Rule]:
    """Yield the top-level list items of the workspace's documents that are no rules yet.

    Their ids are made of their words; a check below one makes it a rule with that id. Skills have
    none: all of their items are rules. Parses each document: for a worker thread.
    """
    known = {(rule.path, rule.line) for rule in library.rules}
    for found in library.list_found():
        document = found.document
        is_ours = found.standing == "used" and document.origin == _WRITTEN_HERE
        if not is_ours or found.kind == "skill":
            continue
        below = workspace.path_below_root(found.file)
        root = SourceText(document.path, "", found.file, below=below).root
        for rule in read_rules(document, document.text, root=root, every_item=True)[0]:
            if rule.kind == "prose" and rule.text and (rule.path, rule.line) not in known:
                yield rule
