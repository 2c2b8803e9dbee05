"""One document with all that the checks look at, each part read once."""

from dataclasses import dataclass
from functools import cached_property

from glossator.core.locations import Range
from glossator.core.text import split_lines
from glossator.knowledge.documents import MAX_DOCUMENT_CHARS, Document
from glossator.linting.header import Header, range_of_line, read_header
from glossator.linting.markup import Markup, read_markup
from glossator.linting.surroundings import Surroundings
from glossator.skills.skill import find_skill_folder

INSTRUCTIONS = ("agents", "claude", "cursor", "copilot")


@dataclass(frozen=True)
class Subject:
    """A document in its surroundings."""

    document: Document
    around: Surroundings

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines as an editor counts them."""
        return tuple(split_lines(self.document.text[:MAX_DOCUMENT_CHARS]))

    @cached_property
    def header(self) -> Header:
        """The header with its places."""
        return read_header(self.lines, self.document.body_first_line)

    @cached_property
    def markup(self) -> Markup:
        """What the text below the header holds."""
        return read_markup(self.lines, self.document.body_first_line)

    @property
    def is_skill_folder(self) -> bool:
        """Say whether this is the `SKILL.md` of a folder, which others read too."""
        return self.document.family == "skill" and bool(find_skill_folder(self.document.path))

    @property
    def is_instructions(self) -> bool:
        """Say whether it was written for other assistants, by their rules."""
        return self.document.family in INSTRUCTIONS

    @property
    def has_meaning_in_header(self) -> bool:
        """Say whether the header is read: that of a file that always counts is not."""
        scope = f"/{self.around.scope}"
        is_rule = scope.endswith((".mdc", ".instructions.md")) or "/.claude/rules/" in scope
        return not self.is_instructions or is_rule

    @cached_property
    def speaks_of_workspace(self) -> bool:
        """Say whether the text is about this workspace: it names a file of it by its path.

        Knowledge and skills may be about anything: what they tell to run may belong elsewhere.
        """
        if self.is_instructions:
            return True
        paths = frozenset(self.around.listing.paths)
        return any("/" in span.text and span.text in paths for span in self.markup.code)

    def read(self, place: Range) -> str:
        """Return the text at a place within one line."""
        return self.lines[place.start.line - 1][place.start.column : place.end.column]

    def line(self, number: int) -> Range:
        """Return the range of a line."""
        return range_of_line(self.lines, number)
