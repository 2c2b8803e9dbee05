"""A made-up workspace whose sizes, names and calls are spread as in real ones.

Few names are used very often (`get`, `run`, `close`), most rarely; files import each other and
call what they import, methods call methods, tests call what they test. Always the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

# fmt: off (one word a line would fill pages)
_VERBS = (
    "get",
    "set",
    "load",
    "save",
    "create",
    "update",
    "delete",
    "find",
    "list",
    "parse",
    "format",
    "render",
    "validate",
    "check",
    "send",
    "receive",
    "open",
    "close",
    "run",
    "start",
    "stop",
    "handle",
    "build",
    "read",
    "write",
    "fetch",
    "apply",
    "compute",
    "merge",
    "split",
    "sort",
    "filter",
    "convert",
    "encode",
    "decode",
    "register",
    "resolve",
    "notify",
    "log",
    "retry",
)
_NOUNS = (
    "user",
    "order",
    "invoice",
    "payment",
    "product",
    "cart",
    "session",
    "token",
    "account",
    "address",
    "shipment",
    "report",
    "event",
    "message",
    "job",
    "task",
    "queue",
    "cache",
    "config",
    "request",
    "response",
    "file",
    "image",
    "document",
    "comment",
    "tag",
    "role",
    "permission",
    "group",
    "team",
    "project",
    "price",
    "discount",
    "refund",
    "stock",
    "warehouse",
    "supplier",
    "contract",
    "calendar",
    "reminder",
    "template",
    "channel",
    "webhook",
    "audit",
    "metric",
    "alert",
    "region",
    "currency",
    "tax",
    "plan",
    "subscription",
    "coupon",
    "review",
    "rating",
    "catalog",
    "category",
    "attachment",
    "thread",
    "ticket",
    "label",
)
# fmt: on
_SUFFIXES = ("by_id", "from_dict", "to_dict", "async", "all", "batch", "or_none", "for_user")
_KINDS = ("service", "repository", "client", "views", "models", "tasks", "handlers", "utils")


@dataclass(slots=True)
class _Class:
    name: str
    methods: list[str]


@dataclass(slots=True)
class _Module:
    """What a file defines, planned before any file is written so that others can import it."""

    package: str
    name: str
    functions: list[str]
    classes: list[_Class]
    imports: list["_Module"] = field(default_factory=list)


def write_codebase(folder: Path, *, n_files: int) -> Path:
    """Write half of the files in Python, three in ten in TypeScript, the rest in Go."""
    random = Random(5)
    shares = {"python": n_files // 2, "typescript": n_files * 3 // 10}
    shares["go"] = n_files - sum(shares.values())
    for language, n_modules in shares.items():
        modules = [_plan(random, number) for number in range(n_modules * 9 // 10)]
        for module in modules:
            module.imports = random.sample(modules, random.randint(2, 6))
        for module in modules:
            _write(folder, language, module, random, is_test=False)
        for number in range(n_modules - len(modules)):
            tested = random.sample(modules, 3)
            module = _Module(tested[0].package, f"{tested[0].name}_{number}", [], [], tested)
            module.functions = [f"test_{name}" for name in tested[0].functions]
            _write(folder, language, module, random, is_test=True)
    return folder


def write_knowledge(folder: Path, *, n_sections: int) -> Path:
    """Write documents of twenty sections into `folder`/knowledge."""
    random = Random(7)
    (folder / "knowledge").mkdir(parents=True)
    for number in range(n_sections // 20):
        noun = _NOUNS[number % len(_NOUNS)]
        parts = [
            f"---\nname: {noun}-{number}\ndescription: How we treat each {noun}.\n"
            f"keywords: [{noun}, {random.choice(_NOUNS)}]\n---\n# {noun.title()} {number}\n"
        ]
        for _ in range(20):
            title = f"{random.choice(_VERBS)} the {random.choice(_NOUNS)}".capitalize()
            words = " ".join(random.choices(_NOUNS + _VERBS, k=60))
            parts.append(f"## {title}\n\nWe {words}.\n\n- {words[:80]}\n")
        path = folder / "knowledge" / f"{noun}-{number}.md"
        path.write_text("\n".join(parts), encoding="utf-8")
    return folder


def _plan(random: Random, number: int) -> _Module:
    noun = random.choice(_NOUNS)
    n_functions = min(60, max(1, round(random.lognormvariate(1.4, 0.9))))
    in_classes = round(n_functions * random.uniform(0.2, 0.8))
    functions = dict.fromkeys(_name(random) for _ in range(n_functions - in_classes))
    classes = []
    while in_classes > 0:
        methods = dict.fromkeys(_name(random) for _ in range(random.randint(2, 8)))
        in_classes -= len(methods)
        name = random.choice(_NOUNS).title() + random.choice(_KINDS).title()
        classes.append(_Class(f"{name}{number}" if random.random() < 0.7 else name, list(methods)))
    package = f"{_NOUNS[number % 40]}/{random.choice(_KINDS)}"
    return _Module(package, f"{noun}_{random.choice(_KINDS)}_{number}", list(functions), classes)


def _name(random: Random) -> str:
    """Make a name: few are used everywhere, some in several places, most only once."""
    kind = random.random()
    verb = _often(random, _VERBS)
    if kind < 0.08:
        return verb
    if kind < 0.35:
        return f"{verb}_{_often(random, _NOUNS)}"
    name = f"{random.choice(_VERBS)}_{random.choice(_NOUNS)}_{random.choice(_NOUNS)}"
    return name if kind < 0.9 else f"{name}_{random.choice(_SUFFIXES)}"


def _often(random: Random, words: Sequence[str]) -> str:
    """Choose a word; the first ones more often than the last."""
    return words[int(len(words) * random.random() ** 2)]


def _write(folder: Path, language: str, module: _Module, random: Random, *, is_test: bool) -> None:
    write = {"python": _python, "typescript": _typescript, "go": _go}[language]
    name, text = write(module, random, is_test=is_test)
    path = folder / language / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _calls(module: _Module, random: Random, own: str) -> list[tuple[str, str]]:
    """Choose calls as (receiver, name); without a receiver it is ours or imported."""
    calls = []
    for _ in range(random.randint(1, 6)):
        kind = random.random()
        other = random.choice(module.imports)
        if kind < 0.2 and module.functions:
            calls.append(("", random.choice(module.functions)))
        elif kind < 0.4 and other.functions:
            calls.append(("", random.choice(other.functions)))
        elif kind < 0.6 and own and module.classes:
            calls.append((own, random.choice(random.choice(module.classes).methods)))
        elif kind < 0.8 and other.classes:
            called = random.choice(random.choice(other.classes).methods)
            calls.append((random.choice(_NOUNS), called))
        else:
            calls.append((random.choice(_NOUNS), _often(random, _VERBS)))
    return calls


def _python(module: _Module, random: Random, *, is_test: bool) -> tuple[str, str]:
    lines = [f'"""{module.name.replace("_", " ").capitalize()}."""', "", "import logging", ""]
    for other in module.imports:
        names = ", ".join([*other.functions[:6], *(each.name for each in other.classes[:2])])
        if names:
            source = f"{other.package}.{other.name}".replace("/", ".")
            lines.append(f"from {source} import {names}")
    lines += ["", "logger = logging.getLogger(__name__)", ""]
    for name in module.functions:
        lines += ["", *_python_function(name, module, random, "", "")]
    for each in module.classes:
        lines += ["", "", f"class {each.name}:", f'    """Keeps {each.name} together."""', ""]
        lines += ["    def __init__(self, store):", "        self._store = store", ""]
        for name in each.methods:
            lines += [*_python_function(name, module, random, "    ", "self"), ""]
    stem = f"tests/test_{module.name}" if is_test else f"{module.package}/{module.name}"
    return f"{stem}.py", "\n".join(lines) + "\n"


def _python_function(
    name: str, module: _Module, random: Random, indent: str, own: str
) -> list[str]:
    first = "self, " if own else ""
    noun = random.choice(_NOUNS)
    lines = [f"def {name}({first}{noun}, limit=10):", f'    """Return what {noun} stands for."""']
    for receiver, called in _calls(module, random, own):
        target = f"{receiver}.{called}" if receiver else called
        lines += [
            f"    result = {target}({noun}, limit)",
            f"    if result is None and limit > {random.randint(1, 99)}:",
            f'        logger.warning("no {noun} for %s", result)',
        ]
    return [indent + line for line in [*lines, f"    return {noun}"]]


def _typescript(module: _Module, random: Random, *, is_test: bool) -> tuple[str, str]:
    lines = ['import { useEffect, useState } from "react";']
    for other in module.imports:
        names = [_camel(name) for name in other.functions[:6]]
        names += [each.name for each in other.classes[:2]]
        if names:
            lines.append(f'import {{ {", ".join(names)} }} from "@/{other.package}/{other.name}";')
    for name in module.functions:
        lines += ["", *_typescript_body(f"export function {_camel(name)}", module, random, "")]
    for each in module.classes:
        lines += ["", f"export class {each.name} {{", "  constructor(private store: Store) {}", ""]
        for name in each.methods:
            body = _typescript_body(f"async {_camel(name)}", module, random, "this")
            lines += [*("  " + line for line in body), ""]
        lines.append("}")
    ending = ".test.ts" if is_test else random.choice((".ts", ".ts", ".tsx"))
    return f"{module.package}/{module.name}{ending}", "\n".join(lines) + "\n"


def _typescript_body(head: str, module: _Module, random: Random, own: str) -> list[str]:
    noun = random.choice(_NOUNS)
    lines = [f"/** Returns what {noun} stands for. */", f"{head}({noun}: string, limit = 10) {{"]
    for receiver, called in _calls(module, random, own):
        name = _camel(called)
        target = f"{receiver}.{name}" if receiver else name
        lines += [
            f"  const found{random.randint(1, 9999)} = {target}({noun}, limit);",
            f"  if (limit > {random.randint(1, 99)}) {{",
            f"    console.warn(`no ${{{noun}}}`);",
            "  }",
        ]
    return [*lines, f"  return {noun};", "}"]


def _go(module: _Module, random: Random, *, is_test: bool) -> tuple[str, str]:
    package = module.package.rpartition("/")[2]
    lines = [f"package {package}", "", "import (", '\t"context"', '\t"fmt"']
    lines += sorted({f'\t"example.org/shop/{other.package}"' for other in module.imports})
    lines.append(")")
    for name in module.functions:
        lines += ["", *_go_function(f"func {_camel(name, upper=True)}", module, random, "")]
    for each in module.classes:
        lines += ["", f"type {each.name} struct {{", "\tstore Store", "}"]
        for name in each.methods:
            head = f"func (s *{each.name}) {_camel(name, upper=True)}"
            lines += ["", *_go_function(head, module, random, "s")]
    ending = "_test.go" if is_test else ".go"
    return f"{module.package}/{module.name}{ending}", "\n".join(lines) + "\n"


def _go_function(head: str, module: _Module, random: Random, own: str) -> list[str]:
    noun = random.choice(_NOUNS)
    lines = [f"{head}(ctx context.Context, {noun} string) (string, error) {{"]
    for receiver, called in _calls(module, random, own):
        name = _camel(called, upper=True)
        target = f"{receiver}.{name}" if receiver else name
        lines += [
            f"\tif err := {target}(ctx, {noun}); err != nil {{",
            f'\t\treturn "", fmt.Errorf("{name}: %w", err)',
            "\t}",
        ]
    return [*lines, f"\treturn {noun}, nil", "}"]


def _camel(name: str, *, upper: bool = False) -> str:
    first, *rest = name.split("_")
    return (first.title() if upper else first) + "".join(word.title() for word in rest)
