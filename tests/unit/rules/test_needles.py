import re
from collections.abc import Iterable

import pytest
from ast_grep_py import SgRoot
from hypothesis import given
from hypothesis import strategies as st

from glossator.rules.needles import Needle, find_needles
from glossator.rules.vocabulary import Vocabulary

LITERALS = st.text(alphabet="abcXYZ_ .-", min_size=1, max_size=6).map(re.escape)
ATOMS = st.one_of(
    LITERALS,
    st.sampled_from(["[a-c]", "[^)(|x]", "[]a]", r"\s", r"\w", ".", r"\(", "^", "$", r"\b"]),
)


def extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from("?*+")).map(lambda parts: f"(?:{parts[0]}){parts[1]}"),
        st.tuples(LITERALS, st.sampled_from(["?", "*", "+", "{0,2}", "??"])).map("".join),
    )


def spell(needles: Iterable[Needle]) -> set[str]:
    return {needle.text for needle in needles}


@given(
    st.data(),
    st.recursive(ATOMS, extend, max_leaves=8),
    st.sampled_from([("python",), ("python", "tsx"), ("php",)]),
)
def test_every_text_that_a_regex_matches_has_its_needles(
    data: st.DataObject, regex: str, languages: tuple[str, ...]
) -> None:
    text = data.draw(st.from_regex(regex))

    assert Vocabulary(text).mentions_all(find_needles({"regex": regex}, languages))


@pytest.mark.parametrize(
    ("rule", "needles"),
    [
        ({"pattern": "yaml.load($SOURCE)"}, ["yaml", "load", {"yaml . load ("}]),
        ({"pattern": "$A == $B"}, [{"=="}]),
        ({"pattern": "$A < $B"}, []),
        ({"pattern": "$A.map($B)"}, ["map", {". map ("}]),
        ({"pattern": "range(len($A))"}, ["range", "len", {"range ( len ("}]),
        ({"pattern": "$A if $B else c"}, ["c"]),
        ({"pattern": "prefix$A"}, []),
        ({"kind": "global_statement"}, ["global"]),
        ({"kind": "except_clause", "regex": "^except\\s*:"}, ["except", {"except\0:"}]),
        ({"regex": "^requests\\.(get|post)$"}, [{"requests.get", "requests.post"}]),
        ({"regex": "^(old|legacy)_name$"}, [{"old_name", "legacy_name"}]),
        ({"regex": "^old_name$"}, ["old_name"]),
        ({"regex": "^old_"}, [{" old_"}]),
        ({"regex": r"\bold\b"}, ["old"]),
        ({"regex": "_old$"}, [{"_old "}]),
        ({"regex": "(?i-u:select|delete)\\s"}, [{"select", "delete"}]),
        ({"regex": "select|x*"}, []),
        ({"regex": "colou?r"}, [{"colo"}]),
        ({"regex": "a{3}select"}, [{"select"}]),
        ({"regex": "(?x) a b c d"}, []),
        ({"regex": "\\p{Han}select"}, [{"select"}]),
        ({"regex": r"\<old\>"}, ["old"]),
        ({"regex": r"\b{start}old"}, [{" old"}]),
        ({"regex": "[a-z&&[^b]]select[[:^alpha:]]"}, [{"select"}]),
        ({"regex": "(?U)select.*"}, [{"select"}]),
        ({"regex": r"fix\s*me\s*#"}, [{"fix\0me"}]),
        ({"regex": "(a|b)(c|d)(e|f)(g|h)select"}, [{"select"}]),
        ({"any": [{"pattern": "foo($A)"}, {"kind": "list"}]}, []),
        ({"any": [{"pattern": "foo($A)"}, {"regex": "Bar"}]}, [{"foo (", "bar"}]),
        ({"all": [{"kind": "call"}, {"has": {"regex": "^open$", "field": "f"}}]}, ["open"]),
        ({"kind": "call", "not": {"regex": "never"}}, []),
        ({"kind": "call", "inside": {"kind": "x", "stopBy": {"regex": "never"}}}, []),
        ({"pattern": {"context": "class A { $F }", "selector": "x"}}, []),
        (
            {"kind": "function_definition", "has": {"field": "name", "regex": "^get_"}},
            [{" get_"}, {"def\0get_"}],
        ),
        ({"kind": "class_definition", "has": {"field": "name", "regex": "Error$"}}, [{"error "}]),
    ],
)
def test_needles_are_what_must_be_there(
    rule: dict[str, object], needles: list[str | set[str]]
) -> None:
    needs = find_needles(rule, ("python",))

    found = [*({word.decode()} for word in needs.words), *map(spell, needs.groups)]
    wanted = [{needle} if isinstance(needle, str) else needle for needle in needles]
    assert sorted(map(sorted, found)) == sorted(map(sorted, wanted))


@pytest.mark.parametrize(
    ("rule", "without"),
    [
        (
            {"pattern": "get($A)", "inside": {"kind": "class_definition", "regex": "^class Old"}},
            "old",
        ),
        ({"kind": "call", "follows": {"regex": "^old$"}, "has": {"regex": "^get$"}}, "old"),
    ],
)
def test_a_node_does_not_need_what_stands_around_it(rule: dict[str, object], without: str) -> None:
    own = find_needles(rule, ("python",), inside_node=True)

    assert b"get" in own.words
    assert without not in str(own)
    assert without in str(find_needles(rule, ("python",)))


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
        ("python", "$A if $B else $C", "x = 0if a else 1"),
        ("python", "$A in (b, $C)", "x = 0in (b, c)"),
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
        ("php", "$A = array($$$)", "<?php $a = Array(1);"),
        ("php", "exit($A)", "<?php EXIT(1);"),
        ("php", "match($A) { default => 1 }", "<?php MATCH($a) { Default => 1 };"),
        ("python", "raise $A from $B", "raise 0from e"),
        ("python", "[$A async for $B in $C]", "[0async for a in b]"),
        ("python", "type($A) == $B", "type(a) == b"),
        ("python", "type($A) == $B", "type(\n a(b,\n c=1),\n) \\\n == d"),
        ("python", "type($A) == $B", "type(a(b(c(d)))) == e"),
        ("python", "type($A) == $B", "type(')') == b"),
        ("python", "type($A) == $B", "type(a  # :)\n) == b"),
        ("python", "type($A) == $B", "type(a); type(b) == c"),
        ("python", "open($$$).read()", "open(a, b=(c), d=e == f).read()"),
        ("python", "f($$$).g($A).h()", "f((a), (b)).g(c).h()"),
        ("javascript", "f($A).g()", "f(/[)]/).g()"),
        ("javascript", "f($A).g()", "f(`)`).g()"),
        ("javascript", "f($A).g()", "f(a)?.g()"),
        ("tsx", "f($A).g()", "f(<p>:)</p>).g()"),
        ("typescript", "f($A).g()", "f(a as B /* :) */).g()"),
        ("go", "f($A).g()", "f(')').g()"),
        ("java", "f($A).g()", "class A { void b() { f(')').g(); } }"),
        ("rust", "f($A).g()", "fn a() { f(')').g(); }"),
        ("cpp", "f($A).g()", 'void a() { f(R"a())a").g(); }'),
        ("csharp", "f($A).g()", 'class A { void b() { f(@")").g(); } }'),
        ("ruby", "f($A).g()", "f(?)).g()"),
        ("ruby", "f($A).g()", "f($)).g()"),
        ("ruby", "f($A).g()", "f(%q[)]).g()"),
        ("ruby", "f($A) == $B", "f(\n=begin\n)\n=end\na) == b"),
        ("ruby", "f($A).g()", "f(a)&.g()"),
    ],
)
def test_whatever_a_pattern_matches_has_its_needles(language: str, pattern: str, text: str) -> None:
    matched = SgRoot(text.replace("\r", "\n"), language).root().find(pattern=pattern) is not None

    assert (
        Vocabulary(text).mentions_all(find_needles({"pattern": pattern}, (language,)))
        or not matched
    )


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("print($$$)", "the print; blueprint(1)"),
        ("$A == None", "a == b; a = None"),
        ("dict()", "dict(a=1)"),
        ("range(len($A))", "range(a); len(a)"),
        ("type($A) == $B", "type(a); a == b"),
        ("type($A) == $B", "type(a(b)); len(a) == b"),
        ("type($A) == $B", "type(len(a) == b)"),
        ("open($$$).read()", "with open(a) as b: f(b).read()"),
        ("os.path.join($$$)", "os.path; ','.join(a)"),
    ],
)
def test_words_in_another_order_are_not_taken_for_a_pattern(pattern: str, text: str) -> None:
    assert not Vocabulary(text).mentions_all(find_needles({"pattern": pattern}, ("python",)))


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
    needs = find_needles({"kind": kind}, (language,))
    assert needs.words
    assert Vocabulary(text).mentions_all(needs)


@pytest.mark.parametrize(
    ("language", "rule", "text"),
    [
        ("javascript", {"kind": "string_fragment", "regex": "^old$"}, r"a = '\nold'"),
        ("javascript", {"kind": "string_fragment", "regex": "^old$"}, r"a = '\x41old'"),
        ("ruby", {"kind": "string_content", "regex": "^old$"}, r'a = "\nold"'),
        ("python", {"kind": "identifier", "regex": "^old_"}, "f(Old, old_name)"),
        ("python", {"kind": "boolean_operator", "has": {"regex": "^and$"}}, "1and a"),
        ("python", {"kind": "for_in_clause", "regex": "^for"}, "[0for a in b]"),
        ("cpp", {"kind": "literal_suffix", "regex": "^_old$"}, "auto a = 10_old;"),
        (
            "python",
            {"kind": "function_definition", "has": {"field": "name", "regex": "^old"}},
            "def \\\n  old_name(): pass",
        ),
        (
            "python",
            {"kind": "class_definition", "has": {"field": "name", "regex": "^(?i:OLD)$"}},
            "class\tOld: pass",
        ),
        (
            "php",
            {"kind": "function_definition", "has": {"field": "name", "regex": "^old"}},
            "<?php FUNCTION &old_name() {}",
        ),
    ],
)
def test_whatever_a_name_matches_has_its_needles(
    language: str, rule: dict[str, object], text: str
) -> None:
    assert SgRoot(text, language).root().find({"rule": rule}) is not None

    assert Vocabulary(text).mentions_all(find_needles(rule, (language,)))


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ({"regex": "^old$"}, "older; cold; bold_old"),
        ({"regex": "^old"}, "cold; be_old"),
        ({"kind": "function_definition", "has": {"field": "name", "regex": "^old"}}, "a.old()"),
    ],
)
def test_a_name_is_not_taken_for_a_part_of_another(rule: dict[str, object], text: str) -> None:
    assert not Vocabulary(text).mentions_all(find_needles(rule, ("python",)))


@pytest.mark.parametrize(
    ("regex", "comment"),
    [
        (r"\<old\>", "old"),
        (r"\b{start}old\b{end}", "old"),
        (r"\b{start-half}old\b{end-half}", "old"),
        ("[a-z&&[^b]]old", "cold"),
        ("[a[bc]d]old", "dold"),
        ("[[a][b]]old", "aold"),
        ("[[:^digit:]]old", "cold"),
        ("[^]]old", "cold"),
        (r"[\]]?old", "old"),
        ("(?U)old.*x", "oldx"),
        ("(?iU:OLD).*x", "oldx"),
        ("(?R)old$", "old"),
        ("(?Ux) o l d", "old"),
        ("(?P<a.b>old)x", "oldx"),
        (r"\pLold", "cold"),
        (r"\PNold", "cold"),
        ("abc+*old", "abold"),
        ("xold??", "xol"),
        ("a{2, 3}old", "aaold"),
        (r"(?-u:\b)old", "größold"),
        (r"fix\s#\d", "fix #1"),
        (r"fix\s*//", "fix //"),
        (r"fix\s*\\d", "fix \\d"),
        (r"fix\s bar", "fix  bar"),
        (r"fix\s*\B bar", "fix  bar"),
        ("fix\\s*\u200b", "fix \u200b"),
        ("(?i)KELVIN", "\u212aelvin"),
        ("(?i)处理_old", "处理_OLD"),
        ("e\u0301old", "e\u0301old"),
    ],
)
def test_whatever_a_regex_of_ast_grep_matches_has_its_needles(regex: str, comment: str) -> None:
    text = f"# {comment}\n"
    assert SgRoot(text, "python").root().find(kind="comment", regex=regex) is not None

    assert Vocabulary(text).mentions_all(find_needles({"regex": regex}, ("python",)))
