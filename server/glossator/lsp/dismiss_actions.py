"""Code actions that dismiss a finding or show its rule. None is preferred: a repair comes first."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Literal

from glossator.lsp.actions import (
    Annotation,
    Asked,
    Json,
    command_action,
    text_edits,
    workspace_edit,
)
from glossator.lsp.handshake import IGNORE_KIND, SHOW_RULE_KIND

if TYPE_CHECKING:
    from glossator.lsp.diagnostics import Published, Shown
    from glossator.rules.finding import Finding

_MAX_DISMISSED = 5
"""Of more findings in what is selected each one is a matter of its rule."""
_MAX_RULES = 3


async def offer_dismissals(asked: Asked, published: "Published") -> list[Json]:
    """Offer to ignore what stands at the cursor, or to call it wrong, and to show its rule."""
    actions: list[Json] = []
    found = [
        (shown, shown.finding)
        for shown in asked.find_touched(published)
        if shown.finding is not None
    ]
    if len(found) > _MAX_DISMISSED:
        return [action async for action in _dismiss_rules(asked, published, found)]
    for shown, finding in found:
        if asked.wants(IGNORE_KIND):
            actions += [each async for each in _dismiss(asked, published, shown, finding)]
        if asked.wants(SHOW_RULE_KIND) and (action := _show_rule(asked, finding)) is not None:
            actions.append(action)
    return actions


async def _dismiss_rules(
    asked: Asked, published: "Published", found: "list[tuple[Shown, Finding]]"
) -> AsyncIterator[Json]:
    """Yield how to dismiss the rules of many findings at once, instead of each finding."""
    say = asked.server.phrase()
    first = {finding.rule.id: (shown, finding) for shown, finding in reversed(found)}
    for rule_id, (shown, finding) in [*first.items()][: -_MAX_RULES - 1 : -1]:
        if asked.wants(IGNORE_KIND):
            title = say(f"Ignore `{rule_id}` in this file", f"在此文件中忽略 `{rule_id}`")
            comment = await _write(asked, published, shown, finding, "file", title)
            if comment is not None:
                yield comment
        if asked.wants(SHOW_RULE_KIND) and (action := _show_rule(asked, finding)) is not None:
            yield action


async def _dismiss(
    asked: Asked, published: "Published", shown: "Shown", finding: "Finding"
) -> AsyncIterator[Json]:
    # Imported here: the first code action comes sooner without it.
    from glossator.app.checking.suppressing import LAPSED_ID, UNUSED_ID

    say, rule_id = asked.server.phrase(), finding.rule.id
    if rule_id in (UNUSED_ID, LAPSED_ID):
        if not finding.fix:
            title = say("Remove what is not needed from the baseline", "从基线中删除不再需要的条目")
            yield _run(asked, shown, title, "unused")
        return
    here = say(f"Ignore `{rule_id}` here", f"在此处忽略 `{rule_id}`")
    comment = await _write(asked, published, shown, finding, "line", here)
    if comment is not None:
        yield comment
    else:
        title = say(f"{here} (baseline)", f"{here}（基线）")
        yield _run(asked, shown, title, "ignored")
    in_file = say(f"Ignore `{rule_id}` in this file", f"在此文件中忽略 `{rule_id}`")
    comment = await _write(asked, published, shown, finding, "file", in_file)
    if comment is not None:
        yield comment
    title = say("Wrong finding: put it into the baseline…", "误报：记入基线…")
    yield _run(asked, shown, title, "wrong")


async def _write(
    asked: Asked,
    published: "Published",
    shown: "Shown",
    finding: "Finding",
    extent: Literal["line", "file"],
    title: str,
) -> Json | None:
    """Return the action that writes a comment, if one can stand there and the client can edit."""
    server = asked.server
    if not server.client.code_action_literals:
        return None
    application = await server.backend.application()
    edit = await application.mending.write_comment(published.source, finding, extent)
    if edit is None:
        return None
    edits = text_edits(server, published.source, [edit])
    return {
        "title": title,
        "kind": IGNORE_KIND,
        "diagnostics": [shown.diagnostic],
        "edit": workspace_edit(server, asked.uri, asked.document.version, edits, Annotation(title)),
    }


def _run(asked: Asked, shown: "Shown", title: str, kind: str) -> Json:
    argument = {
        "uri": asked.uri,
        "kind": kind,
        "rule": shown.diagnostic["code"],
        "range": shown.diagnostic["range"],
    }
    action = command_action(asked.server, title, IGNORE_KIND, "glossator.dismiss", argument)
    if asked.server.client.code_action_literals:
        action["diagnostics"] = [shown.diagnostic]
    return action


def _show_rule(asked: Asked, finding: "Finding") -> Json | None:
    server, rule = asked.server, finding.rule
    uri = server.backend.places().uri(None, rule.path)
    if uri is None or not server.client.show_document:
        return None
    title = server.phrase()(f"Show the rule `{rule.id}`", f"查看规则 `{rule.id}`")
    argument = {"uri": uri, "line": rule.line}
    return command_action(server, title, SHOW_RULE_KIND, "glossator.showRule", argument)
