"""A changed text is checked in part, and what is found is the same as in all of it."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glossator.app.checking.guarding import examine_here
from glossator.app.checking.incremental import Incremental, Splice, find_splice
from glossator.app.checking.records import Record
from glossator.app.checking.selecting import Selection, Selector
from glossator.rules.matching import RuleSet
from glossator.rules.parse import parse_rules

LANGUAGES = ("python", "javascript", "typescript", "tsx")
LOCAL_RULES = """\
- Use the log. {#log}

  ```check
  language: [python, javascript, typescript, tsx]
  rule: {pattern: print($$$ALL)}
  fix: |-
    log(
      $$$ALL)
  ```

- Name no function `old`. {#old}

  ```check
  language: python
  rule: {kind: function_definition, has: {field: name, regex: ^old}}
  ```
"""
AROUND = """
- Print first. {#first}

  ```check
  language: python
  rule:
    kind: expression_statement
    has: {pattern: first($A)}
    follows: {kind: expression_statement, regex: print, stopBy: end}
  ```
"""
ABOUT_CLASSES = """
- No class is lost. {#never-lost}

  ```check
  language: python
  rule: {kind: class_definition, has: {pattern: lost, stopBy: end}}
  ```

- No class is empty. {#never-empty}

  ```check
  language: python
  rule:
    kind: function_definition
    inside: {kind: class_definition, stopBy: end, has: {kind: pass_statement, stopBy: end}}
  ```
"""
PYTHON = """\
import log

# About it.
def old(a):
    print(a)
    return a

class A:
    '''It is one.'''

    name = print("甲")

    @print
    def old(self):
        # It is here.
        print(self, 1)
        return A

    # About the next one.
    def new(self): return print(2)

if A:
    print("甲")
else:
    print(2)

print(3)
"""
SCRIPT = """\
const a = 1
function f(x) {
  print(x)
}
class A {
  b() { return print(this) }
}
let c = `甲 ${print(a)}`
print(c)
"""
TEXTS = {"python": PYTHON} | dict.fromkeys(LANGUAGES[1:], SCRIPT)
LINES = (
    "print(1)", "    print(1)", "", "# c", "    # c", "// c", "x = (", ")", "{", "}", "else:",
    "@deco", "(print(2))", "[1].map(print)", "`", '"""', "'''", "def old(): pass", "class B:",
    "++c", "/re/.test(a)", "x \\", "try:", "/*", "*/", "export default 1", "async", "甲 = 1",
)  # fmt: skip


def make_rules(text: str) -> RuleSet:
    rules, problems = parse_rules(text, path="k.md", document="k", origin="workspace")
    assert not problems
    return RuleSet(rules)


class Bench:
    """Checks one document again and again, and knows what was checked of it."""

    def __init__(self, language: str, rules: str = LOCAL_RULES) -> None:
        self.rule_set = make_rules(rules)
        self.selection = Selector(self.rule_set).select("", language)
        self.incremental = Incremental()
        self.examined: list[str] = []

    def check(self, text: str) -> Record:
        """Check a text; what is found is what is found in all of it."""
        self.examined.clear()
        found = self.incremental.examine(
            Path("a"), text, self.rule_set, self.selection, "", self.examine
        )
        whole = examine_here(text, self.rule_set, self.selection, "")
        assert found == replace(whole, outline=None)
        return found

    def examine(self, text: str, rule_set: RuleSet, selection: Selection, place: str) -> Record:
        self.examined.append(text)
        return examine_here(text, rule_set, selection, place)


def test_the_changed_statement_is_checked_with_a_short_one_behind_it() -> None:
    bench = Bench("python")
    before = bench.check(PYTHON)

    after = bench.check(PYTHON.replace("    return a\n", "    print(a, a)\n    return a\n"))

    (part,) = bench.examined
    assert part.startswith("def old(a):\n    print(a)\n    print(a, a)\n")
    assert part.endswith("    return a\n\npass")
    assert len(after.findings) == len(before.findings) + 1
    # What stands behind has moved by a line, its repair too, and has lost nothing.
    last, moved = before.findings[-1], after.findings[-1]
    assert (moved.range.start.line, moved.fix[0][0]) == (last.range.start.line + 1, moved.range)
    assert moved.fix[0][1] == last.fix[0][1]


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("python", "print(3)\n", "else:\n    print(3)\n"),
        ("python", "class A:", "    print(1)\nclass A:"),
        ("python", "# About it.\n", "# About it.\n    print(1)\n"),
        ("python", "import log\n", "import log, \\\n"),
        ("python", "import log\n", "x = (\n"),
        ("python", "import log\n", '"""\n'),
        ("python", "    return a\n", "    return a; \\\n"),
        ("python", "    return a\n\n", "    return a\n@"),
        ("python", "import log\n", "import log;"),
        ("python", "        return A\n", "        return A, \\\n"),
        ("python", "        return A\n", "    print(4)\n"),
        ("python", "        return A\n", "        return A\nprint(4)\n"),
        ("python", "        return A\n", "        return A\n    @print\n"),
        ("python", "    # About the next one.\n", "    # About the next one.\n  print(4)\n"),
        ("python", "    # About the next one.\n", "    # About the next one.\n        print(4)\n"),
        ("python", "    # About the next one.\n", ""),
        ("python", "    def new(self): return print(2)\n", ""),
        ("python", "return print(2)\n", "return print(2)\n    else:\n        print(5)\n"),
        ("python", "    '''It is one.'''\n", "    '''It is\n    print(1)\n"),
        ("python", '    name = print("甲")', '   name = print("甲")'),
        ("python", "class A:\n", "class A(print(1)):\n"),
        ("python", "class A:\n", "class A:\n    print(1)\n"),
        ("python", "if A:\n", "x = 1; \\\nif A:\n"),
        ("python", "if A:\n", "return \\\nif A:\n"),
        ("python", "if A:\n", "x = 'a' pass\nif A:\n"),
        ("python", "if A:\n", "x = 'a' \\\n    pass\nif A:\n"),
        ("python", "        return A\n", "        return A; \\\n"),
        ("python", "        return A\n", "        return 'a' pass\n"),
        ("javascript", "const a = 1\n", "const a = b\n(print(1))\n"),
        ("javascript", "const a = 1\n", "const a =\n"),
        ("javascript", "}\nlet", "}\n[print]\nlet"),
        ("typescript", "class A", "export default\nclass A"),
        ("tsx", "print(x)\n}", "print(x)\n"),
        ("typescript", "  print(x)\n}\n", "  print(x)\n}\nabstract\n"),
        ("typescript", "let c", "declare\nlet c"),
        ("javascript", "b() {", "@print()\n  b() {"),
        ("javascript", "let c", "do print(a)\nlet c"),
        ("javascript", "let c", "if (a)\nlet c"),
        ("javascript", "let c", "if (a) print(a); else\nlet c"),
        ("javascript", "const a = 1", "`"),
    ],
)
def test_what_an_edit_does_to_the_statements_around_it_is_seen(
    language: str, old: str, new: str
) -> None:
    bench = Bench(language)
    bench.check(TEXTS[language])
    assert old in TEXTS[language]

    bench.check(TEXTS[language].replace(old, new, 1))
    bench.check(TEXTS[language])


def test_of_a_class_the_changed_members_are_checked() -> None:
    bench = Bench("python")
    before = bench.check(PYTHON)

    changed = PYTHON.replace("        return A\n", "        print(A)\n        return A\n")
    after = bench.check(changed)

    (part,) = bench.examined
    assert part.startswith("class A:\n    @print\n    def old(self):\n")
    assert part.endswith("        return A\n\n    # About the next one.\n    pass")
    assert len(after.findings) == len(before.findings) + 1


def test_a_rule_about_a_class_has_all_of_it() -> None:
    bench = Bench("python", LOCAL_RULES + ABOUT_CLASSES)
    bench.check(PYTHON)

    found = bench.check(PYTHON.replace("        return A\n", "        return lost\n"))

    assert "never-lost" in [finding.rule.id for finding in found.findings]
    assert bench.examined[-1].startswith("class A:\n    '''It is one.")


def test_indentation_that_belongs_to_nothing_is_not_taken_for_a_class() -> None:
    bench = Bench(
        "python",
        "- No. {#no}\n\n  ```check\n  language: python\n"
        "  rule: {kind: comment, inside: {kind: block}}\n  ```\n",
    )
    string, pair = "  s = '''x\ny'''\n", "    x = (a,\n1)\n"
    before = f"{string}{pair}class A: x = 1\n{string}  class I:\n    def z(self): pass\n"
    bench.check(f"{before}  class I:\n    y = 1\n{pair}  # c TODO")

    bench.check(f"{before}  class I:\n  x3 = 1\n    y = 1\n{pair}  # c TODO")


def test_brackets_count_across_statements() -> None:
    bench = Bench("python")
    text = f"a = '{'(' * 390}'\n{PYTHON}\nb = '{')' * 500}'\n"
    bench.check(text)

    found = bench.check(text.replace("print(3)", f"print('{'(' * 100}')"))

    assert found.reason is not None
    assert found.reason.code == "too-deep"


def test_the_last_text_that_was_whole_is_what_the_next_is_compared_with() -> None:
    bench = Bench("python")
    bench.check(PYTHON)
    broken = PYTHON.replace("    return a\n", "    return (a\n")
    bench.check(broken)
    assert bench.examined[-1] == broken

    bench.check(PYTHON.replace("    return a\n", "    return (a)\n"))

    (part,) = bench.examined
    assert len(part) < len(PYTHON)


def test_a_rule_that_looks_around_has_all_of_a_text_that_it_may_match_in() -> None:
    bench = Bench("python", LOCAL_RULES + AROUND)
    bench.check(PYTHON)
    bench.check(PYTHON.replace("return a\n", "return 1\n"))
    assert len(bench.examined[-1]) < len(PYTHON)

    text = f"{PYTHON}first(3)\n"
    found = bench.check(text)

    assert bench.examined == [text]
    assert [finding.rule.id for finding in found.findings][-1] == "first"


def test_other_rules_have_all_of_the_text() -> None:
    bench = Bench("python")
    bench.check(PYTHON)
    other = Bench("python", AROUND)

    text = f"{PYTHON}\n\nprint(3)\nfirst(4)\n"
    found = bench.incremental.examine(
        Path("a"), text, other.rule_set, other.selection, "", other.examine
    )

    assert other.examined == [text]
    assert [finding.rule.id for finding in found.findings] == ["first"]


@pytest.mark.parametrize(
    ("line_end", "is_in_part"), [("\r\n", True), ("\r", False)], ids=["crlf", "cr"]
)
def test_lines_may_end_as_they_do_elsewhere(line_end: str, is_in_part: bool) -> None:
    bench = Bench("python")
    text = PYTHON.replace("\n", line_end)
    bench.check(text)

    bench.check(text.replace("return a", "return print(a)"))

    assert (len(bench.examined[-1]) < len(text)) is is_in_part


def test_a_text_that_says_it_was_generated_is_not_checked_any_more() -> None:
    bench = Bench("python")
    bench.check(PYTHON)

    found = bench.check(f"# @generated\n{PYTHON}")

    assert found.reason is not None
    assert found.reason.code == "generated"


def test_a_comment_that_dismisses_is_heard_of_wherever_it_stands() -> None:
    bench = Bench("python")
    bench.check(PYTHON)

    assert bench.check(f"{PYTHON}# glossator: ignore log\n").may_suppress
    assert bench.check(f"{PYTHON}# glossator: ignore log\n\nx = 1\n").may_suppress
    assert not bench.check(PYTHON).may_suppress


@given(st.text("ab\n"), st.text("ab\n"))
def test_the_edit_makes_one_text_of_the_other(before: str, after: str) -> None:
    splice = find_splice(before, after)

    assert (
        before[: splice.start] + after[splice.start : splice.end] + before[splice.end_before :]
        == after
    )
    assert splice.growth == len(after) - len(before)
    if before == after:
        assert splice == Splice(len(before), len(before), len(before))


@given(
    st.sampled_from(LANGUAGES),
    st.lists(
        st.tuples(
            st.integers(0, 30), st.integers(0, 3), st.lists(st.sampled_from(LINES), max_size=2)
        ),
        min_size=1,
        max_size=6,
    ),
)
@example("python", [(3, 0, ["@deco"]), (4, 1, [])])
def test_a_part_tells_what_the_whole_would(
    language: str, edits: list[tuple[int, int, list[str]]]
) -> None:
    bench = Bench(language, LOCAL_RULES + ABOUT_CLASSES)
    bench.check(TEXTS[language])
    lines = TEXTS[language].splitlines()
    for first, n_lines, new in edits:
        lines[first : first + n_lines] = new
        bench.check("".join(itertools.chain.from_iterable((line, "\n") for line in lines)))
