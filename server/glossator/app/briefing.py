"""The briefing: the facts about a function, before any model is asked.

It is the answer when there is no model, and the model's first context when there is one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from glossator.app.checking.compiled import scope_of
from glossator.app.checking.finishing import Check
from glossator.app.checking.report import CheckReport
from glossator.app.library import Library
from glossator.app.results import Target
from glossator.app.retrieval.retrieving import Query, find_knowledge
from glossator.code.languages import Language, find_language
from glossator.code.outline import Function
from glossator.core.globs import matches_any
from glossator.core.locations import Span
from glossator.core.text import SourceText
from glossator.knowledge.index import Hit
from glossator.knowledge.routing import POOL
from glossator.knowledge.routing import Found as FoundKnowledge
from glossator.rules.finding import Finding
from glossator.rules.rule import Rule
from glossator.tools.code_map import NO_USERS, Caller, CodeMap, ResolvedCall
from glossator.tools.editor.facts import Problem
from glossator.tools.reports.unreached import Unreached, find_unreached

_N_SECTIONS = 3
_IN_BACKTICKS = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[^\W\d]\w{2,}")
_COMMENT = re.compile(r"(?:#|//).*")
# What so much code has that it tells nothing.
_KEYWORDS = frozenset(
    """and async await break case catch class const continue def default elif else enum except
    export extends false False final finally for foreach from func function global import interface
    lambda let match mut new nil None not null nullptr object pass private protected public pub
    raise readonly rescue return self static struct super switch then this throw throws true True
    try type unless until use using var void when while with yield""".split()  # noqa: SIM905 - as it reads
)


@dataclass(frozen=True, slots=True)
class Briefing:
    """What is known about a place in the code.

    `function` is None when there is no structure. Of the `n_rules` rules that are checked in the
    file, `rules` are those that speak of something the code uses. `n_files_left_out` files were not
    looked into for callers, and `n_calls_left_out` calls are more than are listed; for tests and
    for what is called `n_files_without_tests` and `n_files_without_definitions` were
    not. `problems` are what the other servers of the editor report here.
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
    rules = _list_rules(report, source, language, library)
    return Briefing(
        source=source,
        span=span,
        function=function,
        language=language,
        has_errors=bool(outline and outline.has_errors),
        calls=tuple(calls or ()),
        callers=tuple(caller for caller in users.callers if not caller.is_test),
        tests=tuple(users.tests),
        rules=_rules_about(_words_of_code(source, span, function), rules),
        n_rules=len(rules),
        findings=_findings_in(span, report) if outline else (),
        knowledge=_knowledge_for(source, function, library),
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


def _list_rules(
    report: CheckReport, source: SourceText, language: Language | None, library: Library
) -> tuple[Rule, ...]:
    if report.outcome == "not-checked" or language is None:
        return ()
    return library.rule_set.applies_to(scope_of(source), language.id)


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


def _words_of_code(source: SourceText, span: Span, function: Function | None) -> set[str]:
    """Return the words of some lines, those of comments and documentation left out."""
    documentation = function.documentation if function else ""
    told = {line.strip() for line in documentation.split("\n")}
    lines = source.lines[span.first_line - 1 : span.last_line]
    code = [_COMMENT.sub("", line) for line in lines if line.strip() not in told]
    return set(_WORD.findall("\n".join(code)))


def _rules_about(words: set[str], rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the rules that speak of something the code uses, in backticks.

    Keywords alone are no sign: where a rule has nothing else, it must have several, and the code
    all of them.
    """
    return tuple(rule for rule in rules if _is_about(rule, words))


def _is_about(rule: Rule, words: set[str]) -> bool:
    spoken = [set(_WORD.findall(text)) for text in _IN_BACKTICKS.findall(rule.text)]
    telling = [names for names in spoken if names - _KEYWORDS]
    if telling:
        return any(names <= words for names in telling)
    keywords = set().union(*spoken)
    return len(keywords) > 1 and keywords <= words


def _knowledge_for(
    source: SourceText, function: Function | None, library: Library
) -> tuple[Hit, ...]:
    if function is None:
        return ()
    words = " ".join(
        [function.name, function.documentation[:200], *(call.text for call in function.calls[:20])]
    )
    outcome = find_knowledge(library, Query(words, source.scope, POOL))
    if not isinstance(outcome, FoundKnowledge):
        return ()
    documents = library.index.documents
    # A document with globs speaks of files of its own kind, whatever words it shares with others.
    fitting = (
        hit
        for hit in outcome.hits
        if not (globs := documents[hit.section.path].globs) or matches_any(globs, source.scope)
    )
    return tuple(islice(fitting, _N_SECTIONS))


def span_of(hit: Hit) -> Span:
    """Return where a section of knowledge stands."""
    section = hit.section
    return Span(section.path, section.first_line, section.last_line)
