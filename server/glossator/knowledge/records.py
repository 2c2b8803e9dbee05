"""Documents as bytes and back: a document or one of its sections is made when it is asked for.

A document is its text and a header in JSON; a section is a row of numbers that says where in the
text it stands, and its headings in JSON. Nothing is executed that is read.
"""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

from glossator.core.text import split_lines
from glossator.knowledge.documents import Document, DocumentProblem, Section

_APART = frozenset({"path", "text", "sections", "problems"})
_HEADER_FIELDS = tuple(field.name for field in fields(Document) if field.name not in _APART)


@dataclass(frozen=True, slots=True)
class SectionRecord:
    """A section as it is kept: its lines, the bytes of the text that it takes, and the rest."""

    first_line: int
    last_line: int
    start: int
    end: int
    info: bytes


def encode(text: str) -> bytes:
    """Return text as bytes; half a character pair is kept as it is."""
    return text.encode("utf-8", "surrogatepass")


def decode(data: bytes | memoryview) -> str:
    """Return the text that `encode` was given."""
    return str(data, "utf-8", "surrogatepass")


def pack_header(document: Document) -> bytes:
    """Return all that a document is beside its path, text and sections."""
    values: dict[str, Any] = {name: getattr(document, name) for name in _HEADER_FIELDS}
    values["problems"] = [astuple(each) for each in document.problems]
    return json.dumps(values, separators=(",", ":")).encode()


def unpack_document(path: str, header: bytes, text: str, sections: Sequence[Section]) -> Document:
    """Return the document again."""
    values = {name: _freeze(value) for name, value in json.loads(header).items()}
    problems = tuple(DocumentProblem(*each) for each in values.pop("problems"))
    return Document(path=path, text=text, sections=tuple(sections), problems=problems, **values)


def pack_sections(document: Document) -> list[SectionRecord]:
    """Return the sections of a document, by reference to its text."""
    ends = [0]
    for line in split_lines(document.text, keep_ends=True):
        ends.append(ends[-1] + len(encode(line)))
    data = encode(document.text)
    return [_pack_section(section, data, ends) for section in document.sections]


def _pack_section(section: Section, data: bytes, ends: Sequence[int]) -> SectionRecord:
    n_lines = len(ends) - 1
    start = ends[min(section.first_line - 1, n_lines)]
    end = ends[min(section.last_line, n_lines)]
    end = start + len(data[start:end].rstrip(b"\r\n"))
    info: list[object] = [section.document, section.heading_path]
    if _read_lines(data[start:end]) != section.text:
        info.append(section.text)  # Not what stands there: somebody made another text of it.
    packed = json.dumps(info, separators=(",", ":")).encode()
    return SectionRecord(section.first_line, section.last_line, start, end, packed)


def unpack_section(
    path: str, lines: Sequence[int], info: bytes | memoryview, data: bytes | memoryview
) -> Section:
    """Return a section again; `data` are the bytes of the text that it takes."""
    document, headings, *other_text = json.loads(decode(info))
    text = other_text[0] if other_text else _read_lines(data)
    return Section(document, path, tuple(headings), lines[0], lines[1], text)


def _read_lines(data: bytes | memoryview) -> str:
    text = decode(data)
    return "\n".join(split_lines(text)) if "\r" in text else text


def _freeze(value: Any) -> Any:
    return tuple(map(_freeze, value)) if isinstance(value, list) else value
