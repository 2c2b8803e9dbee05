"""For which files a rule is."""

import pickle

import pytest

from glossator.rules.matching import RuleSet
from glossator.rules.parse import parse_rules
from glossator.rules.rule import Rule
from glossator.rules.scope import find_mismatch, is_in_scope, name_place, split_place

CHECK = "\n  ```check\n  language: [python, tsx]\n  rule: {pattern: f($A)}\n  ```\n"


def make(text: str, *, globs: tuple[str, ...] = (), home: str = "", root: str = "") -> Rule:
    rules, problems = parse_rules(
        text, path="k.md", document="k", origin="workspace", globs=globs, home=home, root=root
    )
    assert problems == ()
    return rules[0]


@pytest.mark.parametrize(
    ("files", "globs", "home", "path", "is_for"),
    [
        ("src/**", (), "", "src/a.py", True),
        ("src/**", (), "", "lib/a.py", False),
        ("src/** !src/gen/**", (), "", "src/gen/a.py", False),
        ("*.py", ("src/**",), "", "src/a.py", True),
        ("*.py", ("src/**",), "", "a.py", False),
        # A folder's own document counts from there, or from the top.
        ("src/**", ("=pkg/**",), "pkg", "pkg/src/a.py", True),
        ("pkg/src/**", ("=pkg/**",), "pkg", "pkg/src/a.py", True),
        ("src/**", ("=pkg/**",), "pkg", "src/a.py", False),
        ("src/**", ("=pkg/**",), "pkg", "pkg/lib/a.py", False),
    ],
)
def test_the_globs_of_a_rule_narrow_those_of_its_document(
    files: str, globs: tuple[str, ...], home: str, path: str, is_for: bool
) -> None:
    for text in (f'- A. {{#a files="{files}"}}\n', f'- A. {{#a files="{files}"}}\n{CHECK}'):
        assert is_in_scope(make(text, globs=globs, home=home), path) is is_for


def test_why_a_rule_is_not_for_a_file() -> None:
    judged = make('- A. {#a language=vue files="src/**"}\n')
    compiled = make(f"- A. {{#a language=py}}\n{CHECK}")

    assert find_mismatch(judged, "src/a.vue", "vue") == ""
    assert find_mismatch(judged, "lib/a.vue", "vue") == "other-files"
    assert find_mismatch(judged, "src/a.ts", "typescript") == "other-language"
    assert find_mismatch(make("- A. {#a language=bash}\n"), "a.sh", "shellscript") == ""
    assert find_mismatch(compiled, "a.py", "python") == ""
    assert find_mismatch(compiled, "a.tsx", "typescriptreact") == "other-language"


def test_a_language_of_the_rule_narrows_its_checks() -> None:
    rule_set = RuleSet([make(f"- A. {{#a language=python}}\n{CHECK}")])

    assert len(rule_set.find("f(1)", "python", "a.py")) == 1
    assert rule_set.find("f(1)", "tsx", "a.tsx") == ()


def test_a_rule_of_one_workspace_folder_is_for_no_other() -> None:
    rule_set = RuleSet([make(f"- A. {{#a}}\n{CHECK}", root="前端")])

    assert len(rule_set.find("f(1)", "python", name_place("a.py", "前端"))) == 1
    assert rule_set.find("f(1)", "python", name_place("a.py", "backend")) == ()
    # Where there is one folder only, rules have no root, and files have none.
    assert len(rule_set.find("f(1)", "python", name_place("a.py"))) == 1


def test_a_place_keeps_its_folder_and_path() -> None:
    assert split_place(name_place("a/b.py", "x")) == ("x", "a/b.py")
    assert split_place(name_place("a/b.py")) == ("", "a/b.py")


def test_a_rule_set_goes_to_another_process_and_finds_the_same() -> None:
    rule_set = RuleSet([make(f"- A. {{#a}}\n{CHECK}")])

    other = pickle.loads(pickle.dumps(rule_set))

    assert other.find("f(1)", "python", "a.py") == rule_set.find("f(1)", "python", "a.py")
