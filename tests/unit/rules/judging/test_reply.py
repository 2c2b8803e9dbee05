import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.rules.judging.claim import Claim
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
        '{"findings": [{"rule": "no-pr', "<think>never closed", '{"verdicts": []}', "{" * 100_000,
        "[" * 100_000, '{"a":' * 50_000, "x" * 500_000,
    ],
)  # fmt: skip
def test_a_reply_that_says_nothing_is_a_problem_and_never_no_findings(reply: str) -> None:
    started = time.monotonic()

    parsed = parse_claims(reply)

    assert parsed.problem
    assert not parsed.claims
    assert time.monotonic() - started < 5


def test_an_empty_list_is_an_answer() -> None:
    assert parse_claims('{"findings": []}') == Claims()


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


def test_no_verdicts_are_a_problem() -> None:
    assert parse_verdicts("All of them hold.").problem


@given(st.text(st.sampled_from('{}[]",:\\ \nabfindgs01"claim""holds"<think>é中')), st.integers())
def test_nothing_that_a_model_writes_raises(text: str, place: int) -> None:
    position = place % len(WHOLE)

    for reply in (text, WHOLE[:position] + text + WHOLE[position:]):
        parse_claims(reply)
        parse_verdicts(reply)
