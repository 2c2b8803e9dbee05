"""`glossator check`: check files against the conventions.

Exit codes: 0 nothing found, 1 findings, 2 a path is missing or leads outside.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.app.phrasing import count

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.checking.report import CheckReport
    from glossator.terminal import Terminal

EXIT_CLEAN = 0
EXIT_FINDINGS = 1

_NAMED_FILES = 3
"""Up to so many files that were not checked are named; more are counted."""


def add_parser(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser's `commands`."""
    check = commands.add_parser(
        "check", parents=[common], help="check files against the conventions"
    )
    check.add_argument("paths", nargs="*", type=Path, metavar="PATH")


async def run(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> int:
    """Show the findings as lines or as JSON."""
    from glossator.terminal import print_json

    root = application.status().roots[0]
    paths = [path.absolute() for path in parsed.paths] or [root]
    reports = await application.check_paths(paths, emit=terminal.hear)
    n_findings = sum(len(report.findings) for report in reports)
    if parsed.json:
        print_json({"documents": reports, "nFindings": n_findings})
    else:
        terminal.show_reports(reports)
        terminal.show_notice(_summarize(reports, n_findings))
        problems = application.status().problems
        if problems:
            terminal.show_notice(
                f"{count(len(problems), 'problem')} in settings, knowledge or rules: "
                "`glossator doctor` names them"
            )
    return EXIT_FINDINGS if n_findings else EXIT_CLEAN


def _summarize(reports: "Sequence[CheckReport]", n_findings: int) -> str:
    skipped = Counter(report.reason for report in reports if report.outcome == "not-checked")
    checked = count(len(reports) - skipped.total(), "file")
    lines = [f"{checked} checked, {count(n_findings, 'finding')}"]
    for reason, n in sorted(skipped.items()):
        names = [report.shown_path for report in reports if report.reason == reason]
        subject = ", ".join(names) if n <= _NAMED_FILES else str(n)
        lines.append(f"{subject} not checked: {reason}")
    return "\n".join(lines)
