"""Tools that read: lines of a file, and what stands in a folder."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from glossator.core.errors import InvalidArguments
from glossator.tools.escaping import count_invisible, escape_invisible, quote_name
from glossator.tools.toolbox import ToolFunction
from glossator.tools.walking import Entry
from glossator.tools.workspace import Part, Workspace, describe_size

DEFAULT_LINES = 200
MAX_CHARACTERS = 24_000
MAX_LINE_CHARACTERS = 500
MAX_ENTRIES = 300


def make_reading_tools(workspace: Workspace) -> tuple[ToolFunction, ...]:
    """Return `read_file` and `list_directory` for one workspace."""

    async def read_file(
        path: Annotated[str, "Path below the workspace folder, such as `src/main.py`."],
        first_line: Annotated[int, "First line to return; lines are counted from 1."] = 1,
        last_line: Annotated[
            int | None, "Last line to return. Without it 200 lines are returned."
        ] = None,
        first_column: Annotated[
            int, "Characters to skip in each line; only for reading on in a very long line."
        ] = 0,
    ) -> str:
        """Return lines of a text file, each with its number, and how many lines there are.

        Unsaved changes in the editor are included. Cite lines as `path:line`.
        """
        request = _Request(first_line, last_line, first_column)
        return await asyncio.to_thread(_read_file, workspace, path, request)

    async def list_directory(
        path: Annotated[str, "Folder below the workspace folder; `.` for the top."] = ".",
    ) -> str:
        """List a folder: folders end with `/`, files have their size."""
        return await asyncio.to_thread(_list_directory, workspace, path)

    return (read_file, list_directory)


@dataclass(frozen=True, slots=True)
class _Request:
    """The lines that are asked for, as the model wrote them."""

    first_line: int
    last_line: int | None
    first_column: int

    def resolve(self, name: str, n_lines: int) -> tuple[int, int]:
        """Return the first and last line to show, or refuse with what can be asked for."""
        first = max(self.first_line, 1)
        if self.last_line is not None and self.last_line < first:
            raise InvalidArguments(
                f"`first_line` ({first}) is after `last_line` ({self.last_line}). {name} has "
                f"{n_lines} lines."
            )
        if first > max(n_lines, 1):
            raise InvalidArguments(f"{name} has {n_lines} lines; there is no line {first}.")
        last = first + DEFAULT_LINES - 1 if self.last_line is None else self.last_line
        return first, min(last, n_lines)


def _read_file(workspace: Workspace, path: str, request: _Request) -> str:
    part = workspace.read_part(path)
    source = part.source
    name = quote_name(source.name)
    n_lines = len(source.lines)
    first, last = request.resolve(name, n_lines)
    notes = _describe_state(workspace, part)
    if not source.text:
        return f"{name} is empty{notes}."
    shown = _number_lines(source.lines, first, last, request.first_column)
    last_shown = first + len(shown) - 1
    total = f"{n_lines}" if not part.n_bytes_left else f"the first {n_lines}"
    header = f"{name}, lines {first}-{last_shown} of {total}{notes}"
    footer = _describe_rest(part, last_shown, n_lines)
    hidden = count_invisible("".join(source.lines[first - 1 : last_shown]))
    if hidden:
        footer.append(f"{hidden} invisible or control characters are written as \\u{{…}}.")
    return "\n".join([header, "", *shown, "", *footer]).rstrip()


def _number_lines(lines: Sequence[str], first: int, last: int, skip: int) -> list[str]:
    """Return lines with their numbers, up to the limit; at least one, however long it is."""
    width = len(str(last))
    skip = max(skip, 0)
    # Asked for alone, a line may be as long as a whole answer.
    limit = MAX_LINE_CHARACTERS if last > first else MAX_CHARACTERS
    shown: list[str] = []
    left = MAX_CHARACTERS
    for number in range(first, last + 1):
        line = lines[number - 1]
        text = escape_invisible(line[skip : skip + limit])
        if skip and line:
            text = f"…{text}"
        end = skip + limit
        if len(line) > end:
            text += (
                f"… [characters {skip}-{end - 1} of {len(line)}; read on with first_line={number}, "
                f"last_line={number}, first_column={end}]"
            )
        left -= len(text) + width + 3
        if left < 0 and shown:
            break
        shown.append(f"{number:>{width}}| {text}")
    return shown


def _describe_state(workspace: Workspace, part: Part) -> str:
    """Return what a reader should know about where this text comes from."""
    source = part.source
    notes = []
    if source.version is not None:
        notes.append("as open in the editor")
    if part.encoding != "utf-8":
        notes.append(f"decoded from {part.encoding.upper()}")
    if source.path is not None and workspace.is_ignored(source.path):
        notes.append("ignored by Git")
    return f" ({', '.join(notes)})" if notes else ""


def _describe_rest(part: Part, last_shown: int, n_lines: int) -> list[str]:
    rest = []
    if last_shown < n_lines:
        rest.append(
            f"Lines {last_shown + 1}-{n_lines} are not shown; "
            f"read on with first_line={last_shown + 1}."
        )
    if part.n_bytes_left:
        rest.append(
            f"The file has {describe_size(part.size_bytes)}; only its beginning, {n_lines} lines, "
            "can be read."
        )
    return rest


def _list_directory(workspace: Workspace, path: str) -> str:
    folders = workspace.locate_folders(path)
    if len(folders) > 1:
        names = [f"{workspace.show(folder)}/" for folder in folders]
        return "\n".join([f"The workspace has {len(folders)} folders", "", *names])
    folder = folders[0]
    entries = workspace.list_folder(folder)
    is_ignored = workspace.is_ignored(folder)
    listed = [entry for entry in entries if is_ignored or not entry.is_ignored]
    hidden = [_write_name(entry) for entry in entries if not is_ignored and entry.is_ignored]
    n_folders = sum(entry.kind == "folder" for entry in listed)
    name = quote_name(workspace.show(folder))
    header = f"{name}: {_count(n_folders, 'folder')}, {_count(len(listed) - n_folders, 'file')}"
    if is_ignored:
        header += " (ignored by Git)"
    lines = [_describe(entry) for entry in listed[:MAX_ENTRIES]]
    if len(listed) > MAX_ENTRIES:
        lines.append(
            f"… {len(listed) - MAX_ENTRIES} more are not shown; use search_files with a glob."
        )
    if hidden:
        more = f" and {len(hidden) - 10} more" if len(hidden) > 10 else ""
        lines += ["", f"Ignored by Git or generated: {', '.join(hidden[:10])}{more}"]
    return "\n".join([header, "", *lines]).rstrip()


def _describe(entry: Entry) -> str:
    name = _write_name(entry)
    if entry.is_protected:
        return f"{name}  (protected, never read)"
    if entry.kind == "link":
        return f"{name}  (leads out of the workspace)"
    if entry.kind == "special":
        return f"{name}  (no regular file)"
    return name if entry.kind == "folder" else f"{name}  {describe_size(entry.size_bytes)}"


def _write_name(entry: Entry) -> str:
    name = escape_invisible(entry.name.replace("\n", "\\n").replace("\t", "\\t"))
    return f"{name}/" if entry.kind == "folder" else name


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
