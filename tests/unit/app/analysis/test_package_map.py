from pathlib import Path

import pytest

from glossator.app.analysis import package_map
from glossator.app.analysis.package_map import PackageMap, map_package
from glossator.app.analysis.package_text import fit_outlines, quote_readme, render_map
from glossator.app.library import read_library
from glossator.app.phrasing import Phrasing
from glossator.app.results import Opening
from glossator.compose import build_parts
from repositories import write

ENGLISH, CHINESE = Phrasing(is_chinese=False), Phrasing(is_chinese=True)
OWN_ONLY = {"knowledge.bundled": False, "audit.enabled": False}


def map_files(root: Path, files: dict[str, str], path: str = ".") -> PackageMap:
    for name, content in files.items():
        write(root, name, content)
    parts = build_parts(Opening(roots=(root,), editor_settings=OWN_ONLY, watch=False))
    return map_package(path, parts, read_library(parts.shelves), Phrasing(is_chinese=False))


def links_of(package: PackageMap) -> list[str]:
    return [f"{link.importer}:{link.line} {link.imported}" for link in package.links]


@pytest.mark.parametrize(
    ("files", "links"),
    [
        (
            {
                "pkg/__init__.py": "from pkg.a import f\n",
                "pkg/a.py": "import os\nfrom . import b\nfrom .sub import c as d\n",
                "pkg/b.py": "def g():\n    from pkg.sub.c import h\n",
                "pkg/sub/__init__.py": "",
                "pkg/sub/c.py": "from .. import a\n",
            },
            [
                "pkg/__init__.py:1 pkg/a.py",
                "pkg/a.py:2 pkg/b.py",
                "pkg/a.py:3 pkg/sub/c.py",
                "pkg/b.py:2 pkg/sub/c.py",
                "pkg/sub/c.py:1 pkg/a.py",
            ],
        ),
        (
            {
                "src/a.ts": "import { b } from './b';\nimport x from 'react';\n",
                "src/b.tsx": "import * as c from '../lib/c.js';\n",
                "lib/c.js": "export { a } from '../src/a';\n",
                "lib/d/index.ts": "import './../c';\n",
            },
            [
                "lib/c.js:1 src/a.ts",
                "lib/d/index.ts:1 lib/c.js",
                "src/a.ts:1 src/b.tsx",
                "src/b.tsx:1 lib/c.js",
            ],
        ),
        (
            {
                "go.mod": "module example.org/shop\n",
                "main.go": 'package main\n\nimport "example.org/shop/cart"\n',
                "cart/cart.go": "package cart\n\nfunc Add() {}\n",
            },
            ["main.go:3 cart/cart.go"],
        ),
        (
            {
                "src/main/java/org/shop/Cart.java": (
                    "package org.shop;\nimport org.shop.items.Line;\nclass Cart {}\n"
                ),
                "src/main/java/org/shop/items/Line.java": (
                    "package org.shop.items;\nclass Line {}\n"
                ),
            },
            ["src/main/java/org/shop/Cart.java:2 src/main/java/org/shop/items/Line.java"],
        ),
        (
            {"a.c": '#include "b.h"\n#include <stdio.h>\n', "b.h": "int f(void);\n"},
            ["a.c:1 b.h"],
        ),
    ],
)
def test_imports_lead_to_files(tmp_path: Path, files: dict[str, str], links: list[str]) -> None:
    assert sorted(links_of(map_files(tmp_path, files))) == links


def test_who_uses_a_package_from_elsewhere_is_found_tests_apart(tmp_path: Path) -> None:
    files = {
        "shop/cart.py": "def add():\n    pass\n",
        "app.py": "import json\nfrom shop.cart import add\n",
        "tests/test_cart.py": "from shop import cart\n",
        "other/cart.py": "import shopping\n",
    }

    package = map_files(tmp_path, files, "shop")
    text = render_map(package, ENGLISH)

    assert "### Used from elsewhere\n\n- app.py:2 → shop/cart.py\n\n" in text
    assert "### Tests that import it\n\n- tests/test_cart.py:1 → shop/cart.py\n" in text


def test_entry_points_are_named_once_for_each_file(tmp_path: Path) -> None:
    files = {
        "run.py": 'def main():\n    pass\n\n\nif __name__ == "__main__":\n    main()\n',
        "tool.py": '#!/usr/bin/env python\nprint("hi")\n',
        "main.go": "package main\n\nfunc main() {}\n",
        "Main.java": "class Main {\n  static void main(String[] a) {}\n}\n",
        "plain.py": "def domain():\n    pass\n",
    }

    points = map_files(tmp_path, files).entry_points

    assert sorted(f"{point.path}:{point.line}" for point in points) == [
        "Main.java:2", "main.go:3", "run.py:1", "tool.py:1",
    ]  # fmt: skip


def test_findings_are_listed_with_the_rule_they_break(tmp_path: Path) -> None:
    rule = (
        "# Rules\n\n- Never print. {#no-print}\n  ```check\n  language: python\n"
        "  message: No print here.\n  rule:\n    pattern: print($$$)\n  ```\n"
    )
    files = {"skills/rules.md": rule, "a.py": "def f():\n    print(1)\n"}

    text = render_map(map_files(tmp_path, files), ENGLISH)

    assert "- a.py:2 `print(1)` No print here. (`no-print`, skills/rules.md:3)" in text
    assert "- 1 rule checked here, 1 finding" in text


def test_one_file_is_a_package_too_and_a_readme_says_what_it_is(tmp_path: Path) -> None:
    files = {"shop/cart.py": "class Cart:\n    pass\n", "shop/README.md": "# Shop\n\nSells.\n"}

    one = map_files(tmp_path, files, "shop/cart.py")
    whole = map_files(tmp_path, {}, "shop")

    assert [file.path for file in one.files] == ["shop/cart.py"]
    assert quote_readme(one) is None
    assert quote_readme(whole) == ("shop/README.md:1-3", "    1| # Shop\n    2| \n    3| Sells.")


def test_what_is_more_than_can_be_looked_at_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package_map, "MAX_FILES", 2)

    package = map_files(tmp_path, {f"{name}.py": "x = 1\n" for name in "abc"})

    assert len(package.files) == 2
    assert "*1 further files were not looked at." in render_map(package, ENGLISH)


def test_outlines_get_shorter_until_they_fit_and_say_so(tmp_path: Path) -> None:
    functions = "".join(f"def f{number}():\n    pass\n\n\n" for number in range(30))
    package = map_files(tmp_path, {"a.py": functions, "b.py": functions})

    whole = fit_outlines(package.files, 10_000)
    shorter = fit_outlines(package.files, 250)
    least = fit_outlines(package.files, 15)

    assert whole.count("| def f") == 60
    assert shorter.count("| def f") == 24
    assert shorter.count("(18 more definitions; see the file's outline.)") == 2
    assert least == "(2 more files not listed; list the folder for them.)"
    assert whole.startswith("a.py:1-120\n")


def test_of_an_empty_file_no_line_is_named(tmp_path: Path) -> None:
    package = map_files(tmp_path, {"pkg/__init__.py": "", "pkg/a.py": "def f():\n    pass\n"})

    files = render_map(package, ENGLISH)

    assert "- `pkg/__init__.py` (empty)\n- pkg/a.py:1-2: `f` (:1)" in files
    assert "- `pkg/__init__.py`（空文件）\n" in render_map(package, CHINESE)
