"""Commands that the text tells people to run, and that are not there."""

from collections.abc import Callable, Iterator

from glossator.linting.command_lines import Command, read_commands
from glossator.linting.finding import Finding
from glossator.linting.npm_scripts import check_npm
from glossator.linting.runner_files import check_runner_file
from glossator.linting.script_files import check_script_file
from glossator.linting.subject import Subject
from glossator.linting.task_runners import check_just, check_make, check_nox, check_poe, check_tox

Check = Callable[[Subject, Command], Iterator[Finding]]

_CHECKS: dict[str, Check] = {
    "npm": check_npm,
    "pnpm": check_npm,
    "yarn": check_npm,
    "bun": check_npm,
    "make": check_make,
    "gmake": check_make,
    "just": check_just,
    "poe": check_poe,
    "tox": check_tox,
    "nox": check_nox,
}
_IN_ANY_PROJECT = frozenset(
    {"build", "dev", "preview", "start", "serve", "test", "lint", "format", "storybook"}
)


def check_commands(subject: Subject) -> Iterator[Finding]:
    """Judge the commands in shell blocks and in code within sentences."""
    for command in read_commands(subject.markup):
        check = _CHECKS.get(command.name, check_script_file)
        for finding in (*check_runner_file(subject, command), *check(subject, command)):
            # Knowledge that is kept beside the package at the top is about it.
            is_of_top = subject.document.family == "knowledge" and _is_at_top(finding)
            if finding.arguments.get("near") or subject.speaks_of_workspace or is_of_top:
                yield finding


def _is_at_top(finding: Finding) -> bool:
    """Say whether what was looked into stands at the top, and any project may not have the same."""
    file = finding.arguments.get("package") or finding.arguments.get("file") or "/"
    return "/" not in file and finding.arguments.get("script") not in _IN_ANY_PROJECT
