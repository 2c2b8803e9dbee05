"""Files of skills: found in a folder, read by the specification, and made skills.

The header is read in `knowledge` and judged in `skills`; they meet here.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from glossator.app.results import Problem
from glossator.core.markdown_names import is_markdown_name
from glossator.core.text import SourceText, split_lines
from glossator.knowledge.documents import Document, DocumentProblem, Origin, parse_document
from glossator.knowledge.front_matter import split_front_matter
from glossator.skills.precedence import settle_names
from glossator.skills.skill import MANIFESTS, Skill, find_skill_folder
from glossator.skills.specification import SkillHeader, judge_body, read_skill_header

MAX_DEPTH = 6
MAX_FOLDERS = 2_000
_SKIPPED = frozenset({"node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class SkillScan:
    """The files of skills in a folder, in order; `problems` say where the search ended early."""

    files: tuple[Path, ...]
    problems: tuple[str, ...] = ()


def scan_skill_folder(
    folder: Path,
    within: Path | None = None,
    *,
    max_depth: int = MAX_DEPTH,
    max_folders: int = MAX_FOLDERS,
) -> SkillScan:
    """Find every `SKILL.md` below `folder`, and the flat `*.md` beside them.

    Hidden folders are not looked into, and links only where they lead to a place in `within`, which
    is `folder` by default. What stands in a skill's own folder belongs to that skill. Looks at the
    disk: call it in a worker thread.
    """
    scanner = _Scanner(Path(os.path.realpath(within or folder)))
    waiting = [(folder, 0)]
    n_looked_at = 0
    while waiting:
        current, depth = waiting.pop(0)
        n_looked_at += 1
        if n_looked_at > max_folders:
            scanner.problems.append(
                f"Only the first {max_folders:,} folders are searched for skills. Move what is no "
                "skill elsewhere."
            )
            break
        folders = scanner.look_into(current, is_top=not depth)
        if depth < max_depth:
            waiting.extend((below, depth + 1) for below in folders)
        elif folders:
            name = Path(os.path.relpath(current, folder)).as_posix()
            scanner.problems.append(
                f"`{name}` is {depth} folders deep; skills below it are not looked for. Move them "
                "up."
            )
    return SkillScan(tuple(sorted(scanner.found)), tuple(scanner.problems))


class _Scanner:
    """Looks into folders for skills, into each of them once."""

    def __init__(self, within: Path) -> None:
        self.found: list[Path] = []
        self.problems: list[str] = []
        self._within = within
        self._seen: set[Path] = set()

    def look_into(self, folder: Path, *, is_top: bool) -> list[Path]:
        """Note the skills in a folder; return the folders in it that may hold more."""
        if folder in self._seen:
            return []
        self._seen.add(folder)
        files: list[str] = []
        folders: list[Path] = []
        try:
            with os.scandir(folder) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:  # Deleted meanwhile, or closed to us.
            return []
        for entry in entries:
            if entry.name.startswith(".") or entry.name in _SKIPPED:
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(folder / entry.name)
            elif entry.is_symlink() and entry.is_dir():
                folders.extend(self._follow(folder / entry.name))
            elif is_markdown_name(entry.name):
                files.append(entry.name)
        manifest = next((name for name in MANIFESTS if name in files), None)
        if manifest is not None and not is_top:
            self.found.append(folder / manifest)
            return []
        self.found.extend(folder / name for name in files)
        return folders

    def _follow(self, link: Path) -> Iterator[Path]:
        """Yield where a link leads, unless that is elsewhere."""
        real = Path(os.path.realpath(link))
        if real.is_relative_to(self._within):
            yield real
        else:
            self.problems.append(
                f"`{link.name}` is a link that leads elsewhere; skills below it are not looked for."
            )


def make_skill_document(source: SourceText, origin: Origin) -> Document:
    """Read a file of a skill; what breaks the specification is among its problems."""
    document = parse_document(source.text, path=source.name, origin=origin)
    header = _read_header(document)
    found = [*header.problems]
    if find_skill_folder(document.path):
        found += judge_body(document.body, document.body_first_line)
    problems = {*document.problems, *(DocumentProblem(document.path, *each) for each in found)}
    return replace(
        document,
        name=header.name,
        family="skill",
        problems=tuple(sorted(problems, key=lambda each: (each.line, each.message))),
    )


def make_skill(document: Document) -> Skill | None:
    """Return the skill that a document describes; None when it has to be skipped."""
    header = _read_header(document)
    if not header.is_usable:
        return None
    return Skill(
        name=header.name,
        description=header.description,
        keywords=document.keywords,
        globs=document.globs,
        always=document.always,
        body=document.body,
        path=document.path,
        origin=document.origin,
        first_line=document.body_first_line,
        license=header.license,
        compatibility=header.compatibility,
        metadata=header.metadata,
        allowed_tools=header.allowed_tools,
        for_model=header.for_model,
        for_user=header.for_user,
    )


def describe_collisions(skills: Iterable[Skill]) -> Iterator[Problem]:
    """Say of each skill that another one of the same name hides it.

    To take the place of a bundled skill is what a skill of the same name is for, and no problem.
    """
    for collision in settle_names(skills)[1]:
        if collision.hidden.origin != "bundled":
            yield Problem(
                collision.hidden.path,
                1,
                f"The skill `{collision.hidden.name}` is not used: `{collision.first.path}` has "
                "the same name and comes first. Rename one of them.",
            )


def _read_header(document: Document) -> SkillHeader:
    header = split_front_matter(split_lines(document.text))
    folder = find_skill_folder(document.path)
    stem = document.path.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
    return read_skill_header(header.entries, fallback=folder or stem, folder=folder)
