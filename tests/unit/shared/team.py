"""The documents of a team, as files and as the local index has them under shared paths."""

from collections.abc import Sequence
from pathlib import Path

from glossator.knowledge.documents import Document, parse_document
from glossator.knowledge.index import KnowledgeIndex

TEAM = Path(__file__).parents[1] / "knowledge" / "data" / "team"


def read_team() -> list[Document]:
    return [
        parse_document(file.read_text(encoding="utf-8"), path=f"knowledge/{file.name}")
        for file in sorted(TEAM.glob("*.md"))
    ]


def index_as_shared(documents: Sequence[Document]) -> KnowledgeIndex:
    """Return the local index of the same documents under the paths that shared ones have."""
    return KnowledgeIndex.build(
        parse_document(each.text, path=f"shared/default/api/{each.path}") for each in documents
    )
