import time
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from glossator.rules.parse import drop_duplicates, parse_rules
from glossator.rules.rule import Rule, RuleProblem

CHECK = """\
  ```check
  language: python
  rule:
    pattern: eval($A)
  ```
"""


def read(
    text: str, *, every_item: bool = False
) -> tuple[tuple[Rule, ...], tuple[RuleProblem, ...]]:
    return parse_rules(
        dedent(text), path="skills/a.md", document="a", origin="workspace", every_item=every_item
    )


def test_an_item_with_an_id_is_a_rule_and_knows_its_lines() -> None:
    rules, problems = read(
        """\
        ---
        name: a
        keywords: [x]
        ---
        # Title

        - Plain item.
        - Name the **errors** you [catch](https://example.com). {#py-name}
          It also catches Ctrl-C.

          Second paragraph.

        After.
        """
    )

    assert problems == ()
    (rule,) = rules
    assert (rule.id, rule.line, rule.last_line) == ("py-name", 8, 11)
    assert rule.text == "Name the errors you catch."
    assert rule.rationale == "It also catches Ctrl-C.\n\nSecond paragraph."


def test_a_check_makes_an_item_a_rule_without_an_id() -> None:
    rules, _ = read("- Avoid eval.\n\n" + CHECK)

    assert [rule.text for rule in rules] == ["Avoid eval."]
    assert rules[0].checks[0].message == "Avoid eval."
    assert rules[0].checks[0].severity == "warning"


def test_in_a_skill_every_item_of_the_top_level_is_a_rule_and_nested_ones_belong_to_it() -> None:
    rules, _ = read(
        """\
        1. Do this.
           - like so
           - or so {#own}
        2. Do that.
        """,
        every_item=True,
    )

    assert [rule.text for rule in rules] == ["Do this.", "or so", "Do that."]
    assert rules[0].rationale == "like so"


def test_a_derived_id_stays_when_the_text_moves_or_is_laid_out_anew() -> None:
    before, _ = read("- Close what you\n  open.\n- Other.\n", every_item=True)
    after, _ = read("# New\n\n- Other.\n\n* Close **what** you open\n", every_item=True)

    assert before[0].id == after[1].id
    assert before[0].id.startswith("a-close-what-you-open-")
    assert before[0].id != before[1].id


def test_a_derived_id_is_of_its_document_so_that_the_same_words_may_stand_in_two() -> None:
    def read_from(document: str) -> str:
        (rule,), _ = parse_rules(
            "- 值一律用参数。\n",
            path="x.md",
            document=document,
            origin="workspace",
            every_item=True,
        )
        return rule.id

    assert read_from("数据库") != read_from("api")
    assert read_from("api") == read_from("api")


def test_a_chinese_rule_keeps_its_id_when_it_is_broken_into_lines_or_emphasised() -> None:
    ids = {
        read(f"# 标题\n\n- {text}\n", every_item=True)[0][0].id
        for text in (
            "值一律用参数，不要拼接。",
            "值一律用参数，\n  不要拼接",
            "**值**一律用参数，不要拼接。",
        )
    }

    assert len(ids) == 1


def test_chinese_rules_read_as_one_line_and_get_different_ids() -> None:
    rules, problems = read("- 值一律用参数，\n  不要拼接。\n- 写明列名。\n", every_item=True)

    assert [rule.text for rule in rules] == ["值一律用参数，不要拼接。", "写明列名。"]
    assert len({rule.id for rule in rules}) == 2
    assert problems == ()


def test_line_numbers_are_the_same_whatever_ends_the_lines() -> None:
    text = (
        "---\nname: a\n---\n\n- One. {#one}\n\n" + CHECK + "\n  ```python bad\n  eval(1)\n  ```\n"
    )

    places = []
    for end in ("\n", "\r\n", "\r"):
        (rule,), problems = read(text.replace("\n", end))
        places.append((rule.line, rule.last_line, rule.checks[0].line, rule.examples[0].line))
        assert problems == ()

    assert places == [(5, 15, 8, 14)] * 3


def test_examples_are_read_with_their_language_and_other_blocks_are_left_alone() -> None:
    (rule,), problems = read(
        """\
        - One. {#one}

          ```py bad
          eval(1)
          ```

          ```ts good
          let a = 1;
          ```

          ```python
          only = "illustrates"
          ```

          ```klingon good
          x
          ```
        """
    )

    assert [(e.kind, e.language, e.text) for e in rule.examples] == [
        ("bad", "python", "eval(1)\n"),
        ("good", "typescript", "let a = 1;\n"),
    ]
    assert [(p.line, p.rule_id) for p in problems] == [(15, "one")]
    assert "`klingon` is not a language" in problems[0].message


def test_the_second_rule_with_an_id_is_dropped_and_told_with_both_places() -> None:
    rules, problems = read("- One. {#same}\n- Two. {#same}\n")

    assert [rule.text for rule in rules] == ["One."]
    assert problems == (
        RuleProblem(
            "skills/a.md",
            2,
            "same",
            "The id `same` is used at skills/a.md:1 already; choose another.",
        ),
    )


def test_a_rule_of_the_workspace_takes_the_place_of_a_bundled_one() -> None:
    def rule(origin: str) -> Rule:
        return parse_rules("- A. {#a}\n", path=f"{origin}.md", document="a", origin=origin)[0][0]

    for order in (["bundled", "workspace"], ["workspace", "bundled"]):
        rules, problems = drop_duplicates(map(rule, order))

        assert [kept.origin for kept in rules] == ["workspace"]
        assert problems == ()


def test_an_id_with_other_characters_is_told_and_one_is_derived() -> None:
    rules, problems = read("- One. {#no/id}\n")

    assert rules[0].id.startswith("a-one-")
    assert "`no/id` cannot be the id of a rule" in problems[0].message


def test_an_id_may_be_of_any_language() -> None:
    rules, problems = read("- 一。 {#禁用-print}\n- Zwei. {#u\u0308ber.2}\n")

    assert [rule.id for rule in rules] == ["禁用-print", "über.2"]
    assert problems == ()


def test_an_id_inside_code_is_text() -> None:
    rules, _ = read("- Write the id as `{#id}`\n", every_item=True)

    assert rules[0].text == "Write the id as `{#id}`"
    assert rules[0].id != "id"


def test_a_broken_check_is_told_at_its_line_and_the_other_rules_work() -> None:
    rules, problems = read(
        "- One. {#one}\n\n  ```check\n  language: python\n  rule:\n    pattern: [\n  ```\n"
        "- Two. {#two}\n\n" + CHECK
    )

    assert [(rule.id, len(rule.checks)) for rule in rules] == [("one", 0), ("two", 1)]
    assert [problem.rule_id for problem in problems] == ["one"]
    assert "The YAML is broken" in problems[0].message


def test_front_matter_that_never_ends_is_text() -> None:
    rules, _ = read("---\nname: a\n\n- One. {#one}\n")

    assert [(rule.id, rule.line) for rule in rules] == [("one", 4)]


@given(st.text(alphabet="-*#`{}:|>[]() \n\r\tab1.规\ud800\x00", max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    rules, _ = read(text, every_item=True)

    n_lines = text.count("\n") + text.count("\r") + 1
    assert all(1 <= rule.line <= rule.last_line <= n_lines for rule in rules)


def test_a_long_file_of_nested_lists_is_read_in_time() -> None:
    nested = "\n".join(" " * (2 * level) + "- item" for level in range(200))
    started = time.monotonic()

    read((nested + "\n") * 20 + "- a\n" * 2_000, every_item=True)

    assert time.monotonic() - started < 5


def test_a_long_text_without_the_sign_of_a_rule_costs_next_to_nothing() -> None:
    text = "- Words about a rule.\n" * 200_000
    started = time.process_time()

    rules, problems = parse_rules(text, path="AGENTS.md", document="d", origin="workspace")

    assert (rules, problems) == ((), ())
    assert time.process_time() - started < 1


def test_a_check_in_a_fence_of_tildes_is_seen() -> None:
    text = "- Never.\n\n  ~~~ check\n  language: python\n  rule: {pattern: eval($A)}\n  ~~~\n"

    rules, _ = parse_rules(text, path="AGENTS.md", document="d", origin="workspace")

    assert len(rules[0].checks) == 1
