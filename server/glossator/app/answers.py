"""Answers: written by a model and verified, or put together from the facts when there is none."""

import itertools
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from glossator.app.briefing import span_of
from glossator.app.briefing_text import render_briefing
from glossator.app.grounds import Grounds
from glossator.app.phrasing import Phrasing
from glossator.app.prose import prose_of
from glossator.app.results import Citation, Refusal, Source
from glossator.citations.finding import find_citations
from glossator.citations.judging import judge
from glossator.core.errors import GlossatorError
from glossator.core.locations import Point
from glossator.core.text import SourceText
from glossator.knowledge.index import Hit
from glossator.knowledge.routing import Found, NoKnowledge, explain_refusal
from glossator.tools.code_map import CodeMap
from glossator.tools.file_names import FileNames
from glossator.tools.workspace import Workspace

_SHOWN_SECTION_LINES = 40
_MAX_CITATIONS = 300


def verify_citations(
    answer: str,
    workspace: Workspace,
    code_map: CodeMap,
    *,
    files: Mapping[str, Path],
    looked_at: SourceText | None = None,
) -> tuple[Citation, ...]:
    """Read the places that `answer` names again, each once, up to 300 of them.

    `files` are those of the knowledge; `looked_at` is the document that the answer is about,
    which may stand in no folder or file at all. Reads files: call it in a worker thread.
    """
    resolve = lru_cache(maxsize=None)(_Cited(workspace, files, looked_at).find)

    def names_around(source: SourceText, line: int) -> list[str]:
        outline = code_map.outline(source)
        function = outline.enclosing(Point(line, len(source.lines[line - 1]))) if outline else None
        return function.qualified_name.split(".") if function else []

    citations: dict[str, Citation] = {}
    for cited in find_citations(answer):
        if cited.text in citations:
            continue
        if len(citations) == _MAX_CITATIONS:
            break
        judgement = judge(cited, resolve, names_around)
        path = judgement.source.path if judgement.source else None
        if judgement.source is not None and path is None:
            path = files.get(judgement.source.name)
        citations[cited.text] = Citation(cited.text, judgement.place, path, judgement.verdict)
    return tuple(citations.values())


class _Cited:
    """The texts that an answer may name, by their paths or the end of them."""

    def __init__(
        self, workspace: Workspace, files: Mapping[str, Path], looked_at: SourceText | None
    ) -> None:
        self._workspace = workspace
        self._files = files
        self._looked_at = looked_at
        self._names = FileNames(workspace, files)

    def find(self, path: str) -> SourceText | None:
        """Return what a path as written names; the end of a path if only one file ends so."""
        looked_at = self._looked_at
        if looked_at is not None and path == looked_at.name:
            return looked_at
        source = self._read(path)
        if source is not None or Path(path).is_absolute():
            return source
        if looked_at is not None and looked_at.name.endswith(f"/{path.removeprefix('./')}"):
            return looked_at
        found = self._names.ending_with(path)
        return self._read(found[0]) if len(found) == 1 else None

    def _read(self, path: str) -> SourceText | None:
        try:
            file = self._files.get(path)
            if file is not None and not self._workspace.is_inside(file):
                return read_knowledge(path, self._files)  # What ships with Glossator.
            return self._workspace.read(path if file is None else file)
        except (GlossatorError, OSError):
            return None


def read_knowledge(path: str, files: Mapping[str, Path]) -> SourceText:
    """Read a file of the library under the name it is shown with."""
    return SourceText(path, files[path].read_text(encoding="utf-8", errors="replace"), files[path])


def describe_stop(stop_reason: str, say: Phrasing) -> str:
    """Say in one line why the answer may be incomplete, or nothing when it is not."""
    texts = {
        "round-limit": say(
            "The limit of rounds was reached; this is the best answer so far.",
            "已达到轮数上限；这是目前最好的答案。",
        ),
        "repeating": say(
            "The model kept repeating the same call and was stopped.",
            "模型不断重复同一个调用，已被停止。",
        ),
        "cut": say(
            "The model's answer was cut at its length limit.", "模型的回答因长度限制被截断。"
        ),
        "filtered": say(
            "The provider's content filter ended the answer.", "服务商的内容过滤终止了回答。"
        ),
    }
    return texts.get(stop_reason, "")


def refuse(knowledge: NoKnowledge, question: str, files: Mapping[str, Path]) -> Refusal:
    """Write why a question is not answered, in the asker's language."""
    nearest = tuple(source_of(hit, files) for hit in knowledge.nearest)
    return Refusal(knowledge.reason, explain_refusal(knowledge, question), nearest)


def source_of(hit: Hit, files: Mapping[str, Path]) -> Source:
    """Return a section of knowledge as a source of an answer."""
    return Source(hit.section.title, span_of(hit), files.get(hit.section.path), hit.score)


def compose_answer(grounds: Grounds, say: Phrasing) -> str:
    """Write what knowledge and code say about the question, without a model.

    What the question asks for comes first. Skills alone do not answer what the code does.
    """
    known, code = _render_knowledge(grounds, say), _render_code(grounds, say)
    asks_for_code = grounds.asks_about_code and not grounds.wants_convention
    parts = [*code, *known] if asks_for_code else [*known, *code]
    if grounds.skills and (known or not asks_for_code):
        lines = [
            f"- {skill.name}: {skill.description} ({skill.path}:1)" for skill in grounds.skills
        ]
        parts.append("\n".join([f"### {say('Skills that apply', '适用的技能')}", "", *lines]))
    return "\n\n".join(parts) + "\n" if parts else ""


def _render_knowledge(grounds: Grounds, say: Phrasing) -> list[str]:
    if not isinstance(grounds.knowledge, Found):
        return []
    sections = [_render_section(hit, say) for hit in grounds.knowledge.hits]
    return [f"### {say('What the knowledge says', '知识库的说法')}", *sections]


def _render_code(grounds: Grounds, say: Phrasing) -> list[str]:
    parts = []
    if grounds.places and grounds.briefing is None:
        lines = [
            f"- `{place.function.qualified_name if place.function else name}` "
            f"{place.path}:{place.line}"
            for name, places in grounds.places
            for place in places
        ]
        parts.append("\n".join([f"### {say('Found in the code', '在代码中找到')}", "", *lines]))
    if grounds.briefing is not None and grounds.asks_about_code:
        parts.append(render_briefing(grounds.briefing, say))
    if grounds.files:
        lines = [f"- {source.name}:1-{len(source.lines)}" for source in grounds.files]
        parts.append("\n".join([f"### {say('Files', '文件')}", "", *lines]))
        parts.extend(filter(None, map(_quote_readme, grounds.files)))
    return parts


def _quote_readme(source: SourceText) -> str:
    """Quote the first paragraph of a README: what the project is, in its own words."""
    if not source.name.split("/")[-1].upper().startswith("README"):
        return ""
    lines = itertools.dropwhile(lambda line: not line[:1].isalpha(), source.lines)
    paragraph = itertools.takewhile(str.strip, itertools.islice(lines, _SHOWN_SECTION_LINES))
    return "\n".join(f"> {line}" for line in paragraph)


def _render_section(hit: Hit, say: Phrasing) -> str:
    """Write what a section says to people: without its title, checks and examples."""
    lines = [text for _, text in prose_of(hit.section)]
    if lines and lines[0].startswith("#"):
        del lines[0]
    text = "\n".join(lines[:_SHOWN_SECTION_LINES]).strip("\n")
    n_more = len(lines) - _SHOWN_SECTION_LINES
    if n_more > 0:
        text += "\n\n" + say(f"*({n_more} more lines)*", f"*（另有 {n_more} 行）*")
    return f"**{hit.section.title}** ({span_of(hit)})\n\n{text}"
