import pytest

from glossator.code.languages import find_language
from glossator.code.outline import parse_outline
from glossator.tools.return_types import find_return_type, split_chained_call


@pytest.mark.parametrize(
    ("file_name", "text", "expected"),
    [
        ("a.py", "def f() -> 'shop.Store':\n    pass\n", "Store"),
        ("a.py", "def f() -> list[Store]:\n    pass\n", ""),
        ("a.py", "class Store:\n    def f(self) -> Self:\n        pass\n", "Store"),
        ("a.py", "def f():\n    pass\n", ""),
        ("a.go", "package a\n\nfunc (c *Command) f(a int) *Command { return c }\n", "Command"),
        ("a.go", "package a\n\nfunc f() (*Store, error) {}\n", ""),
        ("a.rs", "impl Store { pub fn f<T>(a: T) -> Self where T: Into<u8> { } }\n", "Store"),
        ("a.rs", "fn f() -> Result<Store> {}\n", ""),
        ("a.ts", "function f(a: () => void): Store<number> {}\n", "Store"),
        ("a.ts", "const f = (a: number): Store => a\n", "Store"),
        ("a.ts", "class Store { f(): this { return this } }\n", "Store"),
        ("A.java", "class A { static <T> Store<T> f(int a) {} }\n", "Store"),
        ("A.java", "class A { void f() {} }\n", ""),
        ("A.java", "class A { <T> T f() {} }\n", ""),
        ("a.cs", "class A { public Shop.Store f<T>(int a) {} }\n", "Store"),
        ("a.cpp", "const Store& Shop::f(int a) {}\n", "Store"),
        ("a.php", "<?php\nclass A { function f(): ?Store {} }\n", "Store"),
        ("a.rb", "def f\n  Store.new\nend\n", ""),
    ],
)
def test_the_head_of_a_function_tells_what_it_returns(
    file_name: str, text: str, expected: str
) -> None:
    language = find_language(file_name)
    assert language is not None
    [function] = parse_outline(text, language).functions

    assert find_return_type(function, language.id) == expected


@pytest.mark.parametrize(
    ("receiver", "expected"),
    [
        ("c.Root()", ("c", "Root")),
        ("client.users().first(f(1), (2))", ("client.users()", "first")),
        ("A::new(re) .on()?", ("A::new(re)", "on")),
        ("$this->getApplication()", ("$this", "getApplication")),
        ("make<T>(1)", ("", "make")),
        ("new Store(1)", None),
        ("store", None),
        ("f(", None),
        ("f)(", None),
        ("(a or b)", None),
    ],
)
def test_a_receiver_that_is_a_call_is_split(
    receiver: str, expected: tuple[str, str] | None
) -> None:
    assert split_chained_call(receiver) == expected
