"""Handles `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls`, `…/outgoingCalls`.

Off unless it is wanted: an editor that asks several servers would show each function twice.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.lsp import from_lsp
from glossator.lsp.client_requests import ClientRefused
from glossator.lsp.command_targets import read_source

if TYPE_CHECKING:
    from glossator.app.call_hierarchy import CallItem, Direction
    from glossator.lsp.serving import GlossatorServer

Json = dict[str, Any]
_ID = "glossator-call-hierarchy"
_METHOD = types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY
_KINDS = {"function": 12, "lambda": 12, "method": 6, "constructor": 9, "module": 2}


async def offer_call_hierarchy(server: "GlossatorServer") -> None:
    """Register these requests, or take that back, as the settings want it by now."""
    is_wanted = server.backend.known_settings().code.call_hierarchy
    if not server.client.registers_call_hierarchy or is_wanted == server.is_call_hierarchy_offered:
        return
    server.is_call_hierarchy_offered = is_wanted
    params: types.RegistrationParams | types.UnregistrationParams
    if is_wanted:
        everywhere = [types.TextDocumentFilterScheme(scheme="file")]
        options = types.CallHierarchyRegistrationOptions(document_selector=everywhere)
        params = types.RegistrationParams([types.Registration(_ID, _METHOD, options)])
    else:
        params = types.UnregistrationParams([types.Unregistration(_ID, _METHOD)])
    method = types.CLIENT_REGISTER_CAPABILITY if is_wanted else types.CLIENT_UNREGISTER_CAPABILITY
    try:
        await server.protocol.ask_client(method, params)
    except ClientRefused as error:
        server.log_to_client(types.MessageType.Info, f"The call hierarchy is as before: {error}")


async def prepare_call_hierarchy(
    server: "GlossatorServer", params: types.CallHierarchyPrepareParams
) -> list[Json] | None:
    """Return the function at a position."""
    document = server.documents.get(params.text_document.uri)
    application = await server.backend.application_in_time()
    if document is None or not server.backend.known_settings().code.call_hierarchy:
        return None
    if server.backend.asks_about_calls:
        return None  # Our own answer would come back to us as that of another server.
    position = from_lsp.position(params.position)
    encoding = server.documents.encoding
    target = await asyncio.to_thread(from_lsp.target, document.source, position, None, encoding)
    item = await application.find_call_item(target)
    return None if item is None else [_to_json(server, item)]


async def list_incoming_calls(
    server: "GlossatorServer", params: types.CallHierarchyIncomingCallsParams
) -> list[Json]:
    """Return who calls a function."""
    return await _list(server, params.item, "callers")


async def list_outgoing_calls(
    server: "GlossatorServer", params: types.CallHierarchyOutgoingCallsParams
) -> list[Json]:
    """Return what a function calls."""
    return await _list(server, params.item, "callees")


async def _list(
    server: "GlossatorServer", item: types.CallHierarchyItem, direction: "Direction"
) -> list[Json]:
    source = await read_source(server, item.uri)
    position = from_lsp.position(item.selection_range.start)
    encoding = server.documents.encoding
    target = await asyncio.to_thread(from_lsp.target, source, position, None, encoding)
    application = await server.backend.application()
    calls = await application.list_calls(target, direction)
    end, places = ("from" if direction == "callers" else "to"), server.backend.places()
    return [
        {
            end: _to_json(server, each.item),
            "fromRanges": [
                places.range_of(each.item.source if direction == "callers" else source, place)
                for place in each.ranges
            ],
        }
        for each in calls
    ]


def _to_json(server: "GlossatorServer", item: "CallItem") -> Json:
    places = server.backend.places()
    return {
        "name": item.name,
        "kind": _KINDS[item.kind],
        "detail": f"{item.source.name}:{item.name_range.start.line}",
        "uri": places.uri(item.source.path, item.source.name) or "",
        "range": places.range_of(item.source, item.range),
        "selectionRange": places.range_of(item.source, item.name_range),
    }
