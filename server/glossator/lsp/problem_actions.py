"""*Explain this problem*: offered for what any server shows at the cursor.

Real repairs come first: these actions are the last of their list, never preferred, of a kind that
no filter for quick fixes names, and never given to an editor that asks by itself.
"""

from typing import Any

from lsprotocol import types

from glossator.core.text import shorten
from glossator.lsp.actions import Asked, Json, command_action
from glossator.lsp.handshake import EXPLAIN_PROBLEM_KIND

EXPLAIN_PROBLEM_COMMAND = "glossator.explainProblem"
EXPLAIN_PROBLEM_TITLE = ("Explain this problem", "解释此问题")

_MAX_OFFERED = 3
_MAX_TITLE = 60
# What the command gives back to us; more than this is shown by nobody.
_MAX_MESSAGE = 4_000
_MAX_RELATED = 5


def offer_problem_explanations(asked: Asked) -> list[Json]:
    """Offer to explain what is shown at the cursor, whichever server has found it."""
    if asked.is_automatic or not asked.wants(EXPLAIN_PROBLEM_KIND):
        return []
    told = {_key(each): each for each in asked.params.context.diagnostics}
    say = asked.server.phrase()
    title = say(*EXPLAIN_PROBLEM_TITLE)
    offered = list(told.values())[:_MAX_OFFERED]
    return [
        command_action(
            asked.server,
            title if len(offered) == 1 else f"{title}{say(': ', '：')}{_first_words(each)}",
            EXPLAIN_PROBLEM_KIND,
            EXPLAIN_PROBLEM_COMMAND,
            {"uri": asked.uri, "diagnostic": _to_json(each)},
        )
        for each in offered
    ]


def _key(diagnostic: types.Diagnostic) -> tuple[Any, ...]:
    start, end = diagnostic.range.start, diagnostic.range.end
    place = (start.line, start.character, end.line, end.character)
    return *place, diagnostic.source, str(diagnostic.code), _message_of(diagnostic)


def _message_of(diagnostic: types.Diagnostic) -> str:
    message: object = diagnostic.message
    return message if isinstance(message, str) else str(getattr(message, "value", ""))


def _first_words(diagnostic: types.Diagnostic) -> str:
    return shorten(" ".join(_message_of(diagnostic).split()), _MAX_TITLE)


def _to_json(diagnostic: types.Diagnostic) -> Json:
    """Return what the command needs of a diagnostic, without what its server keeps in it."""
    told: Json = {
        "range": _range_to_json(diagnostic.range),
        "message": _message_of(diagnostic)[:_MAX_MESSAGE],
    }
    if diagnostic.severity is not None:
        told["severity"] = int(diagnostic.severity)
    if diagnostic.source:
        told["source"] = diagnostic.source
    if diagnostic.code is not None:
        told["code"] = diagnostic.code
    if diagnostic.code_description is not None:
        told["codeDescription"] = {"href": diagnostic.code_description.href}
    if diagnostic.related_information:
        told["relatedInformation"] = [
            {
                "location": {
                    "uri": each.location.uri, "range": _range_to_json(each.location.range),
                },
                "message": each.message[:_MAX_MESSAGE],
            }
            for each in diagnostic.related_information[:_MAX_RELATED]
        ]  # fmt: skip
    return told


def _range_to_json(value: types.Range) -> Json:
    return {
        name: {"line": each.line, "character": each.character}
        for name, each in (("start", value.start), ("end", value.end))
    }
