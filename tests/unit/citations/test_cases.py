"""Answers and what their citations are worth, in Markdown: read by people, run here.

A file in `cases/` is about one thing. Fenced blocks before the first `##` are there in every case
of it, those below a `##` in that case alone: `file PATH` (what the disk holds), `seen PATH` (what
was read of it during the turn; empty for the same) and `shown` (what the model was sent; without
such a block nobody asks what it was shown). The answer is quoted with `>`; the list says what is
expected: the verdict, the place and, after `–`, the reason. `none`: the answer names no place.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from glossator.app.results import Citation
from glossator.app.verifying import verify_citations
from glossator.core.text import SourceText
from glossator.tools.seen_texts import SeenTexts
from glossator.tools.workspace import Workspace

FOLDER = Path(__file__).parent / "cases"
_BLOCK = re.compile(r"^(`{3,})(file|seen|shown)(?: ([^\n]+))?\n(.*?)^\1$\n?", re.M | re.S)


@dataclass
class Case:
    name: str
    answer: str
    expected: list[str]
    files: dict[str, str] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    shown: list[str] | None = None

    def __str__(self) -> str:
        return self.name

    def take_blocks(self, text: str) -> None:
        for _, kind, path, body in _BLOCK.findall(text):
            if kind == "shown":
                self.shown = [*(self.shown or ()), body]
            else:
                {"file": self.files, "seen": self.seen}[kind][path] = body


def load_cases() -> Iterator[Case]:
    for file in sorted(FOLDER.glob("*.md")):
        head, *sections = re.split(r"^## ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for section in sections:
            title, _, body = section.partition("\n")
            lines = _BLOCK.sub("", body).split("\n")
            answer = [line[1:].removeprefix(" ") for line in lines if line.startswith(">")]
            expected = [line[2:].strip() for line in lines if line.startswith("- ")]
            case = Case(f"{file.stem}: {title}", "\n".join(answer), expected)
            case.take_blocks(head)
            case.take_blocks(body)
            yield case


def write_verdict(citation: Citation) -> str:
    reason = f" – {citation.reason}" if citation.reason else ""
    return f"{citation.verdict} {citation.place}{reason}"


@pytest.mark.parametrize("case", list(load_cases()), ids=str)
def test_a_citation_is_worth_what_the_case_says(case: Case, tmp_path: Path) -> None:
    seen = SeenTexts()
    for name, content in case.files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    for name, content in case.seen.items():
        seen.add(SourceText(name, content or case.files[name], (tmp_path / name).resolve()))
    workspace = Workspace([tmp_path])

    found = verify_citations(case.answer, workspace, files={}, seen=seen, shown=case.shown)

    assert ([write_verdict(each) for each in found] or ["none"]) == case.expected
