"""Lint files of knowledge, skills and instructions: findings in words, with edits that repair."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from glossator.app.library import Library
from glossator.app.linting.files import Listings, WorkspaceFiles
from glossator.app.linting.page import list_lines
from glossator.app.linting.subjects import list_neighbours, list_rules, read_subject
from glossator.app.linting.text import PREFIX, render_message, render_title
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.core.globs import matches_any
from glossator.core.locations import Point, Range, Span
from glossator.core.text import SourceText
from glossator.linting.corpus import MAX_CHARS, Corpus, Extract, extract, join
from glossator.linting.finding import GUESSES, Edit, Finding
from glossator.linting.judging import judge_document
from glossator.linting.surroundings import Limits, Listing, Surroundings
from glossator.rules.rule import Severity

LintOutcome = Literal["clean", "findings", "not-linted"]
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class LintFinding:
    """A finding as people read it; `title` says what the edits do, both empty without a repair.

    `is_guess`: the edits put what was most likely meant.
    """

    code: str
    severity: Severity
    range: Range
    message: str
    title: str = ""
    edits: tuple[Edit, ...] = ()
    related: tuple[Span, ...] = ()
    is_guess: bool = False

    @property
    def is_sure(self) -> bool:
        """Say whether the repair may be made unseen, with all others."""
        is_guess = self.is_guess or self.code.removeprefix(PREFIX) in GUESSES
        return bool(self.edits) and not is_guess


@dataclass(frozen=True, slots=True)
class LintReport:
    """One file, judged: clean, with findings, or not judged and why; `notes` say what was not."""

    shown_path: str
    path: Path | None
    version: int | None
    outcome: LintOutcome
    findings: tuple[LintFinding, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()


class Linter:
    """Judges documents; keeps what the documents have in common while the library is the same."""

    def __init__(self) -> None:
        list_lines()  # Read here, in a thread, for whoever shows findings.
        self.listings = Listings()
        self._lock = threading.Lock()
        self._extracts: dict[str, Extract] = {}
        self._corpus: tuple[Library, Corpus] | None = None

    def lint(
        self,
        source: SourceText,
        parts: Parts,
        library: Library,
        say: Phrasing,
        *,
        is_summed_up: bool = True,
    ) -> LintReport:
        """Judge one document; see `judge_document`. Reads files: call it in a worker thread."""
        document = read_subject(source, parts, library)
        if document is None or source.path is None:
            reason = say("it is no knowledge, skill or instructions", "它不是知识、技能或指令文件")
            return _skip(source, reason)
        if matches_any(parts.settings.check.exclude, source.scope):
            return _skip(source, say("`check.exclude` leaves it out", "`check.exclude` 排除了它"))
        around = self._look_around(source, source.path, parts, library)
        disabled = frozenset(parts.settings.check.disabled_rules)
        shift = 1 if source.text.startswith(_BOM) else 0
        findings = tuple(
            _render(_move(finding, shift), say)
            for finding in judge_document(document, around, is_summed_up=is_summed_up)
            if PREFIX + finding.code not in disabled
        )
        outcome: LintOutcome = "findings" if findings else "clean"
        notes = tuple(_list_notes(around, say))
        return LintReport(source.name, source.path, source.version, outcome, findings, notes=notes)

    def _look_around(
        self, source: SourceText, path: Path, parts: Parts, library: Library
    ) -> Surroundings:
        workspace = parts.workspace
        corpus = self._compare(library)
        innermost_first = sorted(workspace.roots, key=lambda root: -len(root.parts))
        root = next((each for each in innermost_first if path.is_relative_to(each)), None)
        return Surroundings(
            scope=source.scope if root else path.name,
            files=WorkspaceFiles(workspace, root or path.parent),
            list_files=partial(self.listings.list_files, workspace, root) if root else _list_none,
            corpus=corpus,
            limits=Limits(instruction_tokens=parts.settings.knowledge.instruction_tokens),
        )

    def _compare(self, library: Library) -> Corpus:
        """Return what the documents say together: of those that changed only, all is read again."""
        with self._lock:
            if self._corpus is not None and self._corpus[0] is library:
                return self._corpus[1]
            self.listings.forget()
            extracts: dict[str, Extract] = {}
            n_chars = 0
            for document in list_neighbours(library):
                n_chars += len(document.text)
                if n_chars > MAX_CHARS:
                    break
                known = self._extracts.get(document.path)
                is_same = known is not None and known.document == document
                extracts[document.path] = known if known and is_same else extract(document)
            self._extracts = extracts
            rules = list_rules(library)
            corpus = join(extracts.values(), rules, is_complete=n_chars <= MAX_CHARS)
            self._corpus = (library, corpus)
            return corpus


def _skip(source: SourceText, reason: str) -> LintReport:
    return LintReport(source.name, source.path, source.version, "not-linted", reason=reason)


def not_linted(shown_path: str, path: Path | None, reason: str) -> LintReport:
    """Report a file that could not be read."""
    return LintReport(shown_path, path, None, "not-linted", reason=reason)


def _list_none() -> Listing:
    return Listing(is_complete=False)


def _list_notes(around: Surroundings, say: Phrasing) -> Iterator[str]:
    """Say what was not judged, as far as it was asked for."""
    if around.has_listed and not around.listing.is_complete:
        yield say(
            "The workspace is too large to list: globs are not judged.",
            "工作区过大，无法列出全部文件：不检查 glob。",
        )
    if not around.corpus.is_complete:
        yield say(
            "There is too much text: not all documents are compared with each other.",
            "文本过多：并非所有文档都相互比较。",
        )


def _render(finding: Finding, say: Phrasing) -> LintFinding:
    repair = finding.repair
    return LintFinding(
        code=PREFIX + finding.code,
        severity=finding.severity,
        range=finding.range,
        message=render_message(finding, say),
        title=render_title(repair, say) if repair else "",
        edits=repair.edits if repair else (),
        related=finding.related,
    )


def _move(finding: Finding, shift: int) -> Finding:
    """Return a finding with places behind the mark that a text may begin with."""
    if not shift:
        return finding

    def move(place: Range) -> Range:
        ends = (
            Point(each.line, each.column + (shift if each.line == 1 else 0))
            for each in (place.start, place.end)
        )
        return Range(*ends)

    repair = finding.repair
    if repair is not None:
        repair = replace(repair, edits=tuple((move(place), text) for place, text in repair.edits))
    return replace(finding, range=move(finding.range), repair=repair)
