"""Checks and their findings as the protocol wants them."""

from typing import TYPE_CHECKING, Any

from glossator.app.rule_words import choose_words
from glossator.core.text import SourceText
from glossator.lsp.client import Client
from glossator.lsp.diagnostics import SOURCE
from glossator.lsp.places import Places
from glossator.rules.finding import fingerprint

if TYPE_CHECKING:
    from glossator.app.checking.report import CheckReport
    from glossator.app.phrasing import Phrasing
    from glossator.lsp.diagnostics.outcomes import Outcome
    from glossator.rules.finding import Finding

Json = dict[str, Any]

SEVERITIES = {"error": 1, "warning": 2, "information": 3, "hint": 4}
TAGS = {"unnecessary": 1, "deprecated": 2}


def check_reports(reports: "list[tuple[str | None, CheckReport]]", say: "Phrasing") -> Json:
    """Return the result of `glossator.check` for documents and their URIs."""
    return {
        "documents": [_report(uri, report, say) for uri, report in reports],
        "nFindings": sum(len(report.findings) for _, report in reports),
    }


def outcome(uri: str, value: "Outcome", say: "Phrasing") -> Json:
    """Return what came of the check of an open document, for its `glossator.status`."""
    told = _report(uri, value.report, say)
    if value.lint is not None:
        told["nFindings"] += len(value.lint.findings)
        told["outcome"] = "findings" if told["nFindings"] else "clean"
        told["reason"] = told["reasonCode"] = ""
    return {**told, "isJudging": value.is_judging}


def _report(uri: str | None, report: "CheckReport", say: "Phrasing") -> Json:
    return {
        "uri": uri,
        "path": report.shown_path,
        "outcome": report.outcome,
        "reason": report.reason.render(say) if report.reason else "",
        "reasonCode": report.reason.code if report.reason else "",
        "nFindings": len(report.findings),
        "nRules": report.n_rules,
        "nJudged": report.n_judged,
        "skipped": [
            {
                "ruleIds": list(skipped.rule_ids),
                "reason": skipped.reason.render(say),
                "reasonCode": skipped.reason.code,
            }
            for skipped in report.skipped
        ],
    }


def diagnostic(
    finding: "Finding",
    source: SourceText,
    places: Places,
    client: Client,
    say: "Phrasing",
    number: int = 0,
) -> Json:
    """Return a finding as the client can show it; `number` is that of `number_alike`."""
    rule = finding.rule
    rule_uri = places.uri(None, rule.path)
    result: Json = {
        "range": places.range_of(source, finding.range),
        "severity": SEVERITIES[finding.severity],
        "source": SOURCE,
        "code": rule.id,
        "message": choose_message(finding, client, say),
    }
    tags = [TAGS[tag] for tag in finding.tags if TAGS[tag] in client.diagnostic_tags]
    if tags:
        result["tags"] = tags
    if client.code_descriptions and (rule.link or rule_uri is not None):
        result["codeDescription"] = {"href": rule.link or f"{rule_uri}#L{rule.line}"}
    if rule_uri is not None and client.related_information:
        text, _ = choose_words(rule.text, rule.rationale, say)
        start = {"line": max(rule.line - 1, 0), "character": 0}
        result["relatedInformation"] = [
            {
                "location": {"uri": rule_uri, "range": {"start": start, "end": start}},
                "message": say(f"The rule: {text}", f"规则：{text}"),
            }
        ]
    if client.diagnostic_data:
        result["data"] = {
            "ruleId": rule.id,
            "fingerprint": fingerprint(finding, source.name, number),
            "number": number,
        }
    return result


def choose_message(finding: "Finding", client: Client, say: "Phrasing") -> str:
    """Return what a finding says: in one language, if that of the reader is known."""
    return say.choose(finding.message) if client.locale else finding.message


def more_findings(count: int, name: str, say: "Phrasing") -> Json:
    """Return what stands at the top of a document for findings that are not shown."""
    start = {"line": 0, "character": 0}
    command = f"`glossator check {name}`"
    return {
        "range": {"start": start, "end": start},
        "severity": SEVERITIES["information"],
        "source": SOURCE,
        "code": "more-findings",
        "message": say(
            f"1 more finding is not shown; {command} lists all."
            if count == 1
            else f"{count} more findings are not shown; {command} lists all.",
            f"另有 {count} 处问题未显示；用 {command} 可列出全部。",
        ),
    }
