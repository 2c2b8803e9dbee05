"""Read the places that an answer names again, from the texts that the turn has read."""

import os
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path

from glossator.app.answers import read_knowledge
from glossator.app.phrasing import Phrasing, count
from glossator.app.results import Citation
from glossator.citations.finding import find_citations
from glossator.citations.judging import FileText, Judge, Judgement, Reason
from glossator.citations.showing import ShownPlaces
from glossator.core.errors import GlossatorError, OutsideWorkspace, ProtectedFile
from glossator.core.text import SourceText
from glossator.tools.file_names import FileNames
from glossator.tools.seen_texts import SeenTexts
from glossator.tools.workspace import Workspace

_MAX_CITATIONS = 300
_ENGLISH = Phrasing(is_chinese=False)


def verify_citations(
    answer: str,
    workspace: Workspace,
    *,
    files: Mapping[str, Path],
    looked_at: SourceText | None = None,
    seen: SeenTexts | None = None,
    shown: Iterable[str] | None = None,
    say: Phrasing = _ENGLISH,
) -> tuple[Citation, ...]:
    """Read the places that `answer` names again, each once, up to 300 of them.

    `files` are those of the knowledge; `looked_at` is the document that the answer is about,
    which may stand in no folder or file at all. `seen` are the texts that were read for the answer
    and `shown` is all that its model was sent. Reads files: call it in a worker thread.
    """
    cited_files = _CitedFiles(workspace.noting(None), files, looked_at, seen or SeenTexts())
    was_shown = ShownPlaces(tuple(shown)).hold if shown is not None else None
    judge = Judge(lru_cache(maxsize=None)(cited_files.find), was_shown)
    citations: dict[str, Citation] = {}
    for cited in find_citations(answer, names=(looked_at.name,) if looked_at else ()):
        if cited.text in citations:
            continue
        if len(citations) == _MAX_CITATIONS:
            break
        judged = judge.judge(cited)
        if judged.source is None and not cited.is_certain:
            continue  # `df.iloc:3`
        path = judged.source.path if judged.source else None
        if judged.source is not None and path is None:
            path = files.get(judged.source.name)
        reason = describe_reason(judged, say)
        citation = Citation(judged.text, judged.place, path, judged.verdict, reason)
        citations.setdefault(judged.text, citation)
    return tuple(citations.values())


def describe_reason(judged: Judgement, say: Phrasing) -> str:
    """Say in a few words why a place is missing, or that it moved since it was read."""
    n_lines = len(judged.source.lines) if judged.source else 0
    texts: Mapping[Reason, str] = {
        "no-file": say("there is no such file", "没有这个文件"),
        "several-files": say("several files are called so", "有多个同名文件"),
        "protected": say("the file is never read", "该文件受保护，从不读取"),
        "outside": say("it is outside the workspace", "不在工作区内"),
        "unreadable": say("it is no text file that can be read", "不是可读的文本文件"),
        "no-line": say("lines are counted from 1", "行号从 1 开始"),
        "past-end": say(f"the file has {count(n_lines, 'line')}", f"文件只有 {n_lines} 行")
        if n_lines
        else say("the file is empty", "文件是空的"),
        "unread": say("these lines were not read", "没有读取过这些行"),
        "changed": say("the file changed since it was read", "文件在读取之后有改动"),
    }
    return texts.get(judged.reason, "")


class _CitedFiles:
    """The files that an answer may name, by their paths or the end of them."""

    def __init__(
        self,
        workspace: Workspace,
        files: Mapping[str, Path],
        looked_at: SourceText | None,
        seen: SeenTexts,
    ) -> None:
        self._workspace = workspace
        self._files = files
        is_inside = looked_at and looked_at.path and workspace.is_inside(looked_at.path)
        # No name leads to a document that has no file, or one that stands in no folder.
        self._outside = None if is_inside else looked_at
        self._seen = seen
        self._names = FileNames(workspace, files)

    def find(self, path: str) -> Sequence[FileText] | Reason:
        """Return what a path as written names; by the end of a path if that tells enough.

        Of several files that end so those are meant that were read.
        """
        if self._outside is not None and path == self._outside.name:
            return [FileText((), self._outside)]
        given = self._seen.find_given(path.replace("\\", "/").removeprefix("./"))
        if given is not None and (path == given.name or not self._may_exist(path)):
            return [FileText((), given)]
        found = self._read_named(path) if self._may_exist(path) else "no-file"
        if not isinstance(found, str):
            return [found]
        if found != "no-file" or Path(path).is_absolute():
            return found
        ending = path.replace("\\", "/").removeprefix("./")
        read = [self._read(file) for file in self._seen.files_ending_with(ending)]
        if self._outside is not None and self._outside.name.endswith(f"/{ending}"):
            read.append(FileText((), self._outside))
        if readable := [each for each in read if not isinstance(each, str)]:
            return readable
        names = self._names.ending_with(path)
        if len(names) > 1:
            return "several-files"
        named = self._read_named(names[0]) if names else found
        return named if isinstance(named, str) else [named]

    def _may_exist(self, path: str) -> bool:
        """Say whether a path begins with a name that is there: most guesses need no more look."""
        head = path.replace("\\", "/").removeprefix("./").partition("/")[0]
        is_special = not head or head in {".", ".."} or head[0] in "~$%" or ":" in head
        return is_special or path in self._files or _fold(head) in self._top_names

    @cached_property
    def _top_names(self) -> frozenset[str]:
        workspace = self._workspace
        names = [root.name for root in workspace.roots]
        names += [workspace.show(path).partition("/")[0] for path in workspace.open_documents()]
        for root in workspace.roots:
            with suppress(OSError):
                names += [entry.name for entry in os.scandir(root)]
        return frozenset(map(_fold, names))

    def _read_named(self, path: str) -> FileText | Reason:
        file = self._files.get(path)
        try:
            if file is None:
                file = self._workspace.locate(path)
            elif not self._workspace.is_inside(file):
                return FileText((), read_knowledge(path, self._files))  # What ships with Glossator.
        except ProtectedFile:
            return "protected"
        except OutsideWorkspace:
            return "outside"
        except (GlossatorError, OSError):
            return "no-file"
        return self._read(file)

    def _read(self, file: Path) -> FileText | Reason:
        versions = self._seen.versions_of(file)
        if versions and not self._workspace.is_inside(file):
            return FileText(versions, versions[0])  # A skill's, read for its tool and by no other.
        try:
            # Of a file that is too large the beginning was read.
            now = self._workspace.read_part(file).source if versions else self._workspace.read(file)
        except ProtectedFile:
            return "protected"
        except (GlossatorError, OSError):
            if versions:
                return FileText(versions, None)
            return "unreadable" if file.is_file() else "no-file"
        return FileText(versions, now)


def _fold(name: str) -> str:
    """Return a name as file systems compare it that tell neither case nor normal form apart."""
    return unicodedata.normalize("NFC", name).casefold()
