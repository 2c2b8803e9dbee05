"""A check that a model wrote: where it is put, and what is believed of it: nothing unproven."""

import pytest

from glossator.rules.drafting import EXAMPLE, Draft, draft_check, find_refusal, read_blocks
from glossator.rules.parse import parse_rules
from glossator.rules.rule import Rule
from rule_texts import DRAFTED_CHECK

REPLY = f"Here it is:\n\n{DRAFTED_CHECK}\n```text\nNot for the rule.\n```\n"


def read_rule(text: str, rule_id: str = "r") -> Rule:
    rules, _ = parse_rules(text, path="k.md", document="k", origin="workspace")
    return next(rule for rule in rules if rule.id == rule_id)


def draft(text: str, reply: str = REPLY, others: tuple[Rule, ...] = ()) -> Draft:
    return draft_check(read_rule(text), text, read_blocks(reply), others)


@pytest.mark.parametrize(
    "text",
    [
        "- Use the log. {#r}\n- Next. {#next}\n",
        "- Use the log. {#r}",
        "1. First.\n2. Use the log. {#r}\n\n   Because.\n\nAfter.\n",
        "* Use the log. {#r}\r\n\r\n* Next. {#next}\r\n",
        "-   Use the log. {#r}\n    - part\n\n# After\n",
        "- Around.\n  - Use the log. {#r}\n  - Other.\n- Last.\n",
        "10) 使用日志。 {#r}\n",
    ],
)
def test_the_blocks_are_read_as_those_of_the_rule_and_all_else_stays(text: str) -> None:
    drafted = draft(text)

    assert drafted.faults == ()
    assert (len(drafted.rule.checks), len(drafted.rule.examples)) == (1, 2)
    assert drafted.text[: drafted.offset] == text[: drafted.offset]
    assert drafted.text[drafted.offset + len(drafted.insertion) :] == text[drafted.offset :]
    assert ("\n" in drafted.text.replace("\r\n", "")) is ("\r\n" not in text)
    before = [rule.id for rule in parse_rules(text, path="k", document="k", origin="w")[0]]
    after = [rule.id for rule in parse_rules(drafted.text, path="k", document="k", origin="w")[0]]
    assert after == before


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("language: python", "language: [", "The YAML is broken"),
        ("pattern: print", "patern: print", "The rule does not work for python"),
        ("message: Use", "mesage: Use", "`mesage` is not a key of a check"),
        ("log.info(1)", "print(2)", "flags this good example.\n\n```python good\nprint(2)\n"),
        ("print(1)\n", "puts(1)\n", "does not flag this bad example.\n\n```python bad\nputs(1)\n"),
        ("```check", "```", "There is no block ```check"),
        ("```python good\nlog.info(1)\n```", "", "There is no block ```LANGUAGE good"),
        ("log.info(1)\n", "\n", "There is no block ```LANGUAGE good"),
        ("```python bad", "```go bad", "There is no block ```LANGUAGE bad"),
    ],
)
def test_what_does_not_stand_is_told(old: str, new: str, fault: str) -> None:
    drafted = draft("- Use the log. {#r}\n", REPLY.replace(old, new))

    assert any(fault in told for told in drafted.faults)


def test_examples_that_people_wrote_have_to_stand_too() -> None:
    text = "- Use the log. {#r}\n\n  ```python good\n  print(1, file=stderr)\n  ```\n"

    drafted = draft(text)

    assert ["print(1, file=stderr)" in fault for fault in drafted.faults] == [True]


def test_a_check_that_flags_what_others_call_ordinary_is_too_broad() -> None:
    examples = "".join(f"  ```python good\n  a{n} = {n}\n  ```\n\n" for n in range(12))
    other = read_rule(f"- Other. {{#other}}\n\n{examples}", "other")
    reply = REPLY.replace("pattern: print($$$A)", "regex: '[0-9]'").replace("info(1)", "info()")

    assert draft("- Use the log. {#r}\n", reply).faults == ()
    assert "far too broad: it flags 12 of 12" in draft("- Use. {#r}\n", reply, (other,)).faults[0]


def test_fences_in_an_example_do_not_end_it() -> None:
    reply = REPLY.replace(
        "```python good\nlog.info(1)\n```", "````python good\ns = '''\n```\n'''\n````"
    )

    drafted = draft("- Use the log. {#r}\n", reply)

    assert drafted.faults == ()
    assert "```\n'''" in drafted.rule.examples[1].text


def test_a_refusal_is_one_only_without_blocks() -> None:
    assert find_refusal("IMPOSSIBLE: taste cannot be seen.\n") == "taste cannot be seen."
    assert find_refusal(f"IMPOSSIBLE: no.\n{REPLY}") == ""
    assert find_refusal("It is not impossible.") == ""


def test_the_example_that_a_model_is_shown_stands_for_no_rule_but_its_own() -> None:
    of_example = draft("- Read the time by `now()`. {#r}\n", EXAMPLE)
    other = draft("- Read the time by `now()`. {#r}\n", EXAMPLE.replace("`now()`.", "`now()`!"))

    assert len(of_example.faults) == 1
    assert "that of the example" in of_example.faults[0]
    assert other.faults == ()


def test_what_stands_behind_the_fence_of_a_check_is_told_as_a_fault_of_the_check() -> None:
    drafted = draft("- A. {#r}\n", "```check: Python\nmessage: Use the log.\n```\n")

    assert not any("There is no block ```check." in fault for fault in drafted.faults)
