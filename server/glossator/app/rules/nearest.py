"""Ids of rules that were most likely meant by one that no rule has."""

import difflib
from collections.abc import Iterable

from glossator.app.phrasing import Phrasing

_SHOWN = 3
_LIKENESS = 0.7


def find_nearest(rule_id: str, ids: Iterable[str]) -> tuple[str, ...]:
    """Return up to three of the ids that are spelt like this one, the nearest first."""
    by_form: dict[str, str] = {}
    for each in ids:
        by_form.setdefault(each.casefold(), each)
    near = difflib.get_close_matches(rule_id.casefold(), by_form, _SHOWN, _LIKENESS)
    return tuple(by_form[form] for form in near)


def tell_no_rule(rule_id: str, near: Iterable[str], say: Phrasing) -> str:
    """Say that no rule has an id, and which ones are the nearest."""
    named = [f"`{each}`" for each in near]
    told = say(f"There is no rule `{rule_id}`", f"没有规则 `{rule_id}`")
    if not named:
        return told + say(
            "; `glossator rules list` shows all of them.",
            "；`glossator rules list` 会列出全部规则。",
        )
    return told + say(f"; did you mean {' or '.join(named)}?", f"；是否想写 {' 或 '.join(named)}？")
