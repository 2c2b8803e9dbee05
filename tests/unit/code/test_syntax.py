import argparse
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Node

from glossator.code.languages import LANGUAGES, Language
from glossator.code.syntax import Syntax, parse_syntax
from unit.code.samples import SAMPLES

_BY_ID = {language.id: language for language in LANGUAGES}
_PYTHON = _BY_ID["python"]


def nodes_of(syntax: Syntax) -> list[Node]:
    found, waiting = [], [syntax.tree.root_node]
    while waiting:
        found.append(node := waiting.pop())
        waiting.extend(node.children)
    return found


def shape_of(syntax: Syntax) -> list[object]:
    return [
        (node.type, node.start_byte, node.end_byte, node.start_point, node.end_point)
        for node in nodes_of(syntax)
    ]


def arguments_of(syntax: Syntax) -> set[int]:
    """Return identities of nodes: they stay the same where what is around them is used again."""
    return {node.id for node in nodes_of(syntax) if node.type == "argument_list"}


def edited(text: str, seed: random.Random) -> str:
    """Change one line the way people do; most results are still sound."""
    lines = text.split("\n")
    at = seed.randrange(len(lines))
    line = lines[at]
    indent = len(line) - len(line.lstrip())
    column = seed.randrange(len(line) + 1)
    lines[at : at + 1] = seed.choice(
        (
            [line, line],
            [],
            ["", line],
            [line + " "],
            [line[:indent] + "q" + line[indent:]],
            [line[:column] + seed.choice(("x", "名", "😀", " ", "\r", "(")) + line[column:]],
        )
    )
    return "\n".join(lines)


@settings(max_examples=100)
@given(language=st.sampled_from(LANGUAGES), seed=st.randoms(use_true_random=False))
def test_after_any_edits_the_tree_is_the_one_of_a_new_parse(
    language: Language, seed: random.Random
) -> None:
    text = SAMPLES[language.id]
    syntax = parse_syntax(text, language)

    for _ in range(8):
        text = edited(text, seed)
        syntax = parse_syntax(text, language, syntax)

        assert shape_of(syntax) == shape_of(parse_syntax(text, language))


@pytest.mark.parametrize("statement", ["pass\n        ", "x"])
def test_an_edit_before_the_first_statement_of_a_body_leaves_the_rest_as_it_was(
    statement: str,
) -> None:
    text = "class A:\n" + "    def f(self):\n        go(self)\n\n" * 100
    before = "class A:\n    def f(self):\n        "
    changed = before + statement + text.removeprefix(before)

    earlier = parse_syntax(text, _PYTHON)
    later = parse_syntax(changed, _PYTHON, earlier)
    again = parse_syntax(text, _PYTHON, later)

    for old, new in ((earlier, later), (later, again)):
        assert len(arguments_of(old) & arguments_of(new)) > 90


def test_nothing_is_taken_from_a_tree_with_errors_or_of_another_language() -> None:
    broken = parse_syntax("def f(:\n", _PYTHON)
    other = parse_syntax("f()\n", _BY_ID["ruby"])

    for earlier in (broken, other):
        syntax = parse_syntax("f()\n", _PYTHON, earlier)

        assert not syntax.has_errors
        assert shape_of(syntax) == shape_of(parse_syntax("f()\n", _PYTHON))


def test_a_header_of_cpp_is_still_read_as_cpp_after_an_edit() -> None:
    text = "namespace n {\nclass A {\npublic:\n  void f() const;\n};\n}\n"
    earlier = parse_syntax(text, _BY_ID["c"])

    later = parse_syntax(text.replace("f()", "ff()"), _BY_ID["c"], earlier)

    assert (earlier.language.id, later.language.id) == ("cpp", "cpp")
    assert not later.has_errors


def test_edits_anywhere_in_a_real_file_give_the_tree_of_a_new_parse() -> None:
    seed = random.Random(1)
    text = Path(argparse.__file__).read_text(encoding="utf-8")
    syntax = parse_syntax(text, _PYTHON)

    for _ in range(12):
        changed = edited(text, seed)
        later = parse_syntax(changed, _PYTHON, syntax)

        assert shape_of(later) == shape_of(parse_syntax(changed, _PYTHON))
        if not later.has_errors:
            text, syntax = changed, later
