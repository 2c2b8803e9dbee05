"""The briefing: the facts about a function, before any model is asked.

It is the answer when there is no model, and the model's first context when there is one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from glossator.app.checking.finishing import Check
from glossator.app.checking.report import NO_CHECK, CheckReport
from glossator.app.conventions import Conventions, Excerpt, find_names
from glossator.app.library import Library
from glossator.app.results import Target
from glossator.code.languages import Language, find_language
from glossator.code.outline import Function
from glossator.core.locations import Span
from glossator.core.text import SourceText
from glossator.knowledge.index import Hit
from glossator.rules.finding import Finding
from glossator.rules.rule import Rule
from glossator.tools.code_map import NO_USERS, Caller, CodeMap, ResolvedCall
from glossator.tools.editor.facts import Problem
from glossator.tools.reports.unreached import Unreached, find_unreached

N_SECTIONS = 3
_N_CALLS = 20
_DOCUMENTATION_CHARS = 200
_COMMENT = re.compile(r"(?:#|//).*")


@dataclass(frozen=True, slots=True)
class Briefing:
    """What is known about a place in the code.

    `function` is None when there is no structure. `rules` are those for the file that concern the
    code, with a check or without; `n_rules` are checked in the file. `n_files_left_out` files were
    not looked into for callers, and `n_calls_left_out` calls are more than are listed; for tests
    and for what is called `n_files_without_tests` and `n_files_without_definitions` were not.
    `problems` are what the editor's other servers report here.
    """

    source: SourceText
    span: Span
    function: Function | None
    language: Language | None
    has_errors: bool
    calls: tuple[ResolvedCall, ...]
    callers: tuple[Caller, ...]
    tests: tuple[Caller, ...]
    rules: tuple[Rule, ...]
    n_rules: int
    findings: tuple[Finding, ...]
    knowledge: tuple[Hit, ...]
    n_files_left_out: int = 0
    n_calls_left_out: int = 0
    n_files_without_tests: int = 0
    n_files_without_definitions: int = 0
    is_too_large: bool = False
    unreached: Unreached | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def title(self) -> str:
        """The function's name, or the place."""
        return self.function.qualified_name if self.function else str(self.span)


def gather_briefing(target: Target, code_map: CodeMap, library: Library, check: Check) -> Briefing:
    """Gather the facts about the function at the target, or about the selected lines.

    Nothing is said of rules where `check` says that a document is not checked. Reads files of the
    workspace: call it in a worker thread.
    """
    source = target.source
    language = find_language(source.name, source.language_id)
    outline = code_map.understand(source)
    function = outline.enclosing(target.point) if outline else None
    if function is None:
        first, last = _selected_lines(target)
        span = Span(source.name, first, last)
    else:
        span = Span(source.name, function.range.start.line, function.range.end.line)
    users = code_map.find_users(source, function) if function else NO_USERS
    calls = code_map.resolve_calls(source, function) if function else None
    report = check(source)
    conventions = Conventions(source, library, code_map.workspace)
    excerpt = _read_excerpt(source, span, function)
    return Briefing(
        source=source,
        span=span,
        function=function,
        language=language,
        has_errors=bool(outline and outline.has_errors),
        calls=tuple(calls or ()),
        callers=tuple(caller for caller in users.callers if not caller.is_test),
        tests=tuple(users.tests),
        rules=conventions.list_rules(excerpt) if _may_be_judged(report, language) else (),
        n_rules=report.n_rules,
        findings=_findings_in(span, report) if outline else (),
        knowledge=conventions.find_sections(_question_for(function), N_SECTIONS)
        if function
        else (),
        n_files_left_out=users.callers.n_files_left_out,
        n_calls_left_out=users.callers.cut,
        n_files_without_tests=users.tests.n_files_left_out,
        n_files_without_definitions=calls.n_files_left_out if calls is not None else 0,
        is_too_large=language is not None and outline is None,
        unreached=find_unreached(code_map.workspace, source, function) if function else None,
        problems=_problems_in(span, code_map.list_problems(source)),
    )


def _selected_lines(target: Target) -> tuple[int, int]:
    n_lines = max(1, len(target.source.lines))
    if target.selection is None:
        return 1, n_lines
    start, end = target.selection.start, target.selection.end
    last = end.line - 1 if end.column == 0 and end.line > start.line else end.line
    return min(start.line, n_lines), min(last, n_lines)


def _may_be_judged(report: CheckReport, language: Language | None) -> bool:
    """Say whether rules are for such a document, be it that none of them has a check."""
    return language is not None and (report.reason is None or report.reason.code in NO_CHECK)


def _findings_in(span: Span, report: CheckReport) -> tuple[Finding, ...]:
    return tuple(
        finding
        for finding in report.findings
        if span.first_line <= finding.range.start.line <= span.last_line
    )


def _problems_in(span: Span, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    return tuple(
        problem
        for problem in problems
        if span.first_line <= problem.range.start.line <= span.last_line
    )


def _read_excerpt(source: SourceText, span: Span, function: Function | None) -> Excerpt:
    """Take in some lines; comments and documentation hold no names."""
    documentation = function.documentation if function else ""
    told = {line.strip() for line in documentation.split("\n")}
    lines = source.lines[span.first_line - 1 : span.last_line]
    code = "\n".join(_COMMENT.sub("", line) for line in lines if line.strip() not in told)
    about = f"{function.signature} {_question_for(function)}" if function else code
    return Excerpt(find_names(code), about)


def _question_for(function: Function) -> str:
    """Return what knowledge about a function is looked for with."""
    calls = (call.text for call in function.calls[:_N_CALLS])
    return " ".join([function.name, function.documentation[:_DOCUMENTATION_CHARS], *calls])


def span_of(hit: Hit) -> Span:
    """Return where a section of knowledge stands."""
    section = hit.section
    return Span(section.path, section.first_line, section.last_line)
