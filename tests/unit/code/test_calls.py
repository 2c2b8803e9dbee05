# ruff: noqa: E501 (one case a line reads better than a tidy margin)
import pytest

from glossator.code.languages import find_language
from glossator.code.outline import Call, parse_outline
from glossator.core.locations import Point


def find_calls(file_name: str, text: str) -> list[Call]:
    language = find_language(file_name)
    assert language is not None
    outline = parse_outline(text, language)
    return [*outline.module_calls, *(c for f in outline.functions for c in f.calls)]


@pytest.mark.parametrize(
    ("file_name", "text", "expected"),
    [
        ("a.py", "self.users.get(1)", ["self.users/get"]),
        ("a.py", "a().b(c()).d()", ["/a", "a()/b", "/c", "a().b(c())/d"]),
        ("a.py", "(f)(1)(2); x[0](); 获取.数据()", ["/f", "获取/数据"]),
        ("a.js", "new a.B(); super(1); this.#p(); a?.b(); import('x')", ["a/B", "/super", "this/#p", "a/b"]),
        ("a.ts", "a!.b?.c<T>(1); new X.Y<T>(2)", ["a!.b/c", "X/Y"]),
        ("a.tsx", "<Foo.Bar a={f()}><Baz/><div/></Foo.Bar>", ["Foo/Bar", "/f", "/Baz"]),
        ("a.go", "package p\nfunc f() { s.x.Y(a); g[int](1); func() { h() }() }", ["s.x/Y", "/g", "/h"]),
        ("A.java", "class A { int x = new B<C>(a.b(1).c()).d; A() { super(1); } }",
         ["/B", "a/b", "a.b(1)/c", "/super"]),
        ("a.rs", "fn f() { a::b::<u8>(1); x.y::<T>(); println!(\"{}\", self.a.g(h(1)).i(2)); }",
         ["a/b", "x/y", "/println", "self.a/g", "/h", "…/i"]),
        ("a.rs", "macro_rules! m { () => { A::new()\n  .on()\n  .off()\n b() } }",
         ["A/new", "…/on", "…/off", "/b"]),
        ("a.c", "int f() { return g(1) + s->h(2) + t.i(3) + (*fp)(1); }", ["/g", "s/h", "t/i", "/fp"]),
        ("a.cpp", "int f() { std::g<int>(1); p->h(); new n::X<int>(2); a.template t<int>(); }",
         ["std/g", "p/h", "n/X", "a/t"]),
        ("a.cs", "class A { void F() { a?.B(1); new C.D<int>(); E<int>(); this.G(); } }",
         ["a/B", "C/D", "/E", "this/G"]),
        ("a.rb", "def f; Foo::Bar.new(1).go; bar.baz { |q| qux(q) }; super(1); end",
         ["Foo/Bar", "Foo::Bar.new(1)/go", "bar/baz", "/qux", "/super"]),
        ("a.php", "<?php $this->g()->h(); self::i(); new \\N\\M($a); j($a); $q?->z();",
         ["$this/g", "$this->g()/h", "self/i", "\\N/M", "/j", "$q/z"]),
    ],
)  # fmt: skip
def test_calls_have_a_name_and_a_receiver(file_name: str, text: str, expected: list[str]) -> None:
    calls = find_calls(file_name, text)

    assert [f"{call.receiver}/{call.name}" for call in calls] == expected


def test_a_call_stands_at_its_name() -> None:
    (call,) = find_calls("a.py", "x = 客户.\\\n    查询(1,\n  2)")

    assert call == Call("查询", "客户", Point(2, 4), "客户.\\ 查询(1, 2)")


def test_a_decorator_is_called_by_what_stands_around_the_definition() -> None:
    language = find_language("a.py")
    assert language is not None
    outline = parse_outline(
        "@app.route(path())\n@plain\ndef f():\n  @inner.own\n  def g(): pass", language
    )

    calls = [f"{call.receiver}/{call.name}" for call in outline.module_calls]
    assert calls == ["app/route", "/path", "/plain"]
    assert [[call.name for call in each.calls] for each in outline.functions] == [["own"], []]


def test_calls_in_annotations_are_left_out() -> None:
    assert find_calls("a.ts", "class A { @Input(f()) b() {} }") == []
    assert find_calls("a.rs", "#[cfg(any(test))]\nfn f() {}") == []


def test_a_long_call_is_cut() -> None:
    (call,) = find_calls("a.py", f"f({'x, ' * 1000})")

    assert len(call.text) < 200
    assert call.text.endswith("…")
