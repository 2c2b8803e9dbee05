import json
import random
from collections.abc import Iterable
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.audit.figures import Figures, Spread, compute_figures
from glossator.audit.records import Record, parse_lines
from glossator.core.events import (
    AnswerVerified,
    ContextTrimmed,
    Event,
    HelperActed,
    HelperEnded,
    HelperStarted,
    KnowledgeFound,
    RoundEnded,
    RoundStarted,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    WaitingForModel,
)
from glossator.core.locations import Span
from glossator.core.messages import Usage
from glossator.core.prices import Price
from recorded import BEGAN, records_of

SPAN = Span("a.py", 1, 2)


def figures_of(*turns: Iterable[Event], prices: dict[str, Price] | None = None) -> Figures:
    records: list[Record] = []
    for number, events in enumerate(turns):
        records += records_of(f"t{number}", events, at=BEGAN + timedelta(minutes=number))
    return compute_figures(records, prices or {})


def a_round(
    number: int = 1, model: str = "big", usage: Usage | None = None, first: float = 0.5
) -> RoundEnded:
    return RoundEnded(number, "stop", 0, usage, first * 2, first, model)


def a_call(tool: str = "read_file", *, is_error: bool = False, duration_s: float = 0.1) -> Event:
    return ToolFinished("c", tool, is_error, "", "", duration_s)


def ended(stop_reason: str = "answered", duration_s: float = 2.0) -> Event:
    return TurnEnded(stop_reason, Usage(), duration_s)


def test_nothing_recorded_gives_empty_figures() -> None:
    assert compute_figures((), {}) == Figures()


def test_rounds_and_calls_are_counted_for_each_turn_that_asked_a_model() -> None:
    figures = figures_of(
        (a_round(1), a_call(), a_call(), a_round(2), ended()),
        (a_round(1), ended()),
        (ended("refused", 0.01),),
    )

    assert figures.n_turns == 3
    assert figures.rounds_per_turn == Spread(2, 3, 1.5, 2)
    assert figures.calls_per_turn == Spread(2, 2, 1, 2)
    assert figures.turn_s == Spread(2, 4.0, 2.0, 2.0)
    assert figures.n_refused == 1
    assert figures.stop_reasons == {"answered": 2, "refused": 1}


def test_what_helpers_did_belongs_to_the_turn() -> None:
    figures = figures_of(
        (
            HelperStarted("h1", "x"),
            HelperActed("h1", a_round(1, "small")),
            HelperActed("h1", a_call("outline")),
            HelperEnded("h1", "answered", "", Usage(), 1),
            a_round(1),
            ended(),
        )
    )

    assert figures.rounds_per_turn.total == 2
    assert [tool.name for tool in figures.tools] == ["outline"]
    assert {model.name for model in figures.models} == {"big", "small"}
    assert figures.n_helpers == 1


def test_tokens_and_costs_are_those_of_each_model() -> None:
    figures = figures_of(
        (a_round(1, "small", Usage(1_000_000, 0)), a_round(2, "big", Usage(10, 5, 4)), ended()),
        (a_round(1, "small", Usage(1_000_000, 1_000_000, 500_000)), ended()),
        prices={"small": Price(1.0, 0.5, 2.0)},
    )

    small, big = figures.models
    assert (small.name, small.usage) == ("small", Usage(2_000_000, 1_000_000, 500_000))
    assert small.cost == pytest.approx(1.5 + 0.25 + 2.0)
    assert big.cost is None
    assert figures.cost == small.cost
    assert figures.unpriced == ("big",)


def test_rounds_whose_tokens_the_server_did_not_count_are_told_apart() -> None:
    [model] = figures_of((a_round(1), a_round(2, usage=Usage(1, 1)), ended())).models

    assert (model.n_rounds, model.n_uncounted) == (2, 1)


def test_a_round_that_failed_is_counted_with_its_model() -> None:
    failed = TurnEnded("failed", Usage(), 1.0, "down")
    [model] = figures_of((RoundStarted(1, 7, "big"), failed)).models

    assert (model.n_rounds, model.n_failed) == (1, 1)
    assert model.first_token_s == Spread()


def test_errors_are_counted_for_each_tool() -> None:
    figures = figures_of(
        (a_call("grep"), a_call("read_file", is_error=True), a_call("read_file"), ended())
    )

    read, grep = figures.tools
    assert (read.name, read.n_calls, read.n_errors) == ("read_file", 2, 1)
    assert (grep.name, grep.n_errors) == ("grep", 0)


def test_a_call_that_never_ended_is_an_error() -> None:
    [tool] = figures_of((ToolStarted("c", "grep", "{}"), ended("cancelled"))).tools

    assert (tool.n_calls, tool.n_errors) == (1, 1)


def test_searches_that_found_something_are_told_from_those_that_did_not() -> None:
    hit = KnowledgeFound((("Errors", SPAN, 0.5),))

    figures = figures_of((hit, ended()), (KnowledgeFound(()), ended("refused")))

    assert (figures.n_searches, figures.n_searches_hit) == (2, 1)


def test_the_verdicts_of_a_turn_are_its_last_ones() -> None:
    before = AnswerVerified((("a.py:1", SPAN, "missing"), ("a.py:2", SPAN, "exact")))
    after = AnswerVerified((("a.py:1", SPAN, "exact"), ("a.py:2", SPAN, "exact")))
    other = AnswerVerified((("b.py:1", SPAN, "moved"),))

    figures = figures_of((before, after, ended()), (other, ended()))

    assert figures.verdicts == {"exact": 2, "moved": 1, "missing": 0}


def test_the_latency_to_the_first_token_is_that_of_rounds() -> None:
    rounds = [a_round(number, first=number / 10) for number in range(1, 21)]

    figures = figures_of((*rounds, ended()))

    assert figures.first_token_s.median == pytest.approx(1.05)
    assert figures.first_token_s.p95 == pytest.approx(1.9)


def test_a_turn_without_an_end_is_unfinished() -> None:
    figures = figures_of((a_round(),), (a_round(), ended()))

    assert (figures.n_turns, figures.n_unfinished) == (2, 1)


def test_pauses_and_trimmed_conversations_are_counted() -> None:
    waiting = WaitingForModel(1.5, "429")

    figures = figures_of((waiting, waiting, ContextTrimmed(1, 1, False, 9), ended()))

    assert (figures.waited_s.n, figures.waited_s.total, figures.n_trimmed) == (2, 3.0, 1)


def test_days_have_their_turns_and_tokens() -> None:
    records = [
        *records_of("t1", (a_round(usage=Usage(5, 1)), ended())),
        *records_of("t2", (ended(),), at=BEGAN + timedelta(days=2)),
    ]

    first, second = compute_figures(records, {}).days

    assert (first.n_turns, first.usage) == (1, Usage(5, 1))
    assert second.date - first.date == timedelta(days=2)
    assert second.usage == Usage()


EVENTS = st.lists(
    st.one_of(
        st.builds(
            a_round,
            st.integers(1, 9),
            st.sampled_from(["big", "small"]),
            st.none() | st.builds(Usage, st.integers(0, 999), st.integers(0, 999)),
        ),
        st.builds(a_call, st.sampled_from(["grep", "read_file"]), is_error=st.booleans()),
        st.just(KnowledgeFound(())),
        st.just(AnswerVerified((("a.py:1", SPAN, "exact"),))),
    ),
    max_size=8,
)


@given(st.lists(EVENTS, min_size=1, max_size=5))
def test_the_parts_add_up_to_the_whole(turns: list[list[Event]]) -> None:
    figures = figures_of(*([*turn, ended()] for turn in turns))

    rounds = [each for turn in turns for each in turn if isinstance(each, RoundEnded)]
    calls = [each for turn in turns for each in turn if isinstance(each, ToolFinished)]
    assert figures.n_turns == len(turns) == sum(figures.stop_reasons.values())
    assert sum(model.n_rounds for model in figures.models) == len(rounds)
    assert figures.rounds_per_turn.total == len(rounds)
    assert sum(tool.n_calls for tool in figures.tools) == len(calls)
    total = sum((each.usage or Usage() for each in rounds), Usage())
    assert sum((model.usage for model in figures.models), Usage()) == total
    assert sum((day.usage for day in figures.days), Usage()) == total
    assert sum(day.n_turns for day in figures.days) == len(turns)


@given(st.lists(EVENTS, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_which_process_recorded_a_turn_makes_no_difference(
    turns: list[list[Event]], chance: random.Random
) -> None:
    by_turn = [records_of(f"t{n}", [*events, ended()]) for n, events in enumerate(turns)]
    in_order = compute_figures([record for turn in by_turn for record in turn], {})
    mixed: list[Record] = []
    while any(by_turn):
        mixed.append(chance.choice([turn for turn in by_turn if turn]).pop(0))

    figures = compute_figures(mixed, {})

    assert (figures.models, figures.tools, figures.days) == (
        in_order.models,
        in_order.tools,
        in_order.days,
    )
    assert (figures.rounds_per_turn, figures.verdicts) == (
        in_order.rounds_per_turn,
        in_order.verdicts,
    )


VALUES = st.sampled_from(
    [None, True, -1, 10**400, 1e308, "x", [], [[]], [[{}]], [["exact"]], [[["exact"]]], {}]
    + [{"promptTokens": value} for value in (5, "5", -5, 1e300, [5])]
)
KEYS = st.sampled_from(
    ["turn", "model", "tool", "usage", "durationMs", "hits", "citations", "stopReason", "kind"]
)
KINDS = ["TurnStarted", "TurnEnded", "RoundEnded", "ToolFinished", "KnowledgeFound"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([*KINDS, "AnswerVerified", "WaitingForModel", "Else"]),
            st.dictionaries(KEYS, VALUES),
        ),
        max_size=6,
    )
)
def test_records_that_somebody_edited_break_nothing(edited: list[tuple[str, object]]) -> None:
    lines = [
        json.dumps({"time": "2026-03-02T12:00:00Z", "turn": "t1", **dict(values), "event": event})  # type: ignore[call-overload]
        for event, values in edited
    ]
    records, _ = parse_lines(line.encode() for line in lines)

    figures = compute_figures(records, {"": Price(1, 1, 1)})

    assert figures.n_turns <= max(1, len(edited))
