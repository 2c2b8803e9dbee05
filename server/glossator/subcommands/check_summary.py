"""What `glossator check` says beside the findings: what was checked, by what, and what was not."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from glossator.app.checking.reasons import Reason, count_reasons
from glossator.app.phrasing import Phrasing, count

if TYPE_CHECKING:
    from glossator.app.checking.report import CheckReport

_NAMED_FILES = 3
"""Up to so many files that were not checked are named; more are counted."""


def summarize(reports: "Sequence[CheckReport]", say: Phrasing, against: str = "") -> list[str]:
    """Return lines: how many files were checked and by how many rules, what was not and why.

    Where only changed lines count, `against` names the commit that they are compared with.
    """
    checked = [report for report in reports if report.outcome != "not-checked"]
    n_found = sum(bool(report.findings) for report in checked)
    n_findings = sum(len(report.findings) for report in checked)
    n_clean = len(checked) - n_found
    results = [say(f"{n_clean} clean", f"{n_clean} 个没有问题")] if n_clean else []
    if n_found:
        found = count(n_findings, "finding")
        results.append(say(f"{n_found} with {found}", f"{n_found} 个有共 {n_findings} 处问题"))
    lines = [
        say(f"{count(len(checked), 'file')} checked", f"检查了 {len(checked)} 个文件")
        + say(": ", "：") * bool(checked)
        + say(", ", "，").join(results),
        *_summarize_rules(reports, say),
    ]
    left_out = [
        (each.shown_path, each.reason)
        for each in reports
        if each.reason is not None and each.reason.code != "syntax-error"
    ]
    for told, n in count_reasons((reason for _, reason in left_out), say):
        names = [name for name, reason in left_out if reason.render(say) == told]
        subject = say.join(names) if n <= _NAMED_FILES else count(n, "file")
        subject_zh = f"{'、'.join(names)} " if n <= _NAMED_FILES else f"{n} 个文件"
        lines.append(say(f"{subject} not checked: {told}", f"{subject_zh}未检查：{told}"))
    lines += _tell_broken(reports, say)
    if against:
        lines.insert(0, _tell_changed(reports, against, say))
    return [*lines, *sorted({note for report in reports for note in report.notes})]


def _summarize_rules(reports: "Sequence[CheckReport]", say: Phrasing) -> list[str]:
    """Say how many rules were run and judged at most in a file, and which were not and why."""
    n_compiled = max((report.n_rules for report in reports), default=0)
    n_judged = max((report.n_judged for report in reports), default=0)
    skipped: dict[Reason, set[str]] = {}
    for report in reports:
        for each in report.skipped:
            if each.reason.code == "syntax-error":  # Told with the file.
                continue
            skipped.setdefault(each.reason, set()).update(each.rule_ids)
    told = [
        say(f"{len(ids)} ({reason.render(say)})", f"{len(ids)} 条（{reason.render(say)}）")
        for reason, ids in skipped.items()
    ]
    skips = say(", ", "、").join(told) or say("0", "0 条")
    return [
        say(
            f"rules in a file: up to {n_compiled} compiled, {n_judged} judged; skipped: {skips}",
            f"每个文件的规则：编译 {n_compiled} 条以内，模型判断 {n_judged} 条；跳过：{skips}",
        )
    ]


def _tell_broken(reports: "Sequence[CheckReport]", say: Phrasing) -> list[str]:
    """Say which files were checked in part, as the syntax of others is broken."""
    broken = [
        (report.shown_path, each.reason)
        for report in reports
        for each in report.skipped
        if each.reason.code == "syntax-error"
    ]
    if len(broken) > _NAMED_FILES:
        return [
            say(
                f"{count(len(broken), 'file')} not checked in part: syntax errors "
                "(`--json` names the lines)",
                f"{len(broken)} 个文件有部分未检查：语法错误（`--json` 会列出行号）",
            )
        ]
    return [
        say(
            f"{name} not checked in part: {reason.render(say)}",
            f"{name} 有部分未检查：{reason.render(say)}",
        )
        for name, reason in broken
    ]


def _tell_changed(reports: "Sequence[CheckReport]", against: str, say: Phrasing) -> str:
    n_files, n_elsewhere = len(reports), sum(len(report.elsewhere) for report in reports)
    against = say.translate(against)
    told = say(
        f"{count(n_files, 'file')} changed since {against}; only changed lines count",
        f"自 {against} 以来改动了 {n_files} 个文件；只计改动的行",
    )
    if not n_elsewhere:
        return told
    return told + say(
        f", {count(n_elsewhere, 'finding')} on other lines left out",
        f"，其他行上的 {n_elsewhere} 处未计入",
    )
