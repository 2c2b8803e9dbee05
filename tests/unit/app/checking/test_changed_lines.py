"""Which lines count when only what changed does."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from glossator.app.checking.changed_lines import ChangedLines, find_changed_lines
from glossator.app.checking.report import CheckReport
from glossator.app.phrasing import Phrasing
from glossator.core.errors import InvalidArguments, OutsideWorkspace, UnreadableFile
from glossator.model.scripted import ScriptedModel
from glossator.tools import changes
from glossator.tools.workspace import Workspace
from repositories import commit, git, make_repository, write
from rule_texts import LOG_ERRORS
from workbench import OWN_ONLY, MakeBench

LINES = "".join(f"line {number}\n" for number in range(1, 31))
SAY = Phrasing(is_chinese=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files: dict[str, str | bytes] = {".gitignore": "out/\n", "a.py": LINES, "源/b.py": LINES}
    return make_repository(tmp_path / "root", files)


def find(root: Path, base: str = "HEAD", paths: Sequence[str] = ("",)) -> ChangedLines:
    named = [root / path for path in paths]
    return find_changed_lines(named, base, Workspace([root]), SAY, lambda: False)


def show(root: Path, changed: ChangedLines) -> Mapping[str, list[tuple[int, int]]]:
    return {path.relative_to(root).as_posix(): list(each) for path, each in changed.lines.items()}


def test_lines_count_that_are_new_or_other_ones(root: Path) -> None:
    text = LINES.replace("line 3\n", "line three\nand more\n").replace("line 20\n", "")
    write(root, "a.py", text.replace("line 30\n", "line 30\nlast\n"))

    assert show(root, find(root)) == {"a.py": [(3, 4), (31, 31)]}


def test_a_new_file_counts_whole_whether_git_knows_it_or_not(root: Path) -> None:
    write(root, "new.py", "1\n2\n")
    write(root, "staged.py", "1\n")
    git(root, "add", "staged.py")
    write(root, "out/made.py", "1\n")

    assert show(root, find(root)) == {"new.py": [(1, 2)], "staged.py": [(1, 1)]}


def test_a_file_that_moved_counts_by_what_is_other_in_it(root: Path) -> None:
    git(root, "mv", "源/b.py", "moved.py")
    git(root, "mv", "a.py", "c.py")
    write(root, "c.py", LINES.replace("line 7\n", "line seven\n"))

    assert show(root, find(root)) == {"c.py": [(7, 7)], "moved.py": []}


def test_a_link_has_no_lines_wherever_it_leads(root: Path, tmp_path: Path) -> None:
    write(tmp_path, "outside.py", "1\n")
    (root / "out.py").symlink_to(tmp_path / "outside.py")
    (root / "a.py").unlink()
    (root / "a.py").symlink_to("源/b.py")

    assert show(root, find(root)) == {}


def test_a_file_that_is_gone_counts_for_nothing(root: Path) -> None:
    (root / "a.py").unlink()

    assert show(root, find(root)) == {}


def test_other_line_ends_another_mode_and_another_encoding_change_no_line(root: Path) -> None:
    write(root, "a.py", LINES.replace("\n", "\r\n"))
    (root / "源/b.py").chmod(0o755)

    assert show(root, find(root)) == {"a.py": [], "源/b.py": []}


def test_what_cannot_be_compared_counts_whole(root: Path) -> None:
    write(root, "data.py", b"\x00\x01\x02")
    commit(root, "no text")
    write(root, "data.py", "text = 1\n")

    [(first, last)] = find(root).lines[root / "data.py"]
    assert (first, last >= 1_000_000) == (1, True)


def test_only_what_is_named_counts_and_what_is_ignored_only_so(root: Path) -> None:
    for name in ("a.py", "源/b.py", "out/made.py"):
        write(root, name, "1\n")
    git(root, "add", "-f", "out/made.py")

    assert set(show(root, find(root))) == {"a.py", "源/b.py"}
    assert set(show(root, find(root, paths=["源"]))) == {"源/b.py"}
    assert set(show(root, find(root, paths=["out/made.py", "a.py"]))) == {"a.py", "out/made.py"}


def test_a_workspace_folder_in_a_repository_compares_its_own_files(root: Path) -> None:
    write(root, "a.py", "1\n")
    write(root, "源/b.py", "1\n")

    changed = find_changed_lines(
        [root / "源"], "main", Workspace([root / "源"]), SAY, lambda: False
    )

    assert show(root, changed) == {"源/b.py": [(1, 1)]}
    assert changed.against.startswith("`main` (")


@pytest.mark.parametrize(
    ("base", "path", "error"),
    [
        ("nowhere", "", InvalidArguments),
        ("main..HEAD", "", InvalidArguments),
        ("HEAD", "gone.py", UnreadableFile),
        ("HEAD", "../elsewhere", OutsideWorkspace),
    ],
)
def test_what_cannot_be_compared_with_is_an_error(
    root: Path, base: str, path: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        find(root, base, [path])


def test_a_folder_without_a_repository_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidArguments, match="is in no Git repository"):
        find(tmp_path)


def test_what_was_not_looked_at_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "MAX_UNTRACKED", 1)
    monkeypatch.setattr(changes, "MAX_UNTRACKED_SECONDS", 1_000)
    for number in range(3):
        write(root, f"new{number}.py", "1\n")

    assert find(root).notes == ("2 more files may have changed and were not looked at",)


CODE = """\
def first(path):
    print(path)
    try:
        return read(path)
    except OSError:
        return None


def second(path):
    print(path, path)
    return 2
"""
FILES = {"knowledge/errors.md": LOG_ERRORS, "a.py": CODE}


async def check(make_bench: MakeBench, model: ScriptedModel | None, old: str) -> CheckReport:
    bench = make_bench(FILES, model=model, settings=OWN_ONLY)
    write(bench.root, "a.py", old)
    make_repository(bench.root, {})
    write(bench.root, "a.py", CODE)
    await bench.application.rebuild_index()
    changed = await bench.application.checks.find_changed_lines([bench.root], "main")
    [report] = await bench.application.checks.check_paths(
        sorted(changed.lines), judges=model is not None, changed=changed.lines
    )
    return report


async def test_a_finding_counts_that_touches_a_changed_line(make_bench: MakeBench) -> None:
    report = await check(make_bench, None, CODE.replace("(path, path)", "(path)"))

    assert [finding.range.start.line for finding in report.findings] == [10]
    assert [finding.range.start.line for finding in report.elsewhere] == [2]
    assert report.outcome == "findings"


async def test_a_file_with_findings_elsewhere_only_is_clean(make_bench: MakeBench) -> None:
    report = await check(make_bench, None, CODE.replace("2\n", "3\n"))

    assert (report.outcome, report.findings, len(report.elsewhere)) == ("clean", (), 2)


async def test_a_model_judges_only_what_changed(
    make_bench: MakeBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    model = ScriptedModel([json.dumps({"findings": []})] * 4)

    report = await check(make_bench, model, CODE.replace("(path, path)", "(path)"))

    sent = "\n".join(str(message) for transcript in model.transcripts for message in transcript)
    assert "def second" in sent
    assert "except OSError" not in sent
    assert report.n_judged == 1
