"""Handles `codeAction/resolve`."""

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.lsp.fix_actions import resolve_fix

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


async def resolve_code_action(
    server: "GlossatorServer", params: types.CodeAction
) -> "dict[str, Any] | types.CodeAction":
    """Return the action with its edit; what else is in it stays as it is.

    Some editors ask for every action without an edit: what was offered whole is returned so.
    """
    if params.data is None:
        return params
    action: dict[str, Any] = {"title": params.title, "data": params.data}
    if params.kind is not None:
        action["kind"] = params.kind
    return await resolve_fix(server, action)
