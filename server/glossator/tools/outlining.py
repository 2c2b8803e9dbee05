"""The tool that shows what a file or a folder defines."""

import asyncio
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

from glossator.code.languages import find_language
from glossator.code.outline import Function, Outline
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText, shorten
from glossator.tools.budget import Budget
from glossator.tools.code_map import CodeMap
from glossator.tools.escaping import escape_invisible, quote_name, quote_path
from glossator.tools.lookup import Named, render_definition, require_outline, sort_definitions
from glossator.tools.testcode import is_test_path
from glossator.tools.toolbox import ToolFunction
from glossator.tools.workspace import Workspace

MAX_OUTLINED = 200
MAX_FILES = 50_000
MAX_PARSED = 400
MAX_SECONDS = 3.0
MAX_CHARACTERS = 12_000
MAX_DEFINITIONS = 30
MIN_DEFINITIONS = 6
MAX_FOLDERS_LEFT_OUT = 30
_SHOWN_CHARACTERS = 200
# A definition in one of these is still one of the file's own.
_NAMESPACES = frozenset({"namespace", "module"})


def make_outlining_tools(workspace: Workspace, code_map: CodeMap) -> tuple[ToolFunction, ...]:
    """Return `outline` for one workspace."""

    async def outline(path: Annotated[str, "File or folder."] = ".") -> str:
        """List the functions and types that a file or folder defines, with their lines."""
        return await asyncio.to_thread(show_outline, workspace, code_map, path)

    return (outline,)


def show_outline(workspace: Workspace, code_map: CodeMap, path: str) -> str:
    """Return what a file defines, or the files of a folder each with what it defines.

    Raises:
        InvalidArguments: the file's language is not known.
        OutsideWorkspace, ProtectedFile, UnreadableFile: it cannot be read.
    """
    folders = workspace.locate_folders(path)
    if len(folders) == 1 and not folders[0].is_dir():
        source = workspace.read(folders[0])
        return render_definitions(source, require_outline(code_map, source))
    return _Tree(workspace, code_map).render(folders)


def render_definitions(source: SourceText, outline: Outline) -> str:
    """Return what a file defines, a line for each definition."""
    name = quote_name(source.name)
    named = sort_definitions(outline)
    if not named:
        return f"{name} ({outline.language.name}) defines no functions or types."
    state = ", has syntax errors" if outline.has_errors else ""
    lines = [
        f"{name} ({outline.language.name}{state}): {len(outline.functions)} functions, "
        f"{len(outline.types)} types",
        "",
    ]
    lines += [
        escape_invisible(render_definition(item, _SHOWN_CHARACTERS))
        for item in named[:MAX_OUTLINED]
    ]
    if len(named) > MAX_OUTLINED:
        lines.append(f"{len(named) - MAX_OUTLINED} more are not shown; ask for one by its name.")
    return "\n".join(lines)


@dataclass(slots=True)
class _Tree:
    """The files of folders, those that matter most first as long as there is room."""

    workspace: Workspace
    code_map: CodeMap
    n_others: int = 0
    n_definitions: int = MAX_DEFINITIONS

    def render(self, folders: Sequence[Path]) -> str:
        files = self._find_files(folders)
        # Something of many files tells more than all of a few.
        share = MAX_CHARACTERS // (20 * len(files) or 1)
        self.n_definitions = min(max(share, MIN_DEFINITIONS), MAX_DEFINITIONS)
        shown, left_out = self._describe(files)
        names = ", ".join(quote_name(self.workspace.show(folder)) for folder in folders)
        others = f" and {self.n_others} others" if self.n_others else ""
        lines = [f"{names}: {len(files)} source files{others}"]
        for folder in sorted(shown):
            lines += ["", f"{quote_path(folder)}/", *shown[folder]]
        if left_out:
            lines += ["", *_describe_left_out(left_out)]
        return "\n".join(lines)

    def _find_files(self, folders: Iterable[Path]) -> list[Path]:
        """Return the source files: tests last, and what stands high up before what is deep."""
        found: set[Path] = set()
        for folder in folders:
            for file in islice(self.workspace.walk_files(folder), MAX_FILES):
                if find_language(file.path.rpartition(os.sep)[2]) is not None:
                    found.add(Path(file.path))
                else:
                    self.n_others += 1
        return sorted(found, key=lambda path: (is_test_path(self.workspace.show(path)),
                                               len(path.parts), path))  # fmt: skip

    def _describe(self, files: Iterable[Path]) -> tuple[dict[str, list[str]], dict[str, int]]:
        """Return a line for each file that there is room for, and how many are left out."""
        documents = self.workspace.open_documents()
        budget = Budget(n_parses=MAX_PARSED, seconds=MAX_SECONDS)
        shown: dict[str, dict[str, str]] = defaultdict(dict)
        left_out: dict[str, int] = defaultdict(int)
        n_left = MAX_CHARACTERS
        for path in files:
            folder, _, name = self.workspace.show(path).rpartition("/")
            if n_left < 0 or not budget.take():
                left_out[folder or "."] += 1
                continue
            try:
                source = documents.get(path) or self.workspace.read_walked(str(path))
            except GlossatorError:
                left_out[folder or "."] += 1
                continue
            self.workspace.note(source)
            line = f"  {quote_path(name)}: {escape_invisible(self._list_top_level(source))}"
            n_left -= len(line) + 1
            shown[folder or "."][name] = line
        return {
            folder: [lines[name] for name in sorted(lines)] for folder, lines in shown.items()
        }, left_out

    def _list_top_level(self, source: SourceText) -> str:
        outline = self.code_map.outline(source)
        if outline is None:
            return "too large"
        namespaces = {item.qualified_name for item in outline.types if item.kind in _NAMESPACES}
        top = [
            item
            for item in sort_definitions(outline)
            if _find_container(item) in {"", *namespaces} and item.qualified_name not in namespaces
        ]
        public_first = sorted(top, key=lambda item: (item.name.startswith("_"), item.range))
        chosen = sorted(public_first[: self.n_definitions], key=lambda item: item.range)
        names = [_describe(item) for item in chosen]
        if len(top) > len(chosen):
            names.append(f"{len(top) - len(chosen)} more")
        return ", ".join(names) or "no definitions"


def _describe(item: Named) -> str:
    head = f"{item.name}()" if isinstance(item, Function) else f"{item.kind} {item.name}"
    return f"{shorten(head, 80)} {item.range.start.line}-{item.range.end.line}"


def _find_container(item: Named) -> str:
    return item.qualified_name.removesuffix(item.name).rstrip(".")


def _describe_left_out(left_out: dict[str, int]) -> list[str]:
    """Name the folders with files that were left out, those with the most first."""
    folders = sorted(left_out, key=lambda folder: (-left_out[folder], folder))
    lines = [f"{sum(left_out.values())} source files are not shown; ask with their folder:"]
    lines += [
        f"  {quote_path(folder)}/: {left_out[folder]}" for folder in folders[:MAX_FOLDERS_LEFT_OUT]
    ]
    if len(folders) > MAX_FOLDERS_LEFT_OUT:
        lines.append(f"  and {len(folders) - MAX_FOLDERS_LEFT_OUT} more folders")
    return lines
