"""How many tokens a request took, from whatever a server reports and under whatever names."""

from collections.abc import Mapping
from typing import Any

from glossator.core.messages import Usage

_PROMPT = ("prompt_tokens", "input_tokens", "prompt_eval_count")
_COMPLETION = ("completion_tokens", "output_tokens", "eval_count")
_CACHED = ("cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens")
_DETAILS = ("prompt_tokens_details", "input_tokens_details")
_MAX_COUNT = 10**12
_MAX_COST = 1e9


def read_usage(report: object, before: Usage | None) -> Usage | None:
    """Return the counts of a report; what it leaves out is as it was `before`.

    Reports within a stream are totals, so the last one counts. Groq's stands in a field of its own.
    """
    if isinstance(report, dict) and isinstance(report.get("usage"), dict):
        report = report["usage"]
    if not isinstance(report, dict):
        return before
    details = [part for name in _DETAILS if isinstance(part := report.get(name), dict)]
    prompt, completion = _find_count([report], _PROMPT), _find_count([report], _COMPLETION)
    cached = _find_count([report, *details], _CACHED)
    if prompt is completion is cached is None:
        return before
    before = before or Usage()
    return Usage(
        before.prompt_tokens if prompt is None else prompt,
        before.completion_tokens if completion is None else completion,
        before.cached_tokens if cached is None else cached,
        before.cost if (cost := _read_cost(report)) is None else cost,
    )


def _read_cost(report: Mapping[str, Any]) -> float | None:
    """Return what some servers say that the request cost, in their own currency."""
    cost = report.get("cost")
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return None
    return float(cost) if 0 <= cost <= _MAX_COST else None


def _find_count(reports: list[Mapping[str, Any]], names: tuple[str, ...]) -> int | None:
    found = (_to_count(report.get(name)) for report in reports for name in names)
    return max((count for count in found if count is not None), default=None)


def _to_count(value: object) -> int | None:
    """Return a number of tokens; some servers write it as a float or as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return min(max(0, int(float(value))), _MAX_COUNT)
    except (ValueError, OverflowError):
        return None
