"""What an embeddings endpoint answers, read without trust: a row for each text, or why not."""

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any

from glossator.model.reports import read_report

if TYPE_CHECKING:
    from glossator.semantic.encoder import Matrix

MAX_DIMENSION = 16_384


class Malformed(Exception):
    """An answer that holds no usable vectors; the text says what is wrong with it."""


def read_embeddings(body: bytes, n_texts: int, dimension: int | None = None) -> "Matrix":
    """Return the vectors of an answer in the order of the texts, each of length one.

    `dimension` is that of earlier answers. Numbers may be lists or base64 of 32-bit floats.

    Raises:
        Malformed: the answer is no such thing.
    """
    import numpy as np

    rows = [_read_vector(item) for item in _put_in_order(_find_items(body), n_texts)]
    lengths = {len(row) for row in rows}
    if len(lengths) != 1 or not 0 < min(lengths) <= MAX_DIMENSION:
        raise Malformed("its vectors differ in length" if len(lengths) > 1 else "a vector is empty")
    if dimension is not None and lengths != {dimension}:
        raise Malformed(f"its vectors have {min(lengths)} numbers, earlier ones {dimension}")
    matrix = np.stack(rows).astype(np.float64)
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    if not np.isfinite(norms).all():
        raise Malformed("a vector holds something that is no finite number")
    if not norms.all():
        raise Malformed("a vector is all zeros")
    vectors: Matrix = (matrix / norms).astype(np.float32)
    return vectors


def _find_items(body: bytes) -> list[dict[str, Any]]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed("it is not JSON") from error
    items = answer.get("data") if isinstance(answer, dict) else None
    if isinstance(items, list) and all(isinstance(item, dict) for item in items):
        return items
    said = read_report(answer).text if isinstance(answer, dict) else ""
    raise Malformed(f"it says “{said[:120]}”" if said else "it holds no list `data`")


def _put_in_order(items: list[dict[str, Any]], n_texts: int) -> list[dict[str, Any]]:
    if len(items) != n_texts:
        raise Malformed(f"it has {len(items)} vectors for {n_texts} texts")
    numbers = [item.get("index") for item in items]
    if all(number is None for number in numbers):
        return items
    by_number = {
        number: item
        for number, item in zip(numbers, items, strict=True)
        if type(number) is int and 0 <= number < n_texts
    }
    if len(by_number) != n_texts:
        raise Malformed("its vectors are not numbered from 0")
    return [by_number[number] for number in range(n_texts)]


def _read_vector(item: dict[str, Any]) -> Any:
    import numpy as np

    written = item.get("embedding")
    if isinstance(written, str):
        try:
            return np.frombuffer(base64.b64decode(written, validate=True), dtype="<f4")
        except (binascii.Error, ValueError) as error:
            raise Malformed("a vector is no base64 of 32-bit numbers") from error
    if not isinstance(written, list) or not all(
        isinstance(number, int | float) and not isinstance(number, bool) for number in written
    ):
        raise Malformed("a vector is no list of numbers")
    try:
        return np.array(written, dtype=np.float64)
    except OverflowError as error:
        raise Malformed("a vector holds something that is no finite number") from error
