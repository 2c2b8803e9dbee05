"""The linter over a workspace on the disk: what it judges, and which files it looks at."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from glossator.app.application import Application
from glossator.app.linting.files import Listings, WorkspaceFiles
from glossator.app.linting.linter import LintReport
from glossator.app.results import Opening
from glossator.compose import open_application
from glossator.core.text import SourceText
from glossator.tools.workspace import Workspace

FILES = {
    "AGENTS.md": "# Agents\n\n[x](gone.md)\n",
    "web/AGENTS.md": "# Web\n\n[x](gone.md)\n",
    ".cursor/rules/py.mdc": "---\nglobs: '*.py'\n---\n[x](gone.md)\n",
    ".cursorrules": "[x](gone.md)\n",
    ".github/copilot-instructions.md": "[x](gone.md)\n",
    ".github/instructions/a.instructions.md": "---\napplyTo: '**'\n---\n[x](gone.md)\n",
    ".claude/rules/a.md": "[x](gone.md)\n",
    "CLAUDE.md": "@docs/imported.md\n\n[x](gone.md)\n",
    "docs/imported.md": "[x](gone.md)\n",
    "docs/adr/1.md": "# One\n\n[x](gone.md)\n",
    "knowledge/a.md": "# A\n\n[x](gone.md)\n",
    "skills/pdf/SKILL.md": "---\nname: pdf\ndescription: d\n---\n[x](gone.md)\n",
    "skills/flat.md": "---\ndescription: d\n---\n[x](gone.md)\n",
    "skills/pdf/references/more.md": "[x](gone.md)\n",
    "node_modules/x/AGENTS.md": "[x](gone.md)\n",
    "README.md": "[x](gone.md)\n",
    "app.py": "",
}
LINTED = frozenset(FILES) - {
    "skills/pdf/references/more.md", "node_modules/x/AGENTS.md", "README.md", "app.py",
}  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "w", FILES)
    return tmp_path / "w"


@pytest.fixture
async def application(root: Path) -> AsyncIterator[Application]:
    application = open_lone(root)
    yield application
    await application.close()


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def open_lone(*roots: Path, trusted: bool = True, **settings: Mapping[str, object]) -> Application:
    return open_application(
        Opening(
            roots=roots,
            trusted=trusted,
            watch=False,
            editor_settings={"knowledge": {"bundled": False}, **settings},
        )
    )


def codes(report: LintReport) -> list[str]:
    return [finding.code for finding in report.findings]


async def test_every_kind_of_file_is_judged_and_no_other(application: Application) -> None:
    reports = await application.linting.lint_paths()

    assert {report.shown_path for report in reports} == LINTED
    assert {report.shown_path for report in reports if "lint/dead-link" in codes(report)} == LINTED


async def test_files_of_a_workspace_that_is_not_trusted_are_judged_too(root: Path) -> None:
    application = open_lone(root, trusted=False)
    reports = await application.linting.lint_paths()
    await application.close()

    assert {report.shown_path for report in reports} == LINTED


async def test_the_text_of_the_editor_counts(application: Application, root: Path) -> None:
    path = root / "knowledge/a.md"
    report = await application.linting.lint(
        SourceText("knowledge/a.md", "# A\n\nWords.\n", path, 7)
    )

    assert (report.outcome, report.version) == ("clean", 7)


async def test_a_new_file_is_judged_before_the_library_has_read_it(
    application: Application, root: Path
) -> None:
    await application.linting.lint_paths()
    write(root, {"lib/.cursor/rules/new.mdc": "---\nalwaysApply: 'true'\n---\nWords.\n"})
    report = await application.linting.lint(application.read(root / "lib/.cursor/rules/new.mdc"))
    other = await application.linting.lint(application.read(root / "skills/pdf/references/more.md"))

    assert codes(report) == ["lint/quoted-boolean"]
    assert other.outcome == "not-linted"


async def test_places_stand_behind_the_mark_that_a_text_begins_with(
    application: Application, root: Path
) -> None:
    text = "\ufeff[x](gone.md)\n[y](gone.md)\n"
    report = await application.linting.lint(SourceText("AGENTS.md", text, root / "AGENTS.md"))

    columns = [f.range.start.column for f in report.findings if f.code == "lint/dead-link"]
    assert columns == [5, 4]


async def test_what_is_switched_off_or_left_out_is_not_told(root: Path) -> None:
    check = {"disabledRules": ["lint/dead-link"], "exclude": ["web/**"]}
    application = open_lone(root, check=check)
    reports = {report.shown_path: report for report in await application.linting.lint_paths()}
    await application.close()

    assert reports["AGENTS.md"].outcome == "clean"
    assert reports["web/AGENTS.md"].outcome == "not-linted"
    assert "check.exclude" in reports["web/AGENTS.md"].reason


async def test_files_are_told_apart_in_several_folders(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write(other, {"AGENTS.md": "# A\n\n[x](docs/here.md)\n", "docs/here.md": "x\n"})
    application = open_lone(root, other)
    reports = {report.shown_path: report for report in await application.linting.lint_paths()}
    await application.close()

    assert "lint/dead-link" in codes(reports["w/AGENTS.md"])
    assert codes(reports["other/AGENTS.md"]) == []


async def test_a_library_that_changed_is_compared_anew(
    application: Application, root: Path
) -> None:
    write(root, {"knowledge/a.md": "# A\n\n- Amounts are kept in cents. {#one}\n"})
    before = await application.linting.lint(application.read(root / "knowledge/a.md"))
    write(root, {"knowledge/b.md": "# B\n\n- Dates are kept in UTC. {#one}\n"})
    await application.rebuild_index()
    after = await application.linting.lint(application.read(root / "knowledge/a.md"))

    assert codes(before) == []
    assert codes(after) == ["lint/duplicate-rule-id"]


TWINS = {"a": "# A\n\n- Amounts are kept in cents. {#one}\n", "b": "- Dates are UTC. {#one}\n"}


async def test_of_two_rules_with_one_id_it_is_said_which_counts_and_where_it_is(
    application: Application, root: Path
) -> None:
    write(root, {f"knowledge/{name}.md": text for name, text in TWINS.items()})
    await application.rebuild_index()
    read, lint = application.read, application.linting.lint
    first = (await lint(read(root / "knowledge/a.md"))).findings
    second = (await lint(read(root / "knowledge/b.md"))).findings

    listed = [f"{rule.path}:{rule.line}" for rule in await application.rules.list()]
    assert "knowledge/a.md:3" in listed
    assert "knowledge/b.md:1" not in listed
    assert [finding.message for finding in first] == [
        "The id `one` is used at knowledge/b.md:1 too; only this rule counts."
    ]
    assert [finding.message for finding in second] == [
        "The id `one` is used at knowledge/a.md:3 too; only the rule there counts."
    ]


async def test_a_rule_of_a_nearer_folder_takes_the_place_of_another_with_its_id_unblamed(
    application: Application, root: Path
) -> None:
    write(root, {"AGENTS.md": TWINS["a"], "web/AGENTS.md": TWINS["b"]})
    await application.rebuild_index()

    for name in ("AGENTS.md", "web/AGENTS.md"):
        report = await application.linting.lint(application.read(root / name))
        assert codes(report) == []


def test_a_workspace_that_is_too_large_is_listed_in_part(root: Path) -> None:
    workspace = Workspace([root])

    assert not Listings(max_listed=3).list_files(workspace, workspace.roots[0]).is_complete
    assert Listings().list_files(workspace, workspace.roots[0]).is_complete


def test_a_listing_is_kept_until_it_is_forgotten(root: Path) -> None:
    workspace, listings = Workspace([root]), Listings()
    first = listings.list_files(workspace, workspace.roots[0])
    write(root, {"new.py": ""})

    assert listings.list_files(workspace, workspace.roots[0]) is first
    listings.forget()
    assert "new.py" in listings.list_files(workspace, workspace.roots[0]).paths


def test_ignored_files_and_those_without_text_are_told_apart(root: Path) -> None:
    write(root, {".gitignore": "dist/\n", "dist/x.js": "", ".env": "KEY=1\n"})
    (root / "pic.png").write_bytes(b"\x89PNG\x00")
    (root / "out").symlink_to("/")
    workspace = Workspace([root])
    files = WorkspaceFiles(workspace, workspace.roots[0])
    listed = Listings().list_files(workspace, workspace.roots[0]).paths

    assert files.is_ignored("dist/x.js")
    assert "dist/x.js" not in listed
    assert "pic.png" in listed
    assert (files.exists("dist/x.js"), files.exists("gone.js")) == (True, False)
    assert (files.read("pic.png"), files.read(".env"), files.read("gone")) == (None, None, None)
    assert files.exists("out/nothing/at/all")
    assert not files.exists("a\0b")


async def test_only_hints_and_findings_with_edits_can_be_repaired(
    application: Application, root: Path
) -> None:
    write(root, {"AGENTS.md": "# A\n\n[x](web/AGENT.md)\u200b\n"})
    reports = await application.linting.lint_paths([root / "AGENTS.md"])
    shown = await application.linting.fix(reports, writes=False)
    written = await application.linting.fix(reports, writes=True)

    assert (shown[0].is_written, written[0].is_written) == (False, True)
    assert (root / "AGENTS.md").read_text(encoding="utf-8") == "# A\n\n[x](web/AGENTS.md)\n"
    assert {finding.code for finding in written[0].repaired} == {
        "lint/dead-link", "lint/invisible-character",
    }  # fmt: skip


async def test_a_file_that_leads_out_of_the_workspace_is_not_written(
    root: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("# A\u200b\n", encoding="utf-8")
    application = open_lone(root)
    report = await application.linting.lint(
        SourceText("AGENTS.md", "# A\u200b\n", root / "AGENTS.md")
    )
    [fix] = await application.linting.fix([replace(report, path=outside)], writes=True)
    await application.close()

    assert not fix.is_written
    assert "outside" in fix.reason
    assert outside.read_text(encoding="utf-8") == "# A\u200b\n"
