"""*Why*, as Markdown in the reader's language."""

from collections.abc import Iterator, Mapping, Sequence

from glossator.app.phrasing import Phrasing, count
from glossator.app.results import Problem
from glossator.app.why.causes import describe_cause
from glossator.app.why.report import Judged, Passage, Place, RulesReport, Share, Use, Why
from glossator.core.text import shorten

_MAX_LISTED: Mapping[Use, int] = {"used": 200, "by-question": 40, "unused": 40}
_MAX_PROBLEMS = 5
_MAX_RULES = 100
_MAX_TEXT = 160

_TITLES: Mapping[Use, tuple[str, str]] = {
    "used": ("Used", "会使用"),
    "by-question": ("Would be found by a question", "提问时可能用到"),
    "unused": ("Not used", "不会使用"),
}
_LEFT_TO_MODEL = ("Left to the model", "由模型决定")
_PLACES: Mapping[Place, tuple[str, str]] = {
    "file": (
        "This is what applies whatever is asked with the file open.",
        "以下是打开该文件时，无论问什么都适用的内容。",
    ),
    "unsaved": (
        "The document has no file yet; globs are compared with its name.",
        "文档尚未保存为文件；glob 只与其名称比较。",
    ),
    "missing": (
        "There is no such file; this is what would apply to it.",
        "该文件不存在；以下是它若存在时的适用情况。",
    ),
    "protected": (
        "The file may hold secrets and is never read; a question asked in it is asked without it.",
        "该文件可能含有机密，从不读取；在其中提问时不会附带它。",
    ),
    "folder": (
        "This is a folder: a question asked with no file open is looked at.",
        "这是一个文件夹：按没有打开文件时的提问来判断。",
    ),
    "workspace": (
        "This is the whole workspace: a question asked with no file open is looked at.",
        "这是整个工作区：按没有打开文件时的提问来判断。",
    ),
}
_FINDERS: Mapping[str, tuple[str, str]] = {
    "words": ("words", "词语"),
    "meaning": ("meaning", "语义"),
    "shared": ("the shared index", "共享索引"),
}
_SHARES: Mapping[str, tuple[str, str]] = {
    "instructions": ("instructions", "指令"),
    "knowledge": ("knowledge", "知识"),
    "skills": ("skills", "技能"),
}


def title_of(why: Why, say: Phrasing) -> str:
    """Return the title of the document."""
    name = why.path or say("the workspace", "整个工作区")
    return say(f"Why is this (not) used: {name}", f"为何（未）使用：{name}")


def render_why(why: Why, say: Phrasing) -> str:
    """Write the whole report."""
    parts = [f"# {title_of(why, say)}", _render_subject(why, say)]
    parts += [_render_group(use, why, say) for use in _TITLES]
    parts += [_render_rules(why.rules, say), _render_shares(why.shares, say)]
    parts.append(_render_left(why.problems, say))
    return "\n\n".join(filter(None, parts)) + "\n"


def _render_subject(why: Why, say: Phrasing) -> str:
    lines = [f"> {' '.join(why.question.split())}"] if why.question else []
    if why.place != "file" or not why.question:
        lines.append(say(*_PLACES[why.place]))
    if why.is_ignored:
        lines.append(
            say(
                "Git ignores the file: searches pass it over; what is said here holds.",
                "Git 忽略该文件：搜索会跳过它，但以下内容仍然适用。",
            )
        )
    if why.refused:
        lines.append(
            say(
                f"**The question would be refused** ({why.refused}), so nothing is used for it.",
                f"**该问题会被拒答**（{why.refused}），因此不会使用任何内容。",
            )
        )
    lines += why.notices
    return "\n\n".join(filter(None, lines))


def _render_group(use: Use, why: Why, say: Phrasing) -> str:
    files = why.select(use)
    if not files:
        return ""
    n_tokens = sum(each.verdict.n_tokens_given for each in files)
    tokens = say(f", {_thousands(n_tokens)} tokens", f"，{_thousands(n_tokens)} 词元")
    title = say(*(_LEFT_TO_MODEL if use == "by-question" and why.question else _TITLES[use]))
    size = f"{len(files)}{tokens if use == 'used' else ''}"
    head = f"## {title}{say.enclose(size)}"
    shown = files[: _MAX_LISTED[use]]
    lines = [line for each in shown for line in _render_file(each, why.n_files, say)]
    n_more = len(files) - len(shown)
    if n_more:
        lines.append(say(f"- … and {n_more} more", f"- ……另有 {n_more} 个"))
    return "\n".join([head, "", *lines]).rstrip()


def _render_file(judged: Judged, n_files: int, say: Phrasing) -> Iterator[str]:
    causes = say("; ", "；").join(describe_cause(cause, say) for cause in judged.verdict.causes)
    if judged.n_files is not None:
        n, total = judged.n_files, count(n_files, "file")
        causes += say(f" (for {n} of {total})", f"（适用于 {n_files} 个文件中的 {n} 个）")
    about = say.enclose(f"{judged.family}{say(', ', '，')}{_measure(judged, say)}")
    yield f"- `{judged.path}`{about}{say(': ', '：')}{causes}"
    yield from (f"  - {_render_passage(each, judged, say)}" for each in judged.verdict.passages)
    if judged.verdict.lines is not None:
        first, last = judged.verdict.lines
        yield "  - " + say(
            f"cut: lines {first}-{last} of {judged.n_lines} are given",
            f"已截断：共 {judged.n_lines} 行，只提供第 {first}-{last} 行",
        )
    yield from (f"  - {_render_problem(each, say)}" for each in judged.problems[:_MAX_PROBLEMS])
    n_more = len(judged.problems) - _MAX_PROBLEMS
    if n_more > 0:
        yield "  - " + say(f"… and {n_more} more problems", f"……另有 {n_more} 个问题")


def _measure(judged: Judged, say: Phrasing) -> str:
    given, whole = _thousands(judged.verdict.n_tokens_given), _thousands(judged.n_tokens)
    n_given = judged.verdict.n_tokens_given
    if n_given >= judged.n_tokens:
        # Headers are not given, line numbers are added.
        return say(f"{given} tokens", f"{given} 词元")
    if judged.use == "used":
        return say(f"{given} of {whole} tokens", f"{whole} 词元中的 {given}")
    return say(f"{whole} tokens", f"{whole} 词元")


def _render_passage(passage: Passage, judged: Judged, say: Phrasing) -> str:
    place = f"{judged.path}:{passage.first_line}-{passage.last_line}"
    tokens = say(f"{passage.n_tokens} tokens", f"{passage.n_tokens} 词元")
    comma = say(", ", "，")
    text = f"“{shorten(passage.title, _MAX_TEXT)}” {place}{comma}{passage.score:.2f}{comma}{tokens}"
    if passage.found_by:
        names = say.join(say(*_FINDERS.get(each, (each, each))) for each in passage.found_by)
        text += say(f", by {names}", f"，依据{names}")
    if passage.n_lines_cut:
        n = passage.n_lines_cut
        text += say(f", {count(n, 'more line')} cut", f"，另有 {n} 行被截断")
    if passage.cause is None:
        return text
    return f"{text}{say(': ', '：')}{describe_cause(passage.cause, say)}"


def _render_problem(problem: Problem, say: Phrasing) -> str:
    mark = "·" if problem.is_note else "⚠"
    return f"{mark} {problem.path}:{problem.line} {say.translate(problem.message)}"


def _render_rules(report: RulesReport, say: Phrasing) -> str:
    applying = [rule for rule in report.rules if rule.state == "applies"]
    disabled = [rule for rule in report.rules if rule.state == "disabled"]
    lines = [
        f"- `{rule.id}`{say.enclose(f'{rule.path}:{rule.line}')}" for rule in applying[:_MAX_RULES]
    ]
    n_more = len(applying) - _MAX_RULES
    if n_more > 0:
        lines.append(say(f"- … and {n_more} more", f"- ……另有 {n_more} 条"))
    if disabled:
        names = say.join(f"`{rule.id}`" for rule in disabled)
        lines.append(
            say(
                f"- switched off by `check.disabledRules`: {names}",
                f"- 已被 `check.disabledRules` 关闭：{names}",
            )
        )
    if report.n_judged:
        n = report.n_judged
        lines.append(
            say(f"- {n} more by a model, where there is one", f"- 另有 {n} 条在有模型时由其判断")
        )
    away = [
        (report.n_other_languages, say("for other languages", "针对其他语言")),
        (report.n_other_files, say("for other files", "针对其他文件")),
        (report.n_prose, say("in words only, without a check", "只有文字，没有检查")),
    ]
    told = [f"{n} {what}" for n, what in away if n]
    if told:
        lines.append(say(f"- not here: {', '.join(told)}", f"- 不在此检查：{'，'.join(told)}"))
    if not lines and not report.reason:
        return ""
    head = say(f"## Rules checked here ({len(applying)})", f"## 在此检查的规则（{len(applying)}）")
    if report.reason:
        reason = report.reason.render(say)
        head = say(f"## Rules, not checked here: {reason}", f"## 规则（此处未检查：{reason}）")
    return "\n".join([head, "", *lines]).rstrip()


def _render_shares(shares: Sequence[Share], say: Phrasing) -> str:
    lines = []
    for share in shares:
        used = _thousands(share.n_tokens)
        name = say(*_SHARES[share.kind])
        limit = say(f" of {_thousands(share.limit)}", f" / {_thousands(share.limit)}")
        lines.append(f"- {name}{say(': ', '：')}{used}{limit if share.limit else ''}")
    return "\n".join([f"## {say('Tokens', '词元')}", "", *lines])


def _render_left(problems: Sequence[Problem], say: Phrasing) -> str:
    if not problems:
        return ""
    head = say("## What else was found", "## 其他情况")
    return "\n".join([head, "", *(f"- {_render_problem(each, say)}" for each in problems)])


def _thousands(n: int) -> str:
    return f"{n:,}"
