"""JSON-RPC as the specification has it, over pygls' types and requests to the client.

pygls 2.1.1 gives no answer to a request with malformed parameters, lets a cancelled command run
on, keeps finished tasks, fails when a shutdown meets a running command and shows pop-ups for what
belongs into a log. This subclass therefore takes the whole way of an incoming message: every
request is a task of its own and gets exactly one answer.
"""

import asyncio
import json
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import attrs
from cattrs.errors import BaseValidationError
from cattrs.v import transform_error
from lsprotocol import types
from pygls.protocol import LanguageServerProtocol

from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError, InvalidArguments
from glossator.lsp.client_requests import ClientRefused, ClientRequests
from glossator.lsp.framing import BadMessage
from glossator.lsp.frequent_params import READERS
from glossator.lsp.handshake import INVALID_REQUEST, is_request_id
from glossator.lsp.positions import fit_positions
from glossator.lsp.stdio import Writer

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer

logger = logging.getLogger(__name__)

INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603
REQUEST_FAILED = -32803
SERVER_CANCELLED = -32802
REQUEST_CANCELLED = -32800

# A cancelled request is answered within this time even when its handler does not end.
_CANCEL_GRACE_S = 0.4

RequestHandler = Callable[["GlossatorServer", Any], Awaitable[Any]]
NotificationHandler = Callable[["GlossatorServer", Any], None]


class RequestRefused(Exception):
    """A request that is answered with an error of the protocol."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


@dataclass(eq=False, slots=True)
class _Request:
    """A request under way. Whoever sets `is_answered` sends the answer."""

    id: Any
    method: str
    task: asyncio.Task[None] | None = None
    is_answered: bool = False
    before_answer: list[Callable[[], None]] = field(default_factory=list)


class GlossatorProtocol(LanguageServerProtocol):
    """One connection to one client."""

    _server: "GlossatorServer"

    def __init__(self, server: "GlossatorServer", converter: Any) -> None:
        super().__init__(server, converter)
        self.requests: Mapping[str, RequestHandler] = {}
        self.notifications: Mapping[str, NotificationHandler] = {}
        self.is_shut_down = False
        self.output: Writer | None = None
        self.client_requests = ClientRequests(self.send)
        self._running: dict[Any, _Request] = {}

    def _register_builtin_features(self) -> None:
        """Register none: pygls' own handlers would never be asked."""

    # Incoming

    def receive(self, message: dict[str, Any] | BadMessage) -> None:
        """Take one message. Requests begin to run at once, on the loop."""
        if isinstance(message, BadMessage):
            self._answer_error(None, message.code, message.reason)
        elif "method" in message:
            self._receive_call(message)
        elif is_request_id(message.get("id")):
            self._receive_answer(message)
        elif "error" in message:
            logger.warning("The client reports an error: %s", message["error"])
        else:
            self._answer_error(None, INVALID_REQUEST, "The message has neither method nor id.")

    def _receive_call(self, message: dict[str, Any]) -> None:
        method, request_id = message["method"], message.get("id")
        if "id" not in message:
            self._notify_handler(str(method), message)
        elif not is_request_id(request_id):
            self._answer_error(None, INVALID_REQUEST, "The id of a request is text or a number.")
        elif not isinstance(method, str):
            self._answer_error(request_id, INVALID_REQUEST, "`method` must be text.")
        elif request_id in self._running:
            self._answer_error(
                request_id, INVALID_REQUEST, f"A request with id {request_id!r} is under way."
            )
        else:
            self._start_request(_Request(request_id, method), message)

    def _start_request(self, request: _Request, message: dict[str, Any]) -> None:
        self._running[request.id] = request
        request.task = asyncio.get_running_loop().create_task(
            self._run_request(request, message), name=request.method
        )

    async def _run_request(self, request: _Request, message: dict[str, Any]) -> None:
        """Run the handler and send the one answer, whatever happens."""
        try:
            handler, params = self._prepare(request.method, message)
            self._ctx_msg_id.set(request.id)
            result = await handler(self._server, params)
        except asyncio.CancelledError:
            self._end(request, error=(REQUEST_CANCELLED, "The request was cancelled."))
        except RequestRefused as error:
            self._end(request, error=(error.code, str(error)), data=error.data)
        except InvalidArguments as error:
            self._end(request, error=(INVALID_PARAMS, self._tell(error)))
        except GlossatorError as error:
            self._end(request, error=(REQUEST_FAILED, self._tell(error)), data={"code": error.code})
        except (SystemExit, KeyboardInterrupt, MemoryError) as error:
            self._end(request, error=(INTERNAL_ERROR, "The server has to end; see its log."))
            self._server.end_fatally(f"`{request.method}`", error)
        except Exception as error:  # The task of the request ends here.
            logger.error("`%s` failed: %r", request.method, error, exc_info=error)
            self._end(
                request,
                error=(
                    INTERNAL_ERROR,
                    f"`{request.method}` failed inside the server; see its log.",
                ),
            )
        else:
            self._end(request, result=result)

    def _tell(self, error: GlossatorError) -> str:
        """Return what went wrong in the editor's language."""
        return Phrasing.for_locale(self._server.client.locale).translate(str(error))

    def _prepare(self, method: str, message: dict[str, Any]) -> tuple[RequestHandler, Any]:
        if self.is_shut_down:
            raise RequestRefused(INVALID_REQUEST, "The server is shut down.")
        if method == types.INITIALIZE:
            raise RequestRefused(INVALID_REQUEST, "The server is initialized already.")
        handler = self.requests.get(method)
        if handler is None:
            raise RequestRefused(METHOD_NOT_FOUND, f"`{method}` is not supported.")
        return handler, self._read_params(method, message)

    def _read_params(self, method: str, message: dict[str, Any]) -> Any:
        """Return the parameters as lsprotocol's type, or raise InvalidArguments."""
        message_type = self.get_message_type(method)
        if message_type is None:
            return message.get("params")
        params_type: Any = attrs.fields_dict(message_type)["params"].type
        if method in _WITHOUT_PARAMS:
            return None
        read = READERS.get(method)
        plain = read(message.get("params")) if read is not None else None
        if plain is not None:
            return plain
        try:
            return self._structure(message.get("params"), params_type)
        except BaseValidationError as error:
            problems = "; ".join(transform_error(error, path="params"))
            raise InvalidArguments(f"`{method}`: {problems}") from error
        except Exception as error:  # cattrs lets through what its hooks raise on strange input
            raise InvalidArguments(
                f"`{method}`: its parameters do not fit the protocol."
            ) from error

    def _structure(self, params: Any, params_type: Any) -> Any:
        try:
            return self._converter.structure(params, params_type)
        except BaseValidationError:
            fitted = fit_positions(params)
            if fitted == params:
                raise
            return self._converter.structure(fitted, params_type)

    def _notify_handler(self, method: str, message: dict[str, Any]) -> None:
        if method == types.CANCEL_REQUEST:
            params = message.get("params")
            if isinstance(params, Mapping):
                self.cancel(params.get("id"))
            return
        handler = self.notifications.get(method)
        if handler is None or (self.is_shut_down and method != types.EXIT):
            logger.debug("The notification `%s` is ignored.", method)
            return
        try:
            handler(self._server, self._read_params(method, message))
        except GlossatorError as error:
            logger.warning("%s", error)
        except (SystemExit, KeyboardInterrupt, MemoryError) as error:
            self._server.end_fatally(f"`{method}`", error)
        except Exception as error:  # Nobody waits for a notification.
            logger.error("`%s` failed: %r", method, error, exc_info=error)

    def _receive_answer(self, message: dict[str, Any]) -> None:
        """Pass the client's answer to whoever waits for it; nobody does after a time-out."""
        if self.client_requests.receive(message):
            return
        future = self._request_futures.pop(message["id"], None)
        result_type = self._result_types.pop(message["id"], None)
        if future is None or future.done():
            return
        if "error" in message:
            future.set_exception(ClientRefused(str(message["error"])))
            return
        try:
            answer = self._converter.structure(message, result_type) if result_type else None
        except Exception:  # noqa: BLE001 - the answer of a client may be anything.
            future.set_exception(ClientRefused("the answer does not fit the protocol"))
        else:
            future.set_result(answer.result if answer else message.get("result"))

    # Ends

    def _end(
        self,
        request: _Request,
        *,
        result: Any = None,
        error: tuple[int, str] | None = None,
        data: Any = None,
    ) -> None:
        if self._running.get(request.id) is request:
            del self._running[request.id]
        if request.is_answered:
            return
        request.is_answered = True
        for finish in request.before_answer:
            finish()
        if error is not None:
            self._answer_error(request.id, *error, data=data)
            return
        try:
            self.send({"jsonrpc": "2.0", "id": request.id, "result": result})
        except (TypeError, ValueError, AttributeError, RecursionError) as failure:
            logger.error("The result of `%s` is no JSON: %r", request.method, failure)
            self._answer_error(request.id, INTERNAL_ERROR, f"`{request.method}` has no result.")

    def _answer_error(self, request_id: Any, code: int, text: str, *, data: Any = None) -> None:
        error = {"code": code, "message": text}
        if data is not None:
            error["data"] = data
        self.send({"jsonrpc": "2.0", "id": request_id, "error": error})

    def before_answer(self, finish: Callable[[], None]) -> None:
        """Call `finish` before the request that runs now is answered, however it ends."""
        request = self._running.get(self.msg_id)
        if request is not None:
            request.before_answer.append(finish)

    def cancel(self, request_id: Any) -> None:
        """Cancel a request under way; it is answered as cancelled within half a second."""
        try:
            request = self._running.get(request_id)
        except TypeError:
            return
        if request is None or request.task is None:
            return
        request.task.cancel()
        asyncio.get_running_loop().call_later(
            _CANCEL_GRACE_S,
            lambda: self._end(request, error=(REQUEST_CANCELLED, "The request was cancelled.")),
        )

    async def cancel_all(self, *, timeout_s: float) -> None:
        """Cancel every request but the one that asks for it, and wait until they have ended."""
        own = asyncio.current_task()
        requests = [one for one in self._running.values() if one.task not in (own, None)]
        for request in requests:
            self.cancel(request.id)
        tasks = [request.task for request in requests if request.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=timeout_s)
        for request in requests:
            self._end(request, error=(REQUEST_CANCELLED, "The request was cancelled."))

    # Outgoing

    def send(self, message: dict[str, Any], *, droppable: bool = False) -> None:
        """Send one message, from any thread. Values of lsprotocol may stand anywhere in it."""
        if self.output is None:
            return
        text = json.dumps(
            message, default=self._serialize_message, ensure_ascii=False, separators=(",", ":")
        )
        try:
            body = text.encode("utf-8")
        except UnicodeEncodeError:
            # Half a surrogate pair is legal in JSON as an escape only.
            body = json.dumps(message, default=self._serialize_message).encode("ascii")
        self.output.send(body, droppable=droppable)

    def send_notification(
        self, method: str, params: dict[str, Any], *, droppable: bool = False
    ) -> None:
        """Send one notification whose parameters are ready."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params}, droppable=droppable)

    def send_progress(
        self, token: str | int, value: dict[str, Any], *, droppable: bool = False
    ) -> None:
        """Send one `$/progress`."""
        self.send_notification(
            types.PROGRESS, {"token": token, "value": value}, droppable=droppable
        )

    def _send_data(self, data: Any) -> None:
        """Send what pygls made."""
        self.send(self._serialize_message(data))

    async def ask_client(self, method: str, params: Any, *, timeout_s: float = 2.0) -> Any:
        """Send a request to the client and return its result.

        Raises:
            ClientRefused: the client answers with an error, nonsense, or not in time.
        """
        request_id = str(uuid.uuid4())
        future = self.send_request(method, params, msg_id=request_id)
        try:
            async with asyncio.timeout(timeout_s):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            raise ClientRefused(f"no answer to `{method}` in {timeout_s:g} s") from None
        finally:
            self._request_futures.pop(request_id, None)
            self._result_types.pop(request_id, None)


_WITHOUT_PARAMS = frozenset({types.SHUTDOWN, types.EXIT, types.INITIALIZED})
