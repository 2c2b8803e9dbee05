"""The model judges what was saved: a moment later, the last save only, a few documents at a time.

Judged is the code that has changed since the document was opened, or all of it once that was asked
for. What is known of it costs nothing, so the findings of an earlier save stay.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.lsp.documents import Document

if TYPE_CHECKING:
    from glossator.app.checking.report import CheckReport
    from glossator.app.linting.linter import LintReport
    from glossator.lsp.diagnostics.outcomes import Outcomes
    from glossator.lsp.serving import GlossatorServer
    from glossator.rules.finding import Finding

logger = logging.getLogger(__name__)

Publish = Callable[[Document, SourceText, "CheckReport", "LintReport | None"], bool]

_MAX_PARALLEL = 2
_MAX_SET_ASIDE = 100
# Who saves often saves again within this time.
_DEBOUNCE_S = 0.7


@dataclass(frozen=True, slots=True)
class _SetAside:
    """What was known of a document when it was closed."""

    text: str
    base: SourceText | None
    found: "tuple[SourceText, tuple[Finding, ...]] | None"


class Judging:
    """Judges documents and shows what was found, unless the document has moved on."""

    def __init__(self, server: "GlossatorServer", outcomes: "Outcomes", publish: Publish) -> None:
        self._server = server
        self._outcomes = outcomes
        self._publish = publish
        self._slots = asyncio.Semaphore(_MAX_PARALLEL)
        # The text that changes are seen against; None when all of a document is judged.
        self._bases: dict[str, SourceText | None] = {}
        self._found: dict[str, tuple[SourceText, tuple[Finding, ...]]] = {}
        # Of documents that were closed, with the text that they were closed with.
        self._set_aside: dict[str, _SetAside] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._asking: set[str] = set()

    def open(self, document: Document) -> None:
        """See changes against the text as it is now, or go on where the document was closed.

        Of a text that is another one by then nothing is known: what was judged stood among it.
        """
        uri, source = document.uri, document.source
        before = self._set_aside.pop(uri, None)
        if before is None or before.text != source.text:
            self._bases[uri] = source
            return
        self._bases[uri] = before.base
        if before.found is not None:
            self._found[uri] = before.found

    def has_found(self, uri: str) -> bool:
        """Say whether a model has looked at a document since it was opened first."""
        return uri in self._found

    def set_aside(self, document: Document) -> None:
        """Give up a document that is closed, and know it again when it is opened once more."""
        uri = document.uri
        if uri in self._bases:
            found = self._found.get(uri)
            self._set_aside[uri] = _SetAside(document.source.text, self._bases[uri], found)
        while len(self._set_aside) > _MAX_SET_ASIDE:
            del self._set_aside[next(iter(self._set_aside))]
        self._bases.pop(uri, None)
        self._found.pop(uri, None)
        self.stop(uri)

    def judge_soon(self, document: Document, lint: "LintReport | None", *, is_saved: bool) -> None:
        """Judge a document in the background; an earlier judging of it is given up.

        Without a save, what was judged before is judged again, which asks about new rules only.
        """
        if not is_saved and document.uri not in self._found:
            return
        self.stop(document.uri)
        # Its file may have been deleted, and is there again now that it was saved.
        self._bases.setdefault(document.uri, document.source)
        delay = _DEBOUNCE_S if is_saved else 0.0
        work = self._judge(document, lint, delay)
        task = self._server.start_task(f"judge {document.uri}", work)
        self._tasks[document.uri] = task
        task.add_done_callback(lambda done: self._forget_task(document.uri, done))

    def hear_of_change(self, uri: str) -> None:
        """Give up what was not asked yet; an answer under way will be known at the next save."""
        if uri not in self._asking:
            self.stop(uri)

    def stop(self, uri: str) -> None:
        """Give up judging a document. The request that was sent is ended."""
        task = self._tasks.pop(uri, None)
        if task is not None:
            task.cancel()
            self._outcomes.note_judging(uri, is_judging=False)

    def forget(self, uri: str) -> None:
        """Give up a document that is closed or gone."""
        self.stop(uri)
        self._bases.pop(uri, None)
        self._found.pop(uri, None)
        self._set_aside.pop(uri, None)

    def move(self, old_uri: str, uri: str) -> None:
        """Know a document under another name."""
        if old_uri in self._bases:
            self._bases[uri] = self._bases[old_uri]

    def list_uris(self) -> list[str]:
        """Return the documents that are known."""
        return [*self._bases, *self._set_aside]

    def note_whole(self, document: Document) -> None:
        """Judge all of a document from now on: all of it was judged once."""
        self._bases[document.uri] = None

    def note_found(self, document: Document, source: SourceText, report: "CheckReport") -> None:
        """Keep what a model has found in a text, to show it until it is asked again."""
        judged = tuple(each for each in report.findings if each.proof == "judged")
        self._found[document.uri] = (source, judged)

    async def carry(self, document: Document, source: SourceText) -> "tuple[Finding, ...]":
        """Return what was found in an earlier text of a document where its lines still stand."""
        before, findings = self._found.get(document.uri, (source, ()))
        if not findings:
            return ()
        from glossator.lsp.diagnostics.moving import move_findings

        return tuple(await asyncio.to_thread(lambda: [*move_findings(findings, before, source)]))

    async def _judge(self, document: Document, lint: "LintReport | None", delay_s: float) -> None:
        await asyncio.sleep(delay_s)
        async with self._slots:
            application = await self._server.backend.application_in_time()
            source = document.source
            changed = await self._find_changed(document.uri, source)
            if changed == ():
                return
            is_current = _make_is_current(self._server, document, source)
            try:
                report = await self._tell_while(
                    document.uri,
                    application.checks.judge(source, changed=changed, is_current=is_current),
                )
            except GlossatorError as error:
                logger.warning("%s is not judged: %s", source.name, error)
                return
        if is_current():
            self.note_found(document, source, report)
            self._publish(document, source, report, lint)
        else:
            self._note_stale(document.uri, report)

    async def _find_changed(
        self, uri: str, source: SourceText
    ) -> tuple[tuple[int, int], ...] | None:
        base = self._bases.get(uri, source)
        if base is None:
            return None
        from glossator.lsp.diagnostics.moving import find_changed

        return await asyncio.to_thread(find_changed, base, source)

    async def _tell_while(self, uri: str, work: "Awaitable[CheckReport]") -> "CheckReport":
        self._asking.add(uri)
        self._outcomes.note_judging(uri, is_judging=True)
        try:
            return await work
        finally:
            self._asking.discard(uri)
            self._outcomes.note_judging(uri, is_judging=False)

    def _note_stale(self, uri: str, report: "CheckReport") -> None:
        from glossator.app.checking.reasons import Reason
        from glossator.app.checking.report import SkippedRules

        ids = [rule_id for skipped in report.skipped for rule_id in skipped.rule_ids]
        self._outcomes.note_skipped(uri, [SkippedRules(tuple(ids), Reason("stale"))])

    def _forget_task(self, uri: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(uri) is task:
            del self._tasks[uri]


def _make_is_current(
    server: "GlossatorServer", document: Document, source: SourceText
) -> Callable[[], bool]:
    def is_current() -> bool:
        known = server.documents.get(document.uri)
        return known is document and document.version == source.version

    return is_current
