"""The peer: the SDK's own loop over a streamed answer, doing nothing with the pieces.

For each line on standard input one answer is read; the CPU it took is printed in milliseconds.
"""

import asyncio
import os
import sys
import time

from openai import AsyncOpenAI


async def main() -> None:
    client = AsyncOpenAI()
    while await asyncio.to_thread(sys.stdin.readline):
        began = time.process_time()
        stream = await client.chat.completions.create(
            model=os.environ["MODEL"],
            messages=[{"role": "user", "content": "Write."}],
            stream=True,
            stream_options={"include_usage": True},
        )
        n_characters = 0
        async for chunk in stream:
            for choice in chunk.choices:
                n_characters += len(choice.delta.content or "")
        print((time.process_time() - began) * 1000, flush=True)


if __name__ == "__main__":
    asyncio.run(main())
