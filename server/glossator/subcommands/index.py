"""`glossator index`: read knowledge, skills, instructions and rules, and say what was found.

Exit codes: 0 all can be used, 1 something is not used as it is written.
"""

import argparse
from typing import TYPE_CHECKING, Any

from glossator.app.phrasing import Phrasing, count

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.results import IndexReport, MeaningStatus
    from glossator.terminal import Terminal

EXIT_OK = 0
EXIT_PROBLEMS = 1


def add_parser(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser's `commands`."""
    index = commands.add_parser(
        "index",
        parents=[common],
        help="read knowledge, skills, instructions and rules; show what was found",
    )
    index.add_argument(
        "--meaning", action="store_true", help="also compute the vectors for finding by meaning"
    )


async def run(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> int:
    """Show the numbers and each problem with its place, or all of it as JSON."""
    from glossator.terminal import print_json

    say = application.phrase()
    report = await application.rebuild_index(emit=terminal.hear)
    if parsed.meaning:
        found = await application.knowledge.prepare_meaning(emit=terminal.hear)
        terminal.show_notice(_describe_meaning(found, say))
    if parsed.json:
        print_json(report)
    else:
        terminal.show_markdown(_summarize(report, say))
        for problem in report.problems:
            note = say("note: ", "提示：") if problem.is_note else ""
            terminal.show_notice(f"{problem.path}:{problem.line} {note}{problem.message}")
    return EXIT_PROBLEMS if report.failures else EXIT_OK


def _summarize(report: "IndexReport", say: Phrasing) -> str:
    return say(
        f"{count(report.n_documents, 'document')}, {count(report.n_sections, 'section')}, "
        f"{count(report.n_skills, 'skill')}, "
        f"{count(report.n_instructions, 'instruction file')}, {count(report.n_rules, 'rule')} "
        f"in {report.duration_s:.2f} s\n",
        f"{report.n_documents} 篇文档，{report.n_sections} 个章节，{report.n_skills} 个技能，"
        f"{report.n_instructions} 个指令文件，{report.n_rules} 条规则，"
        f"用时 {report.duration_s:.2f} 秒\n",
    )


def _describe_meaning(found: "MeaningStatus", say: Phrasing) -> str:
    return say(
        f"{found.n_ready} of {count(found.n_sections, 'section')} by meaning",
        f"{found.n_sections} 个章节中的 {found.n_ready} 个可按语义查找",
    )
