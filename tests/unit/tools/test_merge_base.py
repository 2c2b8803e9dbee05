"""Where histories part, beside what Git itself says."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from glossator.core.errors import InvalidArguments, UnreadableRepository
from glossator.tools.differences import find_difference
from glossator.tools.git.folder import GitFolder
from glossator.tools.git.merge_base import find_merge_base
from glossator.tools.git.objects import ObjectReader
from glossator.tools.git.revisions import References
from glossator.tools.workspace import Workspace
from repositories import commit, git, make_repository, write


def find(root: Path, first: str, second: str, *, is_over: bool = False) -> str | None:
    folder = GitFolder(root, root / ".git", root / ".git")
    with ObjectReader(folder) as objects:
        references = References(folder, objects)
        commits = [references.resolve(name) for name in (first, second)]
        assert commits[0] is not None
        assert commits[1] is not None
        found = find_merge_base(references, commits[0], commits[1], lambda: is_over)
    return found.commit_id if found is not None else None


def grow(root: Path, dice: random.Random, n_commits: int) -> Sequence[str]:
    """Make commits with none, one or two random parents, made at times that tell nothing."""
    tree = git(root, "write-tree").strip()
    ids: list[str] = []
    for number in range(n_commits):
        n_parents = min(len(ids), dice.choice([0, 1, 1, 1, 2, 2]))
        parents = dice.sample(ids[-6:], min(n_parents, len(ids[-6:])))
        options = [word for parent in parents for word in ("-p", parent)]
        ids.append(git(root, "commit-tree", tree, "-m", f"{number}", *options).strip())
    return ids


@pytest.mark.parametrize("seed", range(8))
def test_it_is_one_that_git_names(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    root = make_repository(tmp_path / "root", {})
    ids = grow(root, dice, 24)

    for _ in range(12):
        first, second = dice.sample(ids, 2)
        found = find(root, first, second)

        if shares_history(root, first, second):
            assert found in git(root, "merge-base", "--all", first, second).split()
        else:
            assert found is None


def shares_history(root: Path, first: str, second: str) -> bool:
    histories = [set(git(root, "rev-list", one).split()) for one in (first, second)]
    return bool(histories[0] & histories[1])


def test_the_search_ends_when_time_is_up(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "root", {})

    with pytest.raises(UnreadableRepository, match="no time"):
        find(root, "HEAD", "main", is_over=True)


@pytest.fixture
def branched(tmp_path: Path) -> Path:
    """A repository whose branch `work` left `main` two commits ago."""
    root = make_repository(tmp_path / "root", {"a.py": "1\n"})
    git(root, "checkout", "-q", "-b", "work")
    write(root, "b.py", "2\n")
    commit(root, "work")
    git(root, "checkout", "-q", "main")
    for number in range(2):
        write(root, "c.py", f"{number}\n")
        commit(root, "main goes on")
    git(root, "checkout", "-q", "work")
    return root


def test_only_what_the_own_branch_did_differs(branched: Path) -> None:
    workspace = Workspace([branched])

    two_dots = find_difference(workspace, branched, "main", lambda: False)
    three_dots = find_difference(workspace, branched, "main", lambda: False, from_merge_base=True)

    assert [each.change.path for each in two_dots.files] == ["b.py", "c.py"]
    assert [each.change.path for each in three_dots.files] == ["b.py"]
    assert two_dots.against.endswith("main goes on, 2026-01-02)")
    assert three_dots.against.startswith("`main...HEAD` (")
    assert three_dots.against.endswith(" first, 2026-01-02)")


def test_a_shallow_clone_compares_as_far_as_it_reaches(branched: Path, tmp_path: Path) -> None:
    clone(branched, tmp_path / "clone", "2")
    workspace = Workspace([tmp_path / "clone"])

    found = find_difference(
        workspace, tmp_path / "clone", "HEAD~1", lambda: False, from_merge_base=True
    )

    assert [each.change.path for each in found.files] == ["b.py"]


@pytest.mark.parametrize("base", ["origin/main", "HEAD~1", "HEAD~2"])
def test_what_a_shallow_clone_lacks_is_said_with_what_to_do(
    branched: Path, tmp_path: Path, base: str
) -> None:
    clone(branched, tmp_path / "clone", "1")
    workspace = Workspace([tmp_path / "clone"])

    with pytest.raises(InvalidArguments, match="fetch-depth: 0"):
        find_difference(workspace, tmp_path / "clone", base, lambda: False, from_merge_base=True)


def test_a_base_without_its_beginning_is_said_to_be_shallow(branched: Path, tmp_path: Path) -> None:
    root = clone(branched, tmp_path / "clone", "1")
    git(root, "fetch", "-q", "--depth=1", "origin", "main:refs/remotes/origin/main")

    with pytest.raises(InvalidArguments, match=r"no history in common.*fetch-depth: 0"):
        find_difference(Workspace([root]), root, "origin/main", lambda: False, from_merge_base=True)


def clone(origin: Path, root: Path, depth: str) -> Path:
    """Make a clone as CI does: one branch, so many commits."""
    options = ("--depth", depth, "--branch", "work", "--single-branch")
    git(origin.parent, "clone", "-q", *options, f"file://{origin}", str(root))
    return root
