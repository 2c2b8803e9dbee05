"""Results as SARIF 2.1.0, the format that code scanning services read.

Suppressed findings are left out: services that ignore `suppressions` would show them as open. What
was not checked is told as notifications, so that no result is not mistaken for clean.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from glossator.app.checking.formats.results import Results
from glossator.app.checking.reasons import Reason
from glossator.app.checking.report import CheckReport
from glossator.app.phrasing import count
from glossator.core.locations import Range
from glossator.core.text import shorten
from glossator.rules.finding import Finding, fingerprint, number_alike
from glossator.rules.rule import Rule, Severity

Json = dict[str, Any]

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "glossatorFinding/v1"
_SOURCE_ROOT = "%SRCROOT%"
_MAX_CHARACTERS = 1_000  # GitHub takes no more in a description.
_LEVELS: Mapping[Severity, str] = {
    "error": "error",
    "warning": "warning",
    "information": "note",
    "hint": "note",
}
# Not by anybody's choice: a result may be missing.
_FAILURES = frozenset({"unreadable", "encoding", "too-deep", "syntax-error", "crashed", "timeout",
                       "model-timeout", "model-failed", "reply-cut", "reply-unreadable",
                       "no-verdict"})  # fmt: skip


def to_sarif(results: Results) -> Json:
    """Return a SARIF log with one run, as a JSON value."""
    rules = _number_rules(results.reports)
    run = {
        "tool": {
            "driver": {
                "name": "Glossator",
                "version": results.version,
                "rules": [_describe_rule(rule) for rule in rules],
            }
        },
        "automationDetails": {"id": "glossator/"},
        "columnKind": "unicodeCodePoints",
        "language": results.say("en", "zh"),
        "originalUriBaseIds": {
            _SOURCE_ROOT: {
                "description": {
                    "text": results.say("The top of the repository.", "仓库的顶层文件夹。")
                }
            }
        },
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": list(_list_notifications(results)),
            }
        ],
        "results": [
            _describe_result(finding, report, number, rules, results)
            for report in results.reports
            for finding, number in _number_findings(report)
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _number_rules(reports: Sequence[CheckReport]) -> dict[Rule, int]:
    """Return the rules that were broken with their places in the list; ids may stand twice."""
    rules: dict[Rule, int] = {}
    for report in reports:
        for finding in report.findings:
            rules.setdefault(finding.rule, len(rules))
    return rules


def _number_findings(report: CheckReport) -> Iterator[tuple[Finding, int]]:
    """Yield the findings with their numbers, which are the same however many others count."""
    dismissed = (each.finding for each in report.suppressed)
    every = sorted(
        (*report.findings, *report.elsewhere, *dismissed),
        key=lambda finding: (finding.range, finding.rule.id),
    )
    kept = {id(finding) for finding in report.findings}
    for finding, number in number_alike(every):
        if id(finding) in kept:
            yield finding, number


def _describe_rule(rule: Rule) -> Json:
    text = "\n\n".join(filter(None, (rule.text, rule.rationale)))
    described: Json = {
        "id": rule.id,
        "shortDescription": {"text": shorten(rule.text, _MAX_CHARACTERS)},
        "fullDescription": {"text": shorten(text, _MAX_CHARACTERS)},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[_find_severity(rule)]},
        "properties": {"kind": rule.kind, "origin": rule.origin, "document": rule.document},
    }
    if rule.link:
        described["helpUri"] = rule.link
    return described


def _find_severity(rule: Rule) -> Severity:
    return rule.checks[0].severity if rule.checks else rule.severity


def _describe_result(
    finding: Finding, report: CheckReport, number: int, rules: Mapping[Rule, int], results: Results
) -> Json:
    rule, file = finding.rule, _locate_file(report, results)
    described: Json = {
        "ruleId": rule.id,
        "ruleIndex": rules[rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [
            {"physicalLocation": {"artifactLocation": file, "region": _to_region(finding.range)}}
        ],
        "partialFingerprints": {FINGERPRINT: fingerprint(finding, report.shown_path, number)},
        "properties": {"proof": finding.proof},
    }
    if rule.path and rule.origin == "workspace":
        described["relatedLocations"] = [
            {
                "id": 1,
                "message": {"text": results.say(f"The rule: {rule.text}", f"规则：{rule.text}")},
                "physicalLocation": {
                    "artifactLocation": _name_file(results.place(results.root / rule.path)),
                    "region": {"startLine": rule.line, "endLine": rule.last_line},
                },
            }
        ]
    # What a model proposes is tried before it is offered, which is not done here.
    if finding.fix and finding.proof == "compiled":
        described["fixes"] = [_describe_fix(finding, file, results)]
    return described


def _describe_fix(finding: Finding, file: Json, results: Results) -> Json:
    replacements = [
        {"deletedRegion": _to_region(place), "insertedContent": {"text": text}}
        for place, text in finding.fix
    ]
    return {
        "description": {"text": results.say("Repair by the rule.", "按规则修复。")},
        "artifactChanges": [{"artifactLocation": file, "replacements": replacements}],
    }


def _list_notifications(results: Results) -> Iterator[Json]:
    """Yield why files, rules or anything else was left out, each reason once."""
    files: dict[Reason, list[CheckReport]] = {}
    skipped: dict[Reason, set[str]] = {}
    for report in results.reports:
        reasons = {each.reason for each in report.skipped if each.reason.code == "syntax-error"}
        for reason in reasons | ({report.reason} if report.reason is not None else set()):
            files.setdefault(reason, []).append(report)
        for each in report.skipped:
            if each.reason not in reasons:
                skipped.setdefault(each.reason, set()).update(each.rule_ids)
    say = results.say
    for reason, reports in files.items():
        told, n = reason.render(say), len(reports)
        text = say(f"{count(n, 'file')} not checked: {told}", f"{n} 个文件未检查：{told}")
        yield _notify(text, reason) | {
            "locations": [
                {"physicalLocation": {"artifactLocation": _locate_file(report, results)}}
                for report in reports
            ]
        }
    for reason, ids in skipped.items():
        told, n = reason.render(say), len(ids)
        text = say(f"{count(n, 'rule')} not checked: {told}", f"{n} 条规则未检查：{told}")
        yield _notify(text, reason) | {"properties": {"ruleIds": sorted(ids)}}
    of_files = {note for report in results.reports for note in report.notes}
    for note in (*sorted(of_files), *results.notes):
        yield {"level": "warning", "message": {"text": note}}


def _notify(text: str, reason: Reason) -> Json:
    level = "warning" if reason.code in _FAILURES else "note"
    return {"descriptor": {"id": reason.code}, "level": level, "message": {"text": text}}


def _locate_file(report: CheckReport, results: Results) -> Json:
    return _name_file(results.place(report.path) if report.path else report.shown_path)


def _name_file(place: str) -> Json:
    return {"uri": quote(os.fsencode(place)), "uriBaseId": _SOURCE_ROOT}


def _to_region(place: Range) -> Json:
    return {
        "startLine": place.start.line,
        "startColumn": place.start.column + 1,
        "endLine": place.end.line,
        "endColumn": place.end.column + 1,
    }
