import re

import pytest
from ast_grep_py import SgRoot
from hypothesis import given
from hypothesis import strategies as st

from glossator.rules.needles import find_needles
from glossator.rules.vocabulary import Vocabulary

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
def test_every_text_that_a_regex_matches_has_its_needles(data: st.DataObject, regex: str) -> None:
    text = data.draw(st.from_regex(regex))

    assert Vocabulary(text).mentions_all(find_needles({"regex": regex}))


@pytest.mark.parametrize(
    ("rule", "needles"),
    [
        ({"pattern": "yaml.load($SOURCE)"}, [{"yaml"}, {"load"}, {"yaml . load ("}]),
        ({"pattern": "$A == $B"}, [{"=="}]),
        ({"pattern": "$A < $B"}, []),
        ({"pattern": "$A.map($B)"}, [{"map"}, {". map ("}]),
        ({"pattern": "range(len($A))"}, [{"range"}, {"len"}, {"range ( len ("}]),
        ({"pattern": "prefix$A"}, []),
        ({"kind": "global_statement"}, [{"global"}]),
        ({"kind": "except_clause", "regex": "^except\\s*:"}, [{"except"}, {"except\0:"}]),
        ({"kind": "call", "regex": "^requests\\.(get|post)$"}, [{"requests."}]),
        ({"regex": "(?i-u:select|delete)\\s"}, [{"select", "delete"}]),
        ({"regex": "select|x*"}, []),
        ({"regex": "colou?r"}, [{"colo"}]),
        ({"regex": "a{3}select"}, [{"select"}]),
        ({"regex": "(?x) a b c d"}, []),
        ({"regex": "\\p{Han}select"}, [{"select"}]),
        ({"any": [{"pattern": "foo($A)"}, {"kind": "list"}]}, []),
        ({"any": [{"pattern": "foo($A)"}, {"regex": "Bar"}]}, [{"foo (", "bar"}]),
        ({"all": [{"kind": "call"}, {"has": {"regex": "^open$", "field": "f"}}]}, [{"open"}]),
        ({"kind": "call", "not": {"regex": "never"}}, []),
        ({"kind": "call", "inside": {"kind": "x", "stopBy": {"regex": "never"}}}, []),
        ({"pattern": {"context": "class A { $F }", "selector": "x"}}, []),
    ],
)
def test_needles_are_what_must_be_there(rule: dict[str, object], needles: list[set[str]]) -> None:
    found = [{needle.text for needle in group} for group in find_needles(rule)]

    assert sorted(map(sorted, found)) == sorted(map(sorted, needles))


@pytest.mark.parametrize(
    ("language", "pattern", "text"),
    [
        ("python", "print($$$)", "print (1)"),
        ("python", "os.path.join($$$)", "os.path \\\n .join(a, b)"),
        ("python", "$A == None", "f(a ==  # nothing\n  # at all\n None)"),
        ("python", "$A == None", "f(a ==\r  # nothing\r None)"),
        ("python", "f(1)", "f(1,)"),
        ("python", "dict()", "dict(\n)"),
        ("python", "range(len($A))", "range( # all\n len(a))"),
        ("python", "assert ($A, $B)", "assert(a, b,)"),
        ("python", "assert ($A, $B)", "assert\u00a0(a, b)"),
        ("python", "$A.größe()", "a.größe()"),
        ("typescript", "a.b($A)", "a /* c */ . b(x)"),
        ("typescript", "a.b($A)", "a // it's\n  .b(x)"),
        ("javascript", "$A === null", "x ===\n\tnull"),
        ("javascript", "function f() {}", "async function f() {}"),
        ("javascript", "for (const a of $B) {}", "async () => { for await (const a of b) {} }"),
        ("cpp", "int f() {}", "int f(...) {}"),
        ("cpp", "if (a) {}", "void f() { if constexpr (a) {} }"),
        ("rust", "fn f(self) {}", "impl A { fn f(&self) {} }"),
        ("csharp", "f(g())", "class A { void b() { f(ref g()); } }"),
        ("ruby", "f(1)", "f(1)"),
        ("php", "strlen($$$)", "<?php strlen(1);"),
    ],
)
def test_whatever_a_pattern_matches_has_its_needles(language: str, pattern: str, text: str) -> None:
    matched = SgRoot(text.replace("\r", "\n"), language).root().find(pattern=pattern) is not None

    assert Vocabulary(text).mentions_all(find_needles({"pattern": pattern})) or not matched


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("print($$$)", "the print; blueprint(1)"),
        ("$A == None", "a == b; a = None"),
        ("dict()", "dict(a=1)"),
        ("range(len($A))", "range(a); len(a)"),
        ("type($A) == $B", "type(a); a == b"),
        ("os.path.join($$$)", "os.path; ','.join(a)"),
    ],
)
def test_words_in_another_order_are_not_taken_for_a_pattern(pattern: str, text: str) -> None:
    assert not Vocabulary(text).mentions_all(find_needles({"pattern": pattern}))


@pytest.mark.parametrize(
    ("language", "kind", "text"),
    [
        ("python", "global_statement", "def f():\n    global a"),
        ("python", "except_clause", "try:\n    a\nexcept:\n    b"),
        ("python", "with_statement", "async def f():\n    async with a: b"),
        ("python", "import_from_statement", "from a import b"),
        ("javascript", "debugger_statement", "debugger"),
        ("javascript", "import_statement", "import 'a'"),
        ("java", "catch_clause", "class A { void f() { try {} catch (E e) {} finally {} } }"),
        ("go", "defer_statement", "package a\nfunc f() { defer g() }"),
        ("php", "return_statement", "<?php RETURN 1;"),
    ],
)
def test_a_kind_that_begins_with_its_keyword_needs_it(language: str, kind: str, text: str) -> None:
    assert SgRoot(text, language).root().find(kind=kind) is not None
    assert find_needles({"kind": kind})
    assert Vocabulary(text).mentions_all(find_needles({"kind": kind}))
