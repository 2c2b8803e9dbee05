"""Write a briefing as Markdown; every fact carries its place."""

import re
from collections.abc import Sequence
from itertools import islice

from glossator.app.briefing import Briefing, span_of
from glossator.app.origins import describe_origin
from glossator.app.phrasing import Phrasing
from glossator.app.rule_words import choose_words
from glossator.app.unreached_text import render_unreached
from glossator.code.outline import Function
from glossator.core.text import SourceText
from glossator.knowledge.index import Hit
from glossator.rules.finding import Finding
from glossator.rules.rule import Rule
from glossator.tools.call_text import show_call
from glossator.tools.code_map import Caller
from glossator.tools.editor.problems import show_problem

_SHOWN_CALLS = 20
_SHOWN_CALLERS = 12
_SHOWN_TESTS = 8
_QUOTED_CHARS = 60
_SHOWN_FINDINGS = 10
_SHOWN_RULES = 6
_SHOWN_LINES = 60
_PROPERTY = re.compile(r"@(?:[\w.]*(?:property|Property)|\w+\.(?:setter|deleter|getter))(?!\w)")


def render_briefing(briefing: Briefing, say: Phrasing) -> str:
    """Write the briefing as Markdown; every fact carries its place."""
    parts = [_render_head(briefing, say)]
    if briefing.function is None:
        parts.append(_render_lines(briefing, say))
    else:
        parts.append(_render_calls(briefing, say))
        parts.append(_render_callers(briefing, say))
        parts.append(_render_tests(briefing, say))
    parts.append(_render_problems(briefing, say))
    parts.append(_render_findings(briefing.findings, briefing.source, say))
    parts.append(_render_rules(briefing.rules, briefing.n_rules, say))
    parts.append(_render_knowledge(briefing.knowledge, say))
    return "\n\n".join(part for part in parts if part) + "\n"


def _render_head(briefing: Briefing, say: Phrasing) -> str:
    function = briefing.function
    if function is None:
        lines = [f"## {briefing.span}"]
        if briefing.language is None:
            lines.append(
                say(
                    "The structure of this language is not known to Glossator: "
                    "the text itself is shown, without callers or calls.",
                    "Glossator 不了解这种语言的结构：只展示文本本身，没有调用关系。",
                )
            )
        elif briefing.is_too_large:
            lines.append(
                say(
                    "The file is too large for its structure to be read: "
                    "the text itself is shown, without callers or calls.",
                    "文件过大，无法读取其结构：只展示文本本身，没有调用关系。",
                )
            )
        else:
            lines.append(say("No function encloses this place.", "此处不在任何函数之内。"))
        return "\n\n".join(lines)
    kind = _kind_name(function, say)
    lines = [f"## `{function.qualified_name}`", f"{kind} · {briefing.span}"]
    fence = _fence_for(function.signature)
    lines.append(f"{fence}{_fence_language(briefing)}\n{function.signature}\n{fence}")
    if function.documentation:
        lines.append("\n".join(f"> {line}" for line in function.documentation.split("\n")))
    else:
        lines.append(say("*No documentation.*", "*没有文档。*"))
    if briefing.has_errors:
        lines.append(
            say(
                "*The file has syntax errors: what follows may be incomplete.*",
                "*文件有语法错误：以下内容可能不完整。*",
            )
        )
    return "\n\n".join(lines)


def _kind_name(function: Function, say: Phrasing) -> str:
    names = {
        "function": say("function", "函数"),
        "method": say("method", "方法"),
        "constructor": say("constructor", "构造函数"),
        "lambda": say("lambda", "匿名函数"),
    }
    name = names[function.kind]
    return f"{say('async ', '异步')}{name}" if function.is_async else name


def _fence_language(briefing: Briefing) -> str:
    return briefing.language.id if briefing.language else ""


def _fence_for(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return fence


def _render_lines(briefing: Briefing, say: Phrasing) -> str:
    """Show the selected text itself, numbered, when there is no structure to show."""
    first, last = briefing.span.first_line, briefing.span.last_line
    shown = briefing.source.lines[first - 1 : min(last, first + _SHOWN_LINES - 1)]
    text = "\n".join(shown)
    fence = _fence_for(text)
    block = f"{fence}{_fence_language(briefing)}\n{text}\n{fence}"
    n_left = last - first + 1 - len(shown)
    if n_left > 0:
        block += "\n\n" + say(
            f"*{n_left} more lines are not shown.*", f"*另有 {n_left} 行未显示。*"
        )
    return block


def _render_calls(briefing: Briefing, say: Phrasing) -> str:
    calls = briefing.calls
    inside = [call for call in calls if call.targets]
    outside = list(dict.fromkeys(show_call(call.call) for call in calls if not call.targets))
    lines = []
    shown: dict[str, None] = {}
    for call in inside:
        places = ", ".join(f"{place.path}:{place.line}" for place in call.targets[:3])
        if len(call.targets) > 1:
            places = say("one of ", "可能是 ") + places
        if len(call.targets) > 3:
            n_more = len(call.targets) - 3
            places += say(f" and {n_more} more", f" 等另外 {n_more} 处")
        origin = describe_origin(call.origin, say)
        shown[f"- `{show_call(call.call)}` → {places}{origin}"] = None
    lines.extend(first_of(list(shown), _SHOWN_CALLS, say))
    if outside:
        names = say.join(f"`{name}`" for name in outside[:_SHOWN_CALLS])
        if len(outside) > _SHOWN_CALLS:
            n_more = len(outside) - _SHOWN_CALLS
            names += say(f" and {n_more} more", f" 等另外 {n_more} 个")
        lines.append(say("- outside the workspace: ", "- 工作区之外：") + names)
    lines = lines or [say("- nothing", "- 无")]
    lines += _left_out_lines(briefing.n_files_without_definitions, say)
    return render_section(say("Calls", "调用了谁"), lines)


def _render_callers(briefing: Briefing, say: Phrasing) -> str:
    title = say("Called by", "被谁调用")
    lines = list_caller_lines(briefing.callers, say)
    if lines:
        title = f"{title}{say.enclose(str(len(lines)))}"
        lines = first_of(lines, _SHOWN_CALLERS, say)
    elif briefing.function is not None and _is_property(briefing.function):
        lines = [
            say(
                "- not known: it is a property, which is read without a call",
                "- 未知：这是一个属性，读取时没有调用",
            )
        ]
    elif briefing.tests:
        lines = [say("- nobody outside of tests", "- 测试之外没有调用者")]
    else:
        lines = [say("- nobody in this workspace", "- 工作区内没有调用者")]
    lines += list_uncounted_lines(briefing.n_calls_left_out, briefing.n_files_left_out, say)
    return render_section(title, lines)


def list_uncounted_lines(n_calls: int, n_files: int, say: Phrasing) -> list[str]:
    """Say how many calls were left out, and in how many files nobody looked for them."""
    lines = _left_out_lines(n_files, say)
    if not n_calls:
        return lines
    left_out = say(
        f"- {n_calls} further calls, those in tests included, are not counted here",
        f"- 另有 {n_calls} 处调用（包括测试中的）未计入",
    )
    return [left_out, *lines]


def _left_out_lines(n_files: int, say: Phrasing) -> list[str]:
    if not n_files:
        return []
    files = "1 file was" if n_files == 1 else f"{n_files} files were"
    return [
        say(
            f"- {files} not looked into: too many have this name, or too large. "
            "Asked again, more are.",
            f"- 有 {n_files} 个文件没有查看：含该名称的文件太多，或文件太大。再次询问会查看更多。",
        )
    ]


def _is_property(function: Function) -> bool:
    return function.signature.startswith(("get ", "set ")) or any(
        _PROPERTY.match(decorator) for decorator in function.decorators
    )


def _render_tests(briefing: Briefing, say: Phrasing) -> str:
    title = say("Tests that reach it", "覆盖它的测试")
    lines = list_caller_lines(briefing.tests, say)
    left_out = _left_out_lines(briefing.n_files_without_tests, say)
    if briefing.unreached is not None:
        left_out.append(render_unreached(briefing.unreached, say))
    if not lines:
        return render_section(title, [say("- none found", "- 没有找到"), *left_out])
    shown = first_of(lines, _SHOWN_TESTS, say)
    return render_section(f"{title}{say.enclose(str(len(lines)))}", [*shown, *left_out])


def list_caller_lines(callers: Sequence[Caller], say: Phrasing) -> list[str]:
    """Write one line for each function that calls, and for each file whose top level does."""
    by_function: dict[tuple[str, int], list[Caller]] = {}
    for caller in callers:
        start = caller.place.line if caller.place.function else 0
        by_function.setdefault((caller.place.path, start), []).append(caller)
    lines = []
    for first, *others in by_function.values():
        function = first.place.function
        name = f"`{function.qualified_name}`" if function else say("module level", "模块顶层")
        n_more = len({other.line for other in others} - {first.line})
        more = say(f" and {n_more} more lines", f" 等另外 {n_more} 行") if n_more > 1 else ""
        more = say(" and one more line", " 等另外 1 行") if n_more == 1 else more
        origin = describe_origin(first.origin, say)
        lines.append(f"- {name} {first.place.path}:{first.line}{more}{origin}")
    return lines


def _render_problems(briefing: Briefing, say: Phrasing) -> str:
    """Write what the editor's other language servers report; their words stand in backticks."""
    lines = [show_problem(problem, briefing.source.name) for problem in briefing.problems]
    title = say("Problems the editor reports", "编辑器报告的问题")
    return render_section(title, first_of(lines, _SHOWN_FINDINGS, say))


def _render_findings(findings: Sequence[Finding], source: SourceText, say: Phrasing) -> str:
    if not findings:
        return ""
    lines = [render_finding(finding, source, say) for finding in findings]
    return render_section(
        say("Breaks these conventions", "违反的约定"), first_of(lines, _SHOWN_FINDINGS, say)
    )


def render_finding(finding: Finding, source: SourceText, say: Phrasing) -> str:
    """Write where a rule is broken, by what, and which rule that is."""
    rule = finding.rule
    place = say.enclose(f"`{rule.id}`{say(', ', '，')}{rule.path}:{rule.line}")
    return (
        f"- {source.name}:{finding.range.start.line}{_quote_line(finding, source)} "
        f"{say.choose(finding.message)}{place}"
    )


def _quote_line(finding: Finding, source: SourceText) -> str:
    """Return the beginning of the line that breaks a rule, where backticks can hold it."""
    code = source.lines[finding.range.start.line - 1].strip()[:_QUOTED_CHARS].strip()
    return f" `{code}`" if code and "`" not in code else ""


def _render_rules(rules: Sequence[Rule], n_rules: int, say: Phrasing) -> str:
    lines = []
    for rule in rules:
        text, _ = choose_words(rule.text, rule.rationale, say)
        lines.append(f"- {text}{say.enclose(f'{rule.path}:{rule.line}')}")
    lines = first_of(lines, _SHOWN_RULES, say)
    if n_rules:
        lines.append(
            say(
                f"- {n_rules} rules in all are checked in this file",
                f"- 该文件共检查 {n_rules} 条规则",
            )
        )
    return render_section(say("Conventions that apply", "适用的约定"), lines)


def _render_knowledge(hits: Sequence[Hit], say: Phrasing) -> str:
    if not hits:
        return ""
    lines = [f"- {hit.section.title}{say.enclose(str(span_of(hit)))}" for hit in hits]
    return render_section(say("Knowledge that may help", "可能相关的知识"), lines)


def render_section(title: str, lines: Sequence[str]) -> str:
    """Write lines under a title; without lines there is no section."""
    if not lines:
        return ""
    return "\n".join([f"### {title}", "", *lines])


def first_of(lines: Sequence[str], limit: int, say: Phrasing) -> list[str]:
    """Return the first `limit` lines, and one that counts the rest."""
    shown = list(islice(lines, limit))
    n_more = len(lines) - len(shown)
    if n_more > 0:
        shown.append(say(f"- and {n_more} more", f"- 另有 {n_more} 项"))
    return shown
