"""What `coverage` says, by reports as test runners write them and as nobody should."""

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from glossator.core.errors import InvalidArguments
from glossator.core.messages import ToolCall
from glossator.core.text import SourceText
from glossator.tools.code_map import CodeMap
from glossator.tools.coverage import make_coverage_tools, show_coverage
from glossator.tools.reports import measuring, unreached
from glossator.tools.reports.unreached import find_unreached
from glossator.tools.toolbox import make_toolbox
from glossator.tools.workspace import Workspace

CALC = """\
import sys


def divide(a, b):
    if b == 0:
        raise ZeroDivisionError(
            "no"
        )
    return a / b


class Thing:
    def value(self):
        # Nothing to see.

        return 1
"""
COBERTURA = """\
<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage version="7.1">
  <sources><source>{source}</source></sources>
  <packages><package name="p"><classes>
    <class name="calc.py" filename="{name}"><methods/><lines>
      <line number="1" hits="1"/><line number="4" hits="1"/>
      <line number="5" hits="1" branch="true" condition-coverage="50% (1/2)" missing-branches="6"/>
      <line number="6" hits="0"/><line number="9" hits="1"/>
      <line number="12" hits="1"/><line number="13" hits="1"/><line number="16" hits="0"/>
    </lines></class>
  </classes></package></packages>
</coverage>
"""
LCOV = """\
TN:
SF:{name}
FN:4,divide
FNDA:1,divide
DA:1,1
DA:4,1
DA:5,1
BRDA:5,0,0,0
BRDA:5,0,1,1
DA:6,0
DA:9,3
DA:12,1
DA:13,1
DA:16,0
end_of_record
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    write(root, "src/calc.py", CALC)
    return root


def write(root: Path, name: str, content: str | bytes, *, age_s: float = 0) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    if age_s:
        os.utime(path, (time.time() - age_s, time.time() - age_s))
    return path


def look(root: Path, path: str = "src/calc.py", name: str = "", **buffers: str) -> str:
    documents = {root / key: SourceText(key, text, version=1) for key, text in buffers.items()}
    workspace = Workspace([root], documents)
    return show_coverage(workspace, CodeMap(workspace), path, name)


def refuse(root: Path, path: str = "src/calc.py") -> str:
    with pytest.raises(InvalidArguments) as caught:
        look(root, path)
    return str(caught.value)


def test_a_file_lists_the_lines_that_no_test_reached(root: Path) -> None:
    write(root, "coverage.xml", COBERTURA.format(source=root / "src", name="calc.py"))

    assert look(root) == (
        """\
`src/calc.py`: 6 of 8 lines that count are reached (coverage.xml, less than a minute old)

Not reached:
  src/calc.py:6 in `divide`
  src/calc.py:16 in `Thing.value`

Reached, but not every way on from there:
  src/calc.py:5 never goes on to 6"""
    )


def test_a_function_shows_the_code_that_was_not_reached(root: Path) -> None:
    write(root, "coverage/lcov.info", LCOV.format(name="src/calc.py"))

    assert look(root, name="divide") == (
        """\
`divide` (src/calc.py:4-9): 3 of 4 lines that count are reached \
(coverage/lcov.info, less than a minute old)

Not reached: 6

6|         raise ZeroDivisionError(

Reached, but not every way on from there:
  src/calc.py:5 branch 0 is never taken"""
    )


def test_a_function_whose_lines_are_all_reached_says_so(root: Path) -> None:
    report = COBERTURA.format(source=root / "src", name="calc.py").replace('hits="0"', 'hits="2"')
    write(root, "coverage.xml", report)

    assert look(root, name="Thing").startswith(
        "`Thing` (src/calc.py:12-16): all 3 lines that count are reached"
    )


async def test_the_tool_is_called_with_a_path_and_a_name(root: Path) -> None:
    write(root, "coverage.xml", COBERTURA.format(source=root / "src", name="calc.py"))
    workspace = Workspace([root])
    toolbox = make_toolbox(make_coverage_tools(workspace, CodeMap(workspace)))

    call = ToolCall("1", "coverage", '{"path": "src/calc.py", "name": "Thing.value"}')
    outcome = await toolbox.run(call)

    assert "Not reached: 16" in outcome.text
    assert not outcome.is_error


def test_the_data_file_of_coverage_itself_is_read_with_the_source(root: Path) -> None:
    write(root, "run.py", "import sys; sys.path.insert(0, 'src')\nimport calc\ncalc.divide(1, 2)\n")
    for branch in ("", "--branch"):
        subprocess.run(
            [sys.executable, "-m", "coverage", "run", "--rcfile=", *branch.split(), "run.py"],
            cwd=root, check=True, stdin=subprocess.DEVNULL, timeout=60,
        )  # fmt: skip

        text = look(root)

        assert "6 of 8 lines that count are reached (.coverage" in text
        assert "src/calc.py:6 in `divide`" in text
        assert "src/calc.py:16 in `Thing.value`" in text


def test_the_newest_report_that_has_the_file_counts(root: Path) -> None:
    write(root, "lcov.info", LCOV.format(name="src/other.py"), age_s=1)
    write(root, "coverage.xml", COBERTURA.format(source="", name="src/calc.py"), age_s=7200)
    write(root, "src/coverage.xml", "<broken", age_s=2)
    os.utime(root / "src/calc.py", (1, 1))

    assert "(coverage.xml, 2 hours old)" in look(root)


def test_without_a_report_it_says_what_was_looked_for(root: Path) -> None:
    message = refuse(root)

    assert "There is no coverage report for `src/calc.py`" in message
    assert all(f"`{name}`" in message for name in measuring.REPORT_NAMES)


def test_a_file_that_no_report_has_is_told_apart(root: Path) -> None:
    write(root, "coverage.xml", COBERTURA.format(source="", name="src/other.py"))
    write(root, "lcov.info", "")

    message = refuse(root)

    assert "`coverage.xml` has 1 file and not this one" in message
    assert "`lcov.info` cannot be read: it is empty" in message


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("src/calc.py", ""), ("./src/calc.py", ""), ("src\\calc.py", ""), ("calc.py", "src"),
        ("calc.py", "/home/ci/build/src"), ("src/calc.py", "/home/ci/build"),
        ("/home/ci/build/src/calc.py", ""), ("C:\\build\\proj\\src\\calc.py", ""),
        ("calc.py", "C:\\build\\src"), ("../root/src/calc.py", ""), ("root/src/calc.py", ""),
        ("{root}/src/calc.py", ""), ("calc.py", "{root}/src"), ("/src/calc.py", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["cobertura", "lcov"])
def test_names_from_other_folders_machines_and_systems_are_understood(
    root: Path, name: str, source: str, kind: str
) -> None:
    name, source = name.format(root=root), source.format(root=root)
    if kind == "cobertura":
        write(root, "coverage.xml", COBERTURA.format(source=source, name=name))
    else:
        write(root, "lcov.info", LCOV.format(name=f"{source}/{name}" if source else name))

    assert "6 of 8 lines that count are reached" in look(root)


@pytest.mark.parametrize(
    "name",
    ["lib/calc.py", "/home/ci/lib/calc.py", "other/calc.py", "src/calc.pyx", "xsrc/calc.py"],
)
def test_a_file_of_the_same_name_elsewhere_is_not_taken_for_it(root: Path, name: str) -> None:
    write(root, "coverage.xml", COBERTURA.format(source="", name=name))

    assert "has 1 file and not this one" in refuse(root)


def test_a_name_that_leads_to_another_file_of_the_workspace_is_that_file(root: Path) -> None:
    write(root, "calc.py", CALC)
    write(root, "a/src/calc.py", CALC)
    write(root, "coverage.xml", COBERTURA.format(source="", name="/ci/proj/a/src/calc.py"))

    assert "not this one" in refuse(root)
    assert "not this one" in refuse(root, "calc.py")
    assert "6 of 8" in look(root, "a/src/calc.py")


def test_several_that_fit_alike_are_named_and_none_is_chosen(root: Path) -> None:
    both = LCOV.format(name="/one/src/calc.py") + LCOV.format(name="/two/src/calc.py")
    write(root, "lcov.info", both)

    assert "in `lcov.info` this might be any of `/one/src/calc.py`, `/two/src/calc.py`" in refuse(
        root
    )


def test_a_report_beside_a_package_of_a_larger_workspace_is_found(root: Path) -> None:
    write(root, "packages/a/src/calc.py", CALC)
    write(root, "packages/a/coverage/lcov.info", LCOV.format(name="src/calc.py"))

    assert "packages/a/coverage/lcov.info" in look(root, "packages/a/src/calc.py")
    assert "There is no coverage report" in refuse(root)


def test_what_speaks_against_the_report_is_said(root: Path) -> None:
    write(root, "coverage.xml", COBERTURA.format(source="", name="/ci/src/calc.py"), age_s=90_000)

    text = look(root, **{"src/calc.py": f"\n{CALC}"})

    assert "(coverage.xml, 1 day old)" in text
    assert "Careful: the report calls the file `/ci/src/calc.py`." in text
    assert "Careful: the editor has unsaved changes: lines may have moved." in text
    assert "Careful: the file was changed 1 day after the report: lines may have moved." in text
    assert "Careful: the report counts lines that are empty here: it is of another version" in text


def test_a_report_that_counts_lines_past_the_end_is_of_another_version(root: Path) -> None:
    write(root, "src/calc.py", "import sys\n")
    write(root, "coverage.xml", COBERTURA.format(source="", name="src/calc.py"))

    text = look(root)

    assert "Careful: the report counts a line 16 and the file has 1: it is of another" in text
    assert "src/calc.py:16" in text


def test_lines_count_as_reached_when_any_part_of_the_report_says_so(root: Path) -> None:
    again = LCOV.format(name="src/calc.py").replace("DA:6,0", "DA:6,5")
    write(root, "lcov.info", LCOV.format(name="src/calc.py") + again)

    assert "7 of 8 lines that count are reached" in look(root)


BROKEN = {
    "it is no valid XML": "<coverage><x></coverage>",
    "its form is not Cobertura's (`<report>`)": "<report/>",
    "its form is not Cobertura's (`<coverage>`)": "<coverage clover='3.2.0'/>",
    "it declares entities": (
        '<!DOCTYPE coverage [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;">]><coverage>&b;</coverage>'
    ),
    "it declares entities, which": (
        '<!DOCTYPE coverage [<!ENTITY x SYSTEM "file:///etc/passwd">]><coverage>&x;</coverage>'
    ),
    "it is in an encoding that is not read (unknown encoding: none)": (
        '<?xml version="1.0" encoding="none"?><coverage/>'
    ),
    "it is in an encoding that is not read (multi-byte": (
        '<?xml version="1.0" encoding="gb18030"?><coverage/>'
    ),
    "declares": '<!DOCTYPE coverage [<!ENTITY % p SYSTEM "http://host/x"> %p;]><coverage/>',
    "its elements are nested too deeply": "<coverage>" + "<x>" * 100_000,
    "it counts a line 99999999999": COBERTURA.format(source="", name="src/calc.py").replace(
        'number="16"', 'number="99999999999"'
    ),
}


@pytest.mark.parametrize("reason", BROKEN)
def test_a_broken_or_hostile_xml_report_is_refused_with_its_fault(root: Path, reason: str) -> None:
    write(root, "coverage.xml", BROKEN[reason])

    assert reason in refuse(root)


def test_a_branch_of_a_report_stays_on_its_line(root: Path) -> None:
    report = COBERTURA.format(source="", name="src/calc.py")
    forged = 'missing-branches="9&#10;a.py:1 reached"'
    write(root, "coverage.xml", report.replace('missing-branches="6"', forged))

    assert "never goes on to 9 a.py:1 reached" in look(root)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("lcov.info", b"\x00\xff\xfe", "it names no file"),
        (".coverage", b"!coverage.py: This is a private format", "it is no data file"),
        (".coverage", b"SQLite format 3\x00" + bytes(5000), "its database is broken"),
        ("coverage.xml", b"\xff\xfe<\x00", "it is no valid XML"),
    ],
)
def test_a_report_of_another_kind_is_refused(
    root: Path, name: str, content: bytes, reason: str
) -> None:
    write(root, name, content)

    assert reason in refuse(root)


def make_database(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_database_whose_tables_are_queries_runs_none_of_them(root: Path) -> None:
    make_database(
        root / ".coverage",
        "CREATE TABLE other (x)",
        "CREATE VIEW file AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT i AS id, 'src/calc.py' AS path FROM n",
    )

    assert "it has no table of files" in refuse(root)


def test_a_column_that_computes_without_end_is_not_computed(root: Path) -> None:
    make_database(
        root / ".coverage",
        "CREATE TABLE file (id INTEGER, path TEXT GENERATED ALWAYS AS (hex(zeroblob(99999999))))",
        "INSERT INTO file (id) VALUES (1)",
    )

    assert "its database is broken" in refuse(root)


def test_values_of_other_types_in_a_database_are_passed_over(root: Path) -> None:
    make_database(
        root / ".coverage",
        "CREATE TABLE file (id, path)",
        "CREATE TABLE line_bits (file_id, context_id, numbits)",
        "CREATE TABLE arc (file_id, context_id, fromno, tono)",
        "INSERT INTO file VALUES (1, 'src/calc.py'), (2, x'ff'), (3, NULL)",
        "INSERT INTO line_bits VALUES (1, 1, 'text'), (1, 1, 7), (1, 1, x'12')",
        "INSERT INTO arc VALUES (1, 1, -1, 5), (1, 1, 'x', 99999999999)",
    )

    assert "3 of 8 lines that count are reached" in look(root)


def test_a_database_in_the_middle_of_a_write_is_read_as_it_stands(root: Path) -> None:
    make_database(
        root / ".coverage",
        "PRAGMA journal_mode = WAL",
        "CREATE TABLE file (id, path)",
        "INSERT INTO file VALUES (1, 'src/calc.py')",
    )
    write(root, ".coverage-journal", b"a journal that must not be played back")

    assert "0 of 8 lines that count are reached" in look(root)
    assert (root / ".coverage-journal").exists()


def test_a_report_that_leads_out_of_the_workspace_is_none(root: Path, tmp_path: Path) -> None:
    outside = write(tmp_path, "x.xml", COBERTURA.format(source="", name="src/calc.py"))
    (root / "coverage.xml").symlink_to(outside)
    os.mkfifo(root / "lcov.info")

    assert "There is no coverage report" in refuse(root)


def test_a_report_larger_than_is_read_is_named_with_its_size(root: Path) -> None:
    with (root / "coverage.xml").open("wb") as file:
        file.truncate(10**9)

    assert "`coverage.xml` cannot be read: it has 1.0 GB, more than is read" in refuse(root)


def test_a_report_that_takes_too_long_is_given_up(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "MAX_SECONDS", -1)
    write(root, "coverage.xml", COBERTURA.format(source="", name="src/calc.py"))
    write(root, "lcov.info", LCOV.format(name="src/calc.py"))

    assert refuse(root).count("it takes too long to read") == 2


def test_a_briefing_is_told_what_is_not_reached_and_nothing_without_a_report(root: Path) -> None:
    workspace = Workspace([root])
    source = workspace.read("src/calc.py")
    outline = CodeMap(workspace).outline(source)
    assert outline is not None
    divide = next(one for one in outline.functions if one.name == "divide")
    assert find_unreached(workspace, source, divide) is None

    write(root, "coverage.xml", COBERTURA.format(source="", name="src/calc.py"), age_s=90)
    found = find_unreached(workspace, source, divide)

    assert found is not None
    assert (found.ranges, found.report) == (((6, 6),), "coverage.xml")
    assert found.is_doubtful


def test_a_report_that_would_hold_up_a_briefing_is_not_read_for_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unreached, "MAX_BYTES", 10)
    write(root, "coverage.xml", COBERTURA.format(source="", name="src/calc.py"))
    workspace = Workspace([root])
    source = workspace.read("src/calc.py")
    outline = CodeMap(workspace).outline(source)
    assert outline is not None

    assert find_unreached(workspace, source, outline.functions[0]) is None
