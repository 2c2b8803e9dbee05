"""An id in `check.disabledRules` that no rule has is not silent, wherever a user looks."""

import json
from pathlib import Path

import pytest

from rule_texts import NO_EVAL
from terminal.running import glossator, write_files

TYPO = (
    "glossator.toml:4 `check.disabledRules`: There is no rule `no-evall`; did you mean `no-eval`?"
)
FILES = {
    "knowledge/rules.md": f"{NO_EVAL}- Name functions with verbs.\n",
    "web/AGENTS.md": "# Web\n\n- Never alert. {#web-dialogs .judged}\n",
    "a.py": "x = 1\n",
}


def make_workspace(root: Path, *disabled: str) -> Path:
    settings = f"[knowledge]\nbundled = false\n[check]\ndisabledRules = {json.dumps(disabled)}\n"
    return write_files(root / "workspace", {**FILES, "glossator.toml": settings})


def test_a_check_names_it_with_the_nearest_id_in_text_and_json_and_sarif(tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path, "no-evall")

    text = glossator(workspace, "check")
    again = glossator(workspace, "check")
    as_json = json.loads(glossator(workspace, "check", "--json").stdout)
    sarif = json.loads(glossator(workspace, "check", "--format", "sarif").stdout)

    assert TYPO in text.stderr.splitlines()
    assert again.stderr == text.stderr
    assert text.returncode == 0
    assert as_json["notes"] == [TYPO]
    [run] = sarif["runs"]
    told = run["invocations"][0]["toolExecutionNotifications"]
    assert {"level": "warning", "message": {"text": TYPO}} in told


def test_the_doctor_and_the_linter_name_it_too_in_chinese(tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path, "no-evall")

    doctor = glossator(workspace, "doctor", LANG="zh_CN.UTF-8")
    linted = glossator(workspace, "lint", "glossator.toml", LANG="zh_CN.UTF-8")

    told = "没有规则 `no-evall`；是否想写 `no-eval`？"
    assert f"✗ **问题**：glossator.toml:4 `check.disabledRules`：{told}" in doctor.stdout
    assert doctor.returncode == 1
    assert f"glossator.toml:4:18: warning: {told} [settings/unknown-rule]" in linted.stdout
    assert linted.returncode == 1


@pytest.mark.parametrize(
    "rule_id",
    [
        "no-eval",
        "web-dialogs",
        "rules-name-functions-with-verbs-ddde7b",
        "sec-eval",
        "lint/dead-link",
    ],
    ids=["here", "of-another-folder", "prose", "bundled-and-not-used", "code-of-the-linter"],
)
def test_a_rule_that_exists_somewhere_is_no_slip(tmp_path: Path, rule_id: str) -> None:
    workspace = make_workspace(tmp_path, rule_id)

    done = glossator(workspace, "check", "--json")

    assert json.loads(done.stdout)["notes"] == []


def test_a_dismissal_that_is_of_no_use_need_not_be_told(tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path, "suppression-unused")
    write_files(workspace, {"a.py": "x = 1  # glossator: ignore[no-eval] old\n"})

    done = glossator(workspace, "check")

    assert "suppression-unused" not in done.stdout
    assert done.returncode == 0
