"""What is counted of a section: the words of its text, its headings and its document's header."""

import re
from collections import Counter

from glossator.knowledge.documents import Document, Section
from glossator.knowledge.posting_lists import HEADER_MARK
from glossator.knowledge.words import find_words

HEADING_WEIGHT = 4
"""A word of a heading counts as often as this many in the text."""

LEAD_CHARS = 100
"""So much of a section's first sentence counts twice: it says what the section is about."""

_EXAMPLE = re.compile(
    r"^[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*(?:check|(?:[^\s`~]+[ \t]+)?(?:good|bad))\b[^\n`]*\n"
    r"(?:.*?^[ \t]*(?P=mark)[ \t]*$|.*)",
    re.MULTILINE | re.DOTALL,
)
_NO_PROSE = re.compile(
    r"^[ \t]*(?P<mark>`{3,}|~{3,}).*?(?:^[ \t]*(?P=mark)[ \t]*$|\Z)"
    r"|^ {0,3}#{1,6} [^\n]*$|<[a-zA-Z/!][^<>]*>",
    re.MULTILINE | re.DOTALL,
)
# One line, or two where the second underlines the first.
_HEADING_ALONE = re.compile(r" {0,3}#{1,6}(?:[ \t][^\n]*)?|[^\n]+\n {0,3}(?:=+|-+)[ \t]*")
_FIRST_SENTENCE = re.compile(r".{20,}?(?:[。！？]|[.!?](?=\s)|\n\s*\n)", re.DOTALL)
# What is looked at for it: a section may begin with a long example.
_LEAD_WITHIN = 2_000


def select_sections(document: Document) -> list[Section]:
    """Leave out headings without text of their own; what stands below them carries their words."""
    with_text = [section for section in document.sections if not _is_heading_alone(section)]
    return with_text or list(document.sections)


def _is_heading_alone(section: Section) -> bool:
    return bool(section.heading_path) and _HEADING_ALONE.fullmatch(section.text) is not None


def count_words(section: Section) -> Counter[str]:
    """Count the words of a section's text and of the headings above it.

    The checks and examples of its rules are code: a `boss` in a query is not what they are about.
    """
    text = leave_out_examples(section.text)
    counts = Counter(find_words(text))
    counts.update(find_words(_find_lead(text)))
    for heading in section.heading_path[-1:]:
        for word in find_words(heading):
            counts[word] += HEADING_WEIGHT - 1
    for word in set(find_words("\n".join(section.heading_path[:-1]))):
        counts[word] += 1
    return counts


def leave_out_examples(text: str) -> str:
    """Return `text` without the checks and examples below its rules, which no answer is given."""
    return _EXAMPLE.sub("", text)


def _find_lead(text: str) -> str:
    """Return the first sentence of the prose of a section, its heading and code left out."""
    prose = _NO_PROSE.sub(" ", text[:_LEAD_WITHIN]).strip()
    sentence = _FIRST_SENTENCE.match(prose)
    return (sentence[0] if sentence else prose)[:LEAD_CHARS]


def find_header_words(document: Document) -> set[str]:
    """Return the words of a document's header, marked: they are true of all its sections alike."""
    header = "\n".join((document.name, document.description, *document.keywords))
    return {HEADER_MARK + word for word in find_words(header)}
