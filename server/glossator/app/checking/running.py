"""Check many files: what is known is looked up, the rest is checked in parallel processes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from glossator.app.checking.cache import CheckCache, Seen, Signature, look_at_file
from glossator.app.checking.compiled import Checker, Subject, make_key, not_checked
from glossator.app.checking.examining import hash_content
from glossator.app.checking.paths import Listed
from glossator.app.checking.reading import read_data
from glossator.app.checking.reasons import Reason
from glossator.app.checking.records import Record, decode_record
from glossator.app.checking.report import CheckReport
from glossator.app.checking.selecting import Selection
from glossator.app.checking.worker import Examiner, Outcome, SetUp, Task
from glossator.app.checking.workers import NoWorkers, check_in_processes, count_processors
from glossator.app.library import Library
from glossator.tools.workspace import Workspace

# A process takes as long to start as to check files of about so many bytes.
_BYTES_A_PROCESS = 1_500_000


@dataclass(frozen=True, slots=True)
class Effort:
    """How many files are checked: in up to `n_jobs` processes, 0 for one on each processor.

    What was found is kept in `cache_folder`, if there is one. `timeout_s` is for each file. With
    `is_guarded` even one file is checked in a process of its own, which may crash or hang.
    """

    n_jobs: int = 0
    cache_folder: Path | None = None
    timeout_s: float = 20.0
    is_guarded: bool = False


Finish = Callable[[CheckReport, Record | None], CheckReport]
"""Makes the final report of what the compiled checks found."""
Tell = Callable[[int, int, str], None]
"""Hears of each file: how many were done before, how many there are, how this one is shown."""


@dataclass(slots=True)
class _File:
    """A file on its way to its report. `content` is the hash of what it holds, once known."""

    number: int
    path: str
    subject: Subject
    selection: Selection
    size_bytes: int
    signature: Signature
    content: bytes | None = None

    @property
    def key(self) -> bytes:
        """What the record of the file is known by."""
        return make_key(self.content or b"", self.selection)


class Run:
    """One check of many files. Reads them: for a worker thread."""

    def __init__(
        self,
        checker: Checker,
        workspace: Workspace,
        library: Library,
        effort: Effort,
        *,
        unjudged: Reason | None,
        finish: Finish,
        tell: Tell,
        is_stopped: Callable[[], bool],
    ) -> None:
        self._checker = checker
        self._workspace = workspace
        self._library = library
        self._selector = checker.selector(library.rule_set)
        self._effort = effort
        self._unjudged = unjudged
        self._finish = finish
        self._tell = tell
        self._is_stopped = is_stopped
        self._cache = CheckCache(effort.cache_folder)
        self._reports: dict[int, CheckReport] = {}
        self._seen: list[Seen] = []
        self._records: dict[bytes, bytes] = {}
        self._n_files = 0

    def check(self, listed: Sequence[Listed]) -> tuple[CheckReport, ...]:
        """Return a report for each file, in their order; not for all when it is stopped."""
        self._n_files = len(listed)
        try:
            files = [
                file
                for number, each in enumerate(listed)
                if (file := self._place(number, each)) is not None
            ]
            self._check(self._look_up(files))
        finally:
            self._cache.keep(self._seen, self._records)
            self._cache.close()
        return tuple(self._reports[number] for number in sorted(self._reports))

    def _place(self, number: int, listed: Listed) -> _File | None:
        """Return a file whose content decides; report any other at once."""
        path = Path(listed.path)
        scope = self._workspace.path_below_root(path)
        shown = scope if len(self._workspace.roots) == 1 else self._workspace.show(path)
        subject = Subject(shown or path.name, path, scope)
        if listed.left_out is not None:
            self._report(number, not_checked(subject, listed.left_out))
            return None
        if path in self._workspace.buffers:
            report = self._checker.check(self._workspace.read(path), self._library, self._unjudged)
            self._report(number, report)
            return None
        look = look_at_file(listed.path)
        if look is None:
            self._report(number, not_checked(subject, Reason("missing")))
            return None
        selection = self._checker.select(subject, look.size_bytes, self._selector)
        if isinstance(selection, Reason):
            self._report(number, not_checked(subject, selection))
            return None
        return _File(number, listed.path, subject, selection, look.size_bytes, look.signature)

    def _look_up(self, files: Sequence[_File]) -> list[_File]:
        """Report the files whose content was checked before; return the others."""
        known = self._cache.find_contents({file.path: file.signature for file in files})
        for file in files:
            if file.path in known:
                file.content = known[file.path] or self._read_content(file)
        keys = [file.key for file in files if file.content is not None]
        records = self._cache.find_records(keys)
        left = []
        for file in files:
            data = records.get(file.key) if file.content is not None else None
            record = decode_record(data, file.selection.rules) if data is not None else None
            if record is None:
                left.append(file)
            else:
                self._report_record(file, record)
        return left

    def _read_content(self, file: _File) -> bytes | None:
        """Hash a file that was known with another status: often only that is another one."""
        data = read_data(file.path, self._workspace)
        if isinstance(data, Reason):
            return None
        content = hash_content(data)
        self._seen.append(Seen(file.path, file.signature, content))
        return content

    def _check(self, files: list[_File]) -> None:
        """Check files, the largest first, so that the last processes end together."""
        by_size = sorted(files, key=lambda file: -file.size_bytes)
        for number, outcome in self._examine(by_size):
            self._take(by_size[number], outcome)

    def _examine(self, files: Sequence[_File]) -> Iterator[tuple[int, Outcome]]:
        tasks = [Task(each.path, each.subject.place, each.selection.language_id) for each in files]
        n_bytes = sum(each.size_bytes for each in files)
        n_jobs = self._effort.n_jobs or count_processors()
        n_processes = min(n_jobs, len(tasks), 1 + n_bytes // _BYTES_A_PROCESS)
        done: set[int] = set()
        if n_processes > 1 or (self._effort.is_guarded and n_processes):
            roots = tuple(map(str, self._workspace.roots))
            set_up = SetUp(roots, self._library.rule_set.rules, self._effort.timeout_s)
            try:
                for number, outcome in check_in_processes(
                    tasks, set_up, n_processes, self._is_stopped
                ):
                    done.add(number)
                    yield number, outcome
            except NoWorkers:
                pass  # Then here, one after the other.
        examiner = Examiner(self._workspace, self._library.rule_set)
        for number, task in enumerate(tasks):
            if self._is_stopped():
                return
            if number not in done:
                yield number, examiner.examine(task)

    def _take(self, file: _File, outcome: Outcome) -> None:
        record = decode_record(outcome.record, file.selection.rules)
        if record is None:
            record = Record(reason=Reason("crashed"))
        elif outcome.content is not None:
            file.content = outcome.content
            self._seen.append(Seen(file.path, file.signature, outcome.content))
            self._records[file.key] = outcome.record
        self._report_record(file, record)

    def _report_record(self, file: _File, record: Record) -> None:
        report = self._checker.report(file.subject, file.selection, record, self._unjudged)
        self._report(file.number, report, record)

    def _report(self, number: int, report: CheckReport, record: Record | None = None) -> None:
        self._tell(len(self._reports), self._n_files, report.shown_path)
        self._reports[number] = self._finish(report, record)
