"""Findings in the editor: checked on save, published with their version, cleared in time."""

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from lsprotocol import types

from glossator.core.errors import GlossatorError
from glossator.core.locations import Range
from glossator.core.text import SourceText
from glossator.lsp.documents import Document
from glossator.lsp.uris import is_below

if TYPE_CHECKING:
    from glossator.app.checking.report import CheckReport
    from glossator.app.linting.linter import LintReport
    from glossator.core.settings import CheckSettings
    from glossator.lsp.serving import GlossatorServer

logger = logging.getLogger(__name__)

SOURCE = "glossator"
_MAX_PARALLEL_CHECKS = 2
_LINTED_SUFFIXES = (".md", ".mdc", ".cursorrules")

Occasion = Literal["open", "save", "change"]


@dataclass(frozen=True, slots=True)
class Shown:
    """One finding as it was sent, and the edits that repair it, none where there is no repair.

    `is_sure` says that the repair may be made unseen together with others.
    """

    range: Range
    diagnostic: dict[str, Any]
    title: str = ""
    edits: tuple[tuple[Range, str], ...] = ()
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class Published:
    """What the editor shows for a document: findings of `source` and how they were sent."""

    source: SourceText
    findings: tuple[Shown, ...]


class Diagnostics:
    """All findings that the editor shows, by the URI it knows the document under."""

    def __init__(self, server: "GlossatorServer") -> None:
        self._server = server
        self._published: dict[str, Published] = {}
        self._checks: dict[str, asyncio.Task[None]] = {}
        # What was asked for, and why it was not done when it was not.
        self._wanted: dict[str, str] = {}
        self._slots = asyncio.Semaphore(_MAX_PARALLEL_CHECKS)

    def check_soon(self, document: Document, *, on: Occasion = "change") -> None:
        """Check a document in the background; an earlier check of it is given up.

        The settings may say that nothing is checked `on` this occasion.
        """
        if document.path is None:
            return
        self._cancel(document.uri)
        task = self._server.start_task(f"check {document.uri}", self._check(document, on))
        self._checks[document.uri] = task
        task.add_done_callback(lambda done: self._forget_check(document.uri, done))

    def check_again(self) -> None:
        """Check once more what was checked: rules or settings are other ones now."""
        for uri in list(self._wanted):
            document = self._server.documents.get(uri)
            if document is not None:
                self.check_soon(document)

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
                report = await app.check(source)
                lint = await self.lint(source)
        except GlossatorError as error:
            logger.warning("%s is not checked: %s", source.name, error)
            return None
        return self._prepare(source, report, lint) if document.version == source.version else None

    async def lint(self, source: SourceText) -> "LintReport | None":
        """Judge a document, if it is knowledge, a skill or instructions and that is wanted."""
        app = await self._server.backend.application_in_time()
        if not self._server.backend.known_settings().knowledge.lint or not _may_be_linted(source):
            return None
        report = await app.lint(source)
        return None if report.outcome == "not-linted" else report

    def clear(self, uri: str) -> None:
        """Show nothing for this document, or for those in this folder, any more."""
        for known in [known for known in self._checks if is_below(known, uri)]:
            self._cancel(known)
        for known in [known for known in self._wanted if is_below(known, uri)]:
            del self._wanted[known]
        self._withdraw(uri)

    def _withdraw(self, uri: str) -> None:
        for known in [known for known in self._published if is_below(known, uri)]:
            if self._published.pop(known).findings:
                self._send(known, None, [])

    def publish(
        self,
        document: Document,
        source: SourceText,
        report: "CheckReport | None",
        lint: "LintReport | None" = None,
    ) -> bool:
        """Show both reports as one unless the document has moved on; say whether they are shown."""
        if (
            self._server.documents.get(document.uri) is not document
            or document.version != source.version
        ):
            return False
        if lint is None and (report is None or report.outcome == "not-checked"):
            self._withdraw(document.uri)
            if report is not None and not _may_be_linted(source):
                self._say_why_not(document.uri, report)
            return False
        published = self._prepare(source, report, lint)
        self._wanted[document.uri] = ""
        self._published[document.uri] = published
        diagnostics = [shown.diagnostic for shown in published.findings]
        self._send(document.uri, source.version, diagnostics)
        return True

    def _prepare(
        self, source: SourceText, report: "CheckReport | None", lint: "LintReport | None"
    ) -> Published:
        # Imported here: the first code action comes sooner without it.
        from glossator.lsp import check_to_lsp, lint_to_lsp
        from glossator.rules.finding import number_alike

        places = self._server.backend.places()
        client = self._server.client
        broken_rules = (
            Shown(
                finding.range,
                check_to_lsp.diagnostic(finding, source, places, client, number),
                f"Fix: {finding.message}" if finding.fix else "",
                finding.fix,
            )
            for finding, number in number_alike(report.findings if report is not None else ())
        )
        judged = (
            Shown(
                finding.range,
                lint_to_lsp.diagnostic(finding, source, places, client),
                finding.title,
                finding.edits,
                finding.is_sure,
            )
            for finding in (lint.findings if lint is not None else ())
        )
        return Published(source, (*broken_rules, *judged))

    def _say_why_not(self, uri: str, report: "CheckReport") -> None:
        """Log why a document is not checked, once until the reason is another one."""
        if self._wanted.get(uri) != report.reason:
            self._wanted[uri] = report.reason
            self._server.log_to_client(
                types.MessageType.Info, f"{report.shown_path} is not checked: {report.reason}"
            )

    async def _check(self, document: Document, on: Occasion) -> None:
        app = await self._server.backend.application_in_time()
        is_checked = _is_checked(self._server.backend.known_settings().check, on)
        if not is_checked and not _may_be_linted(document.source):
            return
        async with self._slots:
            self._wanted.setdefault(document.uri, "")
            source = document.source
            try:
                report = await app.check(source) if is_checked else None
                lint = await self.lint(source)
            except GlossatorError as error:
                logger.warning("%s is not checked: %s", source.name, error)
                return
        if report is not None or lint is not None:
            self.publish(document, source, report, lint)

    def _send(self, uri: str, version: int | None, diagnostics: list[dict[str, Any]]) -> None:
        params: dict[str, Any] = {"uri": uri, "diagnostics": diagnostics}
        if version is not None and self._server.client.diagnostic_versions:
            params["version"] = version
        self._server.protocol.send_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def _cancel(self, uri: str) -> None:
        task = self._checks.pop(uri, None)
        if task is not None:
            task.cancel()

    def _forget_check(self, uri: str, task: asyncio.Task[None]) -> None:
        if self._checks.get(uri) is task:
            del self._checks[uri]


def _is_checked(settings: "CheckSettings", on: Occasion) -> bool:
    return not (on == "open" and not settings.on_open) and not (
        on == "save" and not settings.on_save
    )


def _may_be_linted(source: SourceText) -> bool:
    """Say whether the name of a document may be that of knowledge, a skill or instructions."""
    return source.path is not None and source.path.name.endswith(_LINTED_SUFFIXES)
