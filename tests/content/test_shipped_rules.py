"""The rules that ship with Glossator prove themselves, and Glossator's own code keeps them."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.rules_precision import INDEPENDENT, LABELS, MAX_FALSE, measure, read_labels
from glossator.core.text import contains_chinese
from glossator.rules.examples import check_examples
from glossator.rules.fixes import apply_edits
from glossator.rules.matching import RuleSet
from glossator.rules.parse import drop_duplicates, parse_rules
from glossator.rules.rule import Rule, RuleProblem

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("knowledge/*.md"), *ROOT.glob("skills/*.md")])


def read_rules(path: Path) -> tuple[tuple[Rule, ...], tuple[RuleProblem, ...]]:
    return parse_rules(
        path.read_text(encoding="utf-8"),
        path=path.relative_to(ROOT).as_posix(),
        document=path.stem,
        origin="bundled",
        every_item=path.parent.name == "skills",
    )


RULES = [rule for path in FILES for rule in read_rules(path)[0]]
VARIABLE = re.compile(r"\$+[A-Z]+")
CHECKED = [rule for rule in RULES if rule.checks]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_rule_of_a_file_can_be_used(path: Path) -> None:
    assert read_rules(path)[1] == ()


def test_ids_are_unique_over_all_files() -> None:
    assert drop_duplicates(RULES)[1] == ()


def test_checked_rules_have_an_id_that_somebody_chose() -> None:
    assert [rule.id for rule in CHECKED if not re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.id)] == []


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.id)
def test_the_examples_prove_the_check_in_each_language(rule: Rule) -> None:
    assert check_examples(rule) == ()

    needed = {
        (language, kind)
        for check in rule.checks
        for language in check.languages
        for kind in ("good", "bad")
    }
    assert needed <= {(example.language, example.kind) for example in rule.examples}


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.id)
def test_each_check_of_a_rule_flags_some_example(rule: Rule) -> None:
    alone = [RuleSet([replace(rule, checks=(check,))]) for check in rule.checks]

    proven = [
        any(rule_set.find(example.text, example.language, "") for example in rule.examples)
        for rule_set in alone
    ]

    assert all(proven)


@pytest.mark.parametrize(
    "rule", [r for r in CHECKED if any(c.fix for c in r.checks)], ids=lambda rule: rule.id
)
def test_a_fix_makes_its_finding_go_away(rule: Rule) -> None:
    rule_set = RuleSet([rule])

    for example in rule.examples:
        for finding in rule_set.find(example.text, example.language, ""):
            if finding.fix:
                fixed = apply_edits(example.text, finding.fix)
                assert rule_set.find(fixed, example.language, "") == ()


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.id)
def test_a_message_says_the_same_in_english_and_in_chinese(rule: Rule) -> None:
    for check in rule.checks:
        english, chinese = check.message.split(" / ")

        assert not contains_chinese(english)
        assert contains_chinese(chinese)
        assert set(VARIABLE.findall(english)) == set(VARIABLE.findall(chinese))


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.id)
def test_a_checked_rule_gives_its_reason_and_is_told_in_both_languages(rule: Rule) -> None:
    sign = "English: " if contains_chinese(rule.text) else "中文："
    reason, found, translation = rule.rationale.rpartition(sign)

    assert found
    assert translation
    # A short rule gives its reason behind a semicolon or a colon.
    assert reason or re.search("[;:；：]", rule.text)


@pytest.mark.parametrize("path", [LABELS, INDEPENDENT], ids=lambda path: path.stem)
def test_what_was_read_on_real_packages_is_about_rules_that_ship(path: Path) -> None:
    labels = read_labels(path)

    assert {label.rule_id for label in labels} <= {rule.id for rule in CHECKED}
    assert len(labels) >= 200
    assert len({label.package for label in labels}) >= 10
    assert all(label.version and label.reason for label in labels)
    places = [(label.package, label.path, label.line, label.rule_id) for label in labels]
    assert len(set(places)) == len(places)


def test_no_rule_is_wrong_about_real_packages_in_one_finding_of_twenty() -> None:
    assert [each for each in measure(read_labels(), RULES) if not each.is_good] == []


def test_the_second_reader_drew_from_packages_that_the_first_had_not_seen() -> None:
    first, second = (
        {label.package for label in read_labels(path)} for path in (LABELS, INDEPENDENT)
    )

    assert first & second == set()


def test_what_the_second_reader_drew_after_narrowing_is_right() -> None:
    drawn = [label for label in read_labels(INDEPENDENT) if label.after == "drawn"]

    assert len(drawn) >= 60
    assert sum(not label.is_true for label in drawn) / len(drawn) < MAX_FALSE


def test_there_are_enough_checked_rules_for_each_language() -> None:
    n_rules = Counter(
        language
        for rule in CHECKED
        for language in {language for check in rule.checks for language in check.languages}
    )

    assert len(CHECKED) >= 60
    assert min(n_rules["python"], n_rules["typescript"], n_rules["tsx"]) >= 20
    assert len([rule for rule in CHECKED if rule.id.startswith("sql-")]) >= 4


def test_glossators_own_code_keeps_the_rules() -> None:
    rule_set = RuleSet(RULES)

    findings = [
        f"{path.relative_to(ROOT)}:{finding.range.start.line} {finding.rule.id}"
        for path in sorted((ROOT / "server").rglob("*.py"))
        for finding in rule_set.find(
            path.read_text(encoding="utf-8"), "python", path.relative_to(ROOT).as_posix()
        )
    ]

    assert findings == []
