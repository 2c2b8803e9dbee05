from collections.abc import Set

from glossator.rules.judging.selection import FEW_RULES, MAX_RULES, select_rules
from glossator.rules.rule import Rule


def rule(id_: str, text: str, *, files: tuple[str, ...] = ()) -> Rule:
    return Rule(id_, text, "", "r.md", 1, 1, "workspace", "r", files=files, is_judged=True)


def words_of(rule: Rule) -> Set[str]:
    return set(rule.text.split())


OTHERS = [rule(f"other-{number:02}", "nothing alike") for number in range(30)]


def test_the_rules_that_share_most_words_come_first() -> None:
    rules = [*OTHERS, rule("one", "load x"), rule("two", "load save y")]

    chosen = select_rules(rules, code_words={"load", "save"}, words_of=words_of).chosen

    assert [each.id for each in chosen[:2]] == ["two", "one"]


def test_few_rules_are_all_asked_about() -> None:
    selection = select_rules(OTHERS[:FEW_RULES], code_words=set(), words_of=words_of)

    assert len(selection.chosen) == FEW_RULES
    assert not selection.without_words


def test_of_many_those_without_a_shared_word_are_left_out_and_named() -> None:
    own_files = rule("own-files", "words", files=("src/**",))

    selection = select_rules([*OTHERS, own_files], code_words={"load"}, words_of=words_of)

    assert len(selection.chosen) == FEW_RULES
    assert own_files in selection.chosen
    assert len(selection.chosen) + len(selection.without_words) == 31


def test_too_many_are_cut_and_named() -> None:
    rules = [rule(f"r{number:03}", "load") for number in range(100)]

    selection = select_rules(rules, code_words={"load"}, words_of=words_of)

    assert len(selection.chosen) == MAX_RULES
    assert len(selection.too_many) == 100 - MAX_RULES
    assert not selection.without_words
