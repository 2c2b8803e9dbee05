"""The result of `glossator.why`: why something is used, or is not, as JSON and as Markdown."""

from typing import TYPE_CHECKING, Any

from glossator.lsp import to_lsp
from glossator.lsp.places import Places

if TYPE_CHECKING:
    from glossator.app.phrasing import Phrasing
    from glossator.app.why.report import Cause, Judged, JudgedRule, Passage, RulesReport, Why

Json = dict[str, Any]


def why(value: "Why", places: Places, say: "Phrasing") -> Json:
    """Return the result of the command. May be long: not on the loop."""
    # Imported here: words for people are needed with the first report, not at start-up.
    from glossator.app.why.text import render_why, title_of

    return {
        "title": title_of(value, say),
        "markdown": render_why(value, say),
        "path": value.path,
        "place": value.place,
        "question": value.question,
        "isIgnored": value.is_ignored,
        "refused": {"reason": value.refused, "message": value.message} if value.refused else None,
        "files": [_file(each, places) for each in value.files],
        "rules": _rules(value.rules, places, say),
        "tokens": [
            {"kind": share.kind, "nTokens": share.n_tokens, "limit": share.limit}
            for share in value.shares
        ],
        "problems": [to_lsp.problem(each) for each in value.problems],
        "notices": list(value.notices),
        "nFiles": value.n_files,
    }


def _file(value: "Judged", places: Places) -> Json:
    return {
        "path": value.path,
        "uri": places.uri(value.file, value.path),
        "name": value.name,
        "family": value.family,
        "origin": value.origin,
        "use": value.use,
        "causes": [_cause(each) for each in value.verdict.causes],
        "nTokens": value.n_tokens,
        "nTokensGiven": value.verdict.n_tokens_given,
        "nLines": value.n_lines,
        "lines": None if value.verdict.lines is None else list(value.verdict.lines),
        "passages": [_passage(each) for each in value.verdict.passages],
        "globs": list(value.globs),
        "keywords": list(value.keywords),
        "problems": [to_lsp.problem(each) for each in value.problems],
        "nFiles": value.n_files,
    }


def _cause(value: "Cause") -> Json:
    return {
        "code": value.code,
        "detail": value.detail,
        "score": value.score,
        "needed": value.needed,
    }


def _passage(value: "Passage") -> Json:
    return {
        "title": value.title,
        "firstLine": value.first_line,
        "lastLine": value.last_line,
        "score": value.score,
        "nTokens": value.n_tokens,
        "isGiven": value.is_given,
        "cause": None if value.cause is None else _cause(value.cause),
        "foundBy": list(value.found_by),
        "nLinesCut": value.n_lines_cut,
    }


def _rules(value: "RulesReport", places: Places, say: "Phrasing") -> Json:
    return {
        "rules": [_rule(each, places) for each in value.rules],
        "nOtherFiles": value.n_other_files,
        "nOtherLanguages": value.n_other_languages,
        "nJudged": value.n_judged,
        "nProse": value.n_prose,
        "reason": value.reason.render(say) if value.reason else "",
        "reasonCode": value.reason.code if value.reason else "",
    }


def _rule(value: "JudgedRule", places: Places) -> Json:
    return {
        "id": value.id,
        "text": value.text,
        "path": value.path,
        "uri": places.uri(None, value.path),
        "line": value.line,
        "state": value.state,
    }
