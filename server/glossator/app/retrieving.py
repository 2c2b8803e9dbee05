"""How the use cases look for knowledge: one door, whatever it is found with."""

from glossator.app.library import Library
from glossator.knowledge.routing import Found, NoKnowledge, retrieve


def find_knowledge(
    library: Library, question: str, *, path: str | None = None, limit: int = 6
) -> Found | NoKnowledge:
    """Find what is known about `question`, asked while looking at the file `path`.

    May read files and ask a database: call it in a worker thread.
    """
    return retrieve(library.index, question, path=path, limit=limit)
