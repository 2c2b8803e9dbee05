"""Make a set for the part `retrieval` out of a folder of Markdown documentation.

    cd tests && python -m benchmarks.retrieval_making FOLDER SET [--skip GLOB] [--words FILE]

Each heading becomes a question that the section below it answers; the sections stand in the set
without their headings. Headings that say nothing ("Example") or that stand more than once are
left out. `--words` names a file of two-character Chinese words, one a line: each becomes a question
that all sections answer whose heading has the word. `data/README.md` describes the files.
"""

import argparse
import gzip
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

MIN_TEXT_CHARS = 120
MAX_ANSWERS = 6

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^ {0,3}>? ?(#{1,6})\s+(\S.*?)\s*#*$")
_HEADING_ID = re.compile(r"\s*\{\s*[#/][^{}]*\}\s*$")
_LINK = re.compile(r"!?\[([^\]\[]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(r"<[^<>]*>|[`*]|\\(?=\W)")
_SAYS_NOTHING = re.compile(
    r"(an? |more |the |basic |simple |other |some |advanced )*(examples?|usage|overview|"
    r"introduction|summary|recap|details?|notes?|tips?|warnings?|type|types|options?|arguments?|parameters?|"
    r"returns?|see also|references?|next steps?|conclusion|info|technical details|basics?|"
    r"what'?s next\??|more|others?|advanced|install(ation)?|getting started|faq|caveats?|in short|"
    r"run it|check it|try it|features?|fixes|docs|motivation|background|why\??|how\??)"
    r"|(更多|一个|简单|基本|其他|其它|高级)*(示例|例子|用法|概览|概述|简介|介绍|总结|小结|回顾|细节|"
    r"详细信息|注意|提示|警告|类型|选项|参数|返回值?|参见|另请参阅|参考|下一步|结论|信息|技术细节|基础|"
    r"更多|其它|其他|安装|开始|常见问题|特性|功能|修复|背景|动机|运行|检查|试试看)"
    r"|v?\d+(\.\w+)*( \(.*\))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A section that stood below a heading: where it is from, and its text without the heading."""

    id: str
    heading: str
    text: str


def cut_document(text: str, name: str) -> Iterator[Piece]:
    """Cut a document at its headings, those in code excepted."""
    heading, lines, number, fence = "", [], 0, ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        title = None if fence else _HEADING.match(line)
        if title is None:
            lines.append(line)
            continue
        yield Piece(f"{name}#{number}", heading, "\n".join(lines).strip())
        heading, lines, number = make_plain(title[2]), [], number + 1
    yield Piece(f"{name}#{number}", heading, "\n".join(lines).strip())


def make_plain(heading: str) -> str:
    """Return what a reader sees of a heading."""
    plain = _LINK.sub(r"\1", _HEADING_ID.sub("", heading))
    return " ".join(_MARKS.sub("", plain).split())


def cut_folder(folder: Path, skipped: Iterable[str]) -> list[Piece]:
    """Cut all Markdown files of a folder, in the order of their paths."""
    pieces: list[Piece] = []
    for path in sorted(folder.rglob("*.md")):
        name = path.relative_to(folder).as_posix()
        if not any(path.match(pattern) for pattern in skipped):
            header_off = re.sub(
                r"\A---\n.*?\n---\n", "", path.read_text(encoding="utf-8"), flags=re.S
            )
            pieces += cut_document(header_off, name)
    return [piece for piece in pieces if len(piece.text) >= MIN_TEXT_CHARS]


def ask_headings(pieces: Iterable[Piece]) -> Iterator[dict[str, object]]:
    """Yield a question for each heading that says something and stands only once."""
    by_heading: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        by_heading[piece.heading.casefold()].append(piece)
    for heading, found in by_heading.items():
        if len(found) == 1 and len(heading) > 1 and not _SAYS_NOTHING.fullmatch(heading):
            yield {"kind": "heading", "question": found[0].heading, "answers": [found[0].id]}


def ask_words(pieces: list[Piece], words: Iterable[str]) -> Iterator[dict[str, object]]:
    """Yield a question for each word that a few headings have."""
    for word in words:
        answers = [piece.id for piece in pieces if word in piece.heading]
        if 0 < len(answers) <= MAX_ANSWERS:
            yield {"kind": "word", "question": word, "answers": answers}


def write_lines(path: Path, rows: Iterable[dict[str, object]]) -> None:
    """Write JSON lines, compressed, the same bytes for the same rows."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))


def main() -> int:
    """Make a set; the folder it is written to may exist."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("set", type=Path)
    parser.add_argument("--skip", action="append", default=[])
    parser.add_argument("--words", type=Path)
    arguments = parser.parse_args()
    pieces = cut_folder(arguments.folder, arguments.skip)
    words = arguments.words.read_text(encoding="utf-8").split() if arguments.words else []
    questions = [*ask_headings(pieces), *ask_words(pieces, words)]
    arguments.set.mkdir(parents=True, exist_ok=True)
    sections = ({"id": piece.id, "text": piece.text} for piece in pieces)
    write_lines(arguments.set / "sections.jsonl.gz", sections)
    write_lines(arguments.set / "questions.jsonl.gz", questions)
    print(f"{len(pieces)} sections, {len(questions)} questions", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
