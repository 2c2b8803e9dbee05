"""Code actions that repair: a finding, all of a rule, all that is sure.

A repair of a rule's finding is tried in memory before it is offered. What repairs many is made
when the editor asks for the edit, where it can ask for that.
"""

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.app.rule_words import choose_words
from glossator.core.locations import Range
from glossator.lsp.actions import Annotation, Asked, Json, text_edits, workspace_edit
from glossator.lsp.handshake import FIX_ALL_KIND, FIX_KIND
from glossator.lsp.protocol import RequestRefused

if TYPE_CHECKING:
    from glossator.lsp.diagnostics import Published, Shown
    from glossator.lsp.serving import GlossatorServer
    from glossator.rules.finding import Finding

CONTENT_MODIFIED = -32801
FIX_ALL_TITLES = ("Fix all that is sure (Glossator)", "修复所有确定的问题（Glossator）")

_LLM_GENERATED = 1
# More findings are not at one place but in what is selected: there their repairs are offered
# together. Each one alone would have to be tried before, on a text with thousands of findings.
_MAX_TRIED = 10
_MIN_ALIKE = 2


async def offer_fixes(asked: Asked, published: "Published") -> list[Json]:
    """Offer the repairs of what stands at the cursor, and those of many findings at once."""
    fixes: list[Json] = []
    if asked.wants(FIX_KIND):
        touched = [shown for shown in asked.find_touched(published) if shown.edits]
        fixes += [_make_plain(asked, shown) for shown in touched if shown.finding is None]
        fixes += [action async for action in _make_tried(asked, published, touched)]
        fixes += [action async for action in _make_all_of_rule(asked, published, touched)]
    if _wants_fix_all(asked):
        fixes += await _make_fix_all(asked, published)
    return fixes


async def resolve_fix(server: "GlossatorServer", action: Json) -> Json:
    """Return an action that was offered without its edit, with it.

    Raises:
        RequestRefused: the document is another one by now.
    """
    data = action.get("data")
    data = data if isinstance(data, dict) else {}
    document = server.documents.get(str(data.get("uri", "")))
    if document is None or document.version != data.get("version"):
        raise RequestRefused(CONTENT_MODIFIED, "The document has changed; ask again.")
    edit = await _repair(server, str(data["uri"]), str(data.get("rule", "")), str(action["title"]))
    if edit is None:
        raise RequestRefused(CONTENT_MODIFIED, "Nothing can be repaired any more.")
    return {**action, "edit": edit}


def _make_plain(asked: Asked, shown: "Shown") -> Json:
    """Return the repair of a finding that needs no trial."""
    server, document = asked.server, asked.document
    edits = text_edits(server, document.source, shown.edits)
    action: Json = {
        "title": shown.title,
        "kind": FIX_KIND,
        "diagnostics": [shown.diagnostic],
        "edit": workspace_edit(server, asked.uri, document.version, edits),
    }
    if server.client.preferred_actions:
        action["isPreferred"] = True
    return action


async def _make_tried(
    asked: Asked, published: "Published", touched: "list[Shown]"
) -> AsyncIterator[Json]:
    """Yield the repairs that do what they promise."""
    application = await asked.server.backend.application()
    found = [(shown, shown.finding) for shown in touched if shown.finding is not None]
    for shown, finding in found if len(found) <= _MAX_TRIED else ():
        if await application.mending.judge_fix(published.source, finding) is None:
            yield _make_fix(asked, published, shown, finding)


def _make_fix(asked: Asked, published: "Published", shown: "Shown", finding: "Finding") -> Json:
    server, say = asked.server, asked.server.phrase()
    by_model = finding.proof == "judged"
    title = _title(finding, asked)
    rule_text, _ = choose_words(finding.rule.text, finding.rule.rationale, say)
    description = f"{finding.rule.id}: {rule_text}"
    annotation = Annotation(title, needs_confirmation=by_model, description=description)
    edits = text_edits(server, published.source, shown.edits)
    action: Json = {
        "title": title,
        "kind": FIX_KIND,
        "diagnostics": [shown.diagnostic],
        "edit": workspace_edit(server, asked.uri, asked.document.version, edits, annotation),
    }
    if by_model:
        action["title"] = say(f"{title} (written by the model)", f"{title}（由模型编写）")
        if server.client.generated_action_tag:
            action["tags"] = [_LLM_GENERATED]
    elif server.client.preferred_actions:
        action["isPreferred"] = True
    return action


def _title(finding: "Finding", asked: Asked) -> str:
    # Imported here: the first code action comes sooner without it.
    from glossator.app.checking.suppressing import LAPSED_ID, UNUSED_ID
    from glossator.lsp.check_to_lsp import choose_message

    say = asked.server.phrase()
    if finding.rule.id in (UNUSED_ID, LAPSED_ID):
        return say("Remove the dismissal", "删除这处忽略")
    message = choose_message(finding, asked.server.client, say)
    return say(f"Fix: {message}", f"修复：{message}")


async def _make_all_of_rule(
    asked: Asked, published: "Published", touched: "list[Shown]"
) -> AsyncIterator[Json]:
    """Yield for each rule at the cursor that is broken more than once how to repair all."""
    say = asked.server.phrase()
    counts = Counter(_list_sure(published.findings))
    for rule_id in dict.fromkeys(_list_sure(touched)):
        if counts[rule_id] >= _MIN_ALIKE:
            title = say(f"Fix all of `{rule_id}` in this file", f"修复此文件中所有 `{rule_id}`")
            action = await _make_of_many(asked, title, FIX_KIND, rule_id)
            if action is not None:
                yield action


async def _make_fix_all(asked: Asked, published: "Published") -> list[Json]:
    """Offer all repairs at once that need no looking at and do not touch each other."""
    title = asked.server.phrase()(*FIX_ALL_TITLES)
    if any(True for _ in _list_sure(published.findings)):
        action = await _make_of_many(asked, title, FIX_ALL_KIND)
        return [] if action is None else [action]
    server, document = asked.server, asked.document
    edits: list[tuple[Range, str]] = []
    for shown in published.findings:
        if shown.is_sure and not any(
            _touch(one, two) for one, _ in shown.edits for two, _ in edits
        ):
            edits += shown.edits
    if not edits:
        return []
    changes = text_edits(server, document.source, edits)
    edit = workspace_edit(server, asked.uri, document.version, changes)
    return [{"title": title, "kind": FIX_ALL_KIND, "edit": edit}]


async def _make_of_many(asked: Asked, title: str, kind: str, rule_id: str = "") -> Json | None:
    """Return an action over the whole file, without its edit if the client asks for that later."""
    action: Json = {"title": title, "kind": kind}
    if asked.server.client.resolves_edits:
        version = asked.document.version
        return {**action, "data": {"uri": asked.uri, "version": version, "rule": rule_id}}
    edit = await _repair(asked.server, asked.uri, rule_id, title)
    return None if edit is None else {**action, "edit": edit}


async def _repair(
    server: "GlossatorServer", uri: str, rule_id: str, title: str
) -> dict[str, Any] | None:
    # Imported here: the first code action comes sooner without it.
    from glossator.app.checking.fixing import find_edits

    document = server.documents.get(uri)
    if document is None:
        return None
    source = document.source
    application = await server.backend.application()
    done = await application.mending.repair(source, rule_id)
    if done.text == source.text or document.version != source.version:
        return None
    edits = text_edits(server, source, find_edits(source.text, done.text))
    return workspace_edit(server, uri, document.version, edits, Annotation(title))


def _list_sure(findings: "tuple[Shown, ...] | list[Shown]") -> Iterator[str]:
    """Yield the rule of each finding that may be repaired together with others."""
    # Imported here: the first code action comes sooner without it.
    from glossator.app.checking.fixing import is_sure

    for shown in findings:
        if shown.finding is not None and is_sure(shown.finding):
            yield shown.finding.rule.id


def _touch(one: Range, other: Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def _wants_fix_all(asked: Asked) -> bool:
    """Say whether all repairs at once are asked for: by name, or by somebody who opens the menu."""
    if asked.only is not None:
        return asked.wants(FIX_ALL_KIND)
    return asked.params.context.trigger_kind == types.CodeActionTriggerKind.Invoked
