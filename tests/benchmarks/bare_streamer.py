"""The peer: the SDK's own loop in the smallest pygls server, one `$/progress` for each piece.

`bare.ask` passes on what the model sends; `bare.notify` sends as many pieces of its own.
"""

import os

from lsprotocol import types
from openai import AsyncOpenAI
from pygls.lsp.server import LanguageServer

server = LanguageServer("bare-streamer", "1")


@server.command("bare.ask")
async def ask(argument: dict[str, str]) -> None:
    client = AsyncOpenAI()
    stream = await client.chat.completions.create(
        model=os.environ["MODEL"],
        messages=[{"role": "user", "content": "Write."}],
        stream=True,
        stream_options={"include_usage": True},
    )
    async for chunk in stream:
        for choice in chunk.choices:
            if choice.delta.content:
                _send(argument["partialResultToken"], choice.delta.content)
    await client.close()


@server.command("bare.notify")
def notify(argument: dict[str, str]) -> None:
    for _ in range(int(argument["count"])):
        _send(argument["partialResultToken"], "word ")


def _send(token: str, text: str) -> None:
    server.protocol.notify(
        types.PROGRESS,
        types.ProgressParams(token=token, value={"type": "textArrived", "text": text}),
    )


if __name__ == "__main__":
    server.start_io()
