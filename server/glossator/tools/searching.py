"""The tool that searches: a keyword or regular expression in the files of the workspace."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

from glossator.core.errors import GlossatorError, InvalidArguments
from glossator.core.text import SourceText
from glossator.tools.candidates import Glob, find_ripgrep, list_candidates, walk_candidates
from glossator.tools.escaping import escape_invisible, quote_name, quote_path
from glossator.tools.matching import KeywordMatcher, LineMatch, Matcher, RegexMatcher, TimeIsUp
from glossator.tools.toolbox import ToolFunction
from glossator.tools.workspace import Workspace

MAX_HITS = 200
MAX_QUERY_CHARACTERS = 1000
TIMEOUT_S = 10.0
_SNIPPET_CHARACTERS = 200
_BATCH_TEXTS = 64
_BATCH_CHARACTERS = 500_000

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is searched where. `folder` and `glob` are as the model wrote them."""

    query: str
    is_regex: bool = False
    folder: str = "."
    glob: str = ""
    max_hits: int = 20


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A line with a match."""

    path: str
    match: LineMatch
    text: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in the order of paths, open documents first. `has_more` when not all are given."""

    hits: tuple[SearchHit, ...]
    has_more: bool = False
    n_unreadable: int = 0
    is_out_of_time: bool = False


def make_searching_tools(workspace: Workspace, default_hits: int = 20) -> tuple[ToolFunction, ...]:
    """Return `search_files` for one workspace."""

    async def search_files(
        query: Annotated[str, "Text to find, in any case; with regex=true a regular expression."],
        regex: Annotated[bool, "Whether the query is a regular expression (Python's)."] = False,
        folder: Annotated[str, "Folder or file to search in."] = ".",
        glob: Annotated[str, "Only files like this, such as `*.py` or `src/**/*.{ts,tsx}`."] = "",
        max_hits: Annotated[int, "Hits to return, at most 200."] = default_hits,
    ) -> str:
        """Search the text of files; returns lines as `path:line: text`.

        Files that Git ignores, binary files and files with secrets are not searched. Unsaved
        changes in the editor are included.
        """
        n_hits = min(max(max_hits, 1), MAX_HITS)
        request = SearchRequest(query, regex, folder, glob, n_hits)
        result = await run_stoppable(lambda stop: search(workspace, request, stop))
        return _render(request, result)

    return (search_files,)


async def run_stoppable(work: Callable[[threading.Event], _T]) -> _T:
    """Run `work` in a thread; cancelling tells it to stop by the event that it is given."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(work, stop)
    except asyncio.CancelledError:
        stop.set()
        raise


def search(
    workspace: Workspace, request: SearchRequest, stop: threading.Event | None = None
) -> SearchResult:
    """Find the lines that match, up to the request's number of hits.

    Raises:
        InvalidArguments: the query is empty, too long or no regular expression.
        OutsideWorkspace, ProtectedFile, UnreadableFile: the folder cannot be searched.
    """
    stop = stop or threading.Event()
    if not request.query.strip():
        raise InvalidArguments("`query` is empty. Give the text to search for.")
    if len(request.query) > MAX_QUERY_CHARACTERS:
        raise InvalidArguments("`query` is too long. Search for a shorter, characteristic part.")
    search_ = _Search(workspace, request, stop)
    try:
        with _make_matcher(request, stop) as matcher:
            search_.run(matcher)
    except TimeIsUp:
        search_.is_out_of_time = True
    hits = tuple(search_.hits[: request.max_hits])
    return SearchResult(
        hits,
        has_more=len(search_.hits) > len(hits),
        n_unreadable=search_.n_unreadable,
        is_out_of_time=search_.is_out_of_time,
    )


class _Search:
    """One search while it goes on."""

    def __init__(self, workspace: Workspace, request: SearchRequest, stop: threading.Event) -> None:
        self._workspace = workspace
        self._request = request
        self._stop = stop
        self._glob = Glob(request.glob)
        self._deadline = time.monotonic() + TIMEOUT_S
        self.hits: list[SearchHit] = []
        self.n_unreadable = 0
        self.is_out_of_time = False

    def run(self, matcher: Matcher) -> None:
        for batch in _make_batches(self._read_all()):
            for source, matches in zip(
                batch, matcher.find([source.text for source in batch]), strict=True
            ):
                if matches:
                    self._workspace.note(source)
                self.hits += [
                    SearchHit(source.name, match, source.lines[match.line - 1]) for match in matches
                ]
            if len(self.hits) > self._request.max_hits or self._stop.is_set():
                return
            if time.monotonic() > self._deadline:
                self.is_out_of_time = True
                return

    def _read_all(self) -> Iterator[SourceText]:
        """Yield the texts to search: open documents, then files."""
        workspace = self._workspace
        folders = workspace.locate_folders(self._request.folder)
        if len(folders) == 1 and not folders[0].is_dir():
            yield workspace.read(folders[0])
            return
        documents = workspace.open_documents()
        folder = folders[0] if len(folders) == 1 else None
        for path in sorted(documents):
            if workspace.is_walked(path) and self._is_wanted(path, folder):
                yield documents[path]
        for name in self._find_files(folder):
            path = Path(name)
            if path in documents or not self._is_wanted(path, folder):
                continue
            try:
                yield workspace.read_walked(name)
            except GlossatorError:
                self.n_unreadable += 1

    def _find_files(self, folder: Path | None) -> Iterable[str]:
        workspace, request = self._workspace, self._request
        ripgrep = find_ripgrep(workspace)
        # What stands in an ignored folder only a walk finds.
        if ripgrep is not None and (folder is None or not workspace.is_ignored(folder)):
            names = list_candidates(
                ripgrep, workspace, folder, request.query,
                is_regex=request.is_regex, stop=self._stop,
            )  # fmt: skip
            if names is not None:
                return names
        return walk_candidates(workspace, folder)

    def _is_wanted(self, path: Path, folder: Path | None) -> bool:
        if folder is not None and not path.is_relative_to(folder):
            return False
        if not self._request.glob:
            return True
        forms = [self._workspace.show(path)]
        forms += [
            path.relative_to(root).as_posix()
            for root in self._workspace.roots
            if path.is_relative_to(root)
        ]
        if folder is not None:
            forms.append(path.relative_to(folder).as_posix())
        return self._glob.matches(*forms)


def _make_matcher(request: SearchRequest, stop: threading.Event) -> AbstractContextManager[Matcher]:
    # One more than asked for tells whether there are more.
    limit = request.max_hits + 1
    if request.is_regex:
        return RegexMatcher(request.query, limit=limit, timeout_s=TIMEOUT_S, stop=stop)
    return nullcontext(KeywordMatcher(request.query, limit=limit))


def _make_batches(sources: Iterable[SourceText]) -> Iterator[list[SourceText]]:
    """Group texts so that a batch is neither slow to search nor mostly overhead."""
    batch: list[SourceText] = []
    size = 0
    for source in sources:
        batch.append(source)
        size += len(source.text)
        if len(batch) >= _BATCH_TEXTS or size >= _BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _render(request: SearchRequest, result: SearchResult) -> str:
    query = quote_name(request.query)
    where = f" in {quote_name(request.folder)}" if request.folder not in {"", "."} else ""
    if request.glob:
        where += f", files like {quote_name(request.glob)}"
    n_hits = len(result.hits)
    if not n_hits:
        lines = [
            f"No hits for {query}{where}. Files that Git ignores, binary files and files with "
            "secrets are not searched. Try a shorter or different word."
        ]
    elif result.has_more:
        lines = [
            f"The first {n_hits} hits for {query}{where}; there are more. Narrow with `folder`, "
            f"`glob` or a longer query, or raise `max_hits` (at most {MAX_HITS})."
        ]
    else:
        lines = [f"{n_hits} {'hit' if n_hits == 1 else 'hits'} for {query}{where}"]
    if n_hits:
        lines += [
            "",
            *(f"{quote_path(hit.path)}:{hit.match.line}: {_cut(hit)}" for hit in result.hits),
        ]
    notes = []
    if result.is_out_of_time:
        notes.append(
            f"The search took longer than {TIMEOUT_S:.0f} seconds and was stopped, so this is not "
            "all. Use a simpler query, a folder or a glob."
        )
    if result.n_unreadable:
        notes.append(f"Not searched: {result.n_unreadable} files that are too large or not text.")
    return "\n".join([*lines, *(["", *notes] if notes else [])])


def _cut(hit: SearchHit) -> str:
    """Return the line with the hit, cut around it when it is long."""
    text = hit.text
    if len(text) <= _SNIPPET_CHARACTERS:
        return escape_invisible(text.strip())
    start = max(0, min(hit.match.start - 60, len(text) - _SNIPPET_CHARACTERS))
    end = start + _SNIPPET_CHARACTERS
    before = "…" if start else ""
    after = "…" if end < len(text) else ""
    return escape_invisible(f"{before}{text[start:end].strip()}{after}")
