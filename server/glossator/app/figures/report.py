"""Figures of what was recorded: read, added up, and as values for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from glossator.app.limits import MAX_DAYS
from glossator.app.phrasing import Phrasing, count
from glossator.audit.figures import Figures, Spread, compute_figures
from glossator.audit.records import read_folder
from glossator.core.errors import InvalidArguments
from glossator.core.messages import Usage
from glossator.core.prices import parse_prices
from glossator.tools.escaping import quote_name

Json = dict[str, Any]

_NAMED_MODELS = 5


@dataclass(frozen=True, slots=True)
class FiguresReport:
    """Figures since a time, or of all that is kept. `notices` say what is missing in them."""

    figures: Figures
    since: datetime | None
    notices: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether no turn was recorded."""
        return not self.figures.n_turns


def find_start(days: int | None, since: str) -> datetime | None:
    """Return the time from which on records count; None counts all.

    Raises:
        InvalidArguments: it is no date, or no number of days.
    """
    if since:
        try:
            return datetime.fromisoformat(since).astimezone()
        except (ValueError, OverflowError) as error:
            raise InvalidArguments(
                f"`{since}` is not a date; write for example `2026-03-02`."
            ) from error
    if days is None:
        return None
    if not 0 < days <= MAX_DAYS:
        raise InvalidArguments(f"`days` must be between 1 and {MAX_DAYS}, not {days}.")
    return datetime.now(UTC) - timedelta(days=days)


def report_figures(
    folder: Path | None,
    prices: Sequence[str],
    since: datetime | None,
    say: Phrasing,
    *,
    is_recording: bool,
) -> FiguresReport:
    """Read what was recorded in `folder` and add it up. Reads files: call it in a thread."""
    known, notices = parse_prices(prices)
    if folder is None:
        return FiguresReport(Figures(), since, notices)
    reading = read_folder(folder, since)
    figures = compute_figures(reading.records, known)
    notices = (*notices, *_describe_gaps(figures, reading.n_damaged, reading.unread, say))
    if not figures.n_turns:
        notices = (_describe_emptiness(since, say, is_recording=is_recording), *notices)
    return FiguresReport(figures, since, notices)


def _describe_emptiness(since: datetime | None, say: Phrasing, *, is_recording: bool) -> str:
    if not is_recording:
        return say(
            "Nothing is recorded: `audit.enabled` is off.", "没有记录：`audit.enabled` 已关闭。"
        )
    if since is not None:
        day = f"{since.astimezone():%Y-%m-%d %H:%M}"
        return say(f"Nothing was recorded since {day}.", f"自 {day} 起没有记录。")
    return say(
        "Nothing is recorded yet: ask a question or explain a function first.",
        "还没有记录：请先提问或解释一个函数。",
    )


def _describe_gaps(
    figures: Figures, n_damaged: int, unread: Sequence[str], say: Phrasing
) -> list[str]:
    notices = []
    if n_damaged:
        lines = count(n_damaged, "damaged line")
        notices.append(
            say(f"{lines} of the record left out.", f"已略过记录中 {n_damaged} 行损坏的内容。")
        )
    notices += [say(f"{each}; it is left out.", f"{each}；已略过。") for each in unread]
    if figures.unpriced:
        names = say.join(
            quote_name(name.replace("`", "'") or "?", limit=40)
            for name in figures.unpriced[:_NAMED_MODELS]
        )
        if len(figures.unpriced) > _NAMED_MODELS:
            names += "…"
        notices.append(
            say(
                f"No price is known of {names}: set `audit.prices`.",
                f"不知道 {names} 的价格：请设置 `audit.prices`。",
            )
        )
    n_uncounted = sum(model.n_uncounted - model.n_failed for model in figures.models)
    if n_uncounted > 0:
        rounds = count(n_uncounted, "round")
        notices.append(
            say(
                f"Of {rounds} the server did not count the tokens.",
                f"有 {n_uncounted} 次请求，服务器没有给出词元数。",
            )
        )
    return notices


# As values for programs


def to_json(report: FiguresReport) -> Json:
    """Return the figures as JSON values; times are in milliseconds."""
    figures = report.figures
    return {
        "since": _time(report.since),
        "first": _time(figures.first),
        "last": _time(figures.last),
        "turns": {
            "n": figures.n_turns,
            "nUnfinished": figures.n_unfinished,
            "nRefused": figures.n_refused,
            "kinds": dict(figures.kinds),
            "stopReasons": dict(figures.stop_reasons),
            "rounds": _spread(figures.rounds_per_turn),
            "toolCalls": _spread(figures.calls_per_turn),
            "durationMs": _spread(figures.turn_s, 1000),
            "nHelpers": figures.n_helpers,
            "nTrimmed": figures.n_trimmed,
            "nRepairs": figures.n_repairs,
            "nRepairsUsed": figures.n_repairs_used,
        },
        "firstTokenMs": _spread(figures.first_token_s, 1000),
        "waitedMs": _spread(figures.waited_s, 1000),
        "models": [
            {
                "name": model.name,
                "nRounds": model.n_rounds,
                "nFailed": model.n_failed,
                "nUncounted": model.n_uncounted,
                "usage": _usage(model.usage),
                "cost": model.cost,
                "firstTokenMs": _spread(model.first_token_s, 1000),
                "durationMs": _spread(model.duration_s, 1000),
            }
            for model in figures.models
        ],
        "cost": figures.cost,
        "unpriced": list(figures.unpriced),
        "tools": [
            {
                "name": tool.name,
                "nCalls": tool.n_calls,
                "nErrors": tool.n_errors,
                "durationMs": _spread(tool.duration_s, 1000),
            }
            for tool in figures.tools
        ],
        "searches": {"n": figures.n_searches, "nHit": figures.n_searches_hit},
        "citations": dict(figures.verdicts),
        "days": [
            {"date": day.date.isoformat(), "nTurns": day.n_turns, "usage": _usage(day.usage)}
            for day in figures.days
        ],
        "notices": list(report.notices),
    }


def _time(time: datetime | None) -> str | None:
    return time.isoformat(timespec="seconds") if time else None


def _spread(spread: Spread, scale: float = 1) -> Mapping[str, float | int | None]:
    def scaled(value: float | None) -> float | None:
        return None if value is None else round(value * scale, 3)

    return {
        "n": spread.n,
        "total": scaled(spread.total),
        "median": scaled(spread.median),
        "p95": scaled(spread.p95),
    }


def _usage(usage: Usage) -> Mapping[str, int]:
    return {
        "promptTokens": usage.prompt_tokens,
        "cachedTokens": usage.cached_tokens,
        "completionTokens": usage.completion_tokens,
    }
