"""Serve one client over stdin and stdout."""

import asyncio
import logging
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from glossator.lsp.client import Client
from glossator.lsp.framing import Unframeable
from glossator.lsp.handshake import Farewell, shake_hands
from glossator.lsp.logs import flush_logs, start_logging
from glossator.lsp.stdio import Reader, Writer, take_stdio

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.results import Opening

logger = logging.getLogger(__name__)

# How long a thread that computes keeps the interpreter from the loop. Answering one request takes
# it a dozen times, and each would be 5 ms by default.
_SWITCH_INTERVAL_S = 0.0005


def run(
    open_application: "Callable[[Opening], Application]", *, log_level: str | None = None
) -> int:
    """Serve until the client goes; return the exit code.

    Takes stdin and stdout away from everything else, and ends the process itself if a thread is
    still busy a moment after the end was decided. `open_application` is called in a worker thread.
    """
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    incoming, outgoing = take_stdio()
    start_logging(log_level)
    writer = Writer(outgoing)
    reader = Reader(incoming)
    exit_code = 1
    try:
        client = shake_hands(reader, writer)
    except Unframeable as error:
        logger.critical("The client cannot be followed: %s.", error)
        client = Farewell(1)
    if isinstance(client, Client):
        # Imported when `initialize` is answered: this takes longer than everything before it.
        from glossator.lsp.serving import serve

        exit_code = asyncio.run(serve(client, reader, writer, open_application))
    else:
        exit_code = client.exit_code
    writer.close(timeout_s=0.5)
    flush_logs()
    return exit_code
