"""`glossator lint`: judge files of knowledge, skills and instructions, and repair them.

Exit codes: 0 nothing found (hints aside), 1 findings, 2 a path is missing or cannot be judged.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.app.phrasing import Phrasing, count
from glossator.subcommands.fixed_files import show_fix

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.linting.fixing import Fix
    from glossator.app.linting.linter import LintFinding, LintReport
    from glossator.terminal import Terminal

EXIT_CLEAN = 0
EXIT_FINDINGS = 1
EXIT_NOT_JUDGED = 2


def add_parser(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser's `commands`."""
    lint = commands.add_parser(
        "lint",
        parents=[common],
        help="find what is wrong in knowledge, skills, AGENTS.md and other instruction files",
    )
    lint.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="files or folders (default: all)"
    )
    lint.add_argument("--fix", action="store_true", help="repair what can be repaired")
    lint.add_argument(
        "--diff", action="store_true", help="show what --fix would do, and do nothing"
    )


async def run(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> int:
    """Show what is wrong as lines or as JSON; with `--fix` what is still wrong afterwards."""
    from glossator.terminal import print_json

    say = application.phrase()
    paths = [path.absolute() for path in parsed.paths]
    reports = await application.linting.lint_paths(paths, emit=terminal.hear)
    fixes: Sequence[Fix] = ()
    if parsed.fix or parsed.diff:
        fixes = await application.linting.fix(reports, writes=parsed.fix and not parsed.diff)
    if any(fix.is_written for fix in fixes):
        # What a repair changes for the other files counts too.
        await application.rebuild_index(emit=terminal.hear)
        reports = await application.linting.lint_paths(paths, emit=terminal.hear)
    if parsed.json:
        print_json({"documents": reports, "fixes": fixes, "nFindings": _count(reports)})
    else:
        _show_fixes(fixes, terminal, say, shows_diff=parsed.diff)
        if not parsed.diff:
            _show_reports(reports, terminal)
        terminal.show_notice(_summarize(reports, say))
    if _count(reports):
        return EXIT_FINDINGS
    is_unjudged = any(report.outcome == "not-linted" for report in reports) and bool(paths)
    return EXIT_NOT_JUDGED if is_unjudged else EXIT_CLEAN


def _count(reports: "Sequence[LintReport]") -> int:
    return sum(f.severity != "hint" for report in reports for f in report.findings)


def _show_reports(reports: "Sequence[LintReport]", terminal: "Terminal") -> None:
    for report in reports:
        for finding in report.findings:
            terminal.show_line(_describe(report, finding))
            for place in finding.related:
                terminal.show_line(f"    → {place}")


def _describe(report: "LintReport", finding: "LintFinding") -> str:
    start = finding.range.start
    place = f"{report.shown_path}:{start.line}:{start.column + 1}"
    return f"{place}: {finding.severity}: {finding.message} [{finding.code}]"


def _show_fixes(
    fixes: "Sequence[Fix]", terminal: "Terminal", say: Phrasing, *, shows_diff: bool
) -> None:
    for fix in fixes:
        n = len(fix.repaired)
        summary = say(f"{count(n, 'finding')} repaired", f"修复了 {n} 处")
        lines = (
            f"{finding.range.start.line}: {finding.title} [{finding.code}]"
            for finding in (() if shows_diff else fix.repaired)
        )
        show_fix(fix, summary, lines, terminal, say, shows_diff=shows_diff)


def _summarize(reports: "Sequence[LintReport]", say: Phrasing) -> str:
    judged = [report for report in reports if report.outcome != "not-linted"]
    n_findings = sum(len(report.findings) for report in judged)
    n_repairable = sum(bool(f.edits) for report in judged for f in report.findings)
    lines = [
        say(
            f"{count(len(judged), 'file')} linted, {count(n_findings, 'finding')}"
            + (f", {n_repairable} with a repair (`--fix`)" if n_repairable else ""),
            f"检查了 {len(judged)} 个文件，发现 {n_findings} 处问题"
            + (f"，其中 {n_repairable} 处可修复（`--fix`）" if n_repairable else ""),
        )
    ]
    reasons = Counter(report.reason for report in reports if report.outcome == "not-linted")
    for reason, n_files in sorted(reasons.items()):
        names = [report.shown_path for report in reports if report.reason == reason][:3]
        subject = say.join(names) if n_files <= len(names) else str(n_files)
        lines.append(say(f"{subject} not linted: {reason}", f"未检查 {subject}：{reason}"))
    lines += sorted({note for report in judged for note in report.notes})
    return "\n".join(lines)
