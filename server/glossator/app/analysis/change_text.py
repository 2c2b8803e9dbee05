"""Write the facts about a change as Markdown; every fact has its place."""

from collections.abc import Iterator, Sequence

from glossator.app.analysis.change_facts import ChangedFile, ChangeFacts, list_added_lines
from glossator.app.briefing_text import first_of, render_finding, render_section
from glossator.app.checking.reasons import count_reasons
from glossator.app.phrasing import Phrasing, count
from glossator.core.locations import Span
from glossator.tools.code_map import Caller
from glossator.tools.escaping import escape_invisible

_SHOWN_FILES = 60
_SHOWN_NAMES = 8
_SHOWN_PLACES = 5
_SHOWN_FINDINGS = 30


def render_change(facts: ChangeFacts, say: Phrasing) -> str:
    """Write everything that is known: it is the answer when there is no model."""
    parts = [
        _render_head(facts, say),
        render_section(say("Files", "文件"), first_of(_file_lines(facts, say), _SHOWN_FILES, say)),
        render_section(
            say("Changed functions", "改动的函数"),
            list(_function_lines(facts.files, say)),
        ),
        _render_findings(facts, say),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def describe_against(facts: ChangeFacts, say: Phrasing) -> str:
    """Return what the working tree is compared with."""
    return say.join(dict.fromkeys(say.translate(each.against) for each in facts.differences))


def _render_head(facts: ChangeFacts, say: Phrasing) -> str:
    against = describe_against(facts, say)
    if not facts.files:
        return say(f"Nothing differs from {against}.", f"与 {against} 相比没有任何改动。")
    n_added = sum(file.diff.counts[0] for file in facts.files)
    n_removed = sum(file.diff.counts[1] for file in facts.files)
    title = say(f"Changes since {against}", f"自 {against} 以来的改动")
    lines = [
        f"## {title}",
        say(
            f"{count(len(facts.files), 'file')}, {count(n_added, 'line')} added, {n_removed} "
            "removed",
            f"{len(facts.files)} 个文件，新增 {n_added} 行，删除 {n_removed} 行",
        ),
    ]
    n_unseen = sum(each.comparison.n_left_out for each in facts.differences)
    if n_unseen:
        lines.append(
            say(
                f"*{n_unseen} files were not compared: time was up.*",
                f"*因时间限制，有 {n_unseen} 个文件没有比较。*",
            )
        )
    return "\n\n".join(lines)


def _file_lines(facts: ChangeFacts, say: Phrasing) -> list[str]:
    return [f"- {describe_file(file, say)}" for file in facts.files]


def describe_file(file: ChangedFile, say: Phrasing) -> str:
    """Say in one line what happened to a file."""
    change = file.diff.change
    added, removed = file.diff.counts
    facts = [say(*_STATUSES[change.status])]
    facts += [f"+{added}"] * bool(added) + [f"−{removed}"] * bool(removed)
    facts += [say("protected, not read", "受保护，未读取")] * change.is_protected
    facts += [escape_invisible(note) for note in file.diff.notes]
    if file.removed:
        names = say.join(f"`{name}`" for name in file.removed[:_SHOWN_NAMES])
        facts.append(say(f"gone: {names}", f"已删除：{names}"))
    return f"{_place_of(file)}{say.enclose(say(', ', '，').join(facts))}"


def _place_of(file: ChangedFile) -> str:
    """Return a file with the lines that changed; one that is gone has no line to point at."""
    lines = list_added_lines(file.diff.hunks)
    if not lines:
        lines = {n for hunk in file.diff.hunks for n in (hunk.first_line, hunk.last_line) if n}
    return str(Span(file.path, min(lines), max(lines))) if lines else f"`{file.path}`"


_STATUSES = {
    "M": ("changed", "已修改"),
    "A": ("new", "新增"),
    "D": ("deleted", "已删除"),
    "R": ("moved", "已移动"),
    "T": ("another kind of file", "类型改变"),
    "U": ("in conflict", "有冲突"),
    "?": ("new, untracked", "新增，未跟踪"),
}


def _function_lines(files: Sequence[ChangedFile], say: Phrasing) -> Iterator[str]:
    n_more = sum(len(file.functions) - len(file.briefings) for file in files)
    for file in files:
        for briefing in file.briefings:
            callers = _name_places(briefing.callers, say)
            tests = _name_places(briefing.tests, say)
            facts = [
                say(f"called by {callers}", f"调用者：{callers}")
                if callers
                else say("no caller found", "没有找到调用者"),
                say(f"tests: {tests}", f"测试：{tests}")
                if tests
                else say("no test found", "没有找到测试"),
            ]
            told = say("; ", "；").join(facts)
            yield f"- `{briefing.title}` {briefing.span}{say(': ', '：')}{told}"
    if n_more:
        functions = count(n_more, "further function")
        yield say(
            f"- {functions}, those in tests included", f"- 另有 {n_more} 个函数（包括测试中的）"
        )


def _name_places(callers: Sequence[Caller], say: Phrasing) -> str:
    places: dict[str, None] = {}
    for caller in callers:
        function = caller.place.function
        name = f"`{function.qualified_name}` " if function else ""
        places.setdefault(f"{name}{caller.place.path}:{caller.line}")
    shown = ", ".join(list(places)[:_SHOWN_PLACES])
    n_more = len(places) - _SHOWN_PLACES
    return shown + (say(f" and {n_more} more", f" 等另外 {n_more} 处") if n_more > 0 else "")


def list_findings(files: Sequence[ChangedFile], say: Phrasing) -> list[str]:
    """Write each finding on a changed line, with the rule that it breaks."""
    return [
        render_finding(finding, file.source, say)
        for file in files
        if file.source is not None
        for finding in file.findings
    ]


def _render_findings(facts: ChangeFacts, say: Phrasing) -> str:
    reports = [file.report for file in facts.files if file.report is not None]
    if not reports:
        return ""
    lines = first_of(list_findings(facts.files, say), _SHOWN_FINDINGS, say)
    n_checked = sum(report.outcome != "not-checked" for report in reports)
    if n_checked:
        nothing = say(", nothing found on changed lines", "，改动的行上没有发现问题")
        checked = say(f"- {count(n_checked, 'file')} checked", f"- 共检查 {n_checked} 个文件")
        lines.append(checked if lines else checked + nothing)
    skipped = (report.reason for report in reports if report.reason is not None)
    for reason, n in count_reasons(skipped, say):
        lines.append(
            say(f"- {count(n, 'file')} not checked: {reason}", f"- {n} 个文件没有检查：{reason}")
        )
    return render_section(say("Conventions on changed lines", "改动的行涉及的约定"), lines)
