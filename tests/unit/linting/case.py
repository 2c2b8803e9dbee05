"""What a case of the linter is: a text, what is found in it and what it is repaired to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from glossator.linting.surroundings import Limits

BODY = "# Title\n\nWords about releases.\n"


@dataclass(frozen=True)
class Case:
    """`marked` is the text at the finding's range; `repaired` the text after the repair."""

    code: str
    path: str
    text: str
    marked: str
    repaired: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    limits: Limits | None = None

    def __str__(self) -> str:
        return f"{self.code}: {self.text[:40]!r}"
