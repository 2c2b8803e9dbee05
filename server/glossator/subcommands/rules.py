"""`glossator rules`: list the rules, prove them by their examples, turn prose into checks.

Exit codes: 0 all is well, 1 an example fails or proves nothing, or a rule that is named has no
check (test), or no check was found (compile), 2 there is no such rule, file or model.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.app.phrasing import Phrasing, count
from glossator.app.rule_words import choose_words
from glossator.app.severities import name_severity
from glossator.core.errors import InvalidArguments
from glossator.subcommands.named_files import locate_named

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.rules.compiling import Compilation
    from glossator.app.rules.listing import ListedRule
    from glossator.app.rules.proving import Proofs
    from glossator.terminal import Terminal

EXIT_OK = 0
EXIT_UNPROVEN = 1

_TEST_EPILOG = """\
exit codes:
  0  every check is proven
  1  an example fails or proves nothing, or a rule that is named has no check
  2  there is no such rule"""


def add_parser(
    commands: Any, common: argparse.ArgumentParser, model: argparse.ArgumentParser
) -> None:
    """Add the command with its three actions to the parser's `commands`."""
    rules = commands.add_parser("rules", help="list the rules, test them, write checks for them")
    actions = rules.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser(
        "list",
        parents=[common],
        help="show each rule: compiled, judged or prose, where it is from, which files it is for",
    )
    listing.add_argument(
        "path", nargs="?", type=Path, metavar="PATH", help="say which rules apply to this file"
    )
    test = actions.add_parser(
        "test",
        parents=[common],
        help="prove the checks by their good and bad examples",
        epilog=_TEST_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    test.add_argument("ids", nargs="*", metavar="ID", help="these rules (default: all)")
    compiling = actions.add_parser(
        "compile",
        parents=[common, model],
        help="have the model write a check for a rule, and prove it before it is shown",
    )
    compiling.add_argument("id", metavar="ID")
    compiling.add_argument("--write", action="store_true", help="put it into the rule's file")
    compiling.add_argument(
        "--limit",
        type=int,
        metavar="N",
        help="take no check that flags more places of the workspace (default: 100)",
    )


async def run(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> int:
    """Run one of the actions."""
    actions = {"list": _list, "test": _test, "compile": _compile}
    return await actions[parsed.action](application, parsed, terminal)


async def _list(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> int:
    from glossator.terminal import print_json

    say = application.phrase()
    path = None if parsed.path is None else locate_named(parsed.path, say)
    listed = await application.rules.list(path)
    if parsed.json:
        print_json({"rules": listed})
    else:
        for rule in listed:
            for line in _describe(rule, say):
                terminal.show_line(line)
        terminal.show_notice(_summarize(listed, say))
    return EXIT_OK


def _describe(rule: "ListedRule", say: Phrasing) -> Iterator[str]:
    """Write one rule: its id, kind, severity and place, what narrows it, its words."""
    kinds = {
        "compiled": say("compiled", "已编译"),
        "judged": say("judged by the model", "由模型判断"),
        "prose": say("prose only", "仅文字"),
    }
    states = {
        "active": "",
        "applies": say("applies", "适用"),
        "disabled": say("switched off", "已关闭"),
        "other-files": say("not for this file", "不针对此文件"),
        "other-language": say("for another language", "针对其他语言"),
        "prose": say("is not checked", "不检查"),
    }
    severity = "" if rule.kind == "prose" else name_severity(rule.severity, say)
    said = (kinds[rule.kind], severity, states[rule.state])
    yield f"{rule.id}  {rule.path}:{rule.line}{say.enclose(say.join(filter(None, said)))}"
    narrowed = [*rule.languages, *rule.files]
    if narrowed:
        yield f"    {', '.join(narrowed)}"
    text, _ = choose_words(rule.text, rule.rationale, say)
    yield f"    {text}"
    if rule.link:
        yield f"    {rule.link}"


def _summarize(listed: "Sequence[ListedRule]", say: Phrasing) -> str:
    kinds = Counter(rule.kind for rule in listed)
    n_applying = sum(rule.state == "applies" for rule in listed)
    is_asked = any(rule.state != "active" and rule.state != "disabled" for rule in listed)
    applying = say(f", {n_applying} for this file", f"，其中 {n_applying} 条适用于此文件")
    return say(
        f"{count(len(listed), 'rule')}: {kinds['compiled']} compiled, {kinds['judged']} judged, "
        f"{kinds['prose']} prose only",
        f"{len(listed)} 条规则：已编译 {kinds['compiled']}，由模型判断 {kinds['judged']}，"
        f"仅文字 {kinds['prose']}",
    ) + (applying if is_asked else "")


async def _test(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> int:
    from glossator.terminal import print_json

    say = application.phrase()
    proofs = await application.rules.prove(parsed.ids)
    if parsed.json:
        print_json(proofs)
    else:
        _show_proofs(proofs, terminal, say)
    return EXIT_OK if proofs.are_complete else EXIT_UNPROVEN


def _show_proofs(proofs: "Proofs", terminal: "Terminal", say: Phrasing) -> None:
    for rule in proofs.rules:
        for problem in rule.problems:
            terminal.show_line(f"{problem.path}:{problem.line}: {problem.message}")
        if not rule.n_examples:
            told = say("no example proves its check", "没有示例证明其检查")
            colon = say(": ", "：")
            terminal.show_line(f"{rule.path}:{rule.line}: `{rule.id}`{colon}{told}")
    for problem in (*proofs.unchecked, *proofs.problems):
        terminal.show_line(f"{problem.path}:{problem.line}: {problem.message}")
    if proofs.unchecked and not proofs.rules:
        return
    n_proven = sum(rule.is_proven for rule in proofs.rules)
    n_examples = sum(rule.n_examples for rule in proofs.rules)
    terminal.show_notice(
        say(
            f"{n_proven} of {count(len(proofs.rules), 'rule')} with a check proven by "
            f"{count(n_examples, 'example')}",
            f"{len(proofs.rules)} 条带检查的规则中 {n_proven} 条得到证明，共 {n_examples} 个示例",
        )
    )


async def _compile(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> int:
    from glossator.app.rewriting import CannotRewrite
    from glossator.app.rules.compilation_text import describe_compilation
    from glossator.core.errors import UnreadableFile
    from glossator.terminal import print_json

    say = application.phrase()
    if parsed.limit is not None and parsed.limit < 0:
        raise InvalidArguments(
            say(
                f"`--limit` must be 0 or more, not {parsed.limit}.",
                f"`--limit` 不能小于 0，而给出的是 {parsed.limit}。",
            )
        )
    compilation = await application.rules.compile(
        parsed.id, max_findings=parsed.limit, emit=terminal.hear
    )
    is_written = parsed.write and compilation.edit is not None
    if is_written:
        try:
            await application.rules.write(compilation)
        except CannotRewrite as error:
            name = compilation.source.name
            raise UnreadableFile(say(f"`{name}`: {error}", f"`{name}`：{error}")) from error
    if parsed.json:
        print_json(_to_json(compilation, is_written=is_written))
    else:
        for line in compilation.diff.splitlines():
            terminal.show_line(line)
        told = [describe_compilation(compilation, say)]
        if is_written:
            told.append(say("Written.", "已写入。"))
        elif compilation.outcome == "compiled":
            told.append(say("Review it; `--write` puts it there.", "请检查；`--write` 会写入。"))
        terminal.show_notice("\n".join(told))
    return EXIT_OK if compilation.outcome == "compiled" else EXIT_UNPROVEN


def _to_json(compilation: "Compilation", *, is_written: bool) -> dict[str, object]:
    return {
        "ruleId": compilation.rule_id,
        "path": compilation.source.name,
        "outcome": compilation.outcome,
        "reason": compilation.reason,
        "nRounds": compilation.n_rounds,
        "breadth": compilation.breadth,
        "diff": compilation.diff,
        "isWritten": is_written,
    }
