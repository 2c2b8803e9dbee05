"""Judge a `glossator.toml`: what is no setting, what has no such value, what is not for it.

The same values are refused when the settings are read; here it is said where they stand, with a
repair where it is clear what was meant.
"""

import json
import re
import tomllib
from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from glossator.app.linting.known_ids import KnownIds
from glossator.app.linting.linter import LintFinding, LintOutcome, LintReport
from glossator.app.phrasing import Phrasing
from glossator.app.rules.nearest import tell_no_rule
from glossator.core.locations import Point, Range
from glossator.core.setting_layers import SettingProblem, apply_settings, find_near_group
from glossator.core.settings import Scope, Settings, list_fields
from glossator.core.text import SourceText
from glossator.core.toml_entries import TomlEntry, list_entries
from glossator.linting.finding import Edit

SETTINGS_FILE = "glossator.toml"
SYNTAX, UNKNOWN, NOT_HERE, VALUE, UNKNOWN_RULE = CODES = tuple(
    f"settings/{name}" for name in ("syntax", "unknown", "not-here", "value", "unknown-rule")
)
_CODES = {"unknown": UNKNOWN, "no-group": UNKNOWN, "user-only": NOT_HERE, "value": VALUE}
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_BOM = "\ufeff"
_RULES = "check.disabledRules"
# A comment, or a text: in several lines, or in one.
_PIECE = re.compile(
    r"""#[^\n]*|\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*'""", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class UnknownId:
    """An id in `check.disabledRules` that no rule has; `text` is how it is written, if it is found.

    `place` is that of the id, or else of the whole value. `near` are the nearest ids.
    """

    rule_id: str
    place: Range
    text: str
    near: tuple[str, ...]

    def tell(self, say: Phrasing) -> str:
        """Say what is wrong with it."""
        return tell_no_rule(self.rule_id, self.near, say)


def lint_settings(
    source: SourceText, scope: Scope, say: Phrasing, *, ids: KnownIds, disabled: Container[str]
) -> LintReport:
    """Judge the text of a settings file, that of a workspace or a user's own by `scope`.

    `ids` are those that a rule may be named by; codes that are `disabled` are not told.
    """
    found = (*_list_findings(source, scope, say), *_list_unknown(source, scope, ids, say))
    findings = tuple(finding for finding in found if finding.code not in disabled)
    outcome: LintOutcome = "findings" if findings else "clean"
    return LintReport(source.name, source.path, source.version, outcome, findings)


def find_unknown_ids(source: SourceText, ids: KnownIds) -> Iterator[UnknownId]:
    """Yield the ids in `check.disabledRules` that no rule has, each where it is written."""
    text = source.text.removeprefix(_BOM)
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    for entry in list_entries(text):
        group, _, name = entry.key.partition(".")
        if entry.is_header or group != _RULES.partition(".")[0]:
            continue
        layer = {group: {name: entry.value}} if name else {group: entry.value}
        settings, _ = apply_settings(Settings(), layer, source=SETTINGS_FILE, scope="workspace")
        for rule_id in ids.list_unknown(settings.check.disabled_rules):
            place, written = _find_text(entry, rule_id, text)
            yield UnknownId(rule_id, place, written, ids.find_nearest(rule_id))


def _find_text(entry: TomlEntry, value: str, text: str) -> tuple[Range, str]:
    """Return where an entry has a text as one of its values, and how that is written."""
    whole = entry.value_range or entry.key_range
    lines = text.replace("\r\n", "\n").split("\n")[: whole.end.line]
    joined, starts = "\n".join(lines), [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for match in _PIECE.finditer(joined, starts[whole.start.line - 1] + whole.start.column):
        written = match[0]
        if not written.startswith("#") and tomllib.loads(f"a = {written}")["a"] == value:
            start, end = (_locate(offset, starts) for offset in match.span())
            return Range(start, end), written
    return whole, ""


def _locate(offset: int, starts: Sequence[int]) -> Point:
    line = bisect_right(starts, offset)
    return Point(line, offset - starts[line - 1])


def _list_unknown(
    source: SourceText, scope: Scope, ids: KnownIds, say: Phrasing
) -> Iterator[LintFinding]:
    if scope != "workspace":
        return  # A user's own file may name the rules of any workspace.
    for unknown in find_unknown_ids(source, ids):
        edits: tuple[Edit, ...] = ()
        if unknown.text and unknown.near:
            edits = ((unknown.place, json.dumps(unknown.near[0], ensure_ascii=False)),)
        yield LintFinding(
            UNKNOWN_RULE,
            "warning",
            unknown.place,
            unknown.tell(say),
            _title(edits, say),
            edits,
            is_guess=True,
        )


def _list_findings(source: SourceText, scope: Scope, say: Phrasing) -> Iterator[LintFinding]:
    text = source.text.removeprefix(_BOM)
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        yield _render_syntax(str(error), source, say)
        return
    table, is_group = "", True
    for entry in list_entries(text):
        if entry.is_header:
            table = entry.key.partition(".")[0]
            is_group = bool(list_fields(table))
            if not is_group:
                yield _render_group(entry, table, say)
        elif is_group or not table:
            yield from _judge_entry(entry, scope, say)


def _judge_entry(entry: TomlEntry, scope: Scope, say: Phrasing) -> Iterator[LintFinding]:
    group, _, name = entry.key.partition(".")
    layer = {group: {name: entry.value}} if name else {group: entry.value}
    _, problems = apply_settings(Settings(), layer, source=SETTINGS_FILE, scope=scope)
    for problem in problems:
        is_value = problem.fault == "value"
        place = entry.value_range if is_value and entry.value_range else entry.key_range
        edits = _make_edits(entry, problem)
        yield LintFinding(
            code=_CODES[problem.fault],
            severity="warning",
            range=place,
            message=say.translate(problem.brief),
            title=_title(edits, say),
            edits=edits,
            is_guess=True,
        )


def _make_edits(entry: TomlEntry, problem: SettingProblem) -> tuple[Edit, ...]:
    """Return what puts in the key or value that was meant, if it can stand where this one does."""
    suggestion = problem.suggestion
    if suggestion is None:
        return ()
    if problem.fault == "value":
        if entry.value_range is None or problem.key != entry.key:
            return ()
        # What is text, a list of texts, a number or a truth in JSON is the same in TOML.
        return ((entry.value_range, json.dumps(suggestion, ensure_ascii=False)),)
    if problem.key != entry.key:  # It stands within a table in one line.
        return ()
    if "." in entry.written:
        return ((entry.key_range, suggestion),)
    group, _, name = suggestion.partition(".")
    return ((entry.key_range, name),) if entry.key.partition(".")[0] == group else ()


def _render_group(entry: TomlEntry, group: str, say: Phrasing) -> LintFinding:
    near = find_near_group(group)
    edits: tuple[Edit, ...] = ((entry.key_range, near),) if near and entry.written == group else ()
    message = say(f"`{group}` is not a group of settings", f"`{group}` 不是设置组")
    if near:
        message += say(f"; did you mean `{near}`?", f"；是否想写 `{near}`？")
    else:
        message += say("; see the README's table.", "；请见 README 的设置表。")
    return LintFinding(
        UNKNOWN, "warning", entry.key_range, message, _title(edits, say), edits, is_guess=True
    )


def _title(edits: tuple[Edit, ...], say: Phrasing) -> str:
    return say(f"Replace with `{edits[0][1]}`", f"替换为 `{edits[0][1]}`") if edits else ""


def _render_syntax(error: str, source: SourceText, say: Phrasing) -> LintFinding:
    match = _PLACE.search(error)
    what = error[: match.start()] if match else error
    line, column = (int(match[1]), int(match[2]) - 1) if match and match[1] else (0, 0)
    if not line:  # At its end.
        line = max(1, len(source.lines))
        column = len(source.lines[-1]) if source.lines else 0
    # An editor marks the rest of the line; nothing would be seen of a mark without extent.
    end = Point(line, max(column, len(source.lines[line - 1]) if source.lines else 0))
    message = say(
        f"This is no TOML, so nothing of the file is used: {what}.",
        f"不是有效的 TOML，因此整个文件都未使用：{what}。",
    )
    return LintFinding(SYNTAX, "error", Range(Point(line, column), end), message)
