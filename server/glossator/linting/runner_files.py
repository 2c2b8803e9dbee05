"""`make test`, `npm run x`, `cargo build`: is there the file that such a command works with.

Only where no file of that name stands anywhere in the workspace folder: a text may speak of a part
of it without naming the part.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from glossator.linting.command_lines import Command, Word
from glossator.linting.finding import Finding, find
from glossator.linting.subject import Subject


@dataclass(frozen=True, slots=True)
class _Runner:
    """What a program needs: one of `files`, the usual one first, for one of `tasks` or for any.

    Where one of `makers` is there, the file is made when it is wanted.
    """

    files: tuple[str, ...]
    tasks: frozenset[str] = frozenset()
    makers: tuple[str, ...] = ()


def _tasks(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NODE = _Runner(("package.json",), _tasks("run run-script test t ci"))
_CARGO = _tasks("build b check c clippy fmt test t run r bench doc nextest")
_RUNNERS: Mapping[str, _Runner] = {
    "make": _Runner(
        ("Makefile", "makefile", "GNUmakefile"),
        makers=("CMakeLists.txt", "configure", "configure.ac", "Makefile.am", "Makefile.PL",
                "Makefile.in", "meson.build"),
    ),
    "just": _Runner(("justfile", "Justfile", ".justfile")),
    "task": _Runner(("Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "Taskfile.dist.yml")),
    "npm": _NODE,
    "pnpm": _NODE,
    "yarn": _Runner(("package.json",), _tasks("run test")),
    "bun": _Runner(("package.json",), _tasks("run")),
    "poetry": _Runner(("pyproject.toml",), _tasks("run install build lock add sync")),
    "pdm": _Runner(("pyproject.toml",), _tasks("run install build lock add sync")),
    "uv": _Runner(("pyproject.toml",), _tasks("sync lock add")),
    "pipenv": _Runner(("Pipfile",), _tasks("run install sync lock")),
    "tox": _Runner(("tox.ini", "tox.toml", "pyproject.toml", "setup.cfg")),
    "nox": _Runner(("noxfile.py",)),
    "cargo": _Runner(("Cargo.toml",), _CARGO),
    "go": _Runner(("go.mod", "go.work"), _tasks("build test vet generate")),
    "mvn": _Runner(("pom.xml",)),
    "gradle": _Runner(("build.gradle", "build.gradle.kts", "settings.gradle.kts")),
    "rake": _Runner(("Rakefile", "rakefile", "Rakefile.rb")),
    "bundle": _Runner(("Gemfile",), _tasks("exec install")),
    "composer": _Runner(("composer.json",), _tasks("install run run-script test")),
    "mix": _Runner(("mix.exs",), _tasks("test compile format deps.get credo")),
}  # fmt: skip
# They lead to another folder, or work without the file.
_ELSEWHERE = frozenset({
    "-C", "-f", "--file", "--makefile", "--prefix", "--cwd", "--dir", "--filter", "--workspace",
    "-w", "-g", "--global", "--manifest-path", "--script", "--if-present", "--version", "--help",
    "--project", "--justfile", "--directory", "-r", "--recursive",
})  # fmt: skip


def check_runner_file(subject: Subject, command: Command) -> Iterator[Finding]:
    """Find a program whose file is nowhere in the workspace folder."""
    word = command.wrapper or command.words[0]
    runner = _RUNNERS.get(word.text)
    arguments = command.words if command.wrapper else command.arguments
    task = "run" if command.wrapper else arguments[0].text if arguments else ""
    if runner is None or command.folder is None or not _is_meant(runner, task, command, arguments):
        return
    listing = subject.around.listing
    if not listing.is_complete:
        return
    names = (*runner.files, *runner.makers)
    if any(name in listing.by_name or subject.around.files.exists(name) for name in names):
        return
    yield find("missing-file-of-command", word.range, path=runner.files[0])


def _is_meant(runner: _Runner, task: str, command: Command, arguments: tuple[Word, ...]) -> bool:
    if any(word.text.partition("=")[0] in _ELSEWHERE for word in arguments):
        return False
    if runner.tasks:
        return task in runner.tasks
    # In a sentence the bare name may be any word.
    return command.is_in_block or (bool(task) and arguments[0].is_plain)
