"""The hook and the workflow that teams copy, run as `pre-commit` and GitHub Actions run them."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from repositories import CLEAN, commit, git, make_repository, write
from rule_texts import NO_PRINT
from workbench import OWN_ONLY_TOML

TOP = Path(__file__).parents[2]
HOOKS = TOP / ".pre-commit-hooks.yaml"
CONFIG = TOP / "docs/ci/pre-commit-config.yaml"
WORKFLOW = TOP / "docs/ci/github-actions.yml"
# Those that `pre-commit validate-manifest` takes.
REQUIRED_KEYS = {"id", "name", "entry", "language"}
KNOWN_KEYS = REQUIRED_KEYS | {
    "alias", "files", "exclude", "types", "types_or", "exclude_types", "additional_dependencies",
    "args", "always_run", "fail_fast", "pass_filenames", "description", "language_version",
    "log_file", "minimum_pre_commit_version", "require_serial", "stages", "verbose",
}  # fmt: skip
RULES = NO_PRINT.replace("#no-print", "#no-print severity=error")
FILES: dict[str, str | bytes] = {
    "glossator.toml": OWN_ONLY_TOML,
    "knowledge/log.md": RULES,
    "src/日志.py": "print(1)\n",
    "src/clean.py": "x = 1\n",
}

pytestmark = pytest.mark.skipif(os.name != "posix", reason="both run their commands with a shell")


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with the programs that were installed: `glossator`, and a `pip` that notes."""
    scripts = {
        "glossator": f'exec {shlex.quote(sys.executable)} -m glossator "$@"',
        "pip": f'echo "$@" >> {shlex.quote(str(tmp_path / "installed"))}',
    }
    for name, script in scripts.items():
        write(tmp_path, f"bin/{name}", f"#!/bin/sh\n{script}\n").chmod(0o755)
    return tmp_path / "bin"


def run(
    command: Sequence[str], folder: Path, programs: Path, environ: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    temporary = folder.parent
    kept = {f"XDG_{kind}_HOME": str(temporary / kind) for kind in ("CACHE", "STATE", "CONFIG")}
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        cwd=folder,
        env={**kept, "HOME": str(temporary), "CI": "true", "LANG": "C.UTF-8", **environ,
             "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )  # fmt: skip


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_manifest_has_what_pre_commit_wants() -> None:
    [hook] = read_yaml(HOOKS)

    assert REQUIRED_KEYS <= hook.keys() <= KNOWN_KEYS
    assert "--no-model" in hook["entry"]
    assert (hook["types"], hook["pass_filenames"]) == (["text"], True)


def test_the_example_names_the_hook_that_there_is() -> None:
    [repo] = read_yaml(CONFIG)["repos"]

    assert [hook["id"] for hook in repo["hooks"]] == [hook["id"] for hook in read_yaml(HOOKS)]


def test_the_hook_checks_what_is_staged(tmp_path: Path, programs: Path) -> None:
    root = make_repository(tmp_path / "工作区", FILES)
    write(root, "src/clean.py", "print(2)\n")
    write(root, "新 文件.txt", "print\n")
    git(root, "add", "-A")
    write(root, "unstaged.py", "print(3)\n")

    done = run_hook(root, programs)
    write(root, "src/clean.py", "x = 2\n")
    git(root, "add", "src")
    fixed = run_hook(root, programs)

    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "src/clean.py:1:1: error: Use the log, not `print`. [no-print]"
    ]
    assert (fixed.returncode, fixed.stdout) == (0, "")


def run_hook(root: Path, programs: Path) -> subprocess.CompletedProcess[str]:
    """Run the hook's entry with the staged files, as `pre-commit run` does."""
    [hook] = read_yaml(HOOKS)
    options = ("--staged", "--name-only", "--no-ext-diff", "-z", "--diff-filter=ACMRTUXB")
    staged = [name for name in git(root, "diff", *options).split("\0") if name]
    return run([*shlex.split(hook["entry"]), *staged], root, programs, {"PRE_COMMIT": "1"})


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What `actions/checkout` makes of a pull request: its merge commit, with all history."""
    origin = make_repository(tmp_path / "origin", FILES)
    git(origin, "checkout", "-q", "-b", "work")
    write(origin, "src/clean.py", "x = 1\nprint(x)\n")
    commit(origin, "work")
    git(origin, "checkout", "-q", "main")
    write(origin, "src/other.py", "print('somebody else')\n")
    commit(origin, "main goes on")
    git(tmp_path, "clone", "-q", str(origin), "checkout")
    root = tmp_path / "checkout"
    git(root, "checkout", "-q", "--detach", "origin/main")
    git(root, "merge", "-q", "--no-edit", "origin/work")
    return root


def test_the_workflow_shows_and_keeps_what_a_pull_request_brings(
    checkout: Path, programs: Path, tmp_path: Path
) -> None:
    done = run_workflow(checkout, programs)

    assert done["Install"].returncode == 0
    assert (tmp_path / "installed").read_text(
        encoding="utf-8"
    ) == "install git+https://github.com/OWNER/glossator@v0.1.0\n"
    assert done["Check"].returncode == 1
    assert done["Check"].stdout.splitlines() == [
        "::error file=src/clean.py,line=2,endLine=2,col=1,endColumn=8,title=no-print::"
        "Use the log, not `print`."
    ]
    assert (done["Write SARIF"].returncode, done["Write SARIF"].stdout) == (0, "")
    log = json.loads((tmp_path / "glossator.sarif").read_text(encoding="utf-8"))
    [result] = log["runs"][0]["results"]
    [place] = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "src/clean.py"
    assert git(checkout, "status", "--porcelain") == ""


def test_the_workflow_fails_where_history_is_missing(programs: Path, checkout: Path) -> None:
    (checkout / ".git/shallow").write_text(git(checkout, "rev-parse", "HEAD"), encoding="ascii")
    git(checkout, "update-ref", "-d", "refs/remotes/origin/main")

    done = run_workflow(checkout, programs)

    assert [done[name].returncode for name in ("Check", "Write SARIF")] == [2, 1]
    assert "fetch-depth: 0" in done["Check"].stderr


def test_the_workflow_fetches_all_history_and_runs_nothing_that_a_branch_is_called() -> None:
    job = read_yaml(WORKFLOW)["jobs"]["check"]

    [checkout] = [each for each in job["steps"] if "checkout" in each.get("uses", "")]
    assert checkout["with"] == {"fetch-depth": 0}
    # What is put into a script is run, and a branch may be called `$(…)`.
    assert not any("${{" in step.get("run", "") for step in job["steps"])


def run_workflow(root: Path, programs: Path) -> Mapping[str, subprocess.CompletedProcess[str]]:
    """Run the `run:` steps as a runner does, all of them: those behind a failure say `if:`."""
    job = read_yaml(WORKFLOW)["jobs"]["check"]
    environ = {
        **{name: value for name, value in CLEAN.items() if name.startswith("GIT_")},
        **job["env"],
        "GITHUB_ACTIONS": "true",
        "GITHUB_BASE_REF": "main",
        "GITHUB_WORKSPACE": str(root),
        "RUNNER_TEMP": str(root.parent),
    }
    done: dict[str, subprocess.CompletedProcess[str]] = {}
    for step in job["steps"]:
        if "run" not in step:
            continue
        has_failed = any(each.returncode for each in done.values())
        assert not has_failed or step["if"] == "${{ !cancelled() }}"
        script = write(root.parent, "step.sh", step["run"])
        done[step["name"]] = run(["bash", "-e", str(script)], root, programs, environ)
    return done
