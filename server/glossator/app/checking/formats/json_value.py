"""Reports as a value for programs, which `glossator check --json` prints."""

from typing import Any

from glossator.app.checking.formats.results import Results
from glossator.app.checking.reasons import Reason
from glossator.app.checking.report import CheckReport
from glossator.app.phrasing import Phrasing
from glossator.app.plain import to_plain


def to_json(results: Results) -> dict[str, Any]:
    """Return the documents and how many findings count; hints do not."""
    n_findings = sum(f.severity != "hint" for report in results.reports for f in report.findings)
    documents = [_describe(report, results.say) for report in results.reports]
    return {"documents": documents, "nFindings": n_findings, "notes": list(results.notes)}


def _describe(report: CheckReport, say: Phrasing) -> dict[str, Any]:
    result: dict[str, Any] = to_plain(report)
    result["reason"], result["reasonCode"] = _tell(report.reason, say)
    for plain, skipped in zip(result["skipped"], report.skipped, strict=True):
        plain["reason"], plain["reasonCode"] = _tell(skipped.reason, say)
    return result


def _tell(reason: Reason | None, say: Phrasing) -> tuple[str, str]:
    return (reason.render(say), reason.code) if reason is not None else ("", "")
