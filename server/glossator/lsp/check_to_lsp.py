"""Checks and their findings as the protocol wants them."""

from typing import TYPE_CHECKING, Any

from glossator.core.text import SourceText
from glossator.lsp.client import Client
from glossator.lsp.diagnostics import SOURCE
from glossator.lsp.places import Places
from glossator.rules.finding import fingerprint

if TYPE_CHECKING:
    from glossator.app.checking.report import CheckReport
    from glossator.rules.finding import Finding

Json = dict[str, Any]

SEVERITIES = {"error": 1, "warning": 2, "information": 3, "hint": 4}


def check_reports(reports: "list[tuple[str | None, CheckReport]]") -> Json:
    """Return the result of `glossator.check` for documents and their URIs."""
    return {
        "documents": [
            {
                "uri": uri,
                "path": report.shown_path,
                "outcome": report.outcome,
                "reason": report.reason,
                "nFindings": len(report.findings),
                "nRules": report.n_rules,
            }
            for uri, report in reports
        ],
        "nFindings": sum(len(report.findings) for _, report in reports),
    }


def diagnostic(
    finding: "Finding", source: SourceText, places: Places, client: Client, number: int = 0
) -> Json:
    """Return a finding as the client can show it; `number` is that of `number_alike`."""
    rule = finding.rule
    rule_uri = places.uri(None, rule.path)
    result: Json = {
        "range": places.range_of(source, finding.range),
        "severity": SEVERITIES[finding.severity],
        "source": SOURCE,
        "code": rule.id,
        "message": finding.message,
    }
    if rule_uri is not None and client.code_descriptions:
        result["codeDescription"] = {"href": f"{rule_uri}#L{rule.line}"}
    if rule_uri is not None and client.related_information:
        start = {"line": max(rule.line - 1, 0), "character": 0}
        result["relatedInformation"] = [
            {
                "location": {"uri": rule_uri, "range": {"start": start, "end": start}},
                "message": rule.text,
            }
        ]
    if client.diagnostic_data:
        result["data"] = {
            "ruleId": rule.id,
            "fingerprint": fingerprint(finding, source.name, number),
        }
    return result
