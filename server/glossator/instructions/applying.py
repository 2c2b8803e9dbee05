"""Which instructions count for a file and a question: the nearest first, within a budget.

What is given to a model and what is shown to people is decided here, once. A document that is not
given says why; one that is cut says which lines are left.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from glossator.core.globs import matches_any
from glossator.core.text import split_lines
from glossator.core.tokens import estimate_tokens
from glossator.instructions.places import order_of
from glossator.instructions.standing import Reason, Standing
from glossator.knowledge.documents import Document
from glossator.knowledge.wording import Wording, read_wording

SHARED_WORDS = 2
"""So many words of its description call for a document that only its description can call for."""

MIN_TOKENS = 40
"""Less than this of a document is not worth giving."""

NUMBER_TOKENS = 2
"""What the number of a line takes."""

_MAX_NAMED_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class FileAt:
    """A file that is looked at: its path as it is shown, and below its workspace folder."""

    path: str
    scope: str


def judge_instructions(
    documents: Iterable[Document],
    *,
    path: str | None,
    scope: str | None,
    question: str,
    budget_tokens: int,
    is_trusted: bool,
    agent: str = "",
) -> tuple[Standing, ...]:
    """Judge each document for the file `path` and a question, in the order they are given.

    `path` and `scope` are None when no file is looked at. `agent` is what Copilot's files may
    exclude. What counts comes first, the nearest to the file before the others.
    """
    files = () if path is None else (FileAt(path, path if scope is None else scope),)
    return judge_for_files(
        documents, files, question=question, budget_tokens=budget_tokens, is_trusted=is_trusted,
        agent=agent,
    )  # fmt: skip


def judge_for_files(
    documents: Iterable[Document],
    files: Sequence[FileAt],
    *,
    question: str,
    budget_tokens: int,
    is_trusted: bool,
    agent: str = "",
) -> tuple[Standing, ...]:
    """Judge as `judge_instructions` does, for several files: what counts for one of them counts."""
    wording = read_wording(question[:_MAX_NAMED_CHARS])
    judged = [
        _judge(document, files, question, wording, is_trusted=is_trusted, agent=agent)
        for document in documents
    ]
    judged.sort(key=_order)
    return tuple(_fit(_without_repetition(judged), budget_tokens))


def _judge(
    document: Document,
    files: Sequence[FileAt],
    question: str,
    wording: Wording,
    *,
    is_trusted: bool,
    agent: str,
) -> Standing:
    n_tokens = _measure(document)
    counts, reason, detail = _decide(document, files, question, wording)
    if not is_trusted:
        counts, reason, detail = False, "untrusted", ""
    elif not document.body.strip():
        counts, reason, detail = False, "empty", ""
    elif agent and agent in document.excludes:
        counts, reason, detail = False, "off", f"excludeAgent: {agent}"
    return Standing(document, counts, reason, detail, n_tokens)


def _decide(
    document: Document, files: Sequence[FileAt], question: str, wording: Wording
) -> tuple[bool, Reason, str]:
    if is_named(document, question):
        return True, "named", f"@{document.name}"
    homes = (document.home, *document.also_for)
    near = [file for file in files if _is_below_any(file.path, homes)]
    if "" not in homes and not near:
        return False, "elsewhere", document.home
    if document.always:
        return True, "always", document.home
    if document.globs:
        for file in near:
            if matches_any(document.globs, file.scope):
                return True, "glob", _find_glob(document, file.scope)
        shown = document.globs_written or document.globs
        return False, "no-glob-matches", ", ".join(shown)
    if document.manual:
        return False, "not-named", f"@{document.name}"
    n_shared = wording.count_spoken(document.description)
    return n_shared >= SHARED_WORDS, "search", document.description


def _measure(document: Document) -> int:
    """Estimate the tokens of a document as it is given: with a number before each line."""
    body = document.body
    return estimate_tokens(body) + NUMBER_TOKENS * len(split_lines(body))


def is_named(document: Document, question: str) -> bool:
    """Say whether a question names a document as `@name`, which calls for it whatever it is."""
    if "@" not in question:
        return False
    names = {document.path, document.path.rpartition("/")[2], document.name}
    if document.always and not document.globs_written:
        names = {document.path}  # There is an `AGENTS.md` in many folders.
    return any(_is_said(name, question) for name in names if name)


def _is_said(name: str, question: str) -> bool:
    # Chinese stands next to it without a space; `me@name` is an address.
    end = r"(?![A-Za-z0-9_-])" if name[-1].isascii() else ""
    pattern = rf"(?<![A-Za-z0-9_.]|@)@{re.escape(name)}{end}"
    return re.search(pattern, question, re.IGNORECASE) is not None


def _find_glob(document: Document, scope: str) -> str:
    """Return the glob that matches, as the file has it."""
    written = document.globs_written or document.globs
    if len(written) == len(document.globs):
        for glob, shown in zip(document.globs, written, strict=True):
            if not glob.startswith("!") and matches_any((glob,), scope):
                return shown
    return ", ".join(written)


def _is_below_any(path: str, homes: Iterable[str]) -> bool:
    return any(not home or path == home or path.startswith(f"{home}/") for home in homes)


_NOT_GIVEN = 2


def _order(standing: Standing) -> tuple[object, ...]:
    """Put what is named first, then by nearness; what is written for some files before the rest."""
    document = standing.document
    if not standing.counts:
        return (_NOT_GIVEN, document.path)
    depth = len(document.home.split("/")) if document.home else 0
    return (
        0 if standing.reason == "named" else 1,
        -depth,
        ("named", "glob", "search", "always").index(standing.reason),
        order_of(document.imported_by or document.path, document.family),
        bool(document.imported_by),
        document.path,
    )


def _without_repetition(judged: Sequence[Standing]) -> list[Standing]:
    """Let of several documents with the same text only the first count."""
    first: dict[str, str] = {}
    kept: list[Standing] = []
    for standing in judged:
        text = standing.document.body.strip()
        if standing.counts and text in first:
            kept.append(replace(standing, counts=False, reason="shadowed", detail=first[text]))
            continue
        if standing.counts:
            first[text] = standing.document.path
        kept.append(standing)
    return kept


def _fit(judged: Sequence[Standing], budget_tokens: int) -> list[Standing]:
    """Give the budget to the nearest first; what no longer fits is cut, then left out."""
    left = budget_tokens
    given: list[Standing] = []
    passed_over: list[Standing] = []
    for standing in judged:
        if not standing.counts:
            passed_over.append(standing)
        elif standing.n_tokens <= left:
            left -= standing.n_tokens
            given.append(standing)
        else:
            cut = _cut(standing, left) if left >= MIN_TOKENS else None
            left = 0
            if cut is not None:
                given.append(cut)
            else:
                detail = f"{budget_tokens} tokens are given"
                passed_over.append(
                    replace(standing, counts=False, reason="over-budget", detail=detail)
                )
    return [*given, *passed_over]


def _cut(standing: Standing, n_tokens: int) -> Standing | None:
    """Keep the first lines of a document that fit; None when not even one does."""
    document = standing.document
    first = document.body_first_line
    used, n_lines = 0, 0
    for number, line in enumerate(split_lines(document.body, keep_ends=True), 1):
        used += estimate_tokens(line) + NUMBER_TOKENS
        if used > n_tokens:
            break
        if line.strip():
            n_lines = number
    if not n_lines:
        return None
    return replace(standing, lines=(first, first + n_lines - 1))
