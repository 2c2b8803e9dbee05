"""From records to figures: how many, how long, how much and how well."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from glossator.audit.records import Record
from glossator.core.messages import Usage
from glossator.core.prices import Price

VERDICTS = ("exact", "moved", "missing")


@dataclass(frozen=True, slots=True)
class Spread:
    """How values lie: `n` of them, their sum, the median and what 95 of 100 do not exceed."""

    n: int = 0
    total: float = 0.0
    median: float | None = None
    p95: float | None = None

    @property
    def mean(self) -> float | None:
        """The average."""
        return self.total / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """The rounds of one model. `cost` is None when its price is not known.

    Of `n_uncounted` rounds the server did not count the tokens. Times are in seconds.
    """

    name: str
    n_rounds: int
    n_failed: int
    n_uncounted: int
    usage: Usage
    cost: float | None
    first_token_s: Spread
    duration_s: Spread


@dataclass(frozen=True, slots=True)
class ToolFigures:
    """The calls of one tool, those of helpers included."""

    name: str
    n_calls: int
    n_errors: int
    duration_s: Spread


@dataclass(frozen=True, slots=True)
class Day:
    """What happened on one day, by the clock of whoever looks."""

    date: date
    n_turns: int
    usage: Usage


@dataclass(frozen=True, slots=True)
class Figures:
    """What the records add up to.

    `n_unfinished` turns have no end in the record. A search is one in the knowledge;
    `n_searches_hit` found a section. `verdicts` are those of the citations; `n_repairs` answers
    were written again for them, and `n_repairs_used` were better. Of `n_claims` that code breaks a
    rule `n_proven` stood their proof, and `n_confirmed` of these the second look. Times are in
    seconds; `turn_s` is of the turns that a model answered.
    """

    first: datetime | None = None
    last: datetime | None = None
    n_turns: int = 0
    n_unfinished: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    stop_reasons: Mapping[str, int] = field(default_factory=dict)
    rounds_per_turn: Spread = Spread()
    calls_per_turn: Spread = Spread()
    turn_s: Spread = Spread()
    first_token_s: Spread = Spread()
    models: tuple[ModelFigures, ...] = ()
    tools: tuple[ToolFigures, ...] = ()
    n_searches: int = 0
    n_searches_hit: int = 0
    verdicts: Mapping[str, int] = field(default_factory=dict)
    n_helpers: int = 0
    n_trimmed: int = 0
    n_repairs: int = 0
    n_repairs_used: int = 0
    n_claims: int = 0
    n_proven: int = 0
    n_confirmed: int = 0
    waited_s: Spread = Spread()
    days: tuple[Day, ...] = ()

    @property
    def n_refused(self) -> int:
        """How many questions were refused."""
        return self.stop_reasons.get("refused", 0)

    @property
    def cost(self) -> float | None:
        """What the models with a known price cost; None when none has one."""
        known = [model.cost for model in self.models if model.cost is not None]
        return sum(known) if known else None

    @property
    def unpriced(self) -> tuple[str, ...]:
        """The models whose price is not known, though they used tokens."""
        return tuple(
            model.name for model in self.models if model.cost is None and model.usage != Usage()
        )


def compute_figures(records: Iterable[Record], prices: Mapping[str, Price]) -> Figures:
    """Add up what was recorded in turns, in order of time, by however many processes."""
    of_turns = [record for record in records if record.turn]
    if not of_turns:
        return Figures()
    by_event: defaultdict[str, list[Record]] = defaultdict(list)
    for record in of_turns:
        by_event[record.event].append(record)
    rounds, calls = by_event["RoundEnded"], by_event["ToolFinished"]
    turns = _Turns(by_event)
    return Figures(
        first=min(record.time for record in of_turns),
        last=max(record.time for record in of_turns),
        n_turns=len(turns.ids),
        n_unfinished=len(turns.ids - turns.ended.keys()),
        kinds=_count(record.text("kind") for record in by_event["TurnStarted"]),
        stop_reasons=_count(record.text("stopReason") for record in turns.ended.values()),
        rounds_per_turn=turns.spread(rounds),
        calls_per_turn=turns.spread(calls),
        turn_s=_seconds(turns.ended[id_] for id_ in turns.asked & turns.ended.keys()),
        first_token_s=_seconds(rounds, "firstTokenMs"),
        models=_list_models(rounds, prices),
        tools=_list_tools(calls),
        n_searches=len(by_event["KnowledgeFound"]),
        n_searches_hit=sum(any(each.rows("hits")) for each in by_event["KnowledgeFound"]),
        verdicts=_count_verdicts(by_event["AnswerVerified"]),
        n_helpers=len(by_event["HelperStarted"]),
        n_trimmed=len(by_event["ContextTrimmed"]),
        n_repairs=len(by_event["AnswerRepaired"]),
        n_repairs_used=sum(each.flag("isUsed") for each in by_event["AnswerRepaired"]),
        n_claims=_add_up(by_event["CodeJudged"], "claims"),
        n_proven=_add_up(by_event["CodeJudged"], "proven"),
        n_confirmed=_add_up(by_event["CodeJudged"], "confirmed"),
        waited_s=_spread(
            seconds
            for record in by_event["WaitingForModel"]
            if (seconds := record.number("seconds")) is not None
        ),
        days=_list_days(by_event["TurnStarted"], rounds),
    )


class _Turns:
    """Which turns there are: `asked` ones had a round, `ended` ones have an end."""

    def __init__(self, by_event: Mapping[str, list[Record]]) -> None:
        # A turn whose beginning was turned over with its file is still one.
        self.ids = {record.turn for records in by_event.values() for record in records}
        self.ended = {record.turn: record for record in by_event.get("TurnEnded", ())}
        self.asked = {record.turn for record in by_event.get("RoundEnded", ())}

    def spread(self, records: Iterable[Record]) -> Spread:
        """Return how many of these a turn has that asked a model."""
        counts = Counter(record.turn for record in records)
        return _spread(counts[id_] for id_ in self.asked)


def _list_models(rounds: Sequence[Record], prices: Mapping[str, Price]) -> tuple[ModelFigures, ...]:
    by_model = _group(rounds, "model")
    models = []
    for name, records in by_model.items():
        counted = [usage for record in records if (usage := record.usage()) is not None]
        usage = sum(counted, Usage())
        price = prices.get(name)
        models.append(
            ModelFigures(
                name=name,
                n_rounds=len(records),
                n_failed=sum(record.text("finish") == "unfinished" for record in records),
                n_uncounted=len(records) - len(counted),
                usage=usage,
                cost=price.cost(usage) if price else None,
                first_token_s=_seconds(records, "firstTokenMs"),
                duration_s=_seconds(records),
            )
        )
    return tuple(sorted(models, key=lambda model: (-model.n_rounds, model.name)))


def _list_tools(calls: Sequence[Record]) -> tuple[ToolFigures, ...]:
    tools = [
        ToolFigures(
            name=name,
            n_calls=len(records),
            n_errors=sum(record.flag("isError") for record in records),
            duration_s=_seconds(records),
        )
        for name, records in _group(calls, "tool").items()
    ]
    return tuple(sorted(tools, key=lambda tool: (-tool.n_calls, tool.name)))


def _count_verdicts(verified: Iterable[Record]) -> Mapping[str, int]:
    # Citations that are judged again after a repair take the place of the first ones.
    last = {record.turn: record for record in verified}
    found = [row[2] for record in last.values() for row in record.rows("citations") if row[2:]]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def _list_days(started: Sequence[Record], rounds: Sequence[Record]) -> tuple[Day, ...]:
    turns = Counter(record.time.astimezone().date() for record in started)
    usage: defaultdict[date, Usage] = defaultdict(Usage)
    for record in rounds:
        usage[record.time.astimezone().date()] += record.usage() or Usage()
    return tuple(Day(day, turns[day], usage[day]) for day in sorted({*turns, *usage}))


def _group(records: Iterable[Record], key: str) -> Mapping[str, list[Record]]:
    groups: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        groups[record.text(key)].append(record)
    return groups


def _count(values: Iterable[str]) -> Mapping[str, int]:
    return dict(Counter(value for value in values if value).most_common())


def _add_up(records: Iterable[Record], key: str) -> int:
    return int(sum(record.number(key) or 0 for record in records))


def _seconds(records: Iterable[Record], key: str = "durationMs") -> Spread:
    found = (record.number(key) for record in records)
    return _spread(value / 1000 for value in found if value is not None)


def _spread(values: Iterable[float]) -> Spread:
    found = sorted(values)
    if not found:
        return Spread()
    # The nearest rank: a value that did occur.
    p95 = found[-(-95 * len(found) // 100) - 1]
    return Spread(len(found), sum(found), statistics.median(found), p95)
