"""What a file of knowledge, a skill or instructions says about itself when one points at it.

Everything is read from the text at hand, which may be an editor's and not saved yet.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from glossator.app.hints.header_places import HeaderPlace, find_header_place
from glossator.app.hints.matching_files import MatchingFiles, count_files
from glossator.app.hints.usage import describe_use
from glossator.app.library import Library
from glossator.app.linting.subjects import read_subject
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing, count
from glossator.core.globs import matches_any
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.core.tokens import estimate_tokens
from glossator.instructions.applying import judge_instructions
from glossator.instructions.scoping import is_instructions
from glossator.knowledge.documents import Document
from glossator.knowledge.routing import is_about
from glossator.knowledge.wording import read_wording

_MAX_NAMED = 8
_MAX_PROBLEMS = 5


@dataclass(frozen=True, slots=True)
class Hint:
    """Markdown about what stands at `range`."""

    markdown: str
    range: Range


@dataclass(frozen=True, slots=True)
class _Reader:
    """A document as the library would read it, and all that it is compared with."""

    document: Document
    source: SourceText
    parts: Parts
    library: Library
    say: Phrasing
    is_cancelled: Callable[[], bool]

    def count(self, document: Document) -> MatchingFiles:
        """Count the files that a document is for."""
        return count_files(self.parts.workspace, make_judge(document), self.is_cancelled)


def make_hint(
    source: SourceText,
    point: Point,
    parts: Parts,
    library: Library,
    say: Phrasing,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Hint | None:
    """Say what the header or the heading at `point` does; None in any other text.

    Reads folders of the workspace: call it in a worker thread.
    """
    place = find_header_place(source, point)
    document = read_subject(source, parts, library) if place is not None else None
    if place is None or document is None:
        return None
    reader = _Reader(document, source, parts, library, say, is_cancelled)
    lines = _LINES[place.kind](reader, place)
    return Hint("\n".join(lines).strip("\n") + "\n", place.range)


def make_judge(document: Document) -> Callable[[str, str], bool]:
    """Return what says whether a document is for a file: its shown path, and below its root."""
    if not is_instructions(document):
        return lambda shown, scope: matches_any(document.globs, scope)
    # Its text decides nothing here, and would be measured for each file.
    bare = replace(document, text="x", body_first_line=1)

    def is_meant(shown: str, scope: str) -> bool:
        (standing,) = judge_instructions(
            (bare,), path=shown, scope=scope, question="", budget_tokens=1_000, is_trusted=True
        )
        return standing.counts

    return is_meant


# The whole document


def _describe_whole(reader: _Reader, place: HeaderPlace) -> Iterator[str]:
    document, say = reader.document, reader.say
    n_tokens, n_sections = estimate_tokens(document.text), len(document.sections)
    yield say(
        f"**{document.name}** ({document.family}), {n_tokens:,} tokens, "
        f"{count(n_sections, 'section')}",
        f"**{document.name}**（{document.family}），{n_tokens:,} 词元，{n_sections} 个章节",
    )
    yield ""
    yield f"- {describe_use(document, say)}"
    globs = document.globs_written or document.globs
    if globs:
        yield f"- {_describe_files(reader.count(document), globs, say)}"
    elif document.home:
        yield f"- {_describe_files(reader.count(document), (f'{document.home}/**',), say)}"
    if document.keywords:
        yield f"- {say('Keywords: ', '关键词：')}{_name_all(document.keywords, say)}"
    yield from (f"- {text}" for text in _describe_standing(reader, n_tokens))
    yield from (f"- {say.translate(note)}" for note in document.notes)
    yield from _describe_problems(reader)


def _describe_standing(reader: _Reader, n_tokens: int) -> Iterator[str]:
    document, parts, library, say = reader.document, reader.parts, reader.library, reader.say
    limit = parts.settings.knowledge.instruction_tokens
    if any(each.path == document.path for each in library.withheld):
        yield say("Not used: the workspace is not trusted.", "未使用：工作区未受信任。")
    elif document.path in library.shadowed:
        first = library.shadowed[document.path]
        yield say(
            f"Not used: `{first}` has the same name and comes first.",
            f"未使用：`{first}` 与它同名且优先。",
        )
    elif reader.source.path is None or not library.holds(reader.source.path):
        yield say("Not read yet: it counts when it is saved.", "尚未读取：保存后生效。")
    if is_instructions(document) and n_tokens > limit:
        yield say(
            f"Longer than `knowledge.instructionTokens` ({limit:,}): what is over is cut.",
            f"超过 `knowledge.instructionTokens`（{limit:,}）：多出的部分会被截断。",
        )


def _describe_problems(reader: _Reader) -> Iterator[str]:
    problems, say = reader.document.problems, reader.say
    for problem in problems[:_MAX_PROBLEMS]:
        where = say(f"Line {problem.line}", f"第 {problem.line} 行")
        mark = "·" if problem.is_note else "⚠"
        yield f"- {mark} {where}{say(': ', '：')}{say.translate(problem.message)}"
    if len(problems) > _MAX_PROBLEMS:
        n_more = len(problems) - _MAX_PROBLEMS
        yield "- " + say(f"… and {count(n_more, 'more problem')}", f"……另有 {n_more} 个问题")


# Globs


def _describe_globs(reader: _Reader, place: HeaderPlace) -> Iterator[str]:
    for item in place.items:
        alone = _read_alone(reader, place.key, item)
        if alone is None or not alone.globs:
            text = reader.say(f"`{item}` cannot be used.", f"`{item}` 无法使用。")
            yield f"- {text}"
            continue
        yield f"- {_describe_files(reader.count(alone), (item,), reader.say)}"


def _read_alone(reader: _Reader, key: str, glob: str) -> Document | None:
    """Read the document as if it had this glob alone, with all that its folder does to it."""
    quoted = glob.replace("\\", "\\\\").replace('"', '\\"')
    text = f'---\n{key}: ["{quoted}"]\n---\n# x\n'
    return read_subject(replace(reader.source, text=text), reader.parts, reader.library)


def _describe_files(found: MatchingFiles, globs: tuple[str, ...], say: Phrasing) -> str:
    names = _name_all(globs[:_MAX_NAMED], say)
    if len(globs) > _MAX_NAMED:
        names += say(f" and {len(globs) - _MAX_NAMED} more", f" 等 {len(globs)} 个")
    noun = "file" if found.n_looked_at == 1 else "files"
    of = say(
        f"{found.n_matching:,} of {found.n_looked_at:,} {noun}",
        f"{found.n_looked_at:,} 个文件中的 {found.n_matching:,} 个",
    )
    if not found.is_all:
        of += say(" (the first ones; there are more)", "（只看了前面这些，还有更多）")
    examples = _name_all(found.examples, say)
    if found.n_matching > len(found.examples):
        examples += " …"
    verb = "matches" if len(globs) == 1 else "match"
    text = say(f"{names} {verb} {of}", f"{names} 匹配 {of}")
    if found.n_matching:
        return f"{text}{say(': ', '：')}{examples}"
    return f"**{text}**"


def _name_all(names: Sequence[str], say: Phrasing) -> str:
    return say(", ", "、").join(f"`{name}`" for name in names)


# Keywords


def _describe_keyword(reader: _Reader, place: HeaderPlace) -> Iterator[str]:
    say, (keyword,) = reader.say, place.items
    wording = read_wording(keyword)
    others = [
        found.document
        for found in reader.library.list_found()
        if found.file != reader.source.path and is_about(found.document, wording)
    ]
    yield say(
        f"A question that mentions `{keyword}` is put to this document",
        f"提到 `{keyword}` 的问题会交给本文档",
    ) + (
        say(f" and to {count(len(others), 'other')}:", f"，以及另外 {len(others)} 个：")
        if others
        else say(" alone.", "，没有其他文档。")
    )
    if others:
        yield ""
    for other in others[:_MAX_NAMED]:
        has_it = any(wording.mentions(each) for each in other.keywords)
        how = (
            say("has the keyword", "有此关键词")
            if has_it
            else say("by its name or description", "因名称或描述")
        )
        yield f"- `{other.path}` ({how})"
    if len(others) > _MAX_NAMED:
        yield "- " + say(f"… and {len(others) - _MAX_NAMED} more", "……")


_LINES: dict[str, Callable[[_Reader, HeaderPlace], Iterator[str]]] = {
    "whole": _describe_whole,
    "globs": _describe_globs,
    "keyword": _describe_keyword,
}
