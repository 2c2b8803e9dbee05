"""Judges texts in a workspace that exists only in a mapping."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from glossator.core.locations import Range
from glossator.core.text import split_lines
from glossator.instructions.places import Form
from glossator.instructions.reading import Home, parse_instructions
from glossator.knowledge.documents import Document, Family, parse_document
from glossator.linting.corpus import extract, join
from glossator.linting.finding import Finding
from glossator.linting.judging import judge_document
from glossator.linting.repairing import apply_edits
from glossator.linting.surroundings import Limits, Listing, Surroundings
from glossator.rules.parse import parse_rules

_FORMS: Mapping[str, tuple[Family, Form]] = {
    ".mdc": ("cursor", "cursor-rule"),
    ".instructions.md": ("copilot", "copilot-rule"),
    "copilot-instructions.md": ("copilot", "plain"),
    "CLAUDE.md": ("claude", "plain"),
    "AGENTS.md": ("agents", "plain"),
}


@dataclass
class FilesInMemory:
    """The files of a workspace folder; folders are there when a file stands in them."""

    texts: Mapping[str, str]
    ignored: frozenset[str] = frozenset()
    asked: list[str] = field(default_factory=list)

    def exists(self, path: str) -> bool:
        self.asked.append(path)
        return path in self.texts or any(each.startswith(f"{path}/") for each in self.texts)

    def is_ignored(self, path: str) -> bool:
        return any(path == each or path.startswith(f"{each}/") for each in self.ignored)

    def read(self, path: str) -> str | None:
        return self.texts.get(path)


def read(path: str, text: str) -> Document:
    """Read a file as the library does, told from its path."""
    family, form = next(
        (each for suffix, each in _FORMS.items() if path.endswith(suffix)), ("knowledge", "plain")
    )
    if ".claude/rules/" in path:
        family, form = "claude", "claude-rule"
    if "skills/" in path:
        return replace(parse_document(text, path=path), family="skill")
    if family == "knowledge":
        return parse_document(text, path=path)
    folder = path.partition(".cursor")[0].partition(".github")[0].partition(".claude")[0]
    home = folder.rpartition("/")[0] if form == "plain" else folder.rstrip("/")
    return parse_instructions(text, path=path, family=family, form=form, home=Home(home, home))


def lint(
    path: str,
    text: str,
    *,
    files: Mapping[str, str] | None = None,
    ignored: frozenset[str] = frozenset(),
    limits: Limits | None = None,
    is_complete: bool = True,
) -> tuple[Finding, ...]:
    """Judge a text as the file `path`; the Markdown files among `files` are documents too."""
    files = {path: text, **(files or {})}
    documents = [
        read(name, content) for name, content in files.items() if name.endswith((".md", ".mdc"))
    ]
    rules = [
        rule
        for document in documents
        for rule in parse_rules(
            document.text, path=document.path, document=document.name, origin="workspace"
        )[0]
    ]
    around = Surroundings(
        scope=path,
        files=FilesInMemory(files, ignored),
        list_files=lambda: Listing(tuple(files), is_complete=is_complete),
        corpus=join([extract(document) for document in documents], rules),
        limits=limits or Limits(),
    )
    return judge_document(read(path, text), around)


def show(text: str, place: Range) -> str:
    """Return the text at a range."""
    lines = split_lines(text)
    if place.start.line == place.end.line:
        return lines[place.start.line - 1][place.start.column : place.end.column]
    return f"{place.start.line}-{place.end.line}"


def repair(text: str, finding: Finding) -> str:
    """Return the text after the repair of one finding."""
    assert finding.repair is not None
    return apply_edits(text, [finding.repair.edits])[0]
