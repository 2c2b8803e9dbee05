"""Leave out of a report what people dismissed, and tell which dismissals are of no use any more."""

from collections.abc import Iterator, Mapping

from glossator.app.checking.baseline_files import (
    BaselineFile,
    Baselines,
    find_baseline,
    tell_problem,
)
from glossator.app.checking.compiled import scope_of
from glossator.app.checking.report import CheckReport, put_findings
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.code.languages import find_language, identify_language
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.rules.finding import Finding
from glossator.rules.rule import Rule
from glossator.rules.suppressing.applying import Suppression, Unused, apply_suppressions
from glossator.rules.suppressing.baseline import Baseline
from glossator.rules.suppressing.directives import Directive
from glossator.rules.suppressing.stripping import may_dismiss

UNUSED_ID = "suppression-unused"
LAPSED_ID = "suppression-lapsed"


def suppress(
    report: CheckReport,
    source: SourceText,
    library: Library,
    parts: Parts,
    baselines: Baselines,
    say: Phrasing,
) -> CheckReport:
    """Return the report with its findings divided, and with a finding for each useless dismissal.

    Reads the baseline when it is another one: not on the event loop.
    """
    if report.outcome == "not-checked":
        return report
    place = find_baseline(source.path, parts.workspace, parts.settings.check.baseline)
    baseline = baselines.read(place, parts.workspace) if place is not None else Baseline()
    divided = Suppression(report.findings)
    if baseline.entries or may_dismiss(source.text):
        divided = divide(report, source, library, place, baseline, parts)
    told = (tell_unused(each, source, place, say) for each in divided.unused)
    disabled = parts.settings.check.disabled_rules
    wanted = (finding for finding in told if finding.rule.id not in disabled)
    findings = sorted((*divided.kept, *wanted), key=lambda finding: finding.range)
    notes = report.notes
    if baseline.problem is not None and place is not None:
        notes = (*notes, tell_problem(baseline.problem, place.shown, say))
    return put_findings(
        report,
        findings,
        suppressed=(*report.suppressed, *divided.suppressed),
        notes=notes,
    )


def divide(
    report: CheckReport,
    source: SourceText,
    library: Library,
    place: BaselineFile | None,
    baseline: Baseline,
    parts: Parts,
) -> Suppression:
    """Return the findings of a report as the comments and a baseline divide them."""
    return apply_suppressions(
        report.findings,
        source,
        comment_language(source),
        baseline,
        checked=_list_checked(report, source, library),
        known=_list_known(library, parts),
        is_gone=place.is_gone if place is not None else lambda path: False,
    )


def comment_language(source: SourceText) -> str:
    """Return by which name it is known how comments are written in a document."""
    named = identify_language(source.name, source.language_id)
    return named or source.name.rpartition("/")[2].rpartition(".")[2]


def _list_checked(report: CheckReport, source: SourceText, library: Library) -> Mapping[str, Rule]:
    """Return the rules that all of the document was checked by, by id."""
    language = find_language(source.name, source.language_id)
    rules = (
        library.rule_set.applies_to(scope_of(source), language.id) if language is not None else ()
    )
    skipped = {rule_id for each in report.skipped for rule_id in each.rule_ids}
    checked = {rule.id: rule for rule in rules if rule.checks and rule.id not in skipped}
    judged = set(report.judged_ids)
    return checked | {rule.id: rule for rule in library.rules if rule.id in judged}


def _list_known(library: Library, parts: Parts) -> frozenset[str] | None:
    if library.withheld:
        return None  # There may be rules in what is not trusted yet.
    ids = {rule.id for rule in library.rules}
    return frozenset(ids.union(parts.settings.check.disabled_rules))


def tell_unused(
    unused: Unused, source: SourceText, place: BaselineFile | None, say: Phrasing
) -> Finding:
    """Return a useless dismissal as a finding; one in a comment comes with its removal."""
    has_lapsed = unused.has_lapsed
    if isinstance(unused.by, Directive):
        where = unused.by.place
        message = _tell_directive(unused, say)
        # Without a rule it is probably half written: to complete it is as likely as to remove it.
        fix = tuple(_remove(unused.by, unused.rule_ids)) if unused.rule_ids else ()
    else:
        where = Range(Point(1, 0), Point(1, 0))
        shown = f"{place.shown}:{unused.by.line}" if place is not None else ""
        message = _tell_entry(unused, shown, say)
        fix = ()
    return Finding(
        rule=_make_rule(LAPSED_ID if has_lapsed else UNUSED_ID, say),
        range=where,
        message=message,
        severity="information" if has_lapsed else "hint",
        code=_read(source, where),
        fix=fix,
    )


def _tell_directive(unused: Unused, say: Phrasing) -> str:
    ids = say.join(f"`{rule_id}`" for rule_id in unused.rule_ids)
    match unused.cause:
        case "no-rule-named":
            return say(
                "The comment names no rule, so it dismisses nothing; write "
                "`glossator: ignore[rule-id] reason`.",
                "注释没有写明规则，不起作用；请写成 `glossator: ignore[规则 id] 理由`。",
            )
        case "unknown-rule":
            return say(
                f"There is no rule {ids}; the comment dismisses nothing.",
                f"没有规则 {ids}；这条注释不起作用。",
            )
        case "nothing-found":
            return say(
                f"{ids} finds nothing here; the comment is not needed any more.",
                f"{ids} 在此处没有发现问题；不再需要这条注释。",
            )
        case "rule-changed" | "code-changed":
            return say(
                f"What was dismissed here has changed, the code or the rule {ids}: look at the "
                "finding again.",
                f"此处忽略的内容已有变化（代码或规则 {ids}）：请重新查看该问题。",
            )


def _tell_entry(unused: Unused, shown: str, say: Phrasing) -> str:
    ids = say.join(f"`{rule_id}`" for rule_id in unused.rule_ids)
    match unused.cause:
        case "rule-changed":
            return say(
                f"An entry of the baseline (`{shown}`) has lapsed: the rule {ids} is another one.",
                f"基线中的一条（`{shown}`）已失效：规则 {ids} 已改动。",
            )
        case "code-changed":
            return say(
                f"An entry of the baseline (`{shown}`) has lapsed: the code that it dismisses "
                f"from {ids} is not here any more.",
                f"基线中的一条（`{shown}`）已失效：其中针对 {ids} 忽略的代码已不在此处。",
            )
        case _:
            return say(
                f"An entry of the baseline (`{shown}`) is not needed any more: {ids} does not "
                "find it here.",
                f"基线中的一条（`{shown}`）不再需要：{ids} 在此处没有发现该问题。",
            )


def _remove(directive: Directive, rule_ids: tuple[str, ...]) -> Iterator[tuple[Range, str]]:
    left = [rule_id for rule_id in directive.rule_ids if rule_id not in rule_ids]
    if left:
        yield directive.ids_place, ", ".join(left)
    else:
        yield directive.removal, ""


def _make_rule(rule_id: str, say: Phrasing) -> Rule:
    text = (
        say("A dismissal ends with what it is about.", "忽略随其对象的变化而失效。")
        if rule_id == LAPSED_ID
        else say("A dismissal that dismisses nothing is removed.", "不起作用的忽略应当删除。")
    )
    return Rule(
        id=rule_id,
        text=text,
        rationale="",
        path="",
        line=1,
        last_line=1,
        origin="bundled",
        document="suppressions",
        severity="information" if rule_id == LAPSED_ID else "hint",
    )


def _read(source: SourceText, place: Range) -> str:
    """Return the text of a place within one line, or of the first line of a longer one."""
    if place.start.line > len(source.lines):
        return ""
    line = source.lines[place.start.line - 1]
    return line[
        place.start.column : place.end.column if place.end.line == place.start.line else None
    ]
