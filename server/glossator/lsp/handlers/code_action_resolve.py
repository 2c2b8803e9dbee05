"""Handles `codeAction/resolve`."""

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.lsp.fix_actions import resolve_fix

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


async def resolve_code_action(
    server: "GlossatorServer", params: types.CodeAction
) -> dict[str, Any]:
    """Return the action with its edit; what else is in it stays as it is."""
    action: dict[str, Any] = {"title": params.title, "data": params.data}
    if params.kind is not None:
        action["kind"] = params.kind
    return await resolve_fix(server, action)
