"""`glossator check`: check files against the conventions, for people and for machines.

Nothing is asked, standard input is never read. Exit codes: see `_EPILOG`.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from glossator.app.checking.formats.results import Format, Results, Threshold, judge
from glossator.app.checking.kept_answers import Overheard, Written
from glossator.app.phrasing import Phrasing, count
from glossator.core.errors import GlossatorError, InvalidArguments
from glossator.subcommands.check_summary import summarize
from glossator.subcommands.formats import choose_format
from glossator.subcommands.mending import Mended, add_options, mend, require_pairs, show_mended
from glossator.subcommands.mending import to_json as fix_to_json

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.checking.report import CheckReport
    from glossator.app.checking.running import Effort
    from glossator.terminal import Terminal

_EXIT_CODES = {"clean": 0, "findings": 1, "failed": 2}
_MAX_JOBS = 256
_EPILOG = """\
exit codes:
  0  no findings; hints, and what is less severe than --fail-on, do not count
  1  findings
  2  an error: a path that is missing or leads outside, a BASE that cannot be compared with,
     options that do not fit together; without findings also a file that cannot be read, or
     whose check crashed or took too long

What is not checked is said and does not change the exit code otherwise: a file that is too large,
generated or excluded, and the lines of a file whose syntax is broken.

--diff BASE compares with where the history of HEAD parts from that of BASE (`git merge-base`). It
takes the files as they are, uncommitted and untracked ones included; a file that moved is compared
with what it was, one that is gone counts for nothing. Without BASE it is HEAD: what is not
committed. A shallow clone must be deep enough (`fetch-depth: 0` of actions/checkout).

Findings go to standard output or FILE, everything else to standard error. Nothing is ever asked."""


def add_parser(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser's `commands`."""
    check = commands.add_parser(
        "check",
        parents=[common],
        help="check files against the conventions",
        description="Check files, and what stands below folders, against the conventions.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    check.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="files or folders (default: all)"
    )
    check.add_argument(
        "--diff",
        nargs="?",
        const="",
        metavar="BASE",
        help="only findings on lines that changed since the commit BASE count",
    )
    check.add_argument(
        "--format",
        choices=get_args(Format),
        help="how findings are written: text (default), json (as --json), SARIF 2.1.0, or "
        "annotations of GitHub Actions",
    )
    check.add_argument("--output", type=Path, metavar="FILE", help="write the findings to FILE")
    check.add_argument(
        "--fail-on",
        choices=get_args(Threshold),
        default="information",
        help="the least severity that makes the exit code 1 (default: information)",
    )
    check.add_argument(
        "--jobs", type=int, metavar="N", help="processes (default: one per processor)"
    )
    check.add_argument(
        "--no-model", action="store_true", help="leave out the rules that a model judges"
    )
    add_options(check)
    kept = check.add_mutually_exclusive_group()
    kept.add_argument(
        "--cache-dir", type=Path, metavar="DIR", help="keep what was found in this folder"
    )
    kept.add_argument("--no-cache", action="store_true", help="check every file anew")


async def run(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> int:
    """Check, repair and dismiss as the options say, and write what is found then."""
    status, say = application.status(), application.phrase()
    _require_fitting(parsed, say)
    require_pairs(parsed, say)
    effort = _read_effort(parsed, application)
    check = _Check(application, parsed, terminal, effort)
    mended = await mend(application, parsed, await check.run(), check.run)
    root = status.roots[0]
    unknown = await application.linting.list_unknown_rules()
    results = Results(mended.reports, root, _find_top(root), status.version, say, unknown)
    notices = [*summarize(mended.reports, say, check.against), *check.notes, *unknown]
    is_kept = effort.cache_folder is None or await asyncio.to_thread(_keeps, effort.cache_folder)
    if not is_kept:
        notices.append(
            say(
                f"what was found is not kept: `{effort.cache_folder}` cannot be written",
                f"检查结果未保留：`{effort.cache_folder}` 无法写入",
            )
        )
    output, said = Overheard(sys.stdout), Overheard(sys.stderr)
    with redirect_stdout(output), redirect_stderr(said):
        await _write(results, mended, parsed, terminal)
        _tell(notices, results, application, parsed, terminal)
    exit_code = _EXIT_CODES[judge(mended.reports, parsed.fail_on)]
    if parsed.basis is not None and is_kept and exit_code != _EXIT_CODES["failed"]:
        answer = Written(output.text, said.text, exit_code)
        await application.checks.keep_answer(parsed.basis, answer, mended.reports)
    return exit_code


class _Check:
    """Checks what the options name, again after each change; `against` is what it compared with."""

    def __init__(
        self,
        application: "Application",
        parsed: argparse.Namespace,
        terminal: "Terminal",
        effort: "Effort",
    ) -> None:
        self._application = application
        self._parsed = parsed
        self._terminal = terminal
        self._effort = effort
        self.against = ""
        self.notes: tuple[str, ...] = ()

    async def run(self) -> "Sequence[CheckReport]":
        application, parsed = self._application, self._parsed
        paths = [path.absolute() for path in parsed.paths] or [application.status().roots[0]]
        changed = None
        if parsed.diff is not None and not parsed.fix:
            found = await application.checks.find_changed_lines(paths, parsed.diff or "HEAD")
            self.against, self.notes = found.against, found.notes
            changed, paths = found.lines, sorted(found.lines)
        return await application.checks.check_paths(
            paths,
            effort=self._effort,
            judges=application.checks.judges,
            changed=changed,
            emit=self._terminal.hear,
        )


def _require_fitting(parsed: argparse.Namespace, say: Phrasing) -> None:
    """Refuse what would be taken otherwise than it is meant."""
    parsed.format = choose_format(parsed, "text", say)
    base = parsed.diff
    if base and Path(base).exists():
        raise InvalidArguments(
            say(
                f"`--diff {base}`: `{base}` is a path here. Put the commit before it, as in "
                f"`--diff main {base}`; a branch of that name is `refs/heads/{base}`.",
                f"`--diff {base}`：`{base}` 在此处是路径。请在它前面写提交，例如 "
                f"`--diff main {base}`；同名分支请写 `refs/heads/{base}`。",
            )
        )
    if parsed.fix and base is not None and parsed.format not in ("text", "json"):
        raise InvalidArguments(
            say(
                "`--fix --diff` shows repairs as text or JSON only.",
                "`--fix --diff` 只能以文本或 JSON 显示修复。",
            )
        )


async def _write(
    results: Results, mended: Mended, parsed: argparse.Namespace, terminal: "Terminal"
) -> None:
    """Write the findings where they are wanted, in the format that is."""
    if parsed.format != "json":
        show_mended(mended, terminal, results.say)
    if parsed.format == "text" and parsed.output is None:
        if not mended.shows_diff:
            terminal.show_reports(results.reports, results.say)
        return
    written = _render(results, mended, parsed.format)
    if parsed.output is not None:
        await asyncio.to_thread(_write_file, parsed.output, written, results.say)
    elif isinstance(written, str):
        terminal.out.file.write(written)
    else:
        # Imported here, as all that only some formats need.
        from glossator.terminal import print_json

        print_json(written)


def _render(results: Results, mended: Mended, chosen: Format) -> Any:
    """Return the findings as text, or as a value that is written as JSON."""
    if chosen == "sarif":
        from glossator.app.checking.formats.sarif import to_sarif

        return to_sarif(results)
    if chosen == "github":
        from glossator.app.checking.formats.github import render_github

        return render_github(results)
    if chosen == "json":
        from glossator.app.checking.formats.json_value import to_json

        fixes = [fix_to_json(fix, results.say) for fix in mended.fixes]
        return to_json(results) | {"fixes": fixes}
    from glossator.app.checking.formats.text import render_text

    return render_text(results)


def _write_file(path: Path, written: Any, say: Phrasing) -> None:
    from glossator.app.plain import render_json

    text = written if isinstance(written, str) else f"{render_json(written)}\n"
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        reason = error.strerror
        raise InvalidArguments(
            say(f"`{path}` cannot be written: {reason}.", f"无法写入 `{path}`：{reason}。")
        ) from error


def _tell(
    notices: list[str],
    results: Results,
    application: "Application",
    parsed: argparse.Namespace,
    terminal: "Terminal",
) -> None:
    """Show what is said beside the findings; programs that read JSON find it in there."""
    if parsed.format == "json" and parsed.output is None:
        return
    problems, say = application.status().problems, results.say
    if problems:
        notices.append(
            say(
                f"{count(len(problems), 'problem')} in settings, knowledge or rules: "
                "`glossator doctor` names them",
                f"设置、知识或规则中有 {len(problems)} 个问题：请运行 `glossator doctor` 查看",
            )
        )
    if parsed.format == "github":
        from glossator.app.checking.formats.github import make_inert, tell_limits

        notices = [make_inert(line) for line in (*notices, *tell_limits(results))]
    terminal.show_notice("\n".join(notices))


def _find_top(root: Path) -> Path:
    """Return the top of the repository that the workspace folder stands in, or the folder."""
    from glossator.tools.git.folder import find_repository

    try:
        folder = find_repository(root, root)
    except GlossatorError:
        return root
    return folder.top if folder is not None else root


def _keeps(folder: Path) -> bool:
    from glossator.app.checking.cache import can_keep

    return can_keep(folder)


def _read_effort(parsed: argparse.Namespace, application: "Application") -> "Effort":
    from glossator.app.checking.running import Effort

    if parsed.jobs is not None and not 1 <= parsed.jobs <= _MAX_JOBS:
        raise InvalidArguments(f"`--jobs` must be from 1 to {_MAX_JOBS}, not {parsed.jobs}.")
    folder = parsed.cache_dir.absolute() if parsed.cache_dir else application.cache_folder
    return Effort(parsed.jobs or 0, None if parsed.no_cache else folder, is_guarded=True)
