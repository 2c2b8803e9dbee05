"""Our server, noting when it first imports the packages named in the environment.

One line for each in the file `BENCH_IMPORTS`: the name and the moment (`perf_counter`, which on
Linux is the same clock in every process).
"""

import os
import sys
import time
from pathlib import Path

WATCHED = ("openai", "pydantic", "httpx2")


class Note:
    """A finder that finds nothing and remembers what it was asked for."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name in WATCHED:
            with Path(os.environ["BENCH_IMPORTS"]).open("a", encoding="utf-8") as log:
                log.write(f"{name} {time.perf_counter()}\n")


if __name__ == "__main__":
    sys.meta_path.insert(0, Note())
    from glossator.__main__ import main

    sys.argv = ["glossator", "lsp"]
    sys.exit(main())
