import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.core.text import SourceText
from glossator.rules.finding import number_alike
from glossator.rules.suppressing.applying import make_entry
from glossator.rules.suppressing.baseline import (
    Baseline,
    Entry,
    Kind,
    parse_baseline,
    render_baseline,
)
from unit.rules.suppressing.findings import EVAL, change, divide, find, judge

TEXT = "def f(x):\n    return eval(x)\n"


def entries_for(text: str, kind: Kind = "ignored", *quotes: str, name: str = "a.py") -> list[Entry]:
    source = SourceText(name, text)
    findings = [judge(source, quote) for quote in quotes] if quotes else find(source)
    return [
        make_entry(finding, number, source, kind, "why", "2026-03-02")
        for finding, number in number_alike(findings)
    ]


def test_an_entry_dismisses_its_finding_with_the_reason() -> None:
    divided = divide(TEXT, baseline=Baseline(tuple(entries_for(TEXT))))

    assert divided.kept == ()
    assert [each.reason for each in divided.suppressed] == ["why"]
    assert divided.unused == ()


@pytest.mark.parametrize(
    "text",
    [
        "import os\n\n\n" + TEXT,
        TEXT.replace("    ", "\t\t"),
        "class A:\n    def f(self, x):\n        return eval(\n            x)\n",
    ],
)
def test_it_holds_after_lines_have_moved_and_code_was_laid_out_anew(text: str) -> None:
    baseline = Baseline(
        tuple(entries_for("return eval( x)\n" if "\n            x" in text else TEXT))
    )

    assert divide(text, baseline=baseline).kept == ()


def test_it_lapses_when_the_code_is_another() -> None:
    divided = divide(
        TEXT.replace("eval(x)", "eval(y)"), baseline=Baseline(tuple(entries_for(TEXT)))
    )

    assert len(divided.kept) == 1
    assert [each.cause for each in divided.unused] == ["code-changed"]


def test_it_lapses_when_the_rule_is_another() -> None:
    divided = divide(TEXT, baseline=Baseline(tuple(entries_for(TEXT))), rules=(change(EVAL),))

    assert len(divided.kept) == 1
    assert [each.cause for each in divided.unused] == ["rule-changed"]


def test_it_is_told_when_the_code_is_gone() -> None:
    divided = divide("y = 1\n", baseline=Baseline(tuple(entries_for(TEXT))))

    assert [each.cause for each in divided.unused] == ["nothing-found"]


def test_what_is_ignored_is_counted_and_what_is_new_is_found() -> None:
    baseline = Baseline(tuple(entries_for("eval(x)\neval(x)\n")))

    assert divide("eval(x)\neval(x)\n", baseline=baseline).kept == ()
    assert len(divide("eval(x)\neval(x)\neval(x)\n", baseline=baseline).kept) == 1
    less = divide("eval(x)\n", baseline=baseline)
    assert (less.kept, len(less.unused)) == ((), 1)


def test_one_of_three_alike_stays_dismissed_when_the_first_of_them_is_gone() -> None:
    baseline = Baseline((entries_for("eval(x)\neval(x)\neval(x)\n")[2],))

    assert len(divide("eval(x)\neval(x)\n", baseline=baseline).kept) == 1


def test_what_is_wrong_is_wrong_wherever_it_stands_in_the_file() -> None:
    baseline = Baseline(tuple(entries_for("eval(x)\n", "wrong")))

    divided = divide("eval(x)\nif y:\n    eval(x)\n", baseline=baseline)

    assert divided.kept == ()


def test_it_goes_along_with_a_file_that_was_renamed_and_not_with_a_copy() -> None:
    baseline = Baseline(tuple(entries_for(TEXT, name="old.py")))

    assert divide(TEXT, baseline=baseline, is_gone=lambda path: path == "old.py").kept == ()
    assert len(divide(TEXT, baseline=baseline).kept) == 1


def test_what_a_model_judged_stays_dismissed_when_it_quotes_more_or_less() -> None:
    code = "def f():\n    a = 1\n    b = 2\n    return a + b\n"
    baseline = Baseline(tuple(entries_for(code, "wrong", "a = 1\n    b = 2")))
    moved = "x = 0\n\n" + code.replace("    ", "\t")

    for text in (code, moved):
        blanks = "\t" if text is moved else "    "
        for quote in ("a = 1", "b = 2", f"b = 2\n{blanks}return a + b", f"a = 1\n{blanks}b = 2"):
            assert divide(text, quote, baseline=baseline).kept == ()
        assert len(divide(text, "return a + b", baseline=baseline).kept) == 1
    # One of the two lines that were dismissed is another one.
    assert len(divide(code.replace("1", "3"), "b = 2", baseline=baseline).kept) == 1
    # All of the function was meant this time.
    long = code.replace("    b = 2\n", "    b = 2\n" + "    a += b\n" * 20)
    assert len(divide(long, long.rstrip(), baseline=baseline).kept) == 1


# The file


ENTRY = st.builds(
    Entry,
    path=st.text(min_size=1),
    rule=st.text(min_size=1),
    code=st.text(min_size=1),
    rule_hash=st.text(min_size=1),
    number=st.integers(0, 99),
    kind=st.sampled_from(["ignored", "wrong"]),
    reason=st.text(),
    date=st.text(),
    lines=st.lists(st.text()).map(tuple),
)


@given(st.lists(ENTRY))
def test_what_is_written_is_read_again(entries: list[Entry]) -> None:
    text = render_baseline(entries)
    read = parse_baseline(text)

    assert read.problem is None
    assert render_baseline(read.entries) == text
    assert {entry.key for entry in read.entries} == {entry.key for entry in entries}


def test_each_entry_is_a_line_and_knows_which() -> None:
    text = render_baseline([*entries_for(TEXT, name="b.py"), *entries_for(TEXT)])

    lines = text.splitlines()
    assert [entry.path for entry in parse_baseline(text).entries] == ["a.py", "b.py"]
    assert all(f'"path": "{e.path}"' in lines[e.line - 1] for e in parse_baseline(text).entries)


def test_what_a_later_version_wrote_is_not_lost() -> None:
    values = json.loads(render_baseline(entries_for(TEXT)))
    values["findings"][0]["owner"] = "me"

    assert '"owner": "me"' in render_baseline(parse_baseline(json.dumps(values)).entries)


CONFLICT = "<<<<<<< HEAD\n{0}=======\n{1}>>>>>>> other\n"


def test_of_a_conflict_the_entries_of_both_sides_count_and_its_line_is_told() -> None:
    lines = render_baseline([*entries_for(TEXT), *entries_for(TEXT, name="b.py")]).splitlines(True)
    text = "".join([*lines[:3], CONFLICT.format(lines[3], lines[4]), *lines[5:]])

    read = parse_baseline(text)

    assert {entry.path for entry in read.entries} == {"a.py", "b.py"}
    assert read.problem is not None
    assert (read.problem.trouble, read.problem.line) == ("conflict", 4)


@pytest.mark.parametrize(
    ("text", "trouble", "line"),
    [
        ('{"version": 1,\n "findings": [\n', "syntax", 3),
        ("[]", "shape", 1),
        ('{"version": 2, "findings": []}', "version", 1),
        ('{"version": 1, "findings": [\n{"path": "a"}]}', "entry", 2),
        ('{"version": 1, "findings": [7]}', "entry", 1),
        ("[" * 100_000, "syntax", 1),
    ],
)
def test_what_is_broken_is_told_with_its_line(text: str, trouble: str, line: int) -> None:
    problem = parse_baseline(text).problem

    assert problem is not None
    assert (problem.trouble, problem.line) == (trouble, line)


@pytest.mark.parametrize("text", ["", " \n", "\ufeff"])
def test_an_empty_file_is_an_empty_baseline(text: str) -> None:
    assert parse_baseline(text) == Baseline()


def test_entries_that_two_branches_add_are_merged_by_git(tmp_path: Path) -> None:
    base = [replace(entries_for(TEXT)[0], path=f"src/{letter}.py") for letter in "bdfhjlnprt"]
    versions = {
        "base": base,
        "ours": [*base, replace(base[0], path="src/c.py")],
        "theirs": [*base, replace(base[0], path="src/s.py")],
    }
    for name, entries in versions.items():
        (tmp_path / name).write_text(render_baseline(entries), encoding="utf-8")

    merged = subprocess.run(
        ["git", "merge-file", "-p", "ours", "base", "theirs"],
        cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=30, check=False,
    )  # fmt: skip

    assert merged.returncode == 0
    read = parse_baseline(merged.stdout)
    assert read.problem is None
    assert len(read.entries) == len(base) + 2
