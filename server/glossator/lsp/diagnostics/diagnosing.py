"""All findings that the editor shows: who checks a document, what is shown of it, until when."""

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.lsp.diagnostics.delivery import make_delivery
from glossator.lsp.diagnostics.judging import Judging
from glossator.lsp.diagnostics.outcomes import Outcomes
from glossator.lsp.diagnostics.queue import CheckQueue, Occasion, Occasions
from glossator.lsp.diagnostics.shown import Published, prepare
from glossator.lsp.documents import Document
from glossator.lsp.protocol import SERVER_CANCELLED, RequestRefused
from glossator.lsp.uris import is_below

if TYPE_CHECKING:
    from glossator.app.checking.report import CheckReport
    from glossator.app.linting.linter import LintReport
    from glossator.core.settings import CheckSettings
    from glossator.lsp.serving import GlossatorServer

Json = dict[str, Any]
logger = logging.getLogger(__name__)

# Who saves does not wait for the documents that an editor opens all at once.
_MAX_PARALLEL_CHECKS = 2
_MAX_PARALLEL_OPENINGS = 1
_LINTED_SUFFIXES = (".md", ".mdc", ".cursorrules", "glossator.toml")
_BACKGROUND: Occasions = frozenset({"open", "again"})


class Diagnostics:
    """Checks open documents and shows what was found, by the URI the editor knows them under."""

    def __init__(self, server: "GlossatorServer") -> None:
        self.outcomes = Outcomes(server)
        self._server = server
        self._published: dict[str, Published] = {}
        # Documents of which nothing is known as they changed while they were checked.
        self._missed: set[str] = set()
        self._delivery = make_delivery(server)
        self._queue = CheckQueue(self._check, server.start_task)
        self._judging = Judging(server, self.outcomes, self._show)
        self._slots = asyncio.Semaphore(_MAX_PARALLEL_CHECKS)
        self._background_slots = asyncio.Semaphore(_MAX_PARALLEL_OPENINGS)

    # What happens to documents

    def hear_of_open(self, document: Document) -> None:
        """Check a document that was opened."""
        if document.path is None:
            self._note_no_file(document)
            return
        self._judging.open(document)
        self.check_soon(document, on="open")

    def hear_of_return(self, document: Document) -> None:
        """Check a document that stayed open while its file or folder was gone, as if opened."""
        if not self.outcomes.knows(document.uri) or self.outcomes.is_because(
            document.uri, "outside"
        ):
            self.hear_of_open(document)

    def note_outside(self, document: Document) -> None:
        """Say of a document whose folder was taken from the workspace that it is not checked."""
        from glossator.app.checking.reasons import Reason

        self.outcomes.note_reason(document, Reason("outside"))

    def hear_of_change(self, document: Document) -> None:
        """Check what is typed, if that is wanted; what is judged is another text by now."""
        self._judging.hear_of_change(document.uri)
        if self._server.backend.known_settings().check.on_type:
            self.check_soon(document, on="type")

    def check_soon(self, document: Document, *, on: Occasion) -> None:
        """Check a document in the background, as far as the settings want it `on` this occasion."""
        if document.path is not None:
            self._queue.put(document, on)

    def check_again(self) -> None:
        """Check once more what was checked: rules or settings are other ones now."""
        for uri in self.outcomes.list_uris():
            document = self._server.documents.get(uri)
            if document is not None:
                # What no occasion has asked for is only checked if opening it would be one now.
                on: Occasion = "open" if self.outcomes.is_because(uri, "off") else "again"
                self.check_soon(document, on=on)

    def move(self, old_uri: str, document: Document) -> None:
        """Show the findings of a document under its new name only."""
        self._judging.move(old_uri, document.uri)
        self.clear(old_uri)
        self.check_soon(document, on="again")

    def hear_of_close(self, document: Document) -> None:
        """Show nothing of a document that was closed; what a model found is known when it is back.

        It has to be told before the documents forget it.
        """
        self._judging.set_aside(document)
        self._queue.drop(document.uri)
        self.outcomes.forget(document.uri)
        self._withdraw(document.uri)

    def clear(self, uri: str) -> None:
        """Show nothing for this document, or for those in this folder, any more."""
        known = {*self._queue.list_uris(), *self._judging.list_uris(), *self._published}
        for each in {*known, *self.outcomes.list_uris()}:
            if not is_below(each, uri):
                continue
            self._queue.drop(each)
            self._judging.forget(each)
            self.outcomes.forget(each)
            self._withdraw(each)

    def close(self) -> None:
        """End all checks and show nothing any more."""
        for uri in {*self._queue.list_uris(), *self._judging.list_uris(), *self._published}:
            self.clear(uri)
        self.outcomes.close()

    # What is known

    def current(self, document: Document) -> Published | None:
        """Return what is shown for a document if it is about the text as it is now."""
        published = self._published.get(document.uri)
        if published is None or published.source.version != document.version:
            return None
        return published

    async def recheck(self, document: Document) -> Published | None:
        """Return findings of the text as it is now, unsaved, without showing them."""
        app = await self._server.backend.application_in_time()
        source = document.source
        try:
            async with self._slots:
                report = await app.checks.check(source)
                lint = await self.lint(source)
        except GlossatorError as error:
            logger.warning("%s is not checked: %s", source.name, error)
            return None
        if document.version != source.version:
            return None
        return prepare(self._server, source, report, lint)

    async def lint(self, source: SourceText) -> "LintReport | None":
        """Judge a document, if it is knowledge, a skill or instructions and that is wanted."""
        app = await self._server.backend.application_in_time()
        if not self._server.backend.known_settings().knowledge.lint or not _may_be_linted(source):
            return None
        report = await app.linting.lint(source)
        return None if report.outcome == "not-linted" else report

    async def pull(self, uri: str, previous: str) -> Json:
        """Answer a client that asks for what is shown; `previous` is the id of what it has.

        Raises:
            RequestRefused: the document has changed meanwhile, and the client is to ask again.
        """
        document = self._server.documents.get(uri)
        if document is None or document.path is None:
            return _report(None)
        version = document.version
        if not self._queue.is_busy(document.uri) and self._is_outdated(document, previous):
            self.check_soon(document, on="pull")
        await self._queue.settle(document.uri)
        if self._is_outdated(document, previous):
            if document.version == version:  # It could not be checked.
                return _report(None)
            told = "The document has changed meanwhile; ask again."
            raise RequestRefused(SERVER_CANCELLED, told, {"retriggerRequest": True})
        published = self._published.get(document.uri)
        if published is None:
            return _report(None)
        self._delivery.note_pulled(document.uri, published)
        if published.result_id == previous:
            return {"kind": "unchanged", "resultId": previous}
        return _report(published)

    def _is_outdated(self, document: Document, previous: str) -> bool:
        """Say whether what is known is of an earlier text, and not what the client has.

        What the client has it moves with the text by itself; that is right until the next save.
        """
        published = self._published.get(document.uri)
        if published is None:
            return document.uri in self._missed
        return published.source.version != document.version and published.result_id != previous

    # Checks

    async def publish(
        self,
        document: Document,
        source: SourceText,
        report: "CheckReport",
        lint: "LintReport | None" = None,
    ) -> None:
        """Show the reports of a check that was asked for, with what a model has found before."""
        await self._show_with_judged(document, source, report, lint)

    def publish_judged(
        self,
        document: Document,
        source: SourceText,
        report: "CheckReport",
        lint: "LintReport | None" = None,
    ) -> None:
        """Show the reports on a document that a model has judged as a whole."""
        if self._show(document, source, report, lint):
            self._judging.note_whole(document)
            self._judging.note_found(document, source, report)

    async def _check(self, document: Document, on: Occasions) -> None:
        app = await self._server.backend.application_in_time()
        settings = self._server.backend.known_settings().check
        is_checked = _is_checked(settings, on)
        if not is_checked and not _may_be_linted(document.source):
            self._note_off(document, on)
            return
        async with self._background_slots if on <= _BACKGROUND else self._slots:
            source = document.source
            try:
                report = await app.checks.check(source) if is_checked else None
                lint = await self.lint(source)
            except GlossatorError as error:
                logger.warning("%s is not checked: %s", source.name, error)
                return
        if report is None and lint is None:
            return
        is_judged = report is not None and app.checks.judges
        is_known = self._judging.has_found(document.uri)
        if report is not None and is_judged and (is_known or on.isdisjoint(_BACKGROUND)):
            is_shown = await self._show_with_judged(document, source, report, lint)
        else:
            is_shown = self._show(document, source, report, lint)
        if is_shown and is_judged and (is_known or not on.isdisjoint({"save", "again"})):
            is_saved = "save" in on and settings.on_save
            self._judging.judge_soon(document, lint, is_saved=is_saved)

    async def _show_with_judged(
        self,
        document: Document,
        source: SourceText,
        report: "CheckReport",
        lint: "LintReport | None",
    ) -> bool:
        carried = await self._judging.carry(document, source)
        if carried:
            findings = sorted((*report.findings, *carried), key=lambda finding: finding.range)
            report = replace(report, findings=tuple(findings), outcome="findings", reason=None)
        return self._show(document, source, report, lint)

    def _show(
        self,
        document: Document,
        source: SourceText,
        report: "CheckReport | None",
        lint: "LintReport | None",
    ) -> bool:
        """Show both reports as one unless the document has moved on; say whether it has not."""
        if (
            self._server.documents.get(document.uri) is not document
            or document.version != source.version
        ):
            self._missed.add(document.uri)
            return False
        self._missed.discard(document.uri)
        self.outcomes.note(document, report, lint)
        if lint is None and (report is None or report.outcome == "not-checked"):
            self._withdraw(document.uri)
            return True
        published = prepare(self._server, source, report, lint)
        self._published[document.uri] = published
        self._delivery.show(document.uri, published)
        return True

    def _withdraw(self, uri: str) -> None:
        self._missed.discard(uri)
        self._published.pop(uri, None)
        self._delivery.withdraw(uri, is_open=self._server.documents.get(uri) is not None)

    def _note_off(self, document: Document, on: Occasions) -> None:
        """Say which setting keeps a document from being checked; all of them take findings away."""
        from glossator.app.checking.reasons import Reason

        if "again" in on:
            self._withdraw(document.uri)
        if "again" in on or document.uri not in self._published:
            setting = "check.onOpen" if "open" in on else "check.onSave"
            self.outcomes.note_reason(document, Reason("off", (setting,)))

    def _note_no_file(self, document: Document) -> None:
        from glossator.app.checking.reasons import Reason

        is_cell = document.uri.startswith("vscode-notebook-cell:")
        self.outcomes.note_reason(document, Reason("notebook" if is_cell else "no-file"))


def _report(published: Published | None) -> Json:
    """Return all that is shown as an answer; without an id when nothing is known."""
    if published is None:
        return {"kind": "full", "items": []}
    return {"kind": "full", "resultId": published.result_id, "items": published.diagnostics}


def _is_checked(settings: "CheckSettings", on: Occasions) -> bool:
    """Say whether rules are checked on any of these occasions."""
    wanted = {
        "open": settings.on_open,
        "save": settings.on_save,
        "type": settings.on_type,
        "pull": True,
        "again": settings.on_open or settings.on_save or settings.on_type,
    }
    return any(wanted[each] for each in on)


def _may_be_linted(source: SourceText) -> bool:
    """Say whether the name of a document may be that of knowledge, a skill or instructions."""
    return source.path is not None and source.path.name.lower().endswith(_LINTED_SUFFIXES)
