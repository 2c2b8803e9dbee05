# ruff: noqa: E501 (one case a line reads better than a tidy margin)
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.code.languages import LANGUAGES, Language, find_language
from glossator.code.outline import Function, Outline, parse_outline
from glossator.core.locations import Point, Range
from glossator.core.text import split_lines


def outline_of(file_name: str, text: str) -> Outline:
    language = find_language(file_name)
    assert language is not None
    return parse_outline(text, language)


def name_at(outline: Outline, line: int, column: int) -> str | None:
    function = outline.enclosing(Point(line, column))
    return None if function is None else function.qualified_name


def text_in(text: str, range_: Range) -> str:
    lines = split_lines(text, keep_ends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    start, end = range_.start, range_.end
    return text[starts[start.line - 1] + start.column : starts[end.line - 1] + end.column]


NESTED = """\
import x

@x.route(
    "/")
def outer():
    class Inner:
        @property
        def 名(self): return 1
    return Inner

outer()
"""


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        (1, 0, None),
        (3, 0, "outer"),
        (4, 5, "outer"),
        (5, 6, "outer"),
        (6, 10, "outer"),
        (7, 0, "outer.Inner.名"),
        (7, 12, "outer.Inner.名"),
        (8, 13, "outer.Inner.名"),
        (8, 29, "outer.Inner.名"),
        (8, 30, "outer"),
        (9, 4, "outer"),
        (9, 16, "outer"),
        (10, 0, None),
        (11, 3, None),
        (99, 0, None),
    ],
)
def test_the_innermost_function_at_a_position_is_found(
    line: int, column: int, expected: str | None
) -> None:
    assert name_at(outline_of("a.py", NESTED), line, column) == expected


def test_between_two_functions_that_touch_the_second_one_is_meant() -> None:
    outline = outline_of("a.js", "function f(){}function g(){}")

    assert name_at(outline, 1, 14) == "g"
    assert name_at(outline, 1, 13) == "f"
    assert name_at(outline, 1, 28) == "g"


def test_calls_belong_to_the_innermost_function_with_a_name() -> None:
    outline = outline_of(
        "a.py",
        "boot()\n"
        "def f(a=first()):\n"
        "    def g():\n"
        "        second()\n"
        "    return map(lambda: third(), g())\n",
    )

    calls = {
        function.name: [call.name for call in function.calls] for function in outline.functions
    }
    assert calls == {"f": ["first", "map", "third", "g"], "g": ["second"]}
    assert [call.name for call in outline.module_calls] == ["boot"]


@pytest.mark.parametrize(
    ("file_name", "text", "names"),
    [
        ("a.py", "def f():\n  x = g(1,\n  return x\n\ndef h():\n  pass\n\ndef i(): 0", {"f", "i"}),
        ("a.ts", "function f() {\n x = g(1,\n}\nclass A { m() { } }\nfunction h() {}", {"m", "h"}),
        ("a.go", "package p\nfunc f() {\n x := g(1,\n}\nfunc h() {\n}\n", {"f", "h"}),
        ("A.java", "class A { void f() { int x = ; } void g( ) { }", {"f", "g"}),
    ],
)
def test_broken_code_says_so_and_still_gives_names(
    file_name: str, text: str, names: set[str]
) -> None:
    outline = outline_of(file_name, text)

    assert outline.has_errors
    assert names <= {function.name for function in outline.functions}


def test_sound_code_has_no_errors() -> None:
    assert not outline_of("a.py", NESTED).has_errors


def test_an_empty_text_has_an_empty_outline() -> None:
    for language in LANGUAGES:
        outline = parse_outline("", language)

        assert not outline.functions + outline.types
        assert not outline.imports + outline.module_calls
        assert outline.enclosing(Point(1, 0)) is None


def test_a_byte_order_mark_counts_as_a_character() -> None:
    (function,) = outline_of("a.py", "\ufeffdef f(): pass").functions

    assert function.name_range == Range(Point(1, 5), Point(1, 6))


def test_lone_carriage_returns_end_lines_in_every_language() -> None:
    (function,) = outline_of("a.py", "# 注释\rdef f():\r    '''文档'''\r    g()\r").functions

    assert function.range.start == Point(2, 0)
    assert function.documentation == "文档"
    assert function.calls[0].point == Point(4, 4)


def test_a_header_that_holds_cpp_is_read_as_cpp() -> None:
    outline = outline_of("a.h", "namespace n {\nclass A {\npublic:\n  void f() const;\n};\n}\n")

    assert outline.language.id == "cpp"
    assert [function.qualified_name for function in outline.functions] == ["n.A.f"]


@pytest.mark.parametrize(
    ("file_name", "text"),
    [
        ("a.py", "f(" * 30_000 + ")" * 30_000),
        ("a.py", "a" + ".b()" * 30_000),
        ("a.js", "[" * 30_000 + "]" * 30_000),
        ("a.js", "x = {a: function() {" * 5_000),
        ("a.ts", "f<" * 5_000),
        ("a.rs", "m!(" * 30_000 + ")" * 30_000),
        ("a.c", "int " + "*" * 30_000 + "f(void);"),
        ("a.cpp", "namespace a {" * 5_000),
        ("a.php", "<?php " + "if (1) {" * 5_000),
        ("a.go", "package p; func f() {" + "{" * 30_000),
    ],
)
def test_deep_nesting_is_survived(file_name: str, text: str) -> None:
    outline_of(file_name, text)


def test_definitions_nested_without_end_keep_short_names() -> None:
    outline = outline_of("a.js", "function f() {" * 3_000 + "}" * 3_000)

    assert len(outline.functions) > 1_000
    assert max(len(function.qualified_name) for function in outline.functions) < 500


def test_columns_on_a_very_long_line_are_right() -> None:
    text = "函数(变量);" * 20_000 + "function 末尾() {}"

    (function,) = outline_of("a.js", text).functions

    assert text_in(text, function.name_range) == "末尾"


_PIECES = [
    *string.punctuation, "\n", "\n    ", "\r", "\r\n", "\t", " ", "\0", "\ud800", "\ufeff", "中文", "😀",
    "def f(a):", "class A:", "lambda x: ", "@d\n", "async ", '"""doc"""', "f = ", "return ", "import a",
    "function g(a) {", "class B {", "(a) => ", "const h = ", "exports.k = ", "export default ",
    "interface I {", "m(): void;", "namespace N {", "`${", "<T>", "<Foo>", "/** doc */", "// c\n",
    "package p\n", "func (s *S) M() {", "type S struct {", "x := func() {", "impl T for S {",
    "fn r<T>() -> u8 {", "m!(", "#[a]\n", "/// d\n", "template <class T>", "A::b() {", "int f(int);",
    "operator+", "#define X \\\n", "#include <a>\n", "public void v() {", "new A()", "enum E {",
    "module M\n", "def self.s\n", "end\n", "<<~A\n", "define_method(:z) do", "->(x) {", "<?php ", "?>",
    "$f = fn($x) => ", "use A\\B;", "{", "}", "(", ")", "a.b().c()", "1", "'", '"',
]  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> str:
    return "".join(draw(st.lists(st.sampled_from(_PIECES), max_size=60)))


@settings(max_examples=400)
@given(text=texts() | st.text(max_size=200), language=st.sampled_from(LANGUAGES))
def test_whatever_the_text_the_outline_holds_together(text: str, language: Language) -> None:
    outline = parse_outline(text, language)

    assert list(outline.functions) == sorted(outline.functions, key=lambda f: f.range.start)
    for function in outline.functions:
        assert function.name
        assert text_in(text, function.name_range) == function.name
        assert function.range.start <= function.name_range.start
        assert function.name_range.end <= function.range.end
        assert "\n" not in function.signature
        for point in (function.range.start, function.name_range.start, function.range.end):
            assert outline.enclosing(point) == find_innermost(outline, point)
        for call in function.calls:
            assert function.range.start <= call.point <= function.range.end
    for definition in outline.types:
        assert text_in(text, definition.name_range) == definition.name
    for found in (*outline.module_calls, *(c for f in outline.functions for c in f.calls)):
        end = Point(found.point.line, found.point.column + len(found.name))
        assert text_in(text, Range(found.point, end)) == found.name


def find_innermost(outline: Outline, point: Point) -> Function | None:
    """The slow way: of all functions around the point the one that begins last."""
    around = [
        index
        for index, function in enumerate(outline.functions)
        if outline.anchors[index] <= point <= function.range.end
    ]
    return outline.functions[around[-1]] if around else None
