"""A check that crashes or never ends costs the text that it is of, and no other."""

import os
import threading
from collections.abc import Callable, Iterator

import pytest

from glossator.app.checking import guarding, worker_process
from glossator.app.checking.guarding import Guard, examine_here
from glossator.app.checking.reasons import Reason
from glossator.app.checking.records import Record
from glossator.app.checking.selecting import Selection, Selector
from glossator.rules.matching import RuleSet
from glossator.rules.parse import parse_rules
from rule_texts import NO_PRINT

LONG = "print(1)\n" * 1_000
ODD_WORKER = """\
import os, pickle, signal, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from glossator.app.checking import worker
examine = worker.examine
def odd(text, *others, **options):
    if text.startswith("# crash"):
        os._exit(1)
    while text.startswith("# hang"):
        pass
    return examine(text, *others, **options)
worker.examine = odd
worker.main()
"""

MakeGuard = Callable[[float], Guard]


def make_rules(text: str = NO_PRINT) -> tuple[RuleSet, Selection]:
    rules, problems = parse_rules(text, path="k.md", document="k", origin="workspace")
    assert not problems
    rule_set = RuleSet(rules)
    return rule_set, Selector(rule_set).select("", "python")


@pytest.fixture
def make_guard() -> Iterator[MakeGuard]:
    made: list[Guard] = []

    def make(timeout_s: float) -> Guard:
        made.append(Guard(timeout_s))
        return made[-1]

    yield make
    for guard in made:
        guard.close()


@pytest.fixture
def _odd_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    *command, _ = worker_process.COMMAND
    monkeypatch.setattr(worker_process, "COMMAND", (*command, ODD_WORKER))


def test_a_text_is_found_to_be_the_same_as_in_this_process(make_guard: MakeGuard) -> None:
    rule_set, selection = make_rules()

    record, took_s = make_guard(30).examine(LONG, rule_set, selection, "")

    assert record == examine_here(LONG, rule_set, selection, "")
    assert len(record.findings) == 1_000
    assert took_s > 0


@pytest.mark.usefixtures("_odd_workers")
def test_a_check_that_never_ends_is_ended_and_the_next_text_is_checked(
    make_guard: MakeGuard,
) -> None:
    rule_set, selection = make_rules()
    guard = make_guard(1.5)

    record, _ = guard.examine(f"# hang\n{LONG}", rule_set, selection, "")

    assert record == Record(reason=Reason("timeout", ("1.5",)))
    assert guard.examine(LONG, rule_set, selection, "")[0].findings


@pytest.mark.usefixtures("_odd_workers")
def test_a_check_that_crashes_costs_its_text_only(make_guard: MakeGuard) -> None:
    rule_set, selection = make_rules()
    guard = make_guard(30)

    record, _ = guard.examine(f"# crash\n{LONG}", rule_set, selection, "")

    assert record == Record(reason=Reason("crashed"))
    assert guard.examine(LONG, rule_set, selection, "")[0].findings


def test_a_process_that_was_ended_while_it_waited_costs_no_text(
    make_guard: MakeGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[worker_process.WorkerProcess] = []

    def make() -> worker_process.WorkerProcess:
        made.append(worker_process.WorkerProcess())
        return made[-1]

    monkeypatch.setattr(guarding, "WorkerProcess", make)
    rule_set, selection = make_rules()
    guard = make_guard(30)
    guard.examine(LONG, rule_set, selection, "")

    made[0].kill()

    assert guard.examine(LONG, rule_set, selection, "")[0].findings
    assert len(made) == 2


@pytest.mark.usefixtures("_odd_workers")
def test_a_check_that_never_ends_holds_up_no_other(make_guard: MakeGuard) -> None:
    rule_set, selection = make_rules()
    guard = make_guard(600)
    text = f"# hang\n{LONG}"
    hanging = threading.Thread(target=guard.examine, args=(text, rule_set, selection, ""))
    hanging.start()

    assert guard.examine(LONG, rule_set, selection, "")[0].findings
    assert hanging.is_alive()
    guard.close()
    hanging.join(30)
    assert not hanging.is_alive()


def test_other_rules_are_those_of_the_next_text(make_guard: MakeGuard) -> None:
    rule_set, selection = make_rules()
    others, other_selection = make_rules(NO_PRINT.replace("no-print", "never-print"))
    guard = make_guard(30)
    guard.examine(LONG, rule_set, selection, "")

    record, _ = guard.examine(LONG, others, other_selection, "")

    assert {finding.rule.id for finding in record.findings} == {"never-print"}


@pytest.mark.parametrize("command", [("/nowhere/python",), (os.devnull,), ("true",)])
def test_where_no_process_can_be_started_it_is_checked_here(
    make_guard: MakeGuard, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(worker_process, "COMMAND", command)
    rule_set, selection = make_rules()

    assert make_guard(30).examine(LONG, rule_set, selection, "")[0].findings


def test_nothing_is_checked_here_once_it_is_closed(make_guard: MakeGuard) -> None:
    rule_set, selection = make_rules()
    guard = make_guard(30)
    guard.close()

    record, _ = guard.examine(LONG, rule_set, selection, "")

    assert record == Record(reason=Reason("crashed"))


def test_rules_that_change_while_a_text_is_handed_over_are_not_mixed_up(
    make_guard: MakeGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_rules, new = make_rules()
    old_rules, old = make_rules(NO_PRINT.replace("print", "input"))
    guard = make_guard(30)
    guard.examine(LONG, old_rules, old, "")
    end = worker_process.WorkerProcess.end
    late = [LONG]

    def end_late(process: worker_process.WorkerProcess) -> None:
        if late:  # Somebody else has a text checked by the rules of before.
            guard.examine(late.pop(), old_rules, old, "")
        end(process)

    monkeypatch.setattr(worker_process.WorkerProcess, "end", end_late)
    record, _ = guard.examine(LONG, new_rules, new, "")

    assert not late
    assert record == examine_here(LONG, new_rules, new, "")
