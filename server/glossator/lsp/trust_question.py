"""Ask the user whether the workspace is trusted; nothing waits for the answer."""

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from glossator.lsp.client_requests import ClientRefused

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.lsp.serving import GlossatorServer

logger = logging.getLogger(__name__)

# People answer when they have read it. Who never does keeps a workspace that is not trusted.
_WAIT_S = 7 * 24 * 3600.0


class TrustAsker:
    """Asks once in the life of a process, when there is something to ask."""

    def __init__(self, server: "GlossatorServer") -> None:
        self._server = server
        self._has_asked = False

    async def ask(self, application: "Application") -> None:
        """Put the question, and let the application go by the answer if there is one."""
        question = application.find_trust_question()
        if question is None or self._has_asked:
            return
        self._has_asked = True
        params = types.ShowMessageRequestParams(
            type=types.MessageType.Info,
            message=question.message,
            actions=[types.MessageActionItem(question.yes), types.MessageActionItem(question.no)],
        )
        try:
            answer = await self._server.protocol.ask_client(
                types.WINDOW_SHOW_MESSAGE_REQUEST, params, timeout_s=_WAIT_S
            )
        except ClientRefused as error:
            self._server.log_to_client(
                types.MessageType.Info,
                f"Nobody could be asked whether this workspace is trusted: {error}. "
                "Run `glossator.trustWorkspace`, or set `workspace.trusted`.",
            )
            return
        title = getattr(answer, "title", None)
        # Meanwhile it may have been decided otherwise.
        if title in (question.yes, question.no) and application.status().trust == "unknown":
            problem = await application.trust_workspace(trusted=title == question.yes)
            if problem:
                logger.warning("%s", problem)
            self._server.diagnostics.check_again()
            self._server.backend.report_status()
