"""Layers of settings put over each other: each value is used, or refused with its remedy.

A refused value never takes others down with it: what stands below it counts on.
"""

import difflib
import math
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, replace
from typing import Any, Literal, get_args, get_origin

from glossator.core.globs import find_invalid_glob
from glossator.core.settings import (
    TYPE_NAMES,
    Scope,
    Settings,
    find_field,
    list_settings,
    type_of,
)

Fault = Literal["unknown", "no-group", "user-only", "value"]

_LIKENESS = 0.75


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """A value that was not used, and why.

    `message` is the whole sentence, with the place; `brief` leaves the place out. `suggestion` is
    what was most likely meant, a key or a value by the kind of `fault`; None where that is unclear.
    """

    key: str
    message: str
    brief: str = ""
    fault: Fault = "value"
    suggestion: Any = None


class _Unfit(Exception):
    """A value that does not fit: `what` says what is expected, `suggestion` what would fit."""

    def __init__(self, what: str, suggestion: Any = None) -> None:
        super().__init__(what)
        self.what = what
        self.suggestion = suggestion


def apply_settings(
    settings: Settings,
    layer: Mapping[str, Any],
    *,
    source: str,
    scope: Scope,
    lines: Mapping[str, int] | None = None,
) -> tuple[Settings, tuple[SettingProblem, ...]]:
    """Return `settings` with the values of `layer` put over it, and what could not be used.

    `layer` maps groups to mappings, or dotted keys to values; null means "not set". `source`
    names the layer in messages, `lines` (1-based) say where in it a key stands. A layer of scope
    `workspace` cannot set what only a user may.
    """
    problems: list[SettingProblem] = []
    for key, value in _flatten(layer):
        if value is None:
            continue
        line = (lines or {}).get(key)
        place = f"{source}:{line}" if line else source
        group_name, _, name = key.partition(".")
        item = find_field(group_name, name)
        if item is None:
            problems.append(_refuse_name(key, place))
            continue
        if item.metadata["scope"] == "user" and scope == "workspace":
            rest = "only your editor, your own `glossator.toml` or the environment may set it."
            message = f"`{key}` is ignored in {place}: {rest}"
            brief = f"`{key}` is ignored here: {rest}"
            problems.append(SettingProblem(key, message, brief, "user-only"))
            continue
        try:
            converted = _convert(type_of(group_name, item), item, value)
        except _Unfit as unfit:
            told = f"{unfit.what}; it is not used."
            problems.append(
                SettingProblem(
                    key,
                    f"`{key}` ({place}) {told}",
                    f"`{key}` {told}",
                    suggestion=unfit.suggestion,
                )
            )
            continue
        group = replace(getattr(settings, group_name), **{item.name: converted})
        settings = replace(settings, **{group_name: group})
    return settings, tuple(problems)


def _flatten(layer: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in layer.items():
        if "." not in name and isinstance(value, Mapping):
            for inner, inner_value in value.items():
                yield f"{name}.{inner}", inner_value
        else:
            yield name, value


def _refuse_name(key: str, place: str) -> SettingProblem:
    if "." not in key:
        told = "is not a group of settings."
        return SettingProblem(key, f"`{key}` ({place}) {told}", f"`{key}` {told}", "no-group")
    near = find_near_key(key)
    told = "is not a setting; " + (f"did you mean `{near}`?" if near else "see the README's table.")
    return SettingProblem(key, f"`{key}` ({place}) {told}", f"`{key}` {told}", "unknown", near)


def find_near_key(key: str) -> str | None:
    """Return the setting that was most likely meant by a key that is none."""
    by_form = {_normalize(setting.key): setting.key for setting in list_settings()}
    near = difflib.get_close_matches(_normalize(key), by_form, n=1, cutoff=_LIKENESS)
    if near:
        return by_form[near[0]]
    name = _normalize(key.partition(".")[2])
    same_name = [found for form, found in by_form.items() if form.partition(".")[2] == name]
    return same_name[0] if len(same_name) == 1 else None


def find_near_group(name: str) -> str | None:
    """Return the group that was most likely meant by a name that is none."""
    groups = {setting.key.partition(".")[0] for setting in list_settings()}
    near = difflib.get_close_matches(_normalize(name), sorted(groups), n=1)
    return near[0] if near else None


def _normalize(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower()


def _convert(kind: Any, item: Field[Any], value: Any) -> Any:
    """Return `value` as the field's type, or raise _Unfit saying what is expected."""
    if get_origin(kind) is Literal:
        return _choose(get_args(kind), value)
    if kind in (bool, str) and type(value) is kind:
        return value
    if kind == tuple[str, ...] and _is_list_of_strings(value):
        invalid = find_invalid_glob(value) if item.metadata["are_globs"] else None
        if invalid is not None:
            raise _Unfit(f"holds {invalid!r}, which is not a glob")
        return tuple(value)
    if kind in (int, float) and _is_number(value, whole=kind is int):
        minimum = item.metadata["minimum"]
        if minimum is not None and value < minimum:
            raise _Unfit(f"must be at least {minimum:g}, not {value!r}", kind(minimum))
        maximum = item.metadata["maximum"]
        if maximum is not None and value > maximum:
            raise _Unfit(f"must be at most {maximum:g}, not {value!r}", kind(maximum))
        return kind(value)
    raise _Unfit(f"must be of type {TYPE_NAMES[kind]}, not {value!r}", _guess(kind, item, value))


def _choose(choices: tuple[str, ...], value: Any) -> Any:
    if value in choices:
        return value
    near = difflib.get_close_matches(str(value).lower(), choices, n=1)
    told = f"must be one of {', '.join(choices)}, not {value!r}"
    raise _Unfit(told, near[0] if near else None)


def _guess(kind: Any, item: Field[Any], value: Any) -> Any:
    """Return the value of a type that one of another type clearly stands for, or None."""
    if kind == tuple[str, ...] and isinstance(value, str):
        guess: Any = [value]
    elif kind is bool and str(value).lower() in ("true", "false", "on", "off", "yes", "no"):
        return str(value).lower() in ("true", "on", "yes")
    elif kind in (int, float) and isinstance(value, str):
        try:
            guess = kind(value)
        except ValueError:
            return None
    else:
        return None
    try:
        _convert(kind, item, guess)
    except _Unfit:
        return None
    return guess


def _is_list_of_strings(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value)


def _is_number(value: Any, *, whole: bool) -> bool:
    """Say whether `value` is a finite number; editors send whole numbers as 4.0 at times."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        number = float(value)
    except OverflowError:  # A whole number of hundreds of digits.
        return False
    return math.isfinite(number) and (not whole or value == int(value))
