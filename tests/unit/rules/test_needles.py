import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.rules.needles import find_needles

LITERALS = st.text(alphabet="abcXYZ_ .-", min_size=1, max_size=6).map(re.escape)
ATOMS = st.one_of(LITERALS, st.sampled_from(["[a-c]", "[^)(|x]", "[]a]", r"\s", r"\w", ".", r"\("]))


def extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from("?*+")).map(lambda parts: f"(?:{parts[0]}){parts[1]}"),
        st.tuples(LITERALS, st.sampled_from(["?", "*", "+", "{0,2}", "??"])).map("".join),
    )


@given(st.data(), st.recursive(ATOMS, extend, max_leaves=8))
def test_every_text_that_a_regex_matches_has_one_of_its_needles(
    data: st.DataObject, regex: str
) -> None:
    needles = find_needles({"regex": regex})

    text = data.draw(st.from_regex(regex)).casefold()
    assert not needles or any(needle in text for needle in needles)


@pytest.mark.parametrize(
    ("rule", "needles"),
    [
        ({"pattern": "yaml.load($SOURCE)"}, {"yaml"}),
        ({"pattern": "$A == $B"}, set()),
        ({"kind": "call", "regex": "^requests\\.(get|post)$"}, {"requests."}),
        ({"regex": "(?i-u:select|delete)\\s"}, {"select", "delete"}),
        ({"regex": "select|x*"}, set()),
        ({"regex": "colou?r"}, {"colo"}),
        ({"regex": "a{3}select"}, {"select"}),
        ({"regex": "(?x) a b c d"}, set()),
        ({"regex": "\\p{Han}select"}, {"select"}),
        ({"any": [{"pattern": "foo($A)"}, {"kind": "list"}]}, set()),
        ({"any": [{"pattern": "foo($A)"}, {"regex": "Bar"}]}, {"foo", "bar"}),
        ({"all": [{"kind": "call"}, {"has": {"regex": "^open$", "field": "function"}}]}, {"open"}),
        ({"kind": "call", "not": {"regex": "never"}}, set()),
        ({"kind": "call", "inside": {"kind": "x", "stopBy": {"regex": "never"}}}, set()),
        ({"pattern": {"context": "class A { $F }", "selector": "x"}}, set()),
    ],
)
def test_needles_are_words_that_must_be_there(rule: dict[str, object], needles: set[str]) -> None:
    assert find_needles(rule) == needles
