"""Reports in Cobertura's XML: `coverage.xml` of coverage.py, and of many others.

XML can name files and repeat itself until the memory is full. Nothing that it declares is
expanded: a report that declares an entity is refused, and external ones are never looked at.
"""

from collections.abc import Callable
from xml.parsers import expat

from glossator.tools.reports.report import (
    BrokenReport,
    FileCoverage,
    Report,
    last_name,
    parse_count,
)

_CHUNK_BYTES = 1 << 16
_MAX_DEPTH = 64
_MAX_SOURCES = 100
_MAX_SOURCE = 4096


def read_cobertura(data: bytes, base_name: str, is_over: Callable[[], bool]) -> Report:
    """Return what a report says of the files called `base_name`.

    Raises:
        BrokenReport: it is not XML, not of this form, takes too long or declares entities.
    """
    return _Reader(base_name).read(data, is_over)


class _Reader:
    def __init__(self, base_name: str) -> None:
        self._base_name = base_name
        self._files: dict[str, FileCoverage] = {}
        self._names: set[str] = set()
        self._sources: list[str] = []
        self._current: FileCoverage | None = None
        self._source: str | None = None
        self._depth = 0

    def read(self, data: bytes, is_over: Callable[[], bool]) -> Report:
        parser = expat.ParserCreate()
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._read_text
        parser.EntityDeclHandler = _refuse_entity
        try:
            for start in range(0, len(data), _CHUNK_BYTES):
                if is_over():
                    raise BrokenReport("it takes too long to read")
                parser.Parse(data[start : start + _CHUNK_BYTES], False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise BrokenReport(f"it is no valid XML (line {error.lineno})") from error
        except (LookupError, ValueError) as error:
            raise BrokenReport(f"it is in an encoding that is not read ({error})") from error
        return Report(tuple(self._files.values()), len(self._names), tuple(self._sources))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1 and (tag != "coverage" or "clover" in attributes):
            raise BrokenReport(f"its form is not Cobertura's (`<{tag[:40]}>`)")
        if self._depth > _MAX_DEPTH:
            raise BrokenReport("its elements are nested too deeply")
        if tag == "class":
            self._open_file(attributes.get("filename", ""))
        elif tag == "line" and self._current is not None:
            self._count(self._current, attributes)
        elif tag == "source" and len(self._sources) < _MAX_SOURCES:
            self._source = ""

    def _end(self, tag: str) -> None:
        self._depth -= 1
        if tag == "class":
            self._current = None
        elif tag == "source" and self._source is not None:
            self._sources.append(self._source.strip())
            self._source = None

    def _read_text(self, text: str) -> None:
        if self._source is not None and len(self._source) < _MAX_SOURCE:
            self._source += text

    def _open_file(self, name: str) -> None:
        self._names.add(name)
        if last_name(name) == self._base_name:
            self._current = self._files.setdefault(name, FileCoverage(name))

    def _count(self, file: FileCoverage, attributes: dict[str, str]) -> None:
        line = parse_count(attributes.get("number"))
        file.count(line, hits=parse_count(attributes.get("hits")))
        condition = attributes.get("condition-coverage", "")
        if attributes.get("branch") == "true" and not condition.startswith("100%"):
            missing = attributes.get("missing-branches", "")
            text = f"never goes on to {missing}" if missing else condition
            file.branches[line] = " ".join(text.split())[:200]


def _refuse_entity(*_: object) -> None:
    raise BrokenReport("it declares entities, which no coverage report needs")
