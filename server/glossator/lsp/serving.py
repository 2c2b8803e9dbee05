"""The language server proper: what is open, the application behind it, and its way to the end."""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from glossator import __version__
from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError
from glossator.lsp.backend import Backend
from glossator.lsp.client import Client
from glossator.lsp.code_lenses import CodeLenses
from glossator.lsp.diagnostics import Diagnostics
from glossator.lsp.documents import Documents
from glossator.lsp.framing import Message, Unframeable
from glossator.lsp.handlers import NOTIFICATIONS, REQUESTS
from glossator.lsp.lifetime import EditorWatch
from glossator.lsp.logs import ClientHandler, flush_logs
from glossator.lsp.protocol import GlossatorProtocol
from glossator.lsp.stdio import Reader, Writer
from glossator.lsp.syntax_trees import SyntaxTrees

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.results import Opening

logger = logging.getLogger(__name__)

Token = str | int
OpenApplication = Callable[["Opening"], "Application"]

# The process ends this long after its end was decided, even when a thread is still busy.
_END_WITHIN_S = 1.8
_THREADS = 16


async def serve(
    client: Client, reader: Reader, writer: Writer, open_application: OpenApplication
) -> int:
    """Serve a client that has shaken hands; return the exit code."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, "glossator"))
    server = GlossatorServer(client, writer, open_application)
    return await server.serve(reader)


class GlossatorServer(LanguageServer):
    """One server for one client, on one event loop."""

    protocol: GlossatorProtocol

    def __init__(self, client: Client, writer: Writer, open_application: OpenApplication) -> None:
        super().__init__("Glossator", __version__, protocol_cls=GlossatorProtocol)
        self.client = client
        self.documents = Documents(client.encoding)
        self.syntax_trees = SyntaxTrees()
        self.diagnostics = Diagnostics(self)
        self.code_lenses = CodeLenses(self)
        self.answers: dict[str, str] = {}
        self.is_call_hierarchy_offered = False
        self.requests_by_token: dict[Token, Any] = {}
        self.backend = Backend(self, open_application)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[int] = self._loop.create_future()
        self.protocol.requests = REQUESTS
        self.protocol.notifications = NOTIFICATIONS
        self.protocol.output = writer
        writer.on_lost = self._writer_lost
        writer.on_dropped = self._progress_dropped
        if writer.is_lost:
            self.end(1, "stdout is closed")

    def phrase(self) -> Phrasing:
        """Return the editor's language."""
        return Phrasing.for_locale(self.client.locale)

    # From the first message to the last

    async def serve(self, reader: Reader) -> int:
        """Handle messages in order until the end; return the exit code."""
        inbox: asyncio.Queue[Message | None] = asyncio.Queue()
        self._begin_to_read(reader, inbox)
        self._loop.set_exception_handler(_log_unhandled)
        log_handler = ClientHandler(self._log_record)
        logging.getLogger("glossator").addHandler(log_handler)
        self._heed_signals()
        watch = self._watch_editor()
        pump = self.start_task("pump", self._pump(inbox))
        try:
            return await asyncio.shield(self._ended)
        finally:
            threading.Thread(
                target=_end_process, args=(self._ended,), name="end", daemon=True
            ).start()
            pump.cancel()
            if watch is not None:
                watch.stop()
            await self._close()
            logging.getLogger("glossator").removeHandler(log_handler)

    def end(self, exit_code: int, reason: str) -> None:
        """Decide the end of the process; the first decision counts."""
        if not self._ended.done():
            level = logging.INFO if exit_code == 0 else logging.WARNING
            logger.log(level, "The server ends: %s.", reason)
            self._ended.set_result(exit_code)

    def end_fatally(self, where: str, error: BaseException) -> None:
        """Decide the end after something that no server survives."""
        logger.critical("%s failed: %r", where, error, exc_info=error)
        code = error.code if isinstance(error, SystemExit) else None
        self.end(code if isinstance(code, int) and code > 0 else 1, f"{where} failed: {error!r}")

    def _begin_to_read(self, reader: Reader, inbox: asyncio.Queue[Message | None]) -> None:
        for message in reader.take():
            inbox.put_nowait(message)
        try:
            self._loop.add_reader(reader.descriptor, self._read_arrived, reader, inbox)
        # Not everywhere, and not from a file: then a thread waits for what comes.
        except (NotImplementedError, OSError):
            arguments = (reader, inbox)
            threading.Thread(
                target=self._read, args=arguments, name="lsp-reader", daemon=True
            ).start()

    def _read_arrived(self, reader: Reader, inbox: asyncio.Queue[Message | None]) -> None:
        """Take what has arrived: without a thread between, an answer is there sooner."""
        is_open = False
        try:
            is_open = reader.read()
        except Unframeable as error:
            logger.critical("The client cannot be followed: %s.", error)
        for message in reader.take():
            inbox.put_nowait(message)
        if not is_open:
            self._loop.remove_reader(reader.descriptor)
            inbox.put_nowait(None)

    def _read(self, reader: Reader, inbox: asyncio.Queue[Message | None]) -> None:
        """Pass messages on from the thread that waits for them."""
        # The loop is closed when the server has ended for another reason.
        with suppress(RuntimeError):
            try:
                for message in reader:
                    self._loop.call_soon_threadsafe(inbox.put_nowait, message)
            except Unframeable as error:
                logger.critical("The client cannot be followed: %s.", error)
            finally:
                self._loop.call_soon_threadsafe(inbox.put_nowait, None)

    async def _pump(self, inbox: asyncio.Queue[Message | None]) -> None:
        try:
            while (message := await inbox.get()) is not None:
                self.protocol.receive(message)
                # A request sees the documents as they were when it came: its task takes its
                # first step before the next message is looked at.
                await asyncio.sleep(0)
        finally:
            # A server that takes no messages is of no use to anybody.
            self.end(0 if self.protocol.is_shut_down else 1, "no more messages come")

    def _heed_signals(self) -> None:
        """End in order when the system asks for it. Windows has no such signals."""
        with suppress(NotImplementedError):
            for number in (signal.SIGTERM, signal.SIGINT):
                self._loop.add_signal_handler(number, self.end, 128 + number, number.name)

    def _watch_editor(self) -> EditorWatch | None:
        if self.client.process_id is None:
            return None
        watch = EditorWatch(
            self.client.process_id, lambda: self.end(1, "the editor's process is gone")
        )
        watch.start()
        return watch

    async def _close(self) -> None:
        await self.protocol.cancel_all(timeout_s=0.5)
        for task in self._tasks:
            task.cancel()
        await self.backend.close()

    def start_task(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` in the background; what it raises is logged."""
        task = self._loop.create_task(self._guard(name, work), name=name)
        self._tasks.add(task)
        # A task that is cancelled before its first step has never begun its work.
        task.add_done_callback(lambda _: work.close())
        task.add_done_callback(self._task_done)
        return task

    async def _guard(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (SystemExit, KeyboardInterrupt, MemoryError) as error:
            self.end_fatally(name, error)

    def _task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if isinstance(error, GlossatorError):
                logger.warning("%s", error)
            else:
                logger.error("%s failed: %r", task.get_name(), error, exc_info=error)

    # To the client

    def log_to_client(self, kind: types.MessageType, message: str) -> None:
        """Write a line into the client's log, from any thread."""
        self.protocol.send_notification(
            types.WINDOW_LOG_MESSAGE, {"type": kind.value, "message": message}, droppable=True
        )

    def _log_record(self, level: int, message: str) -> None:
        kind = types.MessageType.Error if level >= logging.ERROR else types.MessageType.Warning
        self.log_to_client(kind, message)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log what pygls reports; it would pop up in the editor otherwise."""
        logger.error("%s", error)

    def _writer_lost(self, reason: str) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.end, 1, reason)

    def _progress_dropped(self, count: int) -> None:
        logger.warning("The client did not read for a while: %d progress messages dropped.", count)


def _log_unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    logger.error("%s: %r", context.get("message"), error, exc_info=error)


def _end_process(ended: "asyncio.Future[int]") -> None:
    """End the process if it has not ended by itself. Runs in a daemon thread of its own."""
    threading.Event().wait(_END_WITHIN_S)
    flush_logs()
    os._exit(ended.result())
