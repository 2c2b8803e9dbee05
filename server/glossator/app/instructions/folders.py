"""The instructions that one folder holds, with what is said of them: links, spelling, Git."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from glossator.app.results import Problem
from glossator.core.errors import GlossatorError
from glossator.instructions.places import (
    AT_THE_TOP,
    IN_ANY_FOLDER,
    RULE_FOLDERS,
    TOOL_FOLDERS,
    Form,
    RuleFolder,
)
from glossator.instructions.reading import Home
from glossator.knowledge.documents import Family
from glossator.tools.workspace import Workspace

_MAX_RULES = 500
_MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a file of instructions is, beside its text.

    `imports` says that `@path` in it brings in other files. `said` are problems of the file.
    """

    family: Family
    form: Form
    home: Home
    also_for: tuple[str, ...] = ()
    imports: bool = False
    imported_by: str = ""
    notes: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


@dataclass(slots=True)
class FolderLook:
    """What was found so far, by real path, and what there is to say about it."""

    workspace: Workspace
    found: dict[Path, Candidate] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def say(self, path: Path, message: str) -> None:
        """Note a problem of a file that is not read."""
        self.problems.append(Problem(self.workspace.show(path), 1, message))

    def add(self, path: Path, candidate: Candidate) -> None:
        """Add a file, followed through links; what is there already only learns of another home."""
        try:
            real = self.workspace.locate(str(path))
        except GlossatorError as error:
            self.say(path, f"`{path.name}` is not read: {error}")
            return
        is_link = os.path.realpath(path.parent) != str(real.parent) or path.name != real.name
        known = self.found.get(real)
        if known is not None:
            if is_link:
                self.found[real] = _join(known, candidate, self.workspace.show(path))
            return
        notes = list(candidate.notes)
        if is_link:
            notes.append(f"`{self.workspace.show(path)}` is a link to this file.")
        if self.workspace.is_ignored(real):
            notes.append("Git ignores this file; it is read all the same.")
        self.found[real] = replace(candidate, notes=tuple(notes))


def look_into(look: FolderLook, folder: Path) -> None:
    """Add the instructions that stand in `folder` and speak for it; links come last."""
    home, also_for = _home_of(folder, look.workspace)
    is_top = folder in look.workspace.roots
    named = [*_find_named(look, folder, home, IN_ANY_FOLDER)]
    if is_top:
        named += _find_named(look, folder, home, AT_THE_TOP)
    for rules in RULE_FOLDERS:
        if is_top or not rules.is_at_top:
            named += _find_rules(look, folder, home, rules)
    for path, candidate in sorted(named, key=lambda item: item[0].is_symlink()):
        look.add(path, replace(candidate, also_for=also_for))


def sign(folder: Path) -> object:
    """Return a value that changes when the instructions of a folder do; () where there are none."""
    names = [*IN_ANY_FOLDER, *AT_THE_TOP, *(rules.path for rules in RULE_FOLDERS)]
    states = []
    for name in names:
        try:
            status = os.stat(f"{folder}{os.sep}{name}")  # noqa: PTH116 - made before each turn
        except (OSError, ValueError):
            continue
        states.append((name, status.st_mtime_ns, status.st_size))
    return tuple(states)


def find_home(path: Path) -> Path:
    """Return the folder that a file of instructions at `path` speaks for."""
    for folder in path.parents:
        if folder.name in TOOL_FOLDERS:
            return folder.parent
    return path.parent


def _home_of(folder: Path, workspace: Workspace) -> tuple[Home, tuple[str, ...]]:
    """Return the home that `folder` is, and the workspace folders that stand inside it."""
    shown, scope = workspace.show(folder), workspace.path_below_root(folder)
    inner = (root for root in workspace.roots if root != folder and root.is_relative_to(folder))
    home = Home("" if shown == "." else shown, "" if scope == "." else scope)
    return home, tuple(workspace.show(root) for root in inner)


def _find_named(
    look: FolderLook, folder: Path, home: Home, names: dict[str, Family]
) -> Iterator[tuple[Path, Candidate]]:
    for name, family in names.items():
        below, _, file_name = name.rpartition("/")
        for path in _find_spellings(look, folder / below if below else folder, file_name):
            said = () if path.name == file_name else (_explain_spelling(path.name, file_name),)
            yield path, Candidate(family, "plain", home, imports=family == "claude", said=said)


def _find_spellings(look: FolderLook, folder: Path, name: str) -> Iterator[Path]:
    """Yield the file called `name`, or where there is none, one that is called so in other case."""
    same = [entry for entry in _list_names(folder) if entry.casefold() == name.casefold()]
    if not same:
        return
    others = sorted(entry for entry in same if entry != name)
    if name in same:
        for other in others:
            look.say(folder / other, f"`{other}` is not read: `{name}` stands beside it.")
    chosen = folder / (name if name in same else others[0])
    if chosen.is_file():
        yield chosen
    else:
        _say_why_not(look, chosen)


def _say_why_not(look: FolderLook, path: Path) -> None:
    kind = "a link that leads nowhere" if path.is_symlink() else "no regular file"
    look.say(path, f"`{path.name}` is not read: it is {kind}.")


def _explain_spelling(written: str, name: str) -> str:
    return (
        f"`{written}` is read as `{name}`. Other tools do not find it where upper and lower case "
        "differ: rename it."
    )


def _find_rules(
    look: FolderLook, folder: Path, home: Home, rules: RuleFolder
) -> Iterator[tuple[Path, Candidate]]:
    n_found = 0
    for path in _list_below(folder / rules.path, _MAX_DEPTH):
        name = path.name.casefold()
        if name.endswith(rules.suffix) and not path.is_file():
            _say_why_not(look, path)
        elif name.endswith(rules.suffix):
            n_found += 1
            if n_found > _MAX_RULES:
                look.say(folder / rules.path, f"Only the first {_MAX_RULES} rules are read.")
                return
            yield path, Candidate(rules.family, rules.form, home)
        elif rules.other and name.endswith(rules.other):
            look.say(
                path,
                f"`{path.name}` is not read: rules in `{rules.path}` end with `{rules.suffix}`. "
                "Rename it.",
            )


def _list_below(folder: Path, depth: int) -> Iterator[Path]:
    """Yield the files below a folder, in the order of names; links to folders are not entered."""
    names = _list_names(folder)
    for name in names:
        path = folder / name
        if not path.is_dir():
            yield path
    for name in names:
        path = folder / name
        if depth and path.is_dir() and not path.is_symlink():
            yield from _list_below(path, depth - 1)


def _list_names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - only the names are wanted
    except (OSError, ValueError):
        return []


def _join(known: Candidate, other: Candidate, link: str) -> Candidate:
    """Let a file count for another folder too that a link to it stands in, once."""
    homes = (known.home.shown, *known.also_for)
    also_for = known.also_for
    if other.home.shown not in homes:
        also_for = (*also_for, other.home.shown)
    return replace(
        known,
        also_for=also_for,
        imports=known.imports or other.imports,
        notes=(*known.notes, f"`{link}` is a link to this file; it counts once."),
    )
