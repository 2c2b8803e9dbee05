import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from provider.server import Provider, say
from repositories import git
from rule_texts import NO_PRINT
from terminal.running import glossator, write_files
from workbench import OWN_ONLY_TOML

RULES = f"{NO_PRINT}\n- Names say what a thing is. {{#good-names}}\n"
FILES = {
    "glossator.toml": OWN_ONLY_TOML,
    "knowledge/log.md": RULES,
    ".gitignore": "out/\n",
    "src/a.py": "print(1)\nprint(2)\n",
    "src/b.py": "x = 1\n",
    "src/made.py": "# @generated\nprint(1)\n",
    "out/c.py": "print(1)\n",
    "id_rsa": "secret\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_files(tmp_path / "工作区", FILES)


def test_the_summary_says_what_was_checked_by_which_rules_and_what_was_not(
    workspace: Path,
) -> None:
    done = glossator(workspace, "check", "src", "out", "id_rsa", "src/../.gitignore")

    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "src/a.py:1:1: warning: Use the log, not `print`. [no-print]",
        "src/a.py:2:1: warning: Use the log, not `print`. [no-print]",
        "out/c.py:1:1: warning: Use the log, not `print`. [no-print]",
    ]
    for said in (
        "3 files checked: 1 clean, 2 with 3 findings",
        "rules in a file: up to 1 compiled, 0 judged; skipped: 1 (no model is in use)",
        "src/made.py not checked: the file is generated: it says `@generated`",
        "id_rsa not checked: the file may hold secrets",
        ".gitignore not checked: no rule covers the language of this file",
    ):
        assert said in done.stderr


def test_what_a_model_claims_and_what_is_left_of_it_is_said(workspace: Path) -> None:
    claims = [
        {"rule": "good-names", "rule_quote": "Names say what a thing is", "code": code}
        for code in ("x = 1", "y = 1")
    ]
    environ = {"OPENAI_API_KEY": "sk-test", "MODEL": "m"}
    with Provider() as provider:
        provider.script(
            say(json.dumps({"findings": claims})),
            say(json.dumps({"verdicts": [{"claim": 1, "holds": True}]})),
        )

        done = glossator(
            workspace, "check", "src/b.py", **environ, OPENAI_BASE_URL=provider.base_url
        )

    assert done.stdout == ("src/b.py:1:1: warning: Names say what a thing is. [good-names]\n")
    assert "· 2 claims of the model: 1 proven by what it quotes, 1 confirmed" in done.stderr
    assert "rules in a file: up to 1 compiled, 1 judged; skipped: 0" in done.stderr


def test_the_summary_is_chinese_where_the_reader_is(workspace: Path) -> None:
    done = glossator(workspace, "check", LANG="zh_CN.UTF-8")

    for said in (
        "检查了 2 个文件：1 个没有问题，1 个有共 2 处问题",
        "每个文件的规则：编译 1 条以内，模型判断 0 条；跳过：1 条（没有使用模型）",
        "src/made.py 未检查：文件是生成的：其中写有 `@generated`",
        "out 未检查：被 Git 或 `.glossatorignore` 忽略",
        "id_rsa 未检查：文件可能含有机密",
    ):
        assert said in done.stderr


@pytest.mark.parametrize(
    ("language", "said"), [("en_GB.UTF-8", "Use the log."), ("zh_CN.UTF-8", "请用日志。")]
)
@pytest.mark.parametrize("output", [[], ["--output", "found.txt"]], ids=["shown", "written"])
def test_a_message_in_two_languages_is_told_in_that_of_the_reader(
    tmp_path: Path, language: str, said: str, output: list[str]
) -> None:
    rule = NO_PRINT.replace("  rule:\n", '  message: "Use the log. / 请用日志。"\n  rule:\n')
    write_files(tmp_path, {"knowledge/a.md": f"# A\n\n{rule}", "src/a.py": "print(1)\n"})

    done = glossator(tmp_path, "check", "src", *output, LANG=language)

    written = tmp_path / "found.txt"
    text = written.read_text(encoding="utf-8") if output else done.stdout
    assert text == f"src/a.py:1:1: warning: {said} [no-print]\n"


def test_json_tells_each_reason_as_code_and_text(workspace: Path) -> None:
    done = glossator(workspace, "check", "--json", "src")

    documents = {each["shownPath"]: each for each in json.loads(done.stdout)["documents"]}
    made, clean = documents["src/made.py"], documents["src/b.py"]
    assert (made["outcome"], made["reasonCode"]) == ("not-checked", "generated")
    assert made["reason"] == "the file is generated: it says `@generated`"
    assert (clean["outcome"], clean["reason"], clean["reasonCode"]) == ("clean", "", "")
    assert clean["skipped"] == [
        {
            "ruleIds": ["good-names"],
            "reason": "no model is in use",
            "reasonCode": "no-model",
        }
    ]


@pytest.mark.parametrize("options", [(), ("--jobs", "1"), ("--jobs", "3"), ("--no-cache",)])
def test_the_output_is_the_same_however_it_is_found(
    workspace: Path, options: tuple[str, ...]
) -> None:
    for number in range(100):
        text = f"print({number})\n" * (number % 3) + "x = 1\n" * 3_000
        (workspace / f"src/m{number:02}.py").write_text(text)

    first = glossator(workspace, "check", *options)
    second = glossator(workspace, "check", *options)

    assert len(first.stdout.splitlines()) == 101
    assert (second.stdout, second.stderr) == (first.stdout, first.stderr)


def test_what_was_found_is_kept_where_it_is_told_to_be(workspace: Path, tmp_path: Path) -> None:
    glossator(workspace, "check", "--no-cache")
    usual = tmp_path / "cache/glossator/checks.sqlite3"
    assert not usual.exists()

    glossator(workspace, "check", "--cache-dir", str(tmp_path / "here"))

    assert (tmp_path / "here/checks.sqlite3").exists()
    assert not usual.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_ctrl_c_ends_the_check_and_all_of_its_processes(workspace: Path) -> None:
    nested = "x = " + "[" * 150 + "1" + "]" * 150 + "\n"
    for number in range(400):
        (workspace / f"src/nested{number}.py").write_text(f"print({nested[4:-1]})\n" * 40)
    started = subprocess.Popen(
        [sys.executable, "-m", "glossator", "check", "--no-cache", "--jobs", "2"],
        cwd=workspace,
        env={**os.environ, "LANG": "C.UTF-8"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        encoding="utf-8",
    )
    deadline = time.monotonic() + 30
    while not has_children(started.pid) and time.monotonic() < deadline:
        os.sched_yield()
    os.killpg(started.pid, signal.SIGINT)

    # Returns when nobody holds the other end any more, the processes it started included.
    _, said = started.communicate(timeout=30)

    assert (started.returncode, said.splitlines()[-1]) == (130, "glossator: stopped")


def has_children(process_id: int) -> bool:
    threads = Path(f"/proc/{process_id}/task").iterdir()
    return any((thread / "children").read_text() for thread in threads)


def test_the_rules_of_a_repository_hold_in_its_packages(tmp_path: Path) -> None:
    root = write_files(
        tmp_path / "work",
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            "glossator.toml": "[knowledge]\nbundled = false\n",
            "knowledge/printing.md": NO_PRINT,
            "packages/web/package.json": "{}\n",
            "packages/web/a.py": "print(1)\n",
        },
    )

    done = glossator(root / "packages" / "web", "check", "a.py", "--no-model")

    assert done.returncode == 1
    assert done.stdout.startswith("packages/web/a.py:1:1")


def test_what_is_compared_with_before_the_first_commit_is_told_in_chinese(workspace: Path) -> None:
    git(workspace, "init", "-q")

    done = glossator(workspace, "check", "--diff", "--no-model", LC_ALL="zh_CN.UTF-8")

    assert "自 首次提交之前的空状态 以来改动了" in done.stderr


def test_the_rules_of_a_project_count_for_who_stands_above_it(workspace: Path) -> None:
    above = workspace.parent / "above"
    above.mkdir()
    project = workspace.rename(above / "项目")
    (project / "glossator.toml").touch()
    (project / "bad.py").write_text("print(1)\n", encoding="utf-8")

    done = glossator(above, "check", "项目/bad.py")

    assert done.returncode == 1
    assert "bad.py:1:1" in done.stdout
    assert glossator(above, "check", "项目").returncode == 1
