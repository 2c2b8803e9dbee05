"""Check a document with the compiled rules: clean, findings, or not checked and why."""

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from glossator.app.checking.examining import hash_content
from glossator.app.checking.generated import judge_name
from glossator.app.checking.guarding import Examine, examine_here
from glossator.app.checking.incremental import Incremental
from glossator.app.checking.reasons import Reason, tell_broken_lines
from glossator.app.checking.records import Record
from glossator.app.checking.report import CheckReport, SkippedRules, put_findings
from glossator.app.checking.selecting import Selection, Selector
from glossator.app.library import Library
from glossator.code.languages import find_language
from glossator.core.globs import matches_any
from glossator.core.settings import CheckSettings
from glossator.core.text import SourceText
from glossator.rules.matching import RuleSet
from glossator.rules.scope import name_place
from glossator.tools.workspace import Workspace

_KEPT_RECORDS = 4_096
_KEPT_FINDINGS = 50_000


@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked: how it is shown, where it stands, what globs are matched with.

    `scope` is empty for a buffer without a file: it fits every glob.
    """

    shown_path: str
    path: Path | None
    scope: str
    language_id: str | None = None
    version: int | None = None

    @property
    def place(self) -> str:
        """Where it stands, as rules want it: with its workspace folder where there are several."""
        root = self.shown_path.removesuffix(self.scope).rstrip("/") if self.scope else ""
        return name_place(self.scope, root)


class Checker:
    """Checks documents with the compiled rules of a library. Used from any thread.

    `workspace` says what may hold secrets; without one nothing does.
    """

    def __init__(self, settings: CheckSettings, workspace: Workspace | None = None) -> None:
        self.settings = settings
        self.workspace = workspace
        self._records = RecentRecords()
        self._incremental = Incremental()
        self._selector: Selector | None = None

    def check(
        self,
        source: SourceText,
        library: Library | None,
        unjudged: Reason | None = None,
        examine: Examine = examine_here,
    ) -> CheckReport:
        """Check one document. Takes milliseconds, or none when it was checked before.

        Its path has no links in it.

        `unjudged` is why rules without a check are not judged by a model, if that is known.
        """
        subject = Subject(
            source.name,
            source.path,
            source.scope if source.path is not None else "",
            source.language_id,
            source.version,
        )
        if library is None:
            return not_checked(subject, Reason("reading"))
        if (
            source.path is not None
            and self.workspace
            and self.workspace.is_secret_name(source.path)
        ):
            return not_checked(subject, Reason("secret"))
        data = source.text.encode("utf-8", "surrogatepass")
        selector = self.selector(library.rule_set)
        selection = self.select(subject, len(data), selector)
        if isinstance(selection, Reason):
            return not_checked(subject, selection)
        key = make_key(hash_content(data), selection)
        record = self._records.find(key, selector)
        if record is None:
            record = self._incremental.examine(
                source.path, source.text, library.rule_set, selection, subject.place, examine
            )
            # A crash may have had a cause outside of the text, so it is checked anew.
            if record.reason is None or record.reason.code != "crashed":
                self._records.add(key, record, selector)
        return self.report(subject, selection, record, unjudged)

    def selector(self, rule_set: RuleSet) -> Selector:
        """Return what chooses rules of a set; it is kept as long as the set is the same."""
        selector = self._selector
        if selector is None or selector.rule_set is not rule_set:
            selector = self._selector = Selector(rule_set)
        return selector

    def select(self, subject: Subject, size_bytes: int, selector: Selector) -> Selection | Reason:
        """Return the rules for a document, or why it is not checked, whatever stands in it."""
        if size_bytes // 1024 > self.settings.max_file_kb:
            return Reason("too-large", (size_bytes // 1024, self.settings.max_file_kb))
        if matches_any(self.settings.exclude, subject.scope or subject.shown_path):
            return Reason("excluded")
        by_name = judge_name(subject.shown_path.rpartition("/")[2])
        if by_name is not None:
            return by_name
        language = find_language(subject.shown_path, subject.language_id)
        if language is None:
            return Reason("no-language")
        selection = selector.select(subject.place, language.id)
        if not selection.n_rules and not selection.judged_ids:
            return Reason("no-rule", (language.name,))
        return selection

    def report(
        self, subject: Subject, selection: Selection, record: Record, unjudged: Reason | None
    ) -> CheckReport:
        """Return what a record says of a document, and which rules were not judged."""
        if record.reason is not None:
            return not_checked(subject, record.reason)
        skipped: tuple[SkippedRules, ...] = ()
        if unjudged is not None and selection.judged_ids:
            skipped = (SkippedRules(selection.judged_ids, unjudged),)
        if not selection.n_rules:
            language = find_language(subject.shown_path, subject.language_id)
            reason = Reason("no-rule", (language.name if language else "",))
            return not_checked(subject, reason, skipped)
        if record.broken_lines:
            lost = SkippedRules(record.lost_ids, tell_broken_lines(record.broken_lines))
            skipped = (lost, *skipped)
        report = CheckReport(subject.shown_path, subject.path, subject.version, "clean")
        return put_findings(report, record.findings, n_rules=selection.n_rules, skipped=skipped)


class RecentRecords:
    """The latest records by key, so many of them; they hold the rules of one selector."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._selector: Selector | None = None
        self._records: OrderedDict[bytes, Record] = OrderedDict()
        self._n_findings = 0

    def find(self, key: bytes, selector: Selector) -> Record | None:
        """Return the record, unless it is of other rules: theirs may stand elsewhere now."""
        with self._lock:
            if selector is not self._selector or key not in self._records:
                return None
            self._records.move_to_end(key)
            return self._records[key]

    def add(self, key: bytes, record: Record, selector: Selector) -> None:
        """Keep a record; those that were not asked for longest make room."""
        with self._lock:
            if selector is not self._selector:
                self._selector, self._n_findings = selector, 0
                self._records.clear()
            known = self._records.pop(key, None)
            self._records[key] = record
            self._n_findings += len(record.findings) - len(known.findings if known else ())
            while len(self._records) > _KEPT_RECORDS or self._n_findings > _KEPT_FINDINGS:
                _, oldest = self._records.popitem(last=False)
                self._n_findings -= len(oldest.findings)


def scope_of(source: SourceText) -> str:
    """Return the place that rules are chosen by; a buffer without a file fits them all."""
    return name_place(source.scope, source.root) if source.path is not None else ""


def not_checked(
    subject: Subject, reason: Reason, skipped: tuple[SkippedRules, ...] = ()
) -> CheckReport:
    """Report a document that was not checked."""
    return CheckReport(
        subject.shown_path,
        subject.path,
        subject.version,
        "not-checked",
        reason=reason,
        skipped=skipped,
    )


def make_key(content: bytes, selection: Selection) -> bytes:
    """Return what the record of a content is known by, for the rules of a selection."""
    return hashlib.blake2b(content + selection.digest, digest_size=16).digest()
