"""What ships, and what this repository tells assistants, passes its own linter."""

from pathlib import Path

from glossator.app.results import Opening
from glossator.compose import open_application

ROOT = Path(__file__).parents[2]


async def test_the_linter_finds_nothing_in_what_ships() -> None:
    application = open_application(Opening(roots=(ROOT,), trusted=True, watch=False))
    reports = await application.linting.lint_paths()
    await application.close()

    found = [
        f"{report.shown_path}:{finding.range.start.line} {finding.message}"
        for report in reports
        for finding in report.findings
    ]
    assert found == []
    assert {report.shown_path for report in reports} >= {
        path.relative_to(ROOT).as_posix()
        for folder in ("knowledge", "skills")
        for path in (ROOT / folder).glob("*.md")
    }
