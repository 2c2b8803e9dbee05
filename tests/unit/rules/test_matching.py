import time
from typing import cast

import pytest
from ast_grep_py import Config, SgRoot
from hypothesis import given
from hypothesis import strategies as st

from glossator.core.locations import Point, Range
from glossator.rules.examples import check_examples
from glossator.rules.fixes import apply_edits, find_offsets
from glossator.rules.matching import RuleSet, TooDeeplyNested
from glossator.rules.parse import parse_rules
from glossator.rules.rule import Rule


def make_rule(yaml: str, *, rule_id: str = "r", examples: str = "") -> Rule:
    lines = "\n".join("  " + line for line in yaml.strip().splitlines())
    text = f"- Text. {{#{rule_id}}}\n\n  ```check\n{lines}\n  ```\n{examples}"
    rules, problems = parse_rules(text, path="k.md", document="k", origin="workspace")
    assert problems == ()
    return rules[0]


EVAL = make_rule(
    "language: python\nmessage: no eval of $A\nrule: {pattern: eval($A)}\nfix: run($A)"
)


def test_a_finding_knows_its_place_message_fix_and_rule() -> None:
    (finding,) = RuleSet([EVAL]).find("x = 1\ny = eval(x)\n", "python", "a.py")

    assert finding.range == Range(Point(2, 4), Point(2, 11))
    assert finding.message == "no eval of x"
    assert finding.fix == ((finding.range, "run(x)"),)
    assert finding.code == "eval(x)"
    assert (finding.rule.path, finding.rule.line) == ("k.md", 1)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a = 1\r\nb = eval(1)\r\n", 2, 4),
        ("a = 1\rb = eval(1)\r", 2, 4),
        ("a = 1\x0c\nb = eval(1)", 2, 4),
        ("a = '\u2028'\nb = eval(1)", 2, 4),
        ("\ufeffa = 1\nb = eval(1)", 2, 4),
        ("x = '😀中文'; eval(1)", 1, 11),
        ("x = '\ud800'; eval(1)", 1, 9),
        ("x = '\0'; eval(1)", 1, 9),
    ],
)
def test_positions_count_lines_and_code_points_as_we_do(text: str, line: int, column: int) -> None:
    (finding,) = RuleSet([EVAL]).find(text, "python", "a.py")

    assert finding.range == Range(Point(line, column), Point(line, column + 7))


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_every_line_break_ends_a_line(line_break: str) -> None:
    text = line_break.join(["def f():", "    # eval(0)", "    y = eval(x)", ""])

    (finding,) = RuleSet([EVAL]).find(text, "python", "a.py")

    assert finding.range == Range(Point(3, 8), Point(3, 15))


def test_a_match_that_ends_with_the_text_ends_on_its_last_line() -> None:
    rule = make_rule("language: python\nrule: {kind: module}")

    ends = [
        RuleSet([rule]).find(text, "python", "a.py")[0].range.end
        for text in ("a = 1", "a = 1\n", "a\n\nb")
    ]

    assert ends == [Point(1, 5), Point(2, 0), Point(3, 1)]


OVERLAPPING = [
    make_rule("language: python\nrule: {kind: call}", rule_id="call"),
    make_rule("language: python\nrule: {pattern: eval($A)}\nmessage: $A", rule_id="eval"),
    make_rule("language: python\nrule: {pattern: $F($$$A)}\nmessage: $F $$$A", rule_id="any-call"),
    make_rule("language: python\nrule: {kind: identifier, regex: ^a}", rule_id="names"),
    make_rule(
        "language: python\nrule: {kind: call, has: {kind: call, stopBy: end}}", rule_id="two"
    ),
    make_rule(
        "language: python\nrule: {pattern: $F($A)}\nconstraints: {A: {regex: ^a}}",
        rule_id="constrained",
    ),
    make_rule(
        "language: python\nrule: {matches: name}\nutils: {name: {kind: identifier}}",
        rule_id="with-utils",
    ),
    make_rule("language: python\nrule: {regex: '^a.*a$'}", rule_id="regex-only"),
]
CODE = st.lists(
    st.sampled_from(
        [
            "eval(",
            "a",
            "b)",
            ")",
            "(",
            ", ",
            "\n",
            "def f(a):\n  ",
            "if a:\n  ",
            "x = ",
            "中(",
            "'a",
        ]
    ),
    max_size=25,
).map("".join)


@given(CODE, st.sets(st.integers(0, len(OVERLAPPING) - 1), min_size=1).map(sorted))
def test_rules_together_find_what_each_finds_alone(text: str, chosen: list[int]) -> None:
    rules = [OVERLAPPING[number] for number in chosen]

    together = RuleSet(rules).find(text, "python", "a.py")

    alone = [finding for rule in rules for finding in RuleSet([rule]).find(text, "python", "a.py")]
    key = lambda finding: (finding.range, finding.rule.id, finding.message)  # noqa: E731
    assert sorted(map(key, together)) == sorted(map(key, alone))
    assert [finding.range for finding in together] == sorted(f.range for f in together)


@given(CODE)
def test_findings_are_those_of_ast_grep_where_the_syntax_is_whole(text: str) -> None:
    (check,) = OVERLAPPING[1].checks

    findings = RuleSet([OVERLAPPING[1]]).find(text, "python", "a.py")

    nodes = SgRoot(text, "python").root().find_all(cast(Config, check.config))
    sound = [n for n in nodes if not n.inside(kind="ERROR") and not n.has(kind="ERROR")]
    assert sorted(f.code for f in findings) == sorted(
        text[slice(*find_offsets(node))] for node in sound
    )


def test_nothing_is_reported_where_the_syntax_is_broken() -> None:
    findings = RuleSet([EVAL]).find("eval(1)\neval(3 3)\n", "python", "a.py")

    assert [finding.code for finding in findings] == ["eval(1)"]


def test_two_checks_of_a_rule_that_flag_the_same_code_are_one_finding() -> None:
    check = "  ```check\n  language: python\n  rule: {pattern: eval($A)}\n  ```\n"
    rules, _ = parse_rules(
        f"- Text. {{#r}}\n\n{check}\n{check}", path="k.md", document="k", origin="workspace"
    )

    assert len(RuleSet(rules).find("eval(1)", "python", "")) == 1


def test_a_rule_applies_to_the_languages_and_files_it_names() -> None:
    text = (
        "- T. {#r}\n\n  ```check\n  language: [python, tsx]\n  files: ['src/**']\n"
        "  ignores: ['**/test_*.py']\n  rule: {regex: a}\n  ```\n"
    )
    rules, _ = parse_rules(
        text, path="k.md", document="k", origin="workspace", globs=("**/*.{py,tsx}",)
    )
    rule_set = RuleSet(rules)

    def applies(path: str, language: str) -> bool:
        return bool(rule_set.applies_to(path, language))

    assert applies("src/a.py", "python")
    assert applies("src/a.tsx", "tsx")
    assert applies("", "python")
    assert not applies("src/a.ts", "typescript")
    assert not applies("src/test_a.py", "python")
    assert not applies("lib/a.py", "python")
    assert not applies("src/a.pyx", "python")


def test_a_language_without_rules_or_unknown_has_no_findings() -> None:
    assert RuleSet([EVAL]).find("eval(1)", "typescript", "a.ts") == ()
    assert RuleSet([EVAL]).find("eval(1)", "klingon", "a.k") == ()
    assert RuleSet([]).find("eval(1)", "python", "a.py") == ()


def test_a_fix_keeps_lists_indentation_and_transformed_names() -> None:
    rule = make_rule(
        "language: python\n"
        "rule: {pattern: 'old($FIRST, $$$REST)'}\n"
        "transform: {UPPER: {convert: {source: $FIRST, toCase: upperCase}}}\n"
        "fix: |\n  new(\n      $UPPER, $$$REST,\n      $UNKNOWN)\n"
    )
    text = "if x:\n    y = old(a, b, *c)\n"

    (finding,) = RuleSet([rule]).find(text, "python", "a.py")

    assert apply_edits(text, finding.fix) == ("if x:\n    y = new(\n        A, b, *c,\n        )\n")


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_a_fix_of_several_lines_has_the_line_breaks_of_the_text(line_break: str) -> None:
    rule = make_rule(
        "language: python\nmessage: m\nrule: {pattern: eval($$$A)}\n"
        "fix: |-\n  run(\n      $$$A,\n  )"
    )
    text = line_break.join(["if x:", "    eval(1,", "         2)", ""])

    (finding,) = RuleSet([rule]).find(text, "python", "a.py")

    ((_, new_text),) = finding.fix
    assert new_text == line_break.join(["run(", "        1,", "         2,", "    )"])


def test_edits_that_overlap_an_earlier_one_are_left_out() -> None:
    text = "eval(eval(a))\r\neval(b)"

    edits = [edit for finding in RuleSet([EVAL]).find(text, "python", "") for edit in finding.fix]

    assert apply_edits(text, edits) == "run(eval(a))\r\nrun(b)"


def test_a_long_value_is_cut_in_a_message() -> None:
    (finding,) = RuleSet([EVAL]).find(f"eval([\n{'1, ' * 100}])", "python", "")

    assert len(finding.message) < 80
    assert "\n" not in finding.message
    assert finding.message.endswith("…")


def test_examples_prove_or_disprove_a_check() -> None:
    rule = make_rule(
        "language: python\nrule: {pattern: eval($A)}",
        examples=(
            "\n  ```python bad\n  eval(1)\n  ```\n"
            "\n  ```python good\n  run(1)\n  ```\n"
            "\n  ```python bad\n  run(1)\n  ```\n"
            "\n  ```python good\n  x = 1\n  eval(x)\n  ```\n"
            "\n  ```ts good\n  run(1)\n  ```\n"
        ),
    )

    assert [(problem.line, problem.message) for problem in check_examples(rule)] == [
        (17, "The check of `r` does not flag this bad example."),
        (22, "The check of `r` flags this good example."),
        (26, "No check of `r` is for typescript; this proves nothing."),
    ]


def test_a_rule_without_a_check_has_nothing_to_prove() -> None:
    rules, _ = parse_rules("- A. {#a}\n", path="k.md", document="k", origin="workspace")

    assert check_examples(rules[0]) == ()


@pytest.mark.parametrize("opening", ["(", "f(", "[", "{0:", "f([{0:"])
def test_code_nested_too_deeply_is_refused_with_a_remedy(opening: str) -> None:
    closing = {"(": ")", "[": "]", "{": "}"}
    text = "eval(1)\n" + opening * 20_000
    text += "".join(closing.get(c, "") for c in reversed(opening)) * 20_000
    started = time.monotonic()

    with pytest.raises(TooDeeplyNested, match=r"`a\.py` nests brackets"):
        RuleSet([EVAL]).find(text, "python", "a.py")

    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000 + "eval(1)",
        "eval(" * 5_000,
        "x = f(" + "eval(1), " * 4_000 + ")",
        "x = eval(1)\n" * 4_000,
        "if a:\n" * 3_000 + "eval(1)",
        "\r" * 100_000 + "eval(1)",
        "eval('" + "中😀" * 100_000 + "')",
    ],
)
def test_long_and_broken_code_is_checked_in_time(text: str) -> None:
    started = time.monotonic()

    RuleSet([*OVERLAPPING[1:2], EVAL]).find(text, "python", "a.py")

    assert time.monotonic() - started < 5


def test_a_variable_that_stands_for_nothing_leaves_nothing_in_the_message() -> None:
    rule = make_rule(
        "language: python\nrule: {pattern: run($$$ARGUMENTS)}\nmessage: got [$$$ARGUMENTS][$OTHER]"
    )

    (finding,) = RuleSet([rule]).find("run()", "python", "")

    assert finding.message == "got [][]"
