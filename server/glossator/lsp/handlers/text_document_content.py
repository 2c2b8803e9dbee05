"""Handles `workspace/textDocumentContent`: the text of an answer that was shown."""

from typing import TYPE_CHECKING

from lsprotocol import types

from glossator.core.errors import InvalidArguments

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


async def read_text(
    server: "GlossatorServer", params: types.TextDocumentContentParams
) -> dict[str, str]:
    """Return the text of an answer by its URI."""
    text = server.answers.get(params.uri)
    if text is None:
        say = server.phrase()
        raise InvalidArguments(
            say(
                f"The answer `{params.uri}` is not kept any more; ask again.",
                f"回答 `{params.uri}` 已不再保留；请重新提问。",
            )
        )
    return {"text": text}
