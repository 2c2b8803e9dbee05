"""What no question leads to: empty text, sections without a word, names and sections taken."""

from collections.abc import Iterator

from glossator.core.locations import Span
from glossator.knowledge.documents import Section
from glossator.knowledge.question import parse_question
from glossator.linting.corpus import extract
from glossator.linting.finding import Finding, find, remove
from glossator.linting.header import range_of_lines
from glossator.linting.subject import Subject

_FIRST_CHARS = 100
_MAX_CHARS = 4_000


def check_reach(subject: Subject) -> Iterator[Finding]:
    """Judge whether the document and each of its sections can be found."""
    document = subject.document
    if not document.body.strip():
        yield find("empty-document", subject.line(1))
        return
    yield from _check_name(subject)
    if not subject.is_instructions:
        yield from _check_headings(subject)
    if document.family == "knowledge":
        for section in document.sections:
            if not _has_words(section):
                yield find("wordless-section", subject.line(section.first_line))
        yield from _check_repeated(subject)


def _check_name(subject: Subject) -> Iterator[Finding]:
    """Find another document of the same kind and origin that has the same name."""
    document = subject.document
    if subject.is_instructions:
        return
    for other in subject.around.corpus.documents:
        if document.family == "knowledge" and not (
            _is_named(subject) and other.name != _stem(other.path)
        ):
            continue  # Two files of one name in different folders are no mistake.
        if (
            other.path != document.path
            and (other.family, other.origin) == (document.family, document.origin)
            and other.name.casefold() == document.name.casefold()
        ):
            entry = subject.header.get("name")
            place = entry.value_range if entry else subject.line(1)
            yield find(
                "same-name",
                place,
                related=(Span(other.path, 1, 1),),
                name=document.name,
                path=other.path,
                hidden="yes" if document.family == "skill" else "",
            )
            return


def _is_named(subject: Subject) -> bool:
    return subject.header.get("name") is not None


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _check_headings(subject: Subject) -> Iterator[Finding]:
    """Find headings with nothing below them, neither text nor a deeper heading."""
    headings = subject.markup.headings
    for position, heading in enumerate(headings):
        following = headings[position + 1] if position + 1 < len(headings) else None
        last = following.line - 1 if following else len(subject.lines)
        has_text = any(line.strip() for line in subject.lines[heading.line : last])
        is_underlined = heading.line < len(subject.lines) and not subject.lines[heading.line].strip(
            " =-"
        )
        is_deeper = following is not None and following.level > heading.level
        if is_underlined:
            has_text = any(line.strip() for line in subject.lines[heading.line + 1 : last])
        if has_text or is_deeper:
            continue
        yield find(
            "empty-section",
            subject.line(heading.line),
            repair=remove(range_of_lines(heading.line, last)) if len(headings) > 1 else None,
            heading=heading.text,
        )


def _has_words(section: Section) -> bool:
    """Say whether a question can be about a section; one that is a heading alone is not judged."""
    text = section.text.partition("\n")[2] if section.heading_path else section.text
    words = f"{' '.join(section.heading_path)}\n{text}"
    # Nearly always there is one at the beginning.
    return not text or any(
        parse_question(words[:n_chars]).units for n_chars in (_FIRST_CHARS, _MAX_CHARS)
    )


def _check_repeated(subject: Subject) -> Iterator[Finding]:
    """Find sections whose heading and text stand in another place too."""
    own = extract(subject.document)
    for key, span in own.sections.items():
        others = [
            each
            for each in subject.around.corpus.sections.get(key, ())
            if each.path != subject.document.path
        ]
        if others:
            yield find(
                "repeated-section",
                subject.line(span.first_line),
                related=others[:3],
                where=others[0],
            )
