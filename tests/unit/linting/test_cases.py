"""Every code has texts in which it is found, at the right place, and repairs that mend it."""

import re

import pytest

from glossator.app.linting.text import MESSAGES, render_message, render_title
from glossator.app.phrasing import Phrasing
from glossator.core.text import contains_chinese
from glossator.linting.finding import GUESSES, SEVERITIES, Finding
from unit.linting.case import Case
from unit.linting.cases import CASES
from unit.linting.desk import lint, repair, show


def find_in(case: Case, text: str) -> list[Finding]:
    found = lint(case.path, text, files=case.files, limits=case.limits)
    return [finding for finding in found if finding.code == case.code]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_is_found_where_it_stands(case: Case) -> None:
    found = find_in(case, case.text)

    assert case.marked in [show(case.text, finding.range) for finding in found]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_repair_is_offered_where_one_is_expected_and_mends_it(case: Case) -> None:
    found = find_in(case, case.text)
    repaired = [repair(case.text, finding) for finding in found if finding.repair]

    assert repaired[:1] == ([] if case.repaired is None else [case.repaired])
    assert all(len(find_in(case, text)) < len(found) for text in repaired)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_is_told_in_both_languages(case: Case) -> None:
    finding = find_in(case, case.text)[0]
    english = render_message(finding, Phrasing(is_chinese=False))
    chinese = render_message(finding, Phrasing(is_chinese=True))

    assert english.endswith((".", "?", "”", "`"))
    assert contains_chinese(chinese)
    assert not re.search(r"\{\??\w+[:}]", english + chinese)
    if finding.repair:
        assert render_title(finding.repair, Phrasing(is_chinese=False))
        assert contains_chinese(render_title(finding.repair, Phrasing(is_chinese=True)))


def test_every_code_has_a_case_and_words() -> None:
    assert set(SEVERITIES) == {case.code for case in CASES}
    assert set(SEVERITIES) == set(MESSAGES)
    assert set(SEVERITIES) >= GUESSES


@pytest.mark.parametrize("code", MESSAGES)
def test_both_languages_name_the_same_things(code: str) -> None:
    english, chinese = (set(re.findall(r"\{\??(\w+)[:}]", text)) for text in MESSAGES[code])

    assert english == chinese
