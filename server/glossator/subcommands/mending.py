"""What `glossator check` does about findings: `--fix`, `--fix --diff` and `--update-baseline`."""

import argparse
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glossator.app.phrasing import Phrasing, count
from glossator.core.errors import InvalidArguments
from glossator.subcommands.fixed_files import show_fix

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.checking.fixing import FileFix, Refusal
    from glossator.app.checking.report import CheckReport
    from glossator.terminal import Terminal

CheckAgain = Callable[[], Awaitable["Sequence[CheckReport]"]]


@dataclass(frozen=True, slots=True)
class Mended:
    """What was done: `notices` say it, `reports` are what is found now."""

    reports: "Sequence[CheckReport]"
    fixes: "Sequence[FileFix]" = ()
    notices: Sequence[str] = ()
    shows_diff: bool = False


def add_options(check: argparse.ArgumentParser) -> None:
    """Add the options to the parser of `check`."""
    check.add_argument(
        "--fix",
        action="store_true",
        help="repair what can surely be repaired; with --diff only show how",
    )
    check.add_argument(
        "--update-baseline",
        action="store_true",
        help="take all present findings into the baseline (setting `check.baseline`) and what does "
        "not apply any more out of it: how a team that has findings begins; commit the file",
    )
    check.add_argument(
        "--reason", default="", metavar="TEXT", help="with --update-baseline: why they are accepted"
    )


async def mend(
    application: "Application",
    parsed: argparse.Namespace,
    reports: "Sequence[CheckReport]",
    check_again: CheckAgain,
) -> Mended:
    """Repair and dismiss as the options say, and check again after anything was written.

    Raises:
        CannotDismiss: a baseline must not or cannot be written.
    """
    say = application.phrase()
    shows_diff = parsed.fix and parsed.diff is not None
    fixes: Sequence[FileFix] = ()
    notices: list[str] = []
    if parsed.fix:
        fixes = await application.mending.fix_files(reports, writes=not shows_diff)
        if any(fix.is_written for fix in fixes):
            reports = await check_again()
    if parsed.update_baseline and not shows_diff:
        changes = await application.mending.take_in(reports, parsed.reason)
        notices = [
            say(
                f"{change.shown}: {count(change.n_added, 'finding')} taken in, "
                f"{change.n_removed} taken out",
                f"{change.shown}：新增 {change.n_added} 处，删除 {change.n_removed} 处",
            )
            for change in changes
        ]
        reports = await check_again()
    return Mended(reports, fixes, notices, shows_diff=shows_diff)


def require_pairs(parsed: argparse.Namespace, say: Phrasing) -> None:
    """Refuse options that stand without the one they are about, or with one they do not fit.

    Raises:
        InvalidArguments: they do.
    """
    if parsed.reason and not parsed.update_baseline:
        raise InvalidArguments(
            say(
                "`--reason` says why `--update-baseline` accepts findings; use both.",
                "`--reason` 说明 `--update-baseline` 接受问题的理由；请同时使用。",
            )
        )
    if parsed.fix and parsed.diff:
        raise InvalidArguments(
            say(
                "`--fix` repairs whole files; `--diff BASE` checks changed lines. Use one of them, "
                "or `--fix --diff` without a value to see what would be repaired.",
                "`--fix` 修复整个文件，`--diff BASE` 只检查改动的行。请只用其中之一；"
                "不带值的 `--fix --diff` 可预览修复。",
            )
        )
    if parsed.update_baseline and parsed.diff is not None:
        raise InvalidArguments(
            say(
                "`--update-baseline` takes in all findings, not those of changed lines: "
                "leave out `--diff`.",
                "`--update-baseline` 收入所有问题，而不只是改动行上的：请去掉 `--diff`。",
            )
        )


def show_mended(mended: Mended, terminal: "Terminal", say: Phrasing) -> None:
    """Show what was repaired in each file, what was left and why, and what was dismissed."""
    for fix in mended.fixes:
        n = len(fix.fixed)
        summary = say(f"{count(n, 'finding')} repaired", f"修复了 {n} 处") if n else ""
        lines = _tell_left(fix, say)
        show_fix(fix, summary, lines, terminal, say, shows_diff=mended.shows_diff)
    for notice in mended.notices:
        terminal.show_notice(notice)


def to_json(fix: "FileFix", say: Phrasing) -> dict[str, Any]:
    """Return what was done to a file for programs."""
    return {
        "path": fix.shown_path,
        "isWritten": fix.is_written,
        "reason": fix.reason,
        "diff": fix.diff,
        "nFixed": len(fix.fixed),
        "left": [
            {
                "ruleId": each.finding.rule.id,
                "line": each.finding.range.start.line,
                "code": each.refusal,
                "reason": _tell(each.refusal, say),
            }
            for each in fix.left
        ],
    }


def _tell_left(fix: "FileFix", say: Phrasing) -> Iterator[str]:
    for each in fix.left:
        place = f"{fix.shown_path}:{each.finding.range.start.line}"
        told = say("not repaired", "未修复")
        reason = _tell(each.refusal, say)
        yield f"{place} {told}{say(': ', '：')}{reason} [{each.finding.rule.id}]"


def _tell(refusal: "Refusal", say: Phrasing) -> str:
    # Imported here: only a check with findings needs it.
    from glossator.app.checking.fixing import tell_refusal

    return tell_refusal(refusal, say)
