"""The result of `glossator.search`: ranked sections as JSON and as Markdown."""

from typing import TYPE_CHECKING, Any

from glossator.lsp.places import Places

if TYPE_CHECKING:
    from glossator.app.phrasing import Phrasing
    from glossator.app.retrieval.searching import Search

Json = dict[str, Any]


def search(value: "Search", places: Places, say: "Phrasing") -> Json:
    """Return the result of the command."""
    # Imported here: words for people are needed with the first search, not at start-up.
    from glossator.app.retrieval.search_text import render_search, to_json

    result = to_json(value)
    for row, section in zip(result["sections"], value.sections, strict=True):
        row["uri"] = places.uri(section.file, section.place.path)
    title = say(f"Search: {value.question}", f"搜索：{value.question}")
    return {"title": title, "markdown": render_search(value, say), **result}
