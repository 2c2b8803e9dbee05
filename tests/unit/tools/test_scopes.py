import pytest

from glossator.code.languages import find_language
from glossator.code.outline import parse_outline
from glossator.tools.scopes import find_declared_type, split_receiver


@pytest.mark.parametrize(
    ("receiver", "parts"),
    [
        ("store", ["store"]),
        ("client.users", ["client", "users"]),
        ("Store()", ["Store"]),
        ("new Store(1)", ["Store"]),
        ("(await new Store())", ["Store"]),
        ("shop.Store()", ["shop", "Store"]),
        ("&Store{}", ["Store"]),
        ("get()", ["get…"]),
        ("((Store) thing)", ["Store"]),
        ("((shop.Store<T>) all.get(0))", ["shop", "Store"]),
        ("(thing as Store)", ["Store"]),
        ("", []),
    ],
)
def test_a_receiver_is_read_as_names_and_a_new_object_as_its_type(
    receiver: str, parts: list[str]
) -> None:
    assert split_receiver(receiver) == parts


@pytest.mark.parametrize(
    ("file_name", "text"),
    [
        ("a.py", "def f(store: Store):\n    pass\n"),
        ("a.py", "def f(store: 'shop.Store' = None):\n    pass\n"),
        ("a.ts", "function f(store?: shop.Store) {}\n"),
        ("a.go", "package a\n\nfunc f(store *shop.Store) {}\n"),
        ("a.rs", "fn f(store: &mut Store) {}\n"),
        ("A.java", "class A { void f(Store store) {} }\n"),
        ("a.php", "<?php\nfunction f(int $a, Store $store) {}\n"),
    ],
)
def test_the_head_of_a_function_tells_the_type_of_a_parameter(file_name: str, text: str) -> None:
    language = find_language(file_name)
    assert language is not None
    [function] = parse_outline(text, language).functions

    assert find_declared_type("store", function) == "Store"
    assert find_declared_type("stor", function) == ""


def test_the_name_of_a_function_is_no_parameter() -> None:
    language = find_language("A.java")
    assert language is not None
    [function] = parse_outline("class A { String data() { } }", language).functions

    assert find_declared_type("data", function) == ""
