"""The `@path` imports of Claude's files: there, inside the workspace, and in no circle."""

from collections.abc import Iterator

from glossator.core.locations import Range
from glossator.instructions.importing import MAX_DEPTH, Import, find_imports
from glossator.linting.finding import Finding, find, replace_with
from glossator.linting.header import range_on
from glossator.linting.subject import Subject


def check_imports(subject: Subject) -> Iterator[Finding]:
    """Judge the imports of a file for Claude; others do not know them."""
    if subject.document.family != "claude":
        return
    for each in find_imports(subject.document.text):
        if not each.is_certain or each.path.startswith(("~", "/")):
            continue  # A name, a package, or one's own files, which are nobody else's to judge.
        found = _find_file(subject, each, subject.around.folder)
        if found is None:
            yield _report_dead(subject, each)
            continue
        circle = _find_circle(subject, found)
        if circle:
            place = _locate(subject, each)
            yield find("cyclic-import", place, path=each.path, circle=" → ".join(circle))


def _find_file(subject: Subject, wanted: Import, folder: str) -> str | None:
    """Return the file that is meant, by whichever spelling there is one."""
    for spelling in wanted.spellings:
        resolved = subject.around.resolve(spelling, folder)
        if resolved and subject.around.files.exists(resolved):
            return resolved
    return None


def _report_dead(subject: Subject, wanted: Import) -> Finding:
    place, resolved = _locate(subject, wanted), subject.around.resolve(wanted.path)
    if resolved is None:
        return find("outside-import", place, path=wanted.path)
    near = subject.around.listing.find_nearest(resolved)
    new = _from_folder(subject, near) if near else ""
    is_whole = subject.read(place) == wanted.path
    repair = replace_with(place, new) if new and is_whole else None
    return find("dead-import", place, repair=repair, path=wanted.path, near=new)


def _locate(subject: Subject, wanted: Import) -> Range:
    """Return where an import stands, without its `@`; the line where it is spelled otherwise."""
    column = subject.lines[wanted.line - 1].find(f"@{wanted.path}")
    if column < 0:
        return subject.line(wanted.line)
    return range_on(wanted.line, column + 1, len(wanted.path))


def _from_folder(subject: Subject, path: str) -> str:
    folder = subject.around.folder
    if not folder:
        return path
    if path.startswith(f"{folder}/"):
        return path[len(folder) + 1 :]
    return "../" * (folder.count("/") + 1) + path


def _find_circle(subject: Subject, start: str) -> tuple[str, ...]:
    """Return the way of imports that leads from `start` back to this document, if one does."""
    around = subject.around
    waiting: list[tuple[str, ...]] = [(around.scope, start)]
    seen: set[str] = set()
    while waiting:
        way = waiting.pop(0)
        if way[-1] == around.scope:
            return way
        if way[-1] in seen or len(way) > MAX_DEPTH + 1:
            continue
        seen.add(way[-1])
        folder = way[-1].rpartition("/")[0]
        for each in find_imports(around.files.read(way[-1]) or ""):
            found = _find_file(subject, each, folder)
            if found is not None:
                waiting.append((*way, found))
    return ()
