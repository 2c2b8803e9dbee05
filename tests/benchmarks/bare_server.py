"""The peer: the smallest pygls server that answers the same requests."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("bare", "1")


@server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
def offer_code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
    return [types.CodeAction(title="Explain", kind=types.CodeActionKind.Refactor)]


@server.command("bare.echo")
def echo(argument: dict[str, str]) -> dict[str, str]:
    return {"state": "idle"}


if __name__ == "__main__":
    server.start_io()
