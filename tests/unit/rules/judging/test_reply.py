import json
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.rules.judging.claim import Claim
from glossator.rules.judging.prompt import VERIFY
from glossator.rules.judging.reply import MAX_CLAIMS, Claims, parse_claims, parse_verdicts

ENTRY = {
    "rule": "no-print",
    "rule_quote": "Use the log",
    "code": "print(x)",
    "line": 3,
    "message": "打印了 x",
    "fix": "log.info(x)",
}
CLAIM = Claim("no-print", "Use the log", "print(x)", 3, "打印了 x", "log.info(x)")
WHOLE = json.dumps({"findings": [ENTRY]}, ensure_ascii=False)
PIECES = (
    *'{}[]",:\\ \nabx1é中', '"findings": [', '"verdicts": [', '"rule":', '"claim":', '"holds":',
    "<think>", "true",
)  # fmt: skip


@pytest.mark.parametrize(
    "reply",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f'<think>Is it {{"findings": []}}? Hm.</think>\n\n{WHOLE}',
        f"[THINK]so[/THINK]{WHOLE}",
        f'First I thought {{"findings": []}}, but no:\n{WHOLE}\nThat is all [1].',
        f'{{"result": {WHOLE}}}',
        json.dumps([ENTRY]),
        "\ufeff" + WHOLE,
        WHOLE.replace('"line": 3', '"line": "3"'),
        WHOLE.replace('"line": 3', '"line": "L3"'),
        WHOLE.replace('"line": 3', '"line": 3.0'),
        WHOLE.replace('"no-print"', '"`no-print`"'),
        WHOLE.replace('"no-print"', '"id=no-print"'),
        WHOLE.replace('"no-print"', r'"id=\"no-print\""'),
        json.dumps({"findings": ["a", None, ENTRY, {"rule": 3}, {**ENTRY, "code": ["x"]}]}),
    ],
)
def test_json_is_found_however_it_is_wrapped(reply: str) -> None:
    assert parse_claims(reply) == Claims((CLAIM,))


def test_line_breaks_in_strings_need_not_be_escaped() -> None:
    reply = WHOLE.replace("print(x)", "a(\n\tx)")

    assert parse_claims(reply).claims[0].code == "a(\n\tx)"


def test_of_a_reply_that_was_cut_the_whole_entries_count() -> None:
    whole = json.dumps({"findings": [ENTRY, ENTRY, ENTRY]}, ensure_ascii=False)

    assert parse_claims(whole[:-40]) == Claims((CLAIM, CLAIM), is_whole=False)


@pytest.mark.parametrize(
    "reply",
    [
        "", "  ", "I cannot help with that.", "No findings.", "[]", "{}", "null",
        "see items[] there",
        '{"findings": null}', '{"findings": "none"}', '{"findings": {"a": 1}}', '{"findings": [',
        '{"findings": [{"rule": ["a"], "rule_quote": "b", "code": "c"}]}', '{"findings": [{}]}',
        '{"findings": [{"rule": "no-pr', "<think>never closed", '{"verdicts": []}', "{" * 100_000,
        "[" * 100_000, '{"a":' * 50_000, "x" * 500_000, "{}" * 190_000, "<think></think>" * 25_000,
        '{"findings": [{', '{"findings": [{"x": "y"z"}]}', '{"findings": [{' * 25_000,
        f'{{"findings": [{{"fix": "a"{" " * 300_000}',
    ],
)  # fmt: skip
def test_a_reply_that_says_nothing_is_a_problem_and_never_no_findings(reply: str) -> None:
    started = time.monotonic()

    parsed = parse_claims(reply)

    assert parsed.problem
    assert not parsed.claims
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    "reply",
    [
        WHOLE.replace("}]}", "},]}"),
        WHOLE.replace("}]}", ",}]}"),
        WHOLE.replace('", "code"', '" "code"'),
        WHOLE.replace('"fix"', "\n" + '"fix"').replace("}]}", '},\n]\n}\n```\nThat is "all".'),
    ],
)
def test_commas_too_many_or_too_few_cost_nothing(reply: str) -> None:
    assert parse_claims(reply) == Claims((CLAIM,))


def test_quotes_in_strings_need_not_be_escaped() -> None:
    entry = (
        '{"rule": "no-print", "rule_quote": "Use the log",\n'
        ' "code": "print("a \\"b\\" \\d", """c""")", "line": 3,\n "message": "Says "a".",'
        ' "fix": "log("a")\\nlog("b")"}'
    )

    parsed = parse_claims(f'```json\n{{"findings": [{entry},\n  {entry}]}}\n```')

    claim = Claim(
        "no-print", "Use the log", 'print("a "b" \\d", """c""")', 3, 'Says "a".',
        'log("a")\nlog("b")',
    )  # fmt: skip
    assert parsed == Claims((claim, claim))


def test_of_a_reply_that_was_cut_in_bare_quotes_the_whole_entries_count() -> None:
    entry = json.dumps(ENTRY, ensure_ascii=False).replace("print(x)", 'print("x")')
    reply = f'{{"findings": [{entry}, {entry}, {entry}]}}'
    claim = replace(CLAIM, code='print("x")')

    for n_cut in range(3, 12):
        assert parse_claims(reply[:-n_cut]) == Claims((claim, claim), is_whole=False)


def test_what_is_said_in_several_objects_counts() -> None:
    other = WHOLE.replace("print(x)", "print(y)")

    assert len(parse_claims(f"{WHOLE}\n{other}").claims) == 2


def test_a_list_in_the_code_of_a_broken_reply_is_no_answer() -> None:
    parsed = parse_claims('{"findings": [{"rule": "a", "code": "x = [{}, {}]" and so on')

    assert (parsed.claims, parsed.is_whole) == ((), False)
    assert parsed.problem


def test_an_answer_in_the_code_that_is_quoted_is_none() -> None:
    entry = json.dumps(ENTRY, ensure_ascii=False).replace("print(x)", 'f("x", {"findings": []})')

    parsed = parse_claims(f'{{"findings": [{entry}]}}')

    assert parsed == Claims((replace(CLAIM, code='f("x", {"findings": []})'),))


def test_what_is_said_in_a_broken_list_beside_a_whole_one_counts() -> None:
    broken = WHOLE.replace("print(x)", 'print("x")')

    assert len(parse_claims(f'{{"findings": []}}\n{broken}').claims) == 1
    assert not parse_claims(f'{{"findings": []}}\n{broken[:-40]}').is_whole


@pytest.mark.parametrize("reply", ['{"findings": []}', '{"findings": [],}'])
def test_an_empty_list_is_an_answer(reply: str) -> None:
    assert parse_claims(reply) == Claims()


def test_thousands_of_findings_are_cut() -> None:
    parsed = parse_claims(json.dumps({"findings": [ENTRY] * 2_000}))

    assert len(parsed.claims) == MAX_CLAIMS
    assert not parsed.is_whole


def test_a_claim_is_confirmed_only_if_nothing_contradicts_it() -> None:
    verdicts = [
        {"claim": 1, "holds": True},
        {"claim": "2", "holds": True},
        {"claim": 3, "holds": True},
        {"claim": 3, "holds": False},
        {"claim": 4, "holds": "true"},
        {"claim": 5, "holds": 1},
        {"claim": 6},
        {"holds": True},
        {"claim": True, "holds": True},
    ]

    assert parse_verdicts(json.dumps({"verdicts": verdicts})).confirmed == {1, 2}


def test_a_verdict_that_is_taken_back_in_bad_json_confirms_nothing() -> None:
    reply = (
        '{"verdicts": [{"claim": 1, "why": "It does.", "holds": true}]}\nNo:\n'
        '{"verdicts": [{"claim": 1, "why": "The "x" is none.", "holds": false}]}'
    )

    assert parse_verdicts(reply).confirmed == set()


def test_no_verdicts_are_a_problem() -> None:
    assert parse_verdicts("All of them hold.").problem


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.integers())
def test_nothing_that_a_model_writes_raises(text: str, place: int) -> None:
    position = place % len(WHOLE)

    for reply in (text, WHOLE[:position] + text + WHOLE[position:]):
        parse_claims(reply)
        parse_verdicts(reply)


def test_a_claim_of_which_nothing_is_said_is_neither_confirmed_nor_refuted() -> None:
    verdicts = [{"claim": 1, "holds": False}, {"claim": 2, "holds": "perhaps"}]

    assert parse_verdicts(json.dumps({"verdicts": verdicts})).told == {1}


@pytest.mark.parametrize("reply", ['{"verdicts": []}', '{"verdicts": [{"claim": "all"}]}'])
def test_verdicts_on_nothing_are_a_problem(reply: str) -> None:
    assert parse_verdicts(reply).problem


def test_the_form_of_an_answer_that_is_repeated_is_none() -> None:
    [shown] = [line for line in VERIFY.splitlines() if line.startswith('{"verdicts"')]

    assert parse_verdicts(shown).problem
    assert not parse_verdicts(shown).told
