"""What a Chinese terminal shows is Chinese, whoever says it."""

import re
from pathlib import Path

import pytest

from terminal.running import glossator, write_files

FILES = {
    "src/a.ts": "export const a = 1\n",
    "CLAUDE.md": "# A\n\n@nothing.md\n",
    "agents.md": "# B\n",
    ".cursor/rules/page.mdc": "---\nglobs: *.tsx,*.ts\ndescription: 页面\n---\n用函数。\n",
    ".cursor/rules/old.md": "x\n",
    ".agents/skills/Bad/SKILL.md": "---\nname: Bad\n---\n",
    "knowledge/a.md": "---\nalways: maybe\nname：a\n---\n# 甲\n",
    "glossator.toml": "[knowledge]\nbundled = false\nfoo = 1\n",
}
# What programs read: who speaks, and the place of a finding with its severity.
_HEAD = re.compile(r"^(?:glossator[ a-z]*: |\S+:\d+:\d+: \w+: )")
_HALF_WIDTH = re.compile("[\u4e00-\u9fff`][,;:(]|[,;:(] ?[\u4e00-\u9fff]|[\u4e00-\u9fff][)]")
_NAMES = re.compile(r"`[^`]*`|/\S+|\S+\.(?:md|mdc|toml|ts)\b[:\d]*")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_files(tmp_path / "工作区", FILES)


@pytest.mark.parametrize(
    "arguments",
    [
        ["index"],
        ["doctor"],
        ["why", "src/a.ts"],
        ["skills"],
        ["lint"],
        ["ask", "--no-model", ""],
        ["check", "gone.py"],
        ["explain", "src/a.ts:9"],
        ["explain", "src/a.ts"],
        ["search", "--limit", "0", "甲"],
        ["stats", "--since", "today"],
        ["share"],
        ["share", "nothing"],
        ["rules", "list"],
        ["rules", "test", "nothing"],
        ["sessions", "show", "nothing"],
        [],
        ["foo"],
        ["rules"],
        ["check", "--foo"],
        ["check", "--format", "xml"],
        ["check", "--jobs", "many"],
        ["check", "--output"],
        ["check", "--js=x"],
        ["check", "--no", "a"],
        ["search", "--limit"],
        ["ask", "--session", "a", "--continue", "甲"],
    ],
    ids=" ".join,
)
def test_no_line_holds_an_english_sentence(workspace: Path, arguments: list[str]) -> None:
    done = glossator(workspace, *arguments, LANG="zh_CN.UTF-8")

    lines = f"{done.stdout}\n{done.stderr}".splitlines()
    bare = [_NAMES.sub(" ", line) for line in lines]
    english = [line for line in bare if re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", line)]
    assert english == []
    assert any("\u4e00" <= character <= "\u9fff" for line in lines for character in line)
    coded = [re.sub(r"`[^`]*`", "`", _HEAD.sub("", line)) for line in lines]
    assert [line for line in coded if _HALF_WIDTH.search(line)] == []


def test_a_usage_error_names_what_is_wrong_in_chinese(workspace: Path) -> None:
    done = glossator(workspace, "check", "--format", "xml", LANG="zh_CN.UTF-8")

    assert done.returncode == 2
    assert done.stderr.startswith("用法：glossator check ")
    assert "glossator check: 错误：参数 --format：不能是 'xml'（可选：" in done.stderr


def test_a_hint_names_the_file_that_a_terminal_has_for_the_setting(workspace: Path) -> None:
    shared = glossator(workspace, "share")
    doctor = glossator(workspace, "doctor", XDG_CONFIG_HOME=str(workspace / "none"))

    assert "Set `shared.url` in your own `glossator.toml`" in shared.stderr
    [line] = [line for line in doctor.stdout.splitlines() if "**Your settings**" in line]
    assert line.endswith("/glossator/glossator.toml")
    assert "`model.baseUrl` and `model.name` in the editor's settings or in your own" in (
        doctor.stdout
    )


def test_what_teams_usually_write_is_a_note_and_no_failure(tmp_path: Path) -> None:
    rules = {
        ".cursor/rules/a.mdc": "---\ndescription: Use when: x\nglobs: *.tsx,*.ts\n---\nA.\n",
        ".cursor/rules/b.mdc": "---\nglobs: **/*.{ts,tsx}\nalwaysApply: false\n---\nB.\n",
        ".cursor/rules/c.mdc": "---\nglobs: {src,lib}/**\n---\nC.\n",
        ".cursor/rules/d.mdc": "---\nglobs:\n  - *.py\n---\nD.\n",
    }
    workspace = write_files(tmp_path / "workspace", rules)

    done = glossator(workspace, "index")
    doctor = glossator(workspace, "doctor")

    assert done.returncode == 0
    assert "4 instruction files" in done.stdout
    assert ".cursor/rules/a.mdc:3 note: The value of `globs` is not valid YAML" in done.stderr
    assert "✗" not in doctor.stdout


def test_what_is_broken_beside_it_fails(workspace: Path) -> None:
    done = glossator(workspace, "index")

    assert done.returncode == 1
    assert "knowledge/a.md:2 `always` must be `true` or `false`; it is ignored." in done.stderr
