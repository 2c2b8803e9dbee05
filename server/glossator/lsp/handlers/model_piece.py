"""Handles `glossator/model/piece`: a piece of an answer by the editor's own language model."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer

MODEL_PIECE = "glossator/model/piece"


def hear_piece(server: "GlossatorServer", params: Any) -> None:
    """Hand the piece to whoever reads that answer."""
    server.backend.hear_of_answer(params)
