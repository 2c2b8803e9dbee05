"""The first exchange, answered before the protocol library is imported.

Importing lsprotocol takes a third of a second or more; an editor waits for `initialize` with its
first window. So this module and what it imports use the standard library alone.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from glossator import __version__
from glossator.lsp.client import Client, read_client
from glossator.lsp.framing import BadMessage
from glossator.lsp.stdio import Writer

SERVER_NOT_INITIALIZED = -32002
INVALID_REQUEST = -32600

EXPLAIN_KIND = "refactor.glossator.explain"
CALL_CHAIN_KIND = "refactor.glossator.callChain"
ANSWER_SCHEME = "glossator"

# Of a root of its own: no filter for quick fixes or refactorings brings it.
EXPLAIN_PROBLEM_KIND = "glossator.explainProblem"
FIX_KIND = "quickfix.glossator"
FIX_ALL_KIND = "source.fixAll.glossator"
IGNORE_KIND = "quickfix.glossator.ignore"
SHOW_RULE_KIND = "quickfix.glossator.showRule"
COMPILE_KIND = "refactor.rewrite.glossator"

COMMAND_NAMES = (
    "glossator.explain",
    "glossator.explainProblem",
    "glossator.callChain",
    "glossator.ask",
    "glossator.analyze",
    "glossator.listAttachable",
    "glossator.newSession",
    "glossator.listSessions",
    "glossator.readSession",
    "glossator.renameSession",
    "glossator.deleteSession",
    "glossator.exportSession",
    "glossator.check",
    "glossator.dismiss",
    "glossator.showRule",
    "glossator.compileRule",
    "glossator.rebuildIndex",
    "glossator.stats",
    "glossator.why",
    "glossator.search",
    "glossator.testModel",
    "glossator.trustWorkspace",
    "glossator.status",
)

_FILES = {"filters": [{"scheme": "file", "pattern": {"glob": "**"}}]}


@dataclass(frozen=True, slots=True)
class Farewell:
    """The client went away before it said who it is."""

    exit_code: int


def shake_hands(
    messages: Iterable[dict[str, Any] | BadMessage], writer: Writer
) -> Client | Farewell:
    """Answer `initialize` and whatever comes before it; return who the client is."""
    for message in messages:
        if isinstance(message, BadMessage):
            send_error(writer, None, message.code, message.reason)
            continue
        method, params = message.get("method"), message.get("params")
        if method == "exit":
            return Farewell(1)
        if not isinstance(method, str) or not is_request_id(message.get("id")):
            continue
        if method != "initialize":
            send_error(
                writer, message["id"], SERVER_NOT_INITIALIZED, f"`{method}` came before initialize."
            )
            continue
        client = read_client(params if isinstance(params, Mapping) else {})
        result = {
            "capabilities": describe_server(client),
            "serverInfo": {"name": "Glossator", "version": __version__},
        }
        writer.send(_encode({"jsonrpc": "2.0", "id": message["id"], "result": result}))
        return client
    return Farewell(1)


def is_request_id(value: object) -> bool:
    """Say whether `value` may be the id of a request."""
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def send_error(writer: Writer, request_id: object, code: int, message: str) -> None:
    """Send an error answer; `request_id` is None when the request could not be read."""
    error = {"code": code, "message": message}
    writer.send(_encode({"jsonrpc": "2.0", "id": request_id, "error": error}))


def describe_server(client: Client) -> dict[str, Any]:
    """Return the server's capabilities, as far as this client has a use for them."""
    capabilities: dict[str, Any] = {
        "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
        "codeActionProvider": _describe_actions(client),
        "codeLensProvider": {"resolveProvider": True},
        "executeCommandProvider": {"commands": list(COMMAND_NAMES), "workDoneProgress": True},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    if client.names_encodings:
        capabilities["positionEncoding"] = client.encoding
    if not client.registers_hover:
        capabilities["hoverProvider"] = True
    if client.pulls_diagnostics:
        # What is closed is the terminal's to check: nothing is offered for the whole workspace.
        capabilities["diagnosticProvider"] = {
            "identifier": "glossator", "interFileDependencies": False,
            "workspaceDiagnostics": False,
        }  # fmt: skip
    if not client.registers_call_hierarchy and _wants_call_hierarchy(client):
        capabilities["callHierarchyProvider"] = True
    if client.asks_for_texts and not client.shows_answers:
        capabilities["workspace"]["textDocumentContent"] = {"schemes": [ANSWER_SCHEME]}
    operations = {
        **({"didRename": _FILES} if client.did_rename_files else {}),
        **({"didDelete": _FILES} if client.did_delete_files else {}),
    }
    if operations:
        capabilities["workspace"]["fileOperations"] = operations
    return capabilities


def _wants_call_hierarchy(client: Client) -> bool:
    """Say whether the settings that came with `initialize` ask for the call hierarchy."""
    group = client.settings.get("code")
    return isinstance(group, Mapping) and group.get("callHierarchy") is True


def _describe_actions(client: Client) -> dict[str, Any] | bool:
    if not client.code_action_literals:
        return True
    kinds = [EXPLAIN_KIND, CALL_CHAIN_KIND, FIX_KIND, FIX_ALL_KIND, COMPILE_KIND]
    kinds += [EXPLAIN_PROBLEM_KIND]
    resolves = {"resolveProvider": True} if client.resolves_edits else {}
    return {"codeActionKinds": kinds, **resolves}


def _encode(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode("ascii")
