"""Handles `textDocument/codeAction`."""

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.lsp.action_titles import tell_apart
from glossator.lsp.actions import Asked
from glossator.lsp.diagnostics import SOURCE, Published
from glossator.lsp.dismiss_actions import offer_dismissals
from glossator.lsp.explain_actions import offer_explanations
from glossator.lsp.fix_actions import CONTENT_MODIFIED, offer_fixes
from glossator.lsp.handshake import FIX_ALL_KIND, FIX_KIND, IGNORE_KIND, SHOW_RULE_KIND
from glossator.lsp.problem_actions import offer_problem_explanations
from glossator.lsp.protocol import RequestRefused
from glossator.lsp.rule_actions import offer_rule_actions

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


async def offer_code_actions(
    server: "GlossatorServer", params: types.CodeActionParams
) -> list[dict[str, Any]] | None:
    """Offer repairs of findings, then to dismiss them, and to explain what stands at the cursor.

    Raises:
        RequestRefused: the document has changed since, and edits of it would go astray.
    """
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None
    asked = Asked(server, document, params)
    actions: list[dict[str, Any]] = []
    published = await _find_published(asked)
    if published is not None and server.client.code_action_literals:
        actions += await offer_fixes(asked, published)
        actions += await offer_dismissals(asked, published)
    actions += await offer_rule_actions(asked)
    actions += await offer_explanations(asked)
    actions += offer_problem_explanations(asked)
    if published is not None and not _is_current(asked, published):
        raise RequestRefused(CONTENT_MODIFIED, "The document has changed; ask again.")
    return tell_apart(actions, document.source, server.documents.encoding)


def _is_current(asked: Asked, published: Published) -> bool:
    """Say whether the document is still the one that the findings are about."""
    is_open = asked.server.documents.get(asked.uri) is asked.document
    return is_open and asked.document.version == published.source.version


async def _find_published(asked: Asked) -> Published | None:
    """Return what is shown of the document as it is now, if anything is asked about that."""
    kinds = (FIX_KIND, FIX_ALL_KIND, IGNORE_KIND, SHOW_RULE_KIND)
    if not asked.server.client.code_action_literals or not any(map(asked.wants, kinds)):
        return None
    diagnostics = asked.server.diagnostics
    published = diagnostics.current(asked.document)
    is_stale = any(each.source == SOURCE for each in asked.params.context.diagnostics)
    is_fix_all = asked.only is not None and asked.wants(FIX_ALL_KIND)
    if published is None and (is_stale or is_fix_all):
        # The editor still shows a finding of the text before it was edited.
        return await diagnostics.recheck(asked.document)
    return published
