"""How far a check looks, told from its rule."""

from typing import Any

import pytest

from glossator.rules.locality import find_reach

CALL = {"kind": "call"}
LOOP = {"kind": "for_statement", "stopBy": "end"}
FUNCTION = {"kind": "function_definition"}


@pytest.mark.parametrize(
    "rule",
    [
        {"pattern": "print($A)"},
        {"kind": "call", "has": {"field": "function", "regex": "^old$"}},
        {"pattern": "f($A)", "inside": LOOP},
        {"pattern": "f($A)", "not": {"inside": LOOP}},
        {"pattern": "f($A)", "inside": {"kind": "module"}},
        {"kind": "function_definition", "has": {"kind": "argument", "nthChild": 1}},
        {"kind": "argument_list", "nthChild": {"position": 1, "ofRule": CALL}},
        {"kind": "argument", "follows": {"pattern": "timeout=$T"}},
        {"any": [{"pattern": "f($A)"}, {"kind": "call", "regex": "g"}]},
        {"all": [{"regex": "x"}, {"inside": FUNCTION}, {"nthChild": 2}]},
        {"regex": "^x$", "inside": {"any": [FUNCTION, {"kind": "class_definition"}]}},
        {"pattern": {"context": "class A { $F = 1 }", "selector": "field_definition"}},
        {"kind": "call", "has": {"regex": "x", "stopBy": {"kind": "lambda"}}},
        {"kind": "call", "inside": {**LOOP, "stopBy": {"any": [FUNCTION, {"kind": "module"}]}}},
    ],
)
def test_a_rule_that_looks_at_nothing_but_the_statement_stays_in_it(rule: Any) -> None:
    assert find_reach({"rule": rule}) in ("member", "statement")


@pytest.mark.parametrize(
    "rule",
    [
        {"regex": "x"},
        {"pattern": "$ANY"},
        {"kind": "module"},
        {"kind": "program", "has": CALL},
        {"not": {"has": CALL}},
        {"kind": "expression_statement", "follows": {"kind": "comment"}},
        {"pattern": "f($A)", "precedes": {"pattern": "g($A)"}},
        {"kind": "import_statement", "nthChild": 1},
        {"pattern": "f($A)", "inside": {"kind": "module", "stopBy": "end", "regex": "import g"}},
        {"pattern": "f($A)", "inside": {"stopBy": "end", "has": CALL}},
        {"pattern": "f($A)", "inside": {"any": [FUNCTION, {"kind": "module", "has": CALL}]}},
        {"pattern": "f($A)", "not": {"inside": {"stopBy": "end", "not": {"regex": "x"}}}},
        {"any": [{"pattern": "f($A)"}, {"regex": "x"}]},
        {"kind": "call", "inside": {"kind": "class_definition", "follows": {"kind": "comment"}}},
        {"kind": "call", "has": {"regex": "x", "stopBy": {"unheard": "of"}}},
        {"kind": "call", "inside": {**LOOP, "stopBy": {"kind": "module", "has": CALL}}},
        {"kind": "call", "inside": {"kind": "comment + function_definition", "stopBy": "end"}},
        {"all": [{"kind": "call"}, {"kind": "module > expression_statement ~ call"}]},
        {"kind": "call", "unheard": "of"},
        {"matches": "nothing"},
    ],
)
def test_a_rule_that_may_look_further_is_taken_for_one_that_does(rule: Any) -> None:
    assert find_reach({"rule": rule}) == "text"


@pytest.mark.parametrize(
    ("rule", "reach"),
    [
        ({"pattern": "print($A)"}, "member"),
        ({"kind": "except_clause", "has": {"kind": "block", "regex": "x"}}, "member"),
        ({"kind": "function_definition", "has": {"field": "name", "regex": "^x"}}, "member"),
        ({"pattern": "f($A)", "inside": {"kind": "class_definition", "stopBy": "end"}}, "member"),
        ({"kind": "argument_list", "nthChild": 1}, "member"),
        ({"pattern": "class $A: $$$B"}, "statement"),
        ({"kind": "class_definition", "has": {"pattern": "f($A)", "stopBy": "end"}}, "statement"),
        ({"pattern": "f($A)", "inside": {"kind": "class_definition", "regex": "x"}}, "statement"),
        ({"kind": "identifier", "precedes": {"kind": "block", "regex": "x"}}, "statement"),
        ({"kind": "identifier", "precedes": {"regex": "x", "stopBy": "end"}}, "statement"),
        ({"regex": "x", "inside": {"kind": "class_definition"}}, "statement"),
        ({"kind": "block", "has": {"kind": "pass_statement"}}, "statement"),
        ({"pattern": "@$A\ndef f(): $$$B"}, "statement"),
        ({"kind": "function_definition", "follows": {"kind": "comment"}}, "text"),
    ],
)
def test_what_looks_at_the_whole_of_a_class_does_not_stay_in_a_member(
    rule: Any, reach: str
) -> None:
    assert find_reach({"rule": rule}) == reach


def test_what_else_a_check_has_counts_as_well() -> None:
    utils = {"loop": LOOP, "again": {"any": [CALL, {"has": {"matches": "again"}}]}}
    called = {"kind": "call", "inside": {"matches": "loop"}}
    argument = {"A": {"regex": "x"}}
    around = {"A": {"inside": {"kind": "module", "has": CALL}}}

    assert find_reach({"rule": called, "utils": utils}) == "member"
    assert find_reach({"rule": {"matches": "again"}, "utils": utils}) == "text"
    assert find_reach({"rule": {"pattern": "f($A)"}, "constraints": argument}) == "member"
    assert find_reach({"rule": {"pattern": "f($A)"}, "constraints": around}) == "text"
    assert find_reach({"rule": {"pattern": "f($A)"}, "rewriters": []}) == "text"
