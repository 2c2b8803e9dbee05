"""Places and paths in the text: `path:line` beyond the end, and paths to nothing."""

import posixpath
import re
from collections.abc import Iterator

from glossator.core.text import split_lines
from glossator.linting.finding import Finding, find, replace_with
from glossator.linting.markup import CodeSpan
from glossator.linting.subject import Subject

_PLACE = re.compile(
    r"(?P<path>(?:[\w@.\-]+/)*[\w@\-][\w@.\-]*\.[A-Za-z]\w{0,9}):"
    r"(?P<first>[1-9]\d{0,6})(?:-(?P<last>[1-9]\d{0,6}))?(?![\w:])"
)
_PATH = re.compile(r"(?:\./)?(?P<path>(?:[\w@.\-\[\]()]+/)+(?:[\w@.\-]+\.[A-Za-z]\w{0,9})?)")
_INVENTED = frozenset({
    "path", "to", "your", "my", "foo", "bar", "baz", "example", "examples", "xxx", "some", "name",
    "file", "folder", "dir", "new", "old", "a", "b", "c", "x", "y", "z",
})  # fmt: skip
# Of a file that is to be made, or is gone, the text says so.
_NOT_THERE_YET = re.compile(
    r"\b(?:create|creating|add(?:s|ed|ing)?\b|new|generate|generating|remove|removing|delete|"
    r"deleting|rename|renaming|mov(?:e|ed|ing)\b|output|write|writing|written|produce|producing|"
    r"emit|build|built|cache|caching|temporary|would|e\.g|example|such as|like|instead|no longer|"
    r"never|not|don't|if|optional|legacy|former|install)|"
    r"[不无未新若]|创建|新建|生成|添加|删除|移除|移动|重命名|输出|例如|比如|形如|如果|可选|构建|缓存|旧",
    re.IGNORECASE,
)
_RECORD = re.compile(
    r"(?:^|/)(?:change-?log|release-?notes|releases|history|news|migrat)[^/]*$", re.IGNORECASE
)


def check_places(subject: Subject) -> Iterator[Finding]:
    """Judge the places and paths that stand in the text as code."""
    if _RECORD.search(subject.around.scope):
        return  # It tells what was there once.
    for span in subject.markup.code:
        match = _PLACE.fullmatch(span.text)
        if match is not None:
            yield from _check_place(subject, span, match)
        elif (path := _PATH.fullmatch(span.text)) is not None:
            yield from _check_path(subject, span, path["path"])


def _check_place(subject: Subject, span: CodeSpan, match: re.Match[str]) -> Iterator[Finding]:
    path = _find(subject, match["path"])
    text = subject.around.files.read(path) if path is not None else None
    if text is None:
        return
    n_lines = len(split_lines(text))
    last = int(match["last"] or match["first"])
    if last > n_lines:
        yield find(
            "line-beyond-end", span.range, text=span.text, path=match["path"], n_lines=n_lines
        )


def _find(subject: Subject, path: str) -> str | None:
    """Return the path as it is meant: from the workspace folder, or from the document's."""
    around = subject.around
    for base in ("", around.folder):
        resolved = around.resolve(path, base)
        if resolved and around.files.exists(resolved):
            return resolved
    return None


def _check_path(subject: Subject, span: CodeSpan, path: str) -> Iterator[Finding]:
    around = subject.around
    first, *others = path.rstrip("/").split("/")
    if not others or first in ("", ".", ".."):
        return
    words = {word for part in (first, *others) for word in part.lower().split(".")}
    # Only below a folder that there is: anything else may be a module, a branch or an address.
    base = around.folder if subject.document.family == "skill" else ""
    if words & _INVENTED or not around.files.exists(posixpath.join(base, first)):
        return
    if _find(subject, path) is not None or around.files.is_ignored(path.rstrip("/")):
        return
    near = around.listing.find_nearest(path.rstrip("/"))
    if near is None and (first.startswith(".") or not subject.speaks_of_workspace):
        return  # What tools look for may be left out.
    if _NOT_THERE_YET.search(subject.lines[span.range.start.line - 1]):
        return
    repair = replace_with(span.range, near) if near is not None else None
    yield find("missing-path", span.range, repair=repair, path=span.text, near=near or "")
