from pathlib import Path

import pytest

from glossator.app.checking.report import CheckReport
from workbench import Bench, MakeBench

RULE = """\
# Prints

- Use the log, not `print`. {#no-print}

  ```check
  language: python
  severity: warning
  message: Use the log.
  rule:
    pattern: print($$$)
  ```
"""
OWN_ONLY = {"knowledge": {"bundled": False}}


async def check(bench: Bench, name: str) -> CheckReport:
    await bench.application.rebuild_index()
    path = bench.root / name
    return await bench.application.check(bench.application.read(path))


async def test_a_finding_names_rule_place_and_text(make_bench: MakeBench) -> None:
    bench = make_bench(
        {"knowledge/log.md": RULE, "a.py": "x = '日志'; print(x)\n"}, settings=OWN_ONLY
    )

    report = await check(bench, "a.py")

    [finding] = report.findings
    assert report.outcome == "findings"
    assert (finding.rule.id, finding.rule.path, finding.rule.line) == (
        "no-print",
        "knowledge/log.md",
        3,
    )
    assert (finding.range.start.line, finding.range.start.column) == (1, 10)
    assert finding.code == "print(x)"


async def test_a_clean_file_is_clean(make_bench: MakeBench) -> None:
    bench = make_bench({"knowledge/log.md": RULE, "a.py": "x = 1\n"}, settings=OWN_ONLY)

    assert (await check(bench, "a.py")).outcome == "clean"


@pytest.mark.parametrize(
    ("name", "settings", "reason"),
    [
        ("a.rs", {}, "no rule with a check applies"),
        ("a.zig", {}, "no rule covers the language"),
        ("a.py", {"check": {"exclude": ["*.py"]}}, "excluded by `check.exclude`"),
        ("a.py", {"check": {"exclude": ["*.{ts,py}"]}}, "excluded by `check.exclude`"),
        ("a.py", {"check": {"maxFileKb": 1}}, "more than `check.maxFileKb` (1)"),
        ("a.py", {"check": {"disabledRules": ["no-print"]}}, "no rule with a check applies"),
    ],
)
async def test_what_is_not_checked_is_never_called_clean(
    make_bench: MakeBench, name: str, settings: dict[str, object], reason: str
) -> None:
    files = {"knowledge/log.md": RULE, name: "print(1)\n" * 400}
    bench = make_bench(files, settings={**OWN_ONLY, **settings})

    report = await check(bench, name)

    assert report.outcome == "not-checked"
    assert reason in report.reason


async def test_a_broken_check_is_reported_with_its_line_and_the_others_go_on(
    make_bench: MakeBench,
) -> None:
    broken = (
        "- Broken. {#broken}\n\n  ```check\n  language: python\n  rule: {kind: nonsense}\n  ```\n"
    )
    bench = make_bench(
        {"knowledge/log.md": RULE, "knowledge/broken.md": broken, "a.py": "print(1)\n"},
        settings=OWN_ONLY,
    )

    report = await check(bench, "a.py")

    assert [finding.rule.id for finding in report.findings] == ["no-print"]
    [problem] = [text for text in bench.application.status().problems if "broken.md" in text]
    assert problem.startswith("knowledge/broken.md:5 ")


async def test_a_folder_is_checked_without_what_git_ignores(make_bench: MakeBench) -> None:
    bench = make_bench(
        {
            "knowledge/log.md": RULE,
            ".gitignore": "out/\n",
            "src/a.py": "print(1)\n",
            "out/b.py": "print(1)\n",
        },
        settings=OWN_ONLY,
    )

    reports = await bench.application.check_paths([bench.root])

    assert [r.shown_path for r in reports if r.outcome == "findings"] == ["src/a.py"]


async def test_a_file_that_cannot_be_read_is_reported_and_the_others_are_checked(
    make_bench: MakeBench,
) -> None:
    bench = make_bench({"knowledge/log.md": RULE, "a.py": "print(1)\n"}, settings=OWN_ONLY)
    (bench.root / "b.py").write_bytes(b"\x00\x01binary\x00")

    reports = {
        report.shown_path: report
        for report in await bench.application.check_paths(
            [bench.root / "a.py", bench.root / "b.py"]
        )
    }

    assert reports["a.py"].outcome == "findings"
    assert reports["b.py"].outcome == "not-checked"
    assert Path(reports["b.py"].shown_path).name in reports["b.py"].reason
