"""What any tool says about a place in the code, and the facts that help to understand it.

The words come from another server, which may quote anything: they are shown as data, in a fence
that they cannot close, and a model is told so.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from glossator.app.briefing import N_SECTIONS, Briefing, span_of
from glossator.app.briefing_text import first_of, render_section
from glossator.app.conventions import Conventions
from glossator.app.library import Library
from glossator.app.phrasing import Phrasing
from glossator.app.rule_words import choose_words
from glossator.app.severities import name_severity
from glossator.core.locations import Range, Span
from glossator.core.text import SourceText, shorten
from glossator.knowledge.index import Hit
from glossator.rules.rule import Rule
from glossator.tools.escaping import escape_invisible, quote_name
from glossator.tools.workspace import Workspace

MAX_MESSAGE = 4_000
_MAX_RELATED = 5
_MAX_RULES = 5
_WHOLE_FUNCTION_LINES = 40
_LINES_AROUND = 6
_WEB_PAGE = re.compile(r"https?://[^\s<>()\[\]]+\Z")


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a tool says about `range`. `severity` is in the words of rules; `code` names the kind.

    `link` is a page about it, `related` are further places as people see them, with what is said.
    """

    message: str
    range: Range
    severity: str = ""
    source: str = ""
    code: str = ""
    link: str = ""
    related: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ComplaintGrounds:
    """What is known about a complaint: the code it stands in, rules and knowledge that fit."""

    complaint: Complaint
    briefing: Briefing
    around: Span
    rules: tuple[Rule, ...]
    knowledge: tuple[Hit, ...]

    @property
    def place(self) -> Span:
        """The lines that the complaint is about."""
        found = self.complaint.range
        return Span(self.briefing.source.name, found.start.line, found.end.line)


def gather_grounds(
    complaint: Complaint, briefing: Briefing, library: Library, workspace: Workspace
) -> ComplaintGrounds:
    """Find what helps to understand a complaint.

    Reads files of the workspace: call it in a worker thread.
    """
    conventions = Conventions(briefing.source, library, workspace)
    sections = conventions.find_sections(f"{complaint.message[:300]} {complaint.code}", N_SECTIONS)
    named = [rule for rule in library.rule_set.rules if rule.id == complaint.code]
    rules = dict.fromkeys((*named, *briefing.rules))
    return ComplaintGrounds(
        complaint=complaint,
        briefing=briefing,
        around=_find_lines_around(complaint, briefing),
        rules=tuple(islice(rules, _MAX_RULES)),
        knowledge=tuple(islice(dict.fromkeys((*sections, *briefing.knowledge)), N_SECTIONS)),
    )


def _find_lines_around(complaint: Complaint, briefing: Briefing) -> Span:
    source, function = briefing.source, briefing.function
    if function is not None:
        first, last = function.range.start.line, function.range.end.line
        if last - first < _WHOLE_FUNCTION_LINES:
            return Span(source.name, first, last)
    line, n_lines = complaint.range.start.line, max(1, len(source.lines))
    first = max(1, min(line, n_lines) - _LINES_AROUND)
    return Span(source.name, first, min(n_lines, line + _LINES_AROUND))


# As text


def render_grounds(grounds: ComplaintGrounds, say: Phrasing) -> str:
    """Write what is known about a complaint as Markdown; every fact carries its place."""
    parts = [
        f"## {say('Problem', '问题')} {grounds.place}",
        render_complaint(grounds.complaint, say),
        _render_code(grounds, say),
        _render_rules(grounds, say),
        _render_knowledge(grounds.knowledge, say),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def render_complaint(complaint: Complaint, say: Phrasing) -> str:
    """Write what the tool says, as data, with where more is to be read."""
    severity = name_severity(complaint.severity, say)
    who = quote_name(complaint.source) if complaint.source else say("A tool", "某个工具")
    about = [quote_name(complaint.code)] if complaint.code else []
    about += [severity] if severity else []
    head = say(f"{who} says", f"{who} 报告") + (say.enclose(say.join(about)) if about else "")
    message = shorten(escape_invisible(complaint.message), MAX_MESSAGE)
    lines = [f"{head}{say(':', '：')}", "", _fence(message, "text")]
    if _WEB_PAGE.match(complaint.link):
        lines += ["", f"{say('Its documentation', '说明文档')}: <{complaint.link}>"]
    if complaint.related:
        related = [
            f"- {place}: {quote_name(message, limit=200)}"
            for place, message in complaint.related[:_MAX_RELATED]
        ]
        lines += ["", f"{say('It points to', '相关位置')}{say(':', '：')}", "", *related]
    return "\n".join(lines)


def _render_code(grounds: ComplaintGrounds, say: Phrasing) -> str:
    briefing, around = grounds.briefing, grounds.around
    function, language = briefing.function, briefing.language
    where = f"`{function.qualified_name}` · {around}" if function else str(around)
    code = _fence(
        _mark_lines(briefing.source, around, grounds.place), language.id if language else ""
    )
    return "\n".join([f"### {say('The code', '代码')}", "", where, "", code])


def _mark_lines(source: SourceText, around: Span, place: Span) -> str:
    """Number the lines; `>` stands before those that are meant."""
    lines = source.lines[around.first_line - 1 : around.last_line]
    width = len(str(around.last_line))
    return "\n".join(
        f"{'>' if place.first_line <= number <= place.last_line else ' '} {number:>{width}}  {line}"
        for number, line in enumerate(lines, around.first_line)
    )


def _render_rules(grounds: ComplaintGrounds, say: Phrasing) -> str:
    lines = []
    for rule in grounds.rules:
        text, rationale = choose_words(rule.text, rule.rationale, say)
        place = say.enclose(f"`{rule.id}`{say(', ', '，')}{rule.path}:{rule.line}")
        lines.append(f"- {text}{place}")
        if rule.id == grounds.complaint.code and rationale:
            lines.append(f"  {' '.join(rationale.split())}")
    return render_section(say("Conventions that apply", "适用的约定"), lines)


def _render_knowledge(hits: Sequence[Hit], say: Phrasing) -> str:
    lines = [f"- {hit.section.title}{say.enclose(str(span_of(hit)))}" for hit in hits]
    return render_section(
        say("Knowledge that may help", "可能相关的知识"), first_of(lines, N_SECTIONS, say)
    )


def _fence(text: str, language: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"
