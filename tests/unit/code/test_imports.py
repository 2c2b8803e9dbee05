import pytest

from glossator.code.languages import find_language
from glossator.code.outline import parse_outline


@pytest.mark.parametrize(
    ("file_name", "text", "expected"),
    [
        ("a.py", "import a.b as x, c", [("a.b", "", "x"), ("c", "", "")]),
        (
            "a.py",
            "from ..p import (q as r,  # why\n    s,)",
            [("..p", "q", "r"), ("..p", "s", "")],
        ),
        ("a.py", "from . import *", [(".", "*", "")]),
        (
            "a.ts",
            "import d, {a as b, type T} from './x'; import * as ns from \"y\"; import 'z'",
            [
                ("./x", "default", "d"),
                ("./x", "a", "b"),
                ("./x", "T", ""),
                ("y", "*", "ns"),
                ("z", "", ""),
            ],
        ),
        (
            "a.ts",
            "export {a} from './a'; export * from './b'",
            [("./a", "a", ""), ("./b", "*", "")],
        ),
        (
            "a.js",
            "import a /* b */ from 'https://a/b.js' // c",
            [("https://a/b.js", "default", "a")],
        ),
        ("a.ts", "import fs = require('fs')", [("fs", "", "fs")]),
        (
            "a.js",
            "const a = require('a'); var {b, c: d} = require('e');\n"
            "let f = require('g').h; require('i')",
            [("a", "", "a"), ("e", "b", ""), ("e", "c", "d"), ("g", "h", "f"), ("i", "", "")],
        ),
        (
            "a.go",
            'package p\nimport (\n"fmt"\nx "a/b"\n. "c"\n_ "d"\n)',
            [("fmt", "", ""), ("a/b", "", "x"), ("c", "*", ""), ("d", "", "_")],
        ),
        (
            "A.java",
            "import a.b.C; import static a.B.m; import a.c.*;",
            [("a.b", "C", ""), ("a.B", "m", ""), ("a.c", "*", "")],
        ),
        (
            "a.rs",
            "use a::{b, c as d, e::{self, f}}; pub use x::*;",
            [("a", "b", ""), ("a", "c", "d"), ("a::e", "", ""), ("a::e", "f", ""), ("x", "*", "")],
        ),
        ("a.c", '#include <a.h>\n#include "b/c.h"', [("a.h", "", ""), ("b/c.h", "", "")]),
        (
            "a.cs",
            "using A.B; using X = A.C; using static System.Math;",
            [("A.B", "", ""), ("A.C", "", "X"), ("System.Math", "", "")],
        ),
        ("a.rb", "require 'a'\nrequire_relative \"../b\"", [("a", "", ""), ("../b", "", "")]),
        (
            "a.php",
            "<?php use A\\B as C, D\\E; use function F\\g; use H\\{I, J as K};",
            [
                ("A", "B", "C"),
                ("D", "E", ""),
                ("F", "g", ""),
                ("H", "I", ""),
                ("H", "J", "K"),
            ],
        ),
    ],
)
def test_imports_say_module_name_and_alias(
    file_name: str, text: str, expected: list[tuple[str, str, str]]
) -> None:
    language = find_language(file_name)
    assert language is not None

    imports = parse_outline(text, language).imports

    assert [(found.module, found.name, found.alias) for found in imports] == expected


def test_an_import_knows_its_line() -> None:
    language = find_language("a.py")
    assert language is not None

    imports = parse_outline("\n\nimport a\rimport b", language).imports

    assert [found.line for found in imports] == [3, 4]


@pytest.mark.parametrize(
    ("file_name", "text"),
    [
        ("A.java", f"import a{' ' * 20_000}.b {{"),
        ("a.js", f"import {{{'a, ' * 20_000}}} from 'b'"),
        ("a.js", f"const {{{'a: b, ' * 20_000}}} = require('b')"),
        ("a.rs", f"use {'a::{b, ' * 5_000};"),
        ("a.py", f"from {'.' * 20_000} import (a{', b' * 20_000})"),
        ("a.py", f"import {'a.' * 20_000}a"),
    ],
)
def test_a_very_long_import_is_read_in_time(file_name: str, text: str) -> None:
    language = find_language(file_name)
    assert language is not None

    parse_outline(text, language)
