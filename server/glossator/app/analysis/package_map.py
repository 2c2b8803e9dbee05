"""The map of a package: its files, what they define, who imports whom, and who uses it.

It is the answer when there is no model, and what an analysis is split by when there is one.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from glossator.app.checking.compiled import scope_of
from glossator.app.checking.finishing import check_compiled
from glossator.app.checking.report import CheckReport
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.code.languages import find_language
from glossator.code.outline import Import, Outline
from glossator.core.errors import GlossatorError, InvalidArguments
from glossator.core.text import SourceText
from glossator.rules.rule import Rule
from glossator.tools.budget import Budget
from glossator.tools.code_map import CodeMap
from glossator.tools.escaping import quote_name
from glossator.tools.facts import FAMILIES
from glossator.tools.module_paths import EXACT, rate_module
from glossator.tools.scopes import list_modules
from glossator.tools.testcode import is_test_path
from glossator.tools.workspace import Workspace

MAX_FILES = 400
_MAX_WALKED = 20_000
_MAX_MEANT = 20
_WORD = re.compile(r"\w[\w-]*")
_STARTS_SCRIPT = re.compile(r"""^if __name__ == ['"]__main__['"]|^#!""")
_READMES = ("README.md", "README.rst", "README.txt", "README")


@dataclass(frozen=True, slots=True)
class PackageFile:
    """One source file of the package, and what its check found."""

    source: SourceText
    outline: Outline
    report: CheckReport

    @property
    def path(self) -> str:
        """The path as people see it."""
        return self.source.name


@dataclass(frozen=True, slots=True)
class ImportLink:
    """An import: `line` of the file `importer` names the file `imported`."""

    importer: str
    line: int
    imported: str


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A line at which something starts: a `main` function or a script's last lines."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class PackageMap:
    """What is known about a package without a model.

    `links` stand inside it, `users` are imports from elsewhere, tests included. `rules` are those
    that are checked in its files. `n_files_left_out` files of it are more than are looked at;
    `n_files_unseen` files elsewhere were not looked into for users.
    """

    path: str
    files: tuple[PackageFile, ...]
    readme: SourceText | None
    links: tuple[ImportLink, ...]
    users: tuple[ImportLink, ...]
    entry_points: tuple[EntryPoint, ...]
    rules: tuple[Rule, ...]
    n_files_left_out: int = 0
    n_files_unseen: int = 0


def map_package(path: str, parts: Parts, library: Library, say: Phrasing) -> PackageMap:
    """Look at every source file below a folder, or at one file.

    Reads files of the workspace: call it in a worker thread.

    Raises:
        OutsideWorkspace, ProtectedFile, UnreadableFile: there is no such folder to look at.
        InvalidArguments: no source file stands in it.
    """
    workspace = parts.workspace
    folders = workspace.locate_folders(path)
    files, n_left_out = read_files(path, parts, library, say)
    shown = " ".join(workspace.show(folder) for folder in folders)
    modules = _Modules(files)
    budget = Budget(n_parses=300, seconds=3.0)
    users = list(_find_users(modules, files, workspace, parts.code_map, budget))
    return PackageMap(
        path=shown,
        files=tuple(files),
        readme=_find_readme(folders[0], workspace),
        links=tuple(link for file in files for link in modules.links_of(file.source, file.outline)),
        users=tuple(sorted(users, key=lambda link: (link.importer, link.line))),
        entry_points=tuple(point for file in files for point in _find_entry_points(file)),
        rules=_rules_of(files, library),
        n_files_left_out=n_left_out,
        n_files_unseen=budget.n_skipped,
    )


def read_files(
    path: str, parts: Parts, library: Library, say: Phrasing
) -> tuple[list[PackageFile], int]:
    """Read the source files below a folder, or one file; say how many were left out.

    Raises: as `map_package`.
    """
    sources = list(_read_sources(parts.workspace.locate_folders(path), parts.workspace))
    files = [
        PackageFile(source, outline, check_compiled(source, library, parts, say))
        for source in sources[:MAX_FILES]
        if (outline := parts.code_map.outline(source)) is not None
    ]
    if not files:
        raise InvalidArguments(
            f"No source file in {quote_name(path or '.')} has a structure that is understood. "
            "Name a folder with code."
        )
    return files, max(len(sources) - MAX_FILES, 0)


def _read_sources(folders: Iterable[Path], workspace: Workspace) -> Iterator[SourceText]:
    for folder in folders:
        if not folder.is_dir():
            yield workspace.read(folder)
            continue
        for file in islice(workspace.walk_files(folder), _MAX_WALKED):
            if find_language(file.path) is not None:
                try:
                    yield workspace.read_walked(file.path)
                except GlossatorError:
                    continue


def _find_readme(folder: Path, workspace: Workspace) -> SourceText | None:
    for name in _READMES:
        try:
            return workspace.read(folder / name)
        except GlossatorError:
            continue
    return None


def _find_users(
    modules: "_Modules",
    files: Iterable[PackageFile],
    workspace: Workspace,
    code_map: CodeMap,
    budget: Budget,
) -> Iterator[ImportLink]:
    """Find imports of the package from elsewhere; only files that say a name of it are parsed."""
    inside = {file.source.path for file in files}
    for file in islice(workspace.walk_files(), _MAX_WALKED):
        if Path(file.path) in inside or find_language(file.path) is None:
            continue
        if budget.is_over:
            budget.n_skipped += 1
            continue
        try:
            source = workspace.read_walked(file.path)
        except GlossatorError:
            continue
        if modules.may_be_named_in(source.text) and budget.take():
            outline = code_map.outline(source)
            if outline is not None:
                yield from modules.links_of(source, outline)


def _find_entry_points(file: PackageFile) -> Iterator[EntryPoint]:
    mains = [
        function.name_range.start.line
        for function in file.outline.functions
        if function.name.lower() == "main" and "." not in function.container
    ]
    scripts = (n for n, line in enumerate(file.source.lines, 1) if _STARTS_SCRIPT.match(line))
    for line in islice(mains or scripts, 1):
        yield EntryPoint(file.path, line)


def _rules_of(files: Iterable[PackageFile], library: Library) -> tuple[Rule, ...]:
    rules = {
        rule.id: rule
        for file in files
        if file.report.outcome != "not-checked"
        for rule in library.rule_set.applies_to(scope_of(file.source), file.outline.language.id)
    }
    return tuple(rules.values())


class _Modules:
    """The files of a package, found by the modules that imports name."""

    def __init__(self, files: Iterable[PackageFile]) -> None:
        self._by_word: defaultdict[str, list[tuple[PurePosixPath, str, str]]] = defaultdict(list)
        self._by_folder: defaultdict[PurePosixPath, list[tuple[PurePosixPath, str, str]]]
        self._by_folder = defaultdict(list)
        for file in files:
            path = _posix_path(file.source)
            entry = (path, file.path, _family(file.outline))
            self._by_folder[path.parent].append(entry)
            for word in {path.name.partition(".")[0], path.parent.name}:
                self._by_word[word].append(entry)

    def may_be_named_in(self, text: str) -> bool:
        """Say whether any of the names by which the files are imported stands in a text."""
        return any(word in text for word in self._by_word)

    def links_of(self, source: SourceText, outline: Outline) -> Iterator[ImportLink]:
        """Yield each import of a file of the package, once for each file that it names."""
        seen = set()
        for item in outline.imports:
            for imported in self._find(item, source, outline):
                if imported != source.name and imported not in seen:
                    seen.add(imported)
                    yield ImportLink(source.name, item.line, imported)

    def _find(self, item: Import, source: SourceText, outline: Outline) -> list[str]:
        """Return the files that an import names: the imported name's own, else the module's."""
        site, language_id = _posix_path(source), outline.language.id
        for module in list_modules(item, language_id):
            words = _WORD.findall(module)[-2:]
            candidates = [entry for word in words for entry in self._by_word.get(word, ())]
            candidates = candidates or self._by_folder.get(site.parent, [])
            meant = {
                shown: None
                for path, shown, family in candidates
                if family == _family(outline)
                and rate_module(module, path, site, language_id) == EXACT
            }
            if meant:
                return list(meant)[:_MAX_MEANT]
        return []


def _posix_path(source: SourceText) -> PurePosixPath:
    return PurePosixPath(source.path.as_posix() if source.path else source.name)


def _family(outline: Outline) -> str:
    return FAMILIES.get(outline.language.id, outline.language.id)


def is_test(link: ImportLink) -> bool:
    """Say whether an import stands in a test."""
    return is_test_path(link.importer)
