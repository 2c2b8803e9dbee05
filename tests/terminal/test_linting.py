"""`glossator lint` as a person or a script meets it: a process, its output and its exit code."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from terminal.running import glossator, write_files

AGENTS = (
    "# Agents\n\nSee [style](docs/stlye.md).\u200b\n\nRun `make tset`.\n\n"
    "- Always squash commits.\n"
)
FILES = {
    "AGENTS.md": AGENTS,
    "CLAUDE.md": "# Claude\n\n- Never squash commits.\n",
    "Makefile": "test:\n\ttrue\n",
    "docs/style.md": "# Style\n\nWords.\n",
    "knowledge/发布.md": "---\nkeyword: [发布, release]\n---\n# 发布\n\n周五不发布。\n",
    "README.md": "[x](gone.md)\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_files(tmp_path / "工作区", FILES)


def lint(workspace: Path, *arguments: str, **environ: str) -> CompletedProcess[str]:
    return glossator(workspace, "lint", *arguments, **environ)


def test_all_files_are_linted_and_findings_are_lines(workspace: Path) -> None:
    result = lint(workspace)

    assert result.returncode == 1
    assert (
        "AGENTS.md:3:13: warning: The link leads to nothing: there is no `docs/stlye.md`; the "
        "nearest is `docs/style.md`. [lint/dead-link]\n"
    ) in result.stdout
    assert "    → CLAUDE.md:3\n" in result.stdout
    assert "knowledge/发布.md:2:1: warning" in result.stdout
    assert "README.md" not in result.stdout
    assert "3 files linted" in result.stderr


def test_only_the_paths_that_are_named_are_linted(workspace: Path) -> None:
    result = lint(workspace, "knowledge")

    assert result.returncode == 1
    assert {line.partition(":")[0] for line in result.stdout.splitlines()} == {"knowledge/发布.md"}


def test_a_diff_is_shown_and_nothing_is_written(workspace: Path) -> None:
    result = lint(workspace, "--fix", "--diff", "AGENTS.md")

    assert result.returncode == 1
    assert "-See [style](docs/stlye.md).\\u{200b}\n+See [style](docs/style.md).\n" in result.stdout
    assert (workspace / "AGENTS.md").read_bytes() == AGENTS.encode()


def test_repairs_are_written_and_told_and_what_is_left_is_shown(workspace: Path) -> None:
    mode = (workspace / "AGENTS.md").stat().st_mode
    result = lint(workspace, "--fix")

    assert result.returncode == 1
    assert (workspace / "AGENTS.md").read_text(encoding="utf-8") == (
        AGENTS.replace("stlye", "style").replace("tset", "test").replace("\u200b", "")
    )
    assert (workspace / "AGENTS.md").stat().st_mode == mode
    assert "AGENTS.md: 3 findings repaired" in result.stderr
    assert {line.rpartition("[")[2] for line in result.stdout.splitlines() if "[" in line} == {
        "lint/contradiction]"
    }


def test_marks_and_line_ends_of_a_file_are_kept(workspace: Path) -> None:
    path = workspace / "knowledge/发布.md"
    path.write_bytes("\ufeff---\r\nname: a\r\n\r\n# T\r\n\r\nWords.\r\n".encode())

    lint(workspace, "--fix", "knowledge")

    assert path.read_bytes() == (
        "\ufeff---\r\nname: a\r\n---\r\n\r\n# T\r\n\r\nWords.\r\n".encode()
    )


def test_a_file_in_another_encoding_is_left_as_it_is(workspace: Path) -> None:
    path = workspace / "knowledge/发布.md"
    data = FILES["knowledge/发布.md"].encode("gb18030")
    path.write_bytes(data)

    result = lint(workspace, "--fix", "knowledge")

    assert path.read_bytes() == data
    assert "is left as it is: it is not UTF-8" in result.stderr


def test_results_are_one_json_value(workspace: Path) -> None:
    result = lint(workspace, "--json", "knowledge")

    value = json.loads(result.stdout)
    [document] = value["documents"]
    [finding] = document["findings"]
    assert value["nFindings"] == 1
    assert (finding["code"], finding["range"]["start"]) == (
        "lint/unknown-key",
        {"line": 2, "column": 0},
    )
    assert finding["edits"] != []


def test_a_clean_workspace_ends_well(workspace: Path) -> None:
    for name in ("AGENTS.md", "CLAUDE.md", "knowledge/发布.md"):
        (workspace / name).write_text("# Words\n\nWords about releases.\n", encoding="utf-8")

    result = lint(workspace)

    assert (result.returncode, result.stdout) == (0, "")


def test_a_path_that_is_not_there_is_an_error(workspace: Path) -> None:
    result = lint(workspace, "gone.md")

    assert result.returncode == 2
    assert "`gone.md`" in result.stderr.replace(f"{workspace}/", "")


def test_a_file_that_is_none_of_these_is_said_to_be_none(workspace: Path) -> None:
    result = lint(workspace, "README.md")

    assert result.returncode == 2
    assert "README.md not linted" in result.stderr


def test_codes_can_be_switched_off(workspace: Path) -> None:
    settings = '[check]\ndisabledRules = ["lint/unknown-key"]\n'
    (workspace / "glossator.toml").write_text(settings, encoding="utf-8")

    result = lint(workspace, "knowledge")

    assert (result.returncode, result.stdout) == (0, "")


def test_the_words_are_chinese_where_the_locale_is(workspace: Path) -> None:
    result = lint(workspace, LANG="zh_CN.UTF-8")

    assert "链接失效" in result.stdout
    assert "检查了 3 个文件" in result.stderr
