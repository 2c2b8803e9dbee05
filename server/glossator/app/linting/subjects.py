"""Which files the linter judges, and how each of them is read: as the library reads it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from glossator.app.library import Library, Shelf
from glossator.app.parts import Parts
from glossator.app.skills.files import make_skill_document
from glossator.core.markdown_names import is_markdown_name, is_markdown_or_rule_name
from glossator.core.text import SourceText
from glossator.instructions.places import is_instruction_path
from glossator.knowledge.documents import Document, parse_document
from glossator.rules.rule import Rule
from glossator.skills.skill import MANIFESTS


def may_be_subject(source: SourceText) -> bool:
    """Say whether a document may be one that the linter judges, by its name alone."""
    return source.path is not None and (
        is_markdown_or_rule_name(source.name) or is_instruction_path(source.scope)
    )


def read_subject(source: SourceText, parts: Parts, library: Library) -> Document | None:
    """Return a file as the library would read it, or None when it is no part of it.

    The text is the one at hand, which may be an editor's. Looks at folders: not on the loop.
    """
    if not may_be_subject(source) or source.path is None:
        return None
    shelf = find_shelf(source.path, parts, library)
    if shelf is None:
        return None
    if shelf.make_document is not None:
        return shelf.make_document(source, shelf.origin)
    if shelf.kind == "skill":
        return make_skill_document(source, shelf.origin)
    return parse_document(source.text, path=source.name, origin=shelf.origin)


def find_shelf(path: Path, parts: Parts, library: Library) -> Shelf | None:
    """Return the shelf that a file stands on, or would as soon as it is read."""
    item = library.known.items.get(str(path))
    for shelf in parts.shelves:
        if item is not None and (item.kind, item.origin) != (shelf.kind, shelf.origin):
            continue
        if shelf.files is None:
            if _is_on_shelf(path, shelf, is_known=item is not None):
                return shelf
        elif item is not None or _is_among_team_files(path, shelf, parts):
            return shelf
    return None


def _is_on_shelf(path: Path, shelf: Shelf, *, is_known: bool) -> bool:
    if not is_markdown_name(path.name) or not path.is_relative_to(shelf.folder):
        return False
    if is_known:
        return True
    below = path.relative_to(shelf.folder).parts
    if any(part.startswith(".") for part in below):
        return False
    if shelf.kind != "skill" or path.name in MANIFESTS:
        return True
    # What stands in the folder of a skill belongs to that skill, and is read when it asks for it.
    folders = [folder for folder in path.parents if folder.is_relative_to(shelf.folder)]
    return not any((folder / name).is_file() for folder in folders for name in MANIFESTS)


def _is_among_team_files(path: Path, shelf: Shelf, parts: Parts) -> bool:
    if not is_instruction_path(parts.workspace.path_below_root(path)):
        return False
    if parts.team_files is not None:
        parts.team_files.notice(path)
    return shelf.files is not None and path in tuple(shelf.files())


def list_subjects(library: Library, parts: Parts) -> Iterator[Path]:
    """Yield the files of the workspace that are read, and its settings, in order of their names."""
    read = (Path(item.file) for item in library.known.items.values() if item.origin == "workspace")
    settings = (file for file in parts.settings_files if file.is_file())
    found = {*read, *settings}
    yield from sorted(file for file in found if parts.workspace.is_inside(file))


def list_neighbours(library: Library) -> Iterator[Document]:
    """Yield the documents that others are compared with: all that do not ship with Glossator."""
    for found in library.list_found():
        if found.document.origin != "bundled" and found.shadowed_by == "":
            kind = found.kind
            document = found.document
            yield replace(document, family="skill") if kind == "skill" else document


def list_rules(library: Library) -> Iterator[Rule]:
    """Yield the rules of those documents in their order: of several with an id the first counts."""
    for item in library.known.items.values():
        if item.origin != "bundled" and item.is_used and item.path not in library.shadowed:
            yield from item.rules
