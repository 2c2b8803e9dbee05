"""Answers put together from the facts when there is no model."""

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path

from glossator.app.attached_text import render_attached
from glossator.app.briefing import span_of
from glossator.app.briefing_text import (
    first_of,
    list_caller_lines,
    list_uncounted_lines,
    render_briefing,
)
from glossator.app.grounds import Grounds
from glossator.app.named_code import Places, list_callers
from glossator.app.phrasing import Phrasing
from glossator.app.prose import prose_of
from glossator.app.results import Refusal, Source
from glossator.app.rule_words import choose_lines
from glossator.app.shelves import is_bundled
from glossator.core.text import SourceText
from glossator.knowledge.index import Hit
from glossator.knowledge.routing import Found, NoKnowledge, explain_refusal
from glossator.tools.code_map import CodeMap
from glossator.tools.workspace import Workspace

_SHOWN_SECTION_LINES = 40
_SHOWN_CALLERS = 5
# More definitions than these are listed without their callers: of one name, and of all.
_MAX_WITH_CALLERS = 4
_MAX_IN_ALL_WITH_CALLERS = 8


def read_knowledge(path: str, files: Mapping[str, Path]) -> SourceText:
    """Read a file of the library under the name it is shown with."""
    return SourceText(path, files[path].read_text(encoding="utf-8", errors="replace"), files[path])


def refuse(knowledge: NoKnowledge, question: str, files: Mapping[str, Path]) -> Refusal:
    """Write why a question is not answered, in the asker's language."""
    nearest = tuple(source_of(hit, files) for hit in knowledge.nearest)
    return Refusal(knowledge.reason, explain_refusal(knowledge, question), nearest)


def source_of(hit: Hit, files: Mapping[str, Path]) -> Source:
    """Return a section of knowledge as a source of an answer."""
    return Source(hit.section.title, span_of(hit), files.get(hit.section.path), hit.score)


def describe_cut(found: Found | NoKnowledge, max_tokens: int, say: Phrasing) -> str:
    """Say what knowledge was close enough and is not given; "" when it is all there."""
    if not isinstance(found, Found):
        return ""
    notices = []
    if found.n_lines_cut:
        section = found.hits[0].section
        notices.append(
            say(
                f"Of “{section.title}” the {found.n_lines_cut} lines after line "
                f"{section.last_line} are left out: it is larger than the {max_tokens:,} tokens of "
                "`knowledge.maxTokens`.",
                f"“{section.title}”第 {section.last_line} 行之后的 {found.n_lines_cut} 行被省略："
                f"它超过了 `knowledge.maxTokens` 的 {max_tokens:,} 个词元。",
            )
        )
    if found.cut:
        n_tokens = found.n_tokens_left_out
        are = "section is" if found.cut == 1 else "sections are"
        about, about_chinese = (
            (f" (about {n_tokens:,} tokens)", f"（约 {n_tokens:,} 个词元）")
            if n_tokens
            else ("", "")
        )
        notices.append(
            say(
                f"{found.cut} more {are} close enough and left out{about}; "
                "`glossator search` lists them.",
                f"另有 {found.cut} 个足够接近的章节未包含在内{about_chinese}；"
                "`glossator search` 可列出它们。",
            )
        )
    return " ".join(notices)


def compose_answer(grounds: Grounds, workspace: Workspace, code_map: CodeMap, say: Phrasing) -> str:
    """Write what knowledge and code say about the question, without a model.

    What the question asks for comes first. Skills alone do not answer what the code does.
    Reads files of the workspace: call it in a worker thread.
    """
    briefed = grounds.briefing.span if grounds.briefing and grounds.asks_about_code else None
    attached = render_attached(grounds.attached, code_map, briefed, say)
    known = _render_knowledge(grounds, say)
    code = _render_code(grounds, workspace, code_map, say)
    code = [attached, *code] if attached else code
    asks_for_code = grounds.asks_about_code and not grounds.wants_convention
    parts = [*code, *known] if asks_for_code else [*known, *code]
    if grounds.skills and (known or not asks_for_code):
        lines = [
            f"- {skill.name}{say(': ', '：')}{skill.description}{say.enclose(f'{skill.path}:1')}"
            for skill in grounds.skills
        ]
        parts.append("\n".join([f"### {say('Skills that apply', '适用的技能')}", "", *lines]))
    return "\n\n".join(parts) + "\n" if parts else ""


def _render_knowledge(grounds: Grounds, say: Phrasing) -> list[str]:
    if not isinstance(grounds.knowledge, Found):
        return []
    hits = grounds.knowledge.hits
    heading = say("What the knowledge says", "知识库的说法")
    if all(is_bundled(hit.section.path) for hit in hits):
        # Nobody should take them for what the team agreed to.
        heading = say(
            "What the conventions that come with Glossator say", "Glossator 自带约定的说法"
        )
    return [f"### {heading}", *(_render_section(hit, say) for hit in hits)]


def _render_code(
    grounds: Grounds, workspace: Workspace, code_map: CodeMap, say: Phrasing
) -> list[str]:
    parts = []
    if grounds.places and grounds.briefing is None:
        listed = _list_places(grounds.places, workspace, code_map, say)
        parts.append("\n".join([f"### {say('Found in the code', '在代码中找到')}", "", *listed]))
    if grounds.briefing is not None and grounds.asks_about_code:
        parts.append(render_briefing(grounds.briefing, say))
    if grounds.files:
        lines = [f"- {source.name}:1-{len(source.lines)}" for source in grounds.files]
        parts.append("\n".join([f"### {say('Files', '文件')}", "", *lines]))
        parts.extend(filter(None, map(_quote_readme, grounds.files)))
    return parts


def _list_places(
    named: Places, workspace: Workspace, code_map: CodeMap, say: Phrasing
) -> Iterator[str]:
    """Yield a line for each definition; those of a name with few are followed by who calls them."""
    n_left = _MAX_IN_ALL_WITH_CALLERS
    for name, places in named:
        has_callers = len(places) <= min(_MAX_WITH_CALLERS, n_left)
        n_left -= len(places) if has_callers else 0
        for place in places:
            shown = place.function.qualified_name if place.function else name
            yield f"- `{shown}` {place.path}:{place.line}"
            if has_callers:
                callers = list_callers(place, workspace, code_map)
                lines = [
                    f"- {say('called by', '被调用：')} {line.removeprefix('- ')}"
                    for line in list_caller_lines(callers, say)
                ]
                left_out = list_uncounted_lines(callers.cut, callers.n_files_left_out, say)
                for line in [*first_of(lines, _SHOWN_CALLERS, say), *left_out]:
                    yield f"  {line}"


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
    lines = choose_lines(lines, say)
    text = "\n".join(lines[:_SHOWN_SECTION_LINES]).strip("\n")
    n_more = len(lines) - _SHOWN_SECTION_LINES
    if n_more > 0:
        text += "\n\n" + say(f"*({n_more} more lines)*", f"*（另有 {n_more} 行）*")
    return f"**{hit.section.title}**{say.enclose(str(span_of(hit)))}\n\n{text}"
