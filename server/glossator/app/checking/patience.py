"""When a model that fails for one file after the other is not asked any more."""

from collections.abc import Iterator

from glossator.app.checking.reasons import Reason
from glossator.app.checking.report import CheckReport

_MAX_FAILURES = 3


class Patience:
    """Ends when a model fails in the same way for so many files in a row.

    Each of them costs several attempts with pauses between, and thousands of files may follow.
    """

    def __init__(self) -> None:
        self._failure: Reason | None = None
        self._n_failures = 0

    @property
    def given_up(self) -> Reason | None:
        """Why nothing more is asked, if that is so."""
        return self._failure if self._n_failures >= _MAX_FAILURES else None

    def note(self, report: CheckReport) -> None:
        """Hear what came of judging a file; one that was not asked about says nothing."""
        failure = next(_find_failures(report), None)
        if failure is not None and failure == self._failure:
            self._n_failures += 1
        elif failure is not None:
            self._failure, self._n_failures = failure, 1
        elif report.n_judged:
            self._failure, self._n_failures = None, 0


def _find_failures(report: CheckReport) -> Iterator[Reason]:
    return (each.reason for each in report.skipped if each.reason.code == "model-failed")
