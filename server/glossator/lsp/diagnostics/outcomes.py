"""What came of the check of each open document, for people who ask whether clean means clean."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from glossator.app.checking.reasons import Reason
    from glossator.app.checking.report import CheckReport, SkippedRules
    from glossator.app.linting.linter import LintReport
    from glossator.lsp.documents import Document
    from glossator.lsp.serving import GlossatorServer

Json = dict[str, Any]

# Many documents may be checked at once, and people do not read faster.
_TELL_AFTER_S = 0.1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the last check of a document said; `lint` is about a document of knowledge or the like.

    `is_judging`: a model looks at it at this moment.
    """

    report: "CheckReport"
    lint: "LintReport | None" = None
    is_judging: bool = False


class Outcomes:
    """The outcomes by URI. A client that wants to know is told of those that are other ones."""

    def __init__(self, server: "GlossatorServer") -> None:
        self._server = server
        self._outcomes: dict[str, Outcome] = {}
        self._news: set[str] = set()
        self._telling: asyncio.TimerHandle | None = None

    def note(
        self, document: "Document", report: "CheckReport | None", lint: "LintReport | None"
    ) -> None:
        """Take in the reports of a check by rules, by the linter, or by both."""
        known = self._outcomes.get(document.uri)
        report = report or _not_checked(document, None)
        self._say_why_not(known, report, lint)
        is_judging = known is not None and known.is_judging
        self._put(document.uri, Outcome(report, lint, is_judging))

    def note_reason(self, document: "Document", reason: "Reason") -> None:
        """Take in why a document is not checked at all."""
        report = _not_checked(document, reason)
        self._say_why_not(self._outcomes.get(document.uri), report, None)
        self._put(document.uri, Outcome(report))

    def note_judging(self, uri: str, *, is_judging: bool) -> None:
        """Know that a model looks at a document, or has done so."""
        known = self._outcomes.get(uri)
        if known is not None and known.is_judging != is_judging:
            self._put(uri, replace(known, is_judging=is_judging))

    def note_skipped(self, uri: str, skipped: "Sequence[SkippedRules]") -> None:
        """Know why rules were not judged, though the rest of the outcome stands."""
        known = self._outcomes.get(uri)
        if known is not None:
            self._put(uri, replace(known, report=replace(known.report, skipped=tuple(skipped))))

    def forget(self, uri: str) -> None:
        """Know nothing of a document any more."""
        self._outcomes.pop(uri, None)
        self._news.discard(uri)

    def is_because(self, uri: str, code: str) -> bool:
        """Say whether this is the reason why the document was not checked."""
        known = self._outcomes.get(uri)
        reason = known.report.reason if known is not None else None
        return reason is not None and reason.code == code

    def knows(self, uri: str) -> bool:
        """Say whether anything is known of a document."""
        return uri in self._outcomes

    def list_uris(self) -> list[str]:
        """Return the documents that something is known of."""
        return list(self._outcomes)

    def render(self, uris: Iterable[str] | None = None) -> list[Json]:
        """Return what is known of these documents, or of all."""
        # Imported here: the first code action comes sooner without it.
        from glossator.lsp import check_to_lsp

        say = self._server.phrase()
        wanted = self._outcomes if uris is None else uris
        return [
            check_to_lsp.outcome(uri, self._outcomes[uri], say)
            for uri in wanted
            if uri in self._outcomes
        ]

    def take_news(self) -> list[Json]:
        """Return the outcomes that are other ones since this was asked for last."""
        news, self._news = self._news, set()
        return self.render(sorted(news))

    def close(self) -> None:
        """Tell nobody any more."""
        if self._telling is not None:
            self._telling.cancel()

    def _put(self, uri: str, outcome: Outcome) -> None:
        self._outcomes[uri] = outcome
        self._news.add(uri)
        if self._server.client.wants_status and self._telling is None:
            loop = asyncio.get_running_loop()
            self._telling = loop.call_later(_TELL_AFTER_S, self._tell)

    def _tell(self) -> None:
        self._telling = None
        if self._news:
            self._server.backend.report_status()

    def _say_why_not(
        self, known: Outcome | None, report: "CheckReport", lint: "LintReport | None"
    ) -> None:
        """Log why a document is not checked, once until the reason is another one."""
        is_known = known is not None and known.report.reason == report.reason
        if report.reason is None or lint is not None or is_known:
            return
        reason = report.reason.render(self._server.phrase())
        self._server.log_to_client(
            types.MessageType.Info, f"{report.shown_path} is not checked: {reason}"
        )


def _not_checked(document: "Document", reason: "Reason | None") -> "CheckReport":
    from glossator.app.checking.report import CheckReport

    return CheckReport(document.name, document.path, document.version, "not-checked", (), reason)
