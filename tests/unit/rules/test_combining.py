"""All checks in one walk find what each finds alone."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.rules.matching import RuleSet
from glossator.rules.parse import parse_rules
from glossator.rules.rule import Rule

RULES = """\
- Same variable twice. {#same}

  ```check
  language: python
  message: $A and $B
  rule: {pattern: "f($A, $B, $A)"}
  ```

- Any call. {#call}

  ```check
  language: python
  message: $A with $$$B
  rule: {pattern: $A($$$B)}
  fix: g($$$B)
  ```

- With a utility of its own. {#util}

  ```check
  language: python
  message: $A
  utils:
    inner: {any: [{pattern: f($A)}, {pattern: g($A)}]}
  rule: {kind: call, matches: inner, inside: {kind: if_statement, stopBy: end}}
  ```

- With one of the same name. {#twin}

  ```check
  language: python
  utils:
    inner: {kind: integer}
  rule: {matches: inner, inside: {kind: argument_list}}
  ```

- Constrained. {#constrained}

  ```check
  language: python
  message: $A
  rule: {pattern: f($A)}
  constraints: {A: {regex: ^x}}
  ```

- Changed. {#changed}

  ```check
  language: python
  message: $UP
  rule: {pattern: g($A)}
  transform: {UP: {convert: {source: $A, toCase: upperCase}}}
  ```

- In a context. {#context}

  ```check
  language: python
  message: $A
  rule: {pattern: {context: "if $A: pass", selector: if_statement}}
  ```

- Unnamed. {#unnamed}

  ```check
  language: python
  rule: {pattern: "$_ == $_"}
  ```
"""


def read_rules() -> tuple[Rule, ...]:
    rules, problems = parse_rules(RULES, path="k.md", document="k", origin="workspace")
    assert problems == ()
    return rules


ALL = read_rules()
PIECES = (
    "f(1, 2, 1)\n", "f(1, 2, 3)\n", "if a: pass\n", "if f(x1):\n    g(y)\n", "g(f(x))\n",
    "x == y\n", "f(x)\n", "def f(:\n", "h(g(1), f(g(2)))\n", "'中文'\n",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
@settings(max_examples=60)
def test_rules_together_find_what_each_finds_alone(text: str) -> None:
    together = RuleSet(ALL).find(text, "python", "")

    alone = [found for rule in ALL for found in RuleSet([rule]).find(text, "python", "")]
    assert sorted(together, key=repr) == sorted(alone, key=repr)


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
def test_each_of_these_rules_finds_something(rule: Rule) -> None:
    assert RuleSet([rule]).find("".join(PIECES).replace("def f(:\n", ""), "python", "")


def test_variables_of_each_check_are_its_own() -> None:
    found = RuleSet(ALL).find("f(1, 2, 1)\n", "python", "")

    assert {f.rule.id: f.message for f in found if f.rule.id in ("same", "call")} == {
        "same": "1 and 2",
        "call": "f with 1, 2, 1",
    }


def test_a_variable_of_a_language_with_dollars_keeps_its_name() -> None:
    (rule,), problems = parse_rules(
        "- No dump.\n\n  ```check\n  language: php\n  message: $X\n"
        "  rule: {pattern: dump($X)}\n  ```\n",
        path="k.md",
        document="k",
        origin="workspace",
    )
    assert problems == ()

    found = RuleSet([rule, replace(rule, id="other")]).find("<?php dump($user);", "php", "")

    assert [each.message for each in found] == ["$user", "$user"]
