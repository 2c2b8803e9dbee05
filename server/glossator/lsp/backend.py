"""The application behind the server: opened once, and told of settings and folders.

Everything is imported where it is used: the first code action comes sooner without it.
"""

import asyncio
import gc
import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator import __version__
from glossator.core.errors import GlossatorError
from glossator.lsp.client import folder_paths
from glossator.lsp.client_requests import ClientRefused
from glossator.lsp.places import Places
from glossator.lsp.progress import OwnWorkDone
from glossator.lsp.trust_question import TrustAsker
from glossator.lsp.uris import is_below
from glossator.lsp.versions import explain_mismatch

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.core.events import Event, StepStarted
    from glossator.core.settings import Settings
    from glossator.lsp.editor_facts import EditorFacts
    from glossator.lsp.editor_model import ClientModels
    from glossator.lsp.serving import GlossatorServer, OpenApplication

logger = logging.getLogger(__name__)


class CouldNotStart(GlossatorError):
    """The application could not be opened."""

    code = "could-not-start"


class Backend:
    """The application, and what the client says about settings and folders."""

    def __init__(self, server: "GlossatorServer", open_application: "OpenApplication") -> None:
        self.folders = server.client.folders
        # The workspace folders on this machine, without links.
        self.roots = _find_roots(self.folders)
        self.settings: Mapping[str, Any] = server.client.settings
        self._server = server
        self._open_application = open_application
        self._application: Application | None = None
        self._opening: asyncio.Task[Application] | None = None
        self._failure = server.phrase()("Glossator could not start.", "Glossator 无法启动。")
        self._is_begun = asyncio.Event()
        self._rebuild: OwnWorkDone | None = None
        self._trust_asker = TrustAsker(server)
        self._models: ClientModels | None = None
        self._editor: EditorFacts | None = None
        server.documents.change_roots(self.roots)

    # The application

    async def application(self) -> "Application":
        """Return the application, opening it first if nobody has.

        Raises:
            CouldNotStart: it cannot be opened.
        """
        self._is_begun.set()
        if self._opening is None:
            self._opening = asyncio.get_running_loop().create_task(self._open(), name="open")
        # One request that is cancelled must not take the application away from the others.
        return await asyncio.shield(self._opening)

    async def application_in_time(self) -> "Application":
        """Return the application, when somebody else has opened it or the time for it has come."""
        await self._is_begun.wait()
        return await self.application()

    async def close(self) -> None:
        """Cancel what the application runs and wait for it, for a while."""
        if self._opening is not None and not self._opening.done():
            self._opening.cancel()
        if self._application is not None:
            application, self._application = self._application, None
            try:
                async with asyncio.timeout(0.6):
                    await application.close()
            except TimeoutError:
                logger.warning("Not everything could be closed in time.")

    async def _open(self) -> "Application":
        await self.pull_settings()
        settings, roots = self.settings, self.roots
        try:
            application = await asyncio.to_thread(self._build, settings, roots)
        except GlossatorError:
            raise
        except Exception as error:  # The task ends here; the editor goes on without it.
            logger.error("The application cannot be opened: %r", error, exc_info=error)
            what = f"{type(error).__name__}: {error}"
            self._failure = self._server.phrase()(
                f"Glossator could not start ({what}). Correct that and restart it; its log on "
                "standard error has the details.",
                f"Glossator 无法启动（{what}）。请改正后重新启动；详情见标准错误中的日志。",
            )
            raise CouldNotStart(self._failure) from error
        self._application = application
        self._server.start_task("start", self._start(application))
        if settings != self.settings:
            await application.change_settings(self.settings)
        if roots != self.roots:
            await application.change_roots(self.roots)
        return application

    def _build(self, settings: Mapping[str, Any], roots: Sequence[Path]) -> "Application":
        from glossator.app.results import Opening
        from glossator.lsp.editor_facts import EditorFacts
        from glossator.lsp.editor_model import ClientModels

        client = self._server.client
        if client.offers_model and self._models is None:
            self._models = ClientModels(self._server.protocol.client_requests)
        if client.editor_offers and self._editor is None:
            self._editor = EditorFacts(self._server)
        return self._open_application(
            Opening(
                roots=tuple(roots),
                buffers=self._server.documents.buffers,
                editor_settings=settings,
                environ=dict(os.environ),
                trusted=client.is_trusted,
                on_event=self._hear,
                locale=client.locale or "en",
                editor=self._editor,
                editor_models=self._models,
            )
        )

    async def _start(self, application: "Application") -> None:
        await application.start()
        # Everything that is loaded stays: looking through it for garbage would stop the loop for
        # 50 ms and more, each time.
        gc.freeze()
        self.report_status()
        await self._trust_asker.ask(application)

    def hear_of_files(self, changed: frozenset[Path]) -> None:
        """Read changed knowledge again; an application that is not open yet will read it anyway."""
        if self._application is not None and changed:
            self._application.hear_of_files(changed)

    @property
    def asks_about_calls(self) -> bool:
        """Whether the editor is just asked who calls whom; we must not be who answers."""
        return self._editor is not None and self._editor.asks_about_calls

    def hear_of_answer(self, params: Any) -> None:
        """Hand on a piece of an answer by the editor's own language model."""
        if self._models is not None:
            self._models.hear(params)

    def _hear(self, event: "Event") -> None:
        from glossator.core.events import IndexRebuilt, StepStarted

        if isinstance(event, StepStarted):
            self._show_rebuild(event)
        elif isinstance(event, IndexRebuilt):
            self._end_rebuild()
            self._server.log_to_client(
                types.MessageType.Info,
                f"Knowledge is read: {event.n_documents} documents, {event.n_sections} sections, "
                f"{event.n_skills} skills, {event.n_rules} rules, {event.n_problems} problems.",
            )
            self._server.diagnostics.check_again()
            self._server.code_lenses.refresh_soon()
            self.report_status()
            if self._application is not None:
                self._server.start_task("trust", self._trust_asker.ask(self._application))

    def _show_rebuild(self, event: "StepStarted") -> None:
        """Show a rebuild that nobody asked for, where the client can show it."""
        if not self._server.client.work_done_progress:
            return
        if self._rebuild is not None:
            self._rebuild.emit(event)
            return
        # Nothing can be cancelled: no token is taken down for that.
        self._rebuild = OwnWorkDone(
            self._server.protocol,
            "Glossator",
            say=self._server.phrase(),
            counts=True,
            on_token=lambda token: None,
        )
        self._rebuild.emit(event)
        self._server.start_task("progress", self._rebuild.open())

    def _end_rebuild(self) -> None:
        rebuild, self._rebuild = self._rebuild, None
        if rebuild is not None:
            rebuild.finish()

    # Settings and folders

    def known_settings(self) -> "Settings":
        """Return the settings of all sources, or the editor's alone while nothing is open."""
        if self._application is not None:
            return self._application.settings
        from glossator.core.setting_layers import apply_settings
        from glossator.core.settings import Settings

        settings, _ = apply_settings(
            Settings(), self.settings, source="editor settings", scope="user"
        )
        return settings

    async def pull_settings(self) -> None:
        """Ask the client for the settings, if it can be asked."""
        if not self._server.client.configuration:
            return
        params = types.ConfigurationParams(items=[types.ConfigurationItem(section="glossator")])
        try:
            answer = await self._server.protocol.ask_client(types.WORKSPACE_CONFIGURATION, params)
        except ClientRefused as error:
            logger.warning("The settings could not be asked for: %s", error)
            return
        self.put_settings(answer[0] if answer else None)

    def put_settings(self, layer: object) -> None:
        """Put what the client says now over what it said in `initialize`."""
        if isinstance(layer, Mapping):
            self.settings = _merge(self._server.client.settings, layer)

    async def use_settings(self) -> None:
        """Let the application use the settings as they are now."""
        self._try_again()
        application = await self.application()
        await application.change_settings(self.settings)
        self._server.diagnostics.check_again()
        self._server.code_lenses.refresh_soon()
        self.report_status()

    async def use_folders(self, folders: tuple[str, ...]) -> None:
        """Use other workspace folders from now on."""
        gone = set(self.folders) - set(folders)
        self.folders, self.roots = folders, _find_roots(folders)
        self._server.documents.change_roots(self.roots)
        for document in self._server.documents:
            if _is_in_any(document.uri, gone) and not _is_in_any(document.uri, folders):
                self._server.diagnostics.clear(document.uri)
                self._server.diagnostics.note_outside(document)
        self._try_again()
        application = await self.application()
        await application.change_roots(self.roots)
        for document in self._server.documents:
            if _is_in_any(document.uri, folders):
                self._server.diagnostics.hear_of_return(document)
        self.report_status()

    def _try_again(self) -> None:
        """Open the application anew if that failed: the reason may be gone."""
        if self._opening is not None and self._opening.done() and self._application is None:
            self._opening = None

    # What is known of it

    def places(self) -> Places:
        """Return where things are at this moment."""
        application = self._application
        find_file = application.find_file if application is not None else None
        return Places(self._server.documents, self.roots, find_file)

    def status(self, uri: str = "") -> dict[str, Any]:
        """Return the state of everything; there is an answer before the application is open.

        What came of the checks is told of the document `uri`, or of all that are open.
        """
        document = self._server.documents.get(uri) if uri else None
        uris = None if not uri else [document.uri] if document is not None else []
        return {**self._describe(), "checks": self._server.diagnostics.outcomes.render(uris)}

    def _describe(self) -> dict[str, Any]:
        from glossator.lsp import to_lsp

        if self._application is not None:
            told = to_lsp.status(self._application.status())
            mismatch = explain_mismatch(
                self._server.client.plugin_version, __version__, self._server.phrase()
            )
            return {**told, "problems": [*filter(None, [mismatch]), *told["problems"]]}
        problem = self._server.phrase()("Glossator is starting.", "Glossator 正在启动。")
        if self._opening is not None and self._opening.done():
            problem = self._failure
        return to_lsp.unready_status(
            __version__,
            [str(root) for root in self.roots],
            is_trusted=self._server.client.is_trusted is True,
            problem=problem,
        )

    def report_status(self) -> None:
        """Tell a client that wants to know that the state, or that of some checks, is another."""
        if self._server.client.wants_status:
            checks = self._server.diagnostics.outcomes.take_news()
            told = {**self._describe(), "checks": checks}
            self._server.protocol.send_notification("glossator/statusChanged", told)


def _find_roots(folders: tuple[str, ...]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(Path(os.path.realpath(path)) for path in folder_paths(folders)))


def _is_in_any(uri: str, folders: Iterable[str]) -> bool:
    return any(is_below(uri, folder) for folder in folders)


def _merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Put the groups of `above` over those of `below`; null means that nothing is set."""
    merged = dict(below)
    for name, value in above.items():
        if isinstance(value, Mapping) and isinstance(merged.get(name), Mapping):
            merged[name] = _merge(merged[name], value)
        elif value is not None:
            merged[name] = value
    return merged
