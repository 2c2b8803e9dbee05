"""What stands in braces behind a rule, and what is said of what cannot be used."""

import time

import pytest

from glossator.rules.parse import parse_rules
from glossator.rules.rule import Rule, RuleProblem


def read(text: str, **options: bool) -> tuple[tuple[Rule, ...], tuple[RuleProblem, ...]]:
    return parse_rules(text, path="k.md", document="k", origin="workspace", **options)


def read_one(braces: str) -> tuple[Rule, list[str]]:
    (rule,), problems = read(f"- Say it. {braces}\n", every_item=True)
    return rule, [problem.message for problem in problems]


def test_all_attributes_are_read_and_are_no_words_of_the_rule() -> None:
    rule, problems = read_one(
        '{#say severity=error files="src/**/*.{ts,tsx} !src/gen/**" language=py,TSX '
        "link=https://example.com/why?a=b}"
    )

    assert problems == []
    assert (rule.id, rule.text, rule.severity) == ("say", "Say it.", "error")
    assert rule.files == ("src/**/*.{ts,tsx}", "!src/gen/**")
    assert rule.languages == ("python", "tsx")
    assert rule.link == "https://example.com/why?a=b"
    assert rule.kind == "judged"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("- A. {#a}\n- B. {#b .prose}\n- C. {.judged}\n- D. {.prose}\n- E.\n", "jpjp"),
        ("# T {.judged}\n\n- A.\n- B. {#b .prose}\n  - inner\n\n## U\n\n- C.\n", "jpj"),
        ("# T\n\n## U {.judged}\n\n- A.\n\n## V\n\n- B.\n", "j"),
        ("1. A.\n\n   ```check\n   language: python\n   rule: {pattern: f()}\n   ```\n", "c"),
        (
            "- A. {#a .prose}\n\n  ```check\n  language: go\n  rule: {kind: identifier}\n  ```\n",
            "c",
        ),
    ],
)
def test_how_a_rule_is_measured(text: str, kinds: str) -> None:
    rules, problems = read(text)

    assert "".join(rule.kind[0] for rule in rules) == kinds
    assert problems == ()


def test_in_a_skill_items_without_an_id_are_prose() -> None:
    rules, _ = read("- A.\n- B. {#b}\n", every_item=True)

    assert [rule.kind for rule in rules] == ["prose", "judged"]


@pytest.mark.parametrize(
    ("braces", "told"),
    [
        (
            "{#say severty=error}",
            "`severty=` is not an attribute of a rule; did you mean `severity=",
        ),
        ("{#say severity=eror}", "`eror` is not a severity; did you mean `error`?"),
        ("{#say severity=red}", "`red` is not a severity; use one of `error`, `warning`"),
        ("{#say .pros}", "`.pros` is not an attribute of a rule; did you mean `.prose`?"),
        ("{#say prose}", "`prose` is not an attribute of a rule; did you mean `.prose`?"),
        ("{#say language=pyhton}", "`pyhton` is not a language; did you mean `python`?"),
        ("{#say files=}", "`` is not a glob"),
        ("{#say link=example.com}", "`example.com` is not a link"),
        ("{#say #more}", "A rule has one id; `#more` is not used."),
    ],
)
def test_what_cannot_be_used_is_told_with_a_suggestion_and_the_rest_counts(
    braces: str, told: str
) -> None:
    rule, problems = read_one(braces)

    assert rule.id == "say"
    assert [told in problem for problem in problems] == [True]


@pytest.mark.parametrize("name", ["sql", "vue", "cobol", "shellscript"])
def test_a_rule_may_be_about_a_language_without_checks(name: str) -> None:
    rule, problems = read_one(f"{{#say language={name}}}")

    assert (rule.languages, problems) == ((name,), [])


@pytest.mark.parametrize(
    "text",
    ["Return {a=b}", "Use `{#id}`", "See {note}", "{.5}", "f{x: 1}", "{#a} in between", "{}"],
)
def test_other_braces_are_words(text: str) -> None:
    (rule,), problems = read(f"- {text}\n", every_item=True)

    assert (rule.text, problems) == (text, ())


def test_the_severity_of_a_rule_is_that_of_its_checks_unless_they_say_otherwise() -> None:
    check = "\n  ```check\n  language: python\n  rule: {pattern: f()}\n  ```\n"

    rules, _ = read(
        f"- A. {{#a severity=hint}}\n{check}- B. {{#b severity=hint}}\n"
        + check.replace("rule:", "severity: error\n  rule:")
    )

    assert [rule.checks[0].severity for rule in rules] == ["hint", "error"]


@pytest.mark.parametrize(
    ("info", "meant"),
    [
        ("chekc", "check"), ("Check", "check"), ("checks", "check"), ("", "check"),
        ("yaml", "check"), ("yml check:", "check"), ("{.check}", "check"),
    ],
)  # fmt: skip
def test_a_misspelt_check_is_told_and_its_rule_is_not_lost(info: str, meant: str) -> None:
    text = f"- Never.\n\n  ```{info}\n  language: python\n  rule:\n    pattern: eval($A)\n  ```\n"

    (rule,), problems = read(text)

    assert (rule.text, rule.checks) == ("Never.", ())
    assert [(p.line, p.rule_id) for p in problems] == [(3, rule.id)]
    assert f"write `{meant}`" in problems[0].message


def test_a_check_may_be_highlighted_as_yaml() -> None:
    text = "- Never.\n\n  ```yaml check\n  language: python\n  rule: {pattern: eval($A)}\n  ```\n"

    (rule,), problems = read(text)

    assert (rule.kind, problems) == ("compiled", ())


def test_a_misspelt_example_is_told() -> None:
    _, problems = read("- Never. {#n}\n\n  ```python goood\n  x\n  ```\n")

    assert ["write `python good`" in problem.message for problem in problems] == [True]


@pytest.mark.parametrize("text", ['{#"{' * 20_000, " " * 200_000 + "x", "{#a " * 50_000 + "}"])
def test_hostile_braces_are_read_in_time(text: str) -> None:
    started = time.process_time()

    read(f"- a {text}\n", every_item=True)

    assert time.process_time() - started < 2
