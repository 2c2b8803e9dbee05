"""Attacks by what a repository holds, each with a harmless neighbour.

Nothing of a repository's configuration may run, and nothing from outside of the workspace may
show, whatever its files, links and objects say. Where Git itself would walk into a trap the test
lets it, so that we know the trap works.
"""

import os
import random
import shutil
import subprocess
import threading
import time
import zlib
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path

import pytest

from glossator.core.errors import GlossatorError, UnreadableRepository
from glossator.tools import diffing
from glossator.tools.diffing import show_diff
from glossator.tools.git.objects import MAX_OBJECT_BYTES
from glossator.tools.workspace import Workspace
from repositories import CLEAN, commit, git, make_repository, write

CANARY = "CANARY_outside_5d1c"
SECRET = "CANARY_secret_77ab"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("made")
    make_repository(base / "root", {"a.py": "one\n", "src/b.py": "two\n"})
    make_repository(base / "private", {"s.py": f"{CANARY}\n", "a.py": f"{CANARY}\n"})
    return base


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made / "root", tmp_path / "root")


@pytest.fixture
def private(made: Path, tmp_path: Path) -> Path:
    """A repository of the user's, beside the workspace."""
    return shutil.copytree(made / "private", tmp_path / "private")


def look(root: Path, revision: str = "", path: str = "") -> str:
    """Return the answer or the refusal."""
    try:
        return show_diff(Workspace([root]), revision, path)
    except GlossatorError as error:
        return f"refused: {error}"


def store(root: Path, kind: str, data: bytes) -> str:
    """Store an object as it is, whatever Git would say of it."""
    content = b"%s %d\x00%s" % (kind.encode(), len(data), data)
    name = sha1(content).hexdigest()
    write(root, f".git/objects/{name[:2]}/{name[2:]}", zlib.compress(content))
    return name


def store_as(root: Path, name: str, content: bytes) -> None:
    path = root / ".git" / "objects" / name[:2] / name[2:]
    path.unlink(missing_ok=True)
    write(root, f".git/objects/{name[:2]}/{name[2:]}", content)


def make_commit(root: Path, tree: str, parent: str = "") -> str:
    parents = f"parent {parent}\n" if parent else ""
    who = "A <a@example.org> 1767323045 +0000"
    text = f"tree {tree}\n{parents}author {who}\ncommitter {who}\n\nmade\n"
    return store(root, "commit", text.encode())


def make_tree(root: Path, *entries: tuple[str, bytes, str]) -> str:
    return store(
        root,
        "tree",
        b"".join(b"%s %s\x00%s" % (mode.encode(), name, bytes.fromhex(one))
                 for mode, name, one in entries),
    )  # fmt: skip


# What runs


TRAPS = {
    "fsmonitor": ("[core]\n\tfsmonitor = {trap}\n", ""),
    "external": ("[diff]\n\texternal = {trap}\n", ""),
    "clean": ("[filter \"x\"]\n\tclean = {trap}\n\tsmudge = {trap}\n", "* filter=x\n"),
    "process": ("[filter \"x\"]\n\tprocess = {trap}\n\trequired = true\n", "* filter=x\n"),
    "textconv": ("[diff \"x\"]\n\ttextconv = {trap}\n", "* diff=x\n"),
    "command": ("[diff \"x\"]\n\tcommand = {trap}\n", "* diff=x\n"),
    "included": ("[include]\n\tpath = {outside}\n", ""),
}  # fmt: skip


def arm(root: Path, name: str) -> tuple[Path, Path]:
    """Set a trap; return the program and the file that it makes when it runs."""
    marker = root.parent / "ran"
    trap = root.parent / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n", encoding="utf-8")
    trap.chmod(0o755)
    outside = write(root.parent, "outside.gitconfig", f"[core]\n\tfsmonitor = {trap}\n")
    config, attributes = TRAPS[name]
    with (root / ".git" / "config").open("a", encoding="utf-8") as file:
        file.write(config.format(trap=trap, outside=outside))
    if attributes:
        write(root, ".git/info/attributes", attributes)
        write(root, ".gitattributes", attributes)
    for hook in ("post-index-change", "pre-commit", "post-checkout", "reference-transaction"):
        shutil.copy(trap, root / ".git" / "hooks" / hook)
    return trap, marker


@pytest.mark.parametrize("name", TRAPS)
def test_no_program_that_a_repository_names_is_run(root: Path, name: str) -> None:
    _, marker = arm(root, name)
    write(root, "a.py", "changed\n")

    text = look(root)

    assert "|+changed" in text
    assert not marker.exists()
    subprocess.run(["git", "diff", "HEAD"], cwd=root, env=CLEAN, capture_output=True, check=False)
    assert marker.exists(), "the trap does not work"


def test_the_environment_of_git_is_not_heeded(
    root: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap, marker = arm(root, "fsmonitor")
    write(root, "a.py", "changed\n")
    for name, value in {
        "GIT_DIR": private / ".git", "GIT_WORK_TREE": private,
        "GIT_INDEX_FILE": private / ".git/index", "GIT_OBJECT_DIRECTORY": private / ".git/objects",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": private / ".git/objects",
        "GIT_COMMON_DIR": private / ".git", "GIT_EXTERNAL_DIFF": trap, "GIT_PAGER": trap,
        "GIT_SSH_COMMAND": trap, "GIT_CONFIG": private / ".git/config",
        "GIT_CONFIG_GLOBAL": private.parent / "outside.gitconfig", "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": trap,
    }.items():  # fmt: skip
        monkeypatch.setenv(name, str(value))

    text = look(root)

    assert "|+changed" in text
    assert CANARY not in text
    assert not marker.exists()


def test_a_partial_clone_fetches_nothing(root: Path) -> None:
    blob = git(root, "rev-parse", "HEAD:a.py").strip()
    trap, marker = arm(root, "fsmonitor")
    with (root / ".git/config").open("a", encoding="utf-8") as file:
        file.write(
            f'[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ssh://host/x\n'
            f"\tpromisor = true\n[core]\n\tsshCommand = {trap}\n\trepositoryformatversion = 1\n"
        )
    (root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    write(root, "a.py", "changed\n")

    text = look(root)

    assert "M a.py" in text
    assert "nothing is fetched" in text
    assert not marker.exists()


# What leads out


def point_elsewhere(root: Path, private: Path) -> None:
    shutil.rmtree(root / ".git")
    write(root, ".git", f"gitdir: {private}/.git\n")


def link_folder(root: Path, private: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").symlink_to(private / ".git")


def claim_common_folder(root: Path, private: Path) -> None:
    write(root, ".git/commondir", f"{private}/.git\n")


def fake_linked_tree(root: Path, private: Path) -> None:
    shutil.move(root / ".git", root / "g")
    (root / "worktrees").mkdir()
    shutil.move(root / "g", root / "worktrees" / "x")
    write(root, "worktrees/x/commondir", f"{private}/.git\n")
    write(root, "worktrees/x/gitdir", f"{root}/.git\n")
    write(root, ".git", "gitdir: worktrees/x\n")


def borrow_objects(root: Path, private: Path) -> None:
    write(root, ".git/objects/info/alternates", f"{private}/.git/objects\n")
    head = git(private, "rev-parse", "HEAD")
    write(root, ".git/refs/heads/main", head)


def link_objects(root: Path, private: Path) -> None:
    shutil.rmtree(root / ".git/objects")
    (root / ".git/objects").symlink_to(private / ".git/objects")
    write(root, ".git/refs/heads/main", git(private, "rev-parse", "HEAD"))


def link_packs(root: Path, private: Path) -> None:
    git(private, "gc", "-q")
    shutil.rmtree(root / ".git/objects/pack")
    (root / ".git/objects/pack").symlink_to(private / ".git/objects/pack")
    write(root, ".git/refs/heads/main", git(private, "rev-parse", "HEAD"))


def link_branch(root: Path, private: Path) -> None:
    (root / ".git/refs/heads/main").unlink()
    (root / ".git/refs/heads/main").symlink_to(private / "s.py")


def link_head(root: Path, private: Path) -> None:
    (root / ".git/HEAD").unlink()
    (root / ".git/HEAD").symlink_to(private / "s.py")


def link_packed_refs(root: Path, private: Path) -> None:
    (root / ".git/refs/heads/main").unlink()
    write(private, "refs", f"{git(private, 'rev-parse', 'HEAD').strip()} refs/heads/{CANARY}\n")
    (root / ".git/packed-refs").symlink_to(private / "refs")


def link_index(root: Path, private: Path) -> None:
    (root / ".git/index").unlink()
    (root / ".git/index").symlink_to(private / ".git/index")


def link_config(root: Path, private: Path) -> None:
    (root / ".git/config").unlink()
    (root / ".git/config").symlink_to(private / "s.py")


def name_branch_outside(root: Path, private: Path) -> None:
    write(root, ".git/HEAD", f"ref: refs/heads/../../../../{private.name}/s.py\n")


def set_work_tree(root: Path, private: Path) -> None:
    git(root, "config", "core.worktree", str(private))


def link_tracked_folder(root: Path, private: Path) -> None:
    shutil.rmtree(root / "src")
    write(private, "b.py", f"{CANARY}\n")
    (root / "src").symlink_to(private)
    (private / "b.py").unlink()
    (private / "b.py").symlink_to(f"/{CANARY}")


def link_tracked_file(root: Path, private: Path) -> None:
    (root / "a.py").unlink()
    (root / "a.py").symlink_to(private / "s.py")


def link_untracked(root: Path, private: Path) -> None:
    (root / "new.py").symlink_to(private / "s.py")
    (root / "folder").symlink_to(private)


OUTWARD = [
    point_elsewhere, link_folder, claim_common_folder, fake_linked_tree, borrow_objects,
    link_objects, link_packs, link_branch, link_head, link_packed_refs, link_index, link_config,
    name_branch_outside, set_work_tree, link_tracked_folder, link_tracked_file, link_untracked,
]  # fmt: skip


@pytest.mark.parametrize("attack", OUTWARD)
def test_nothing_outside_of_the_workspace_shows(
    root: Path, private: Path, attack: Callable[[Path, Path], None]
) -> None:
    attack(root, private)

    texts = [
        look(root, revision, path)
        for revision in ("", "main", "HEAD~1", "nothing-like-it")
        for path in ("", "s.py", "src")
    ]

    assert CANARY not in "".join(texts)


def test_a_file_called_git_that_names_a_repository_elsewhere_is_refused(
    root: Path, private: Path
) -> None:
    point_elsewhere(root, private)

    assert "refused: `.git` leads to a repository elsewhere" in look(root)


def test_a_linked_working_tree_beside_its_repository_is_compared(
    root: Path, tmp_path: Path
) -> None:
    git(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    write(tmp_path / "tree", "a.py", "changed\n")

    assert "|+changed" in look(tmp_path / "tree")


def test_a_linked_working_tree_with_relative_names_is_compared(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    write(tmp_path / "tree", ".git", "gitdir: ../root/.git/worktrees/tree\n")
    write(root, ".git/worktrees/tree/gitdir", "../../../../tree/.git\n")
    write(tmp_path / "tree", "a.py", "changed\n")

    assert "|+changed" in look(tmp_path / "tree")


def test_a_submodule_opened_by_itself_is_compared(root: Path, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other", {"c.py": "c\n"})
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "lib")
    write(root, "lib/c.py", "changed\n")

    assert "|+changed" in look(root / "lib")


def test_a_git_folder_linked_within_the_workspace_is_compared(root: Path) -> None:
    shutil.move(root / ".git", root / "kept.git")
    (root / ".git").symlink_to("kept.git")
    write(root, "a.py", "changed\n")

    assert "|+changed" in look(root, path="a.py")


def test_only_the_folder_that_is_open_is_shown_of_a_larger_repository(private: Path) -> None:
    write(private, "inner/x.py", "x\n")
    commit(private, "inner")
    write(private, "inner/x.py", "changed\n")
    write(private, "s.py", f"{CANARY} again\n")

    text = look(private / "inner", "HEAD~1")

    assert "? x.py" not in text
    assert "A x.py" in text
    assert CANARY not in text


def test_a_link_is_shown_as_its_text_and_not_followed(root: Path, private: Path) -> None:
    link_untracked(root, private)

    text = look(root)

    assert f"|+{private}/s.py" in text
    assert CANARY not in text


@pytest.mark.parametrize("name", ["src", "a.py", ".git/refs/heads/main", ".git/objects"])
def test_what_flips_between_inside_and_outside_never_shows_the_outside(
    root: Path, private: Path, name: str
) -> None:
    flipping, kept = root / name, root.parent / "kept"
    outside = private / ("s.py" if name == "a.py" else name if name.startswith(".git") else "")
    write(private, "b.py", f"{CANARY}\n")
    stop = threading.Event()

    def flip() -> None:
        while not stop.is_set():
            flipping.rename(kept)
            flipping.symlink_to(outside)
            flipping.unlink()
            kept.rename(flipping)

    flipper = threading.Thread(target=flip)
    flipper.start()
    n_looked = 0
    deadline = time.monotonic() + 1
    try:
        while time.monotonic() < deadline:
            assert CANARY not in look(root) + look(root, "main", "src")
            n_looked += 1
    finally:
        stop.set()
        flipper.join()

    assert n_looked > 0


# What is secret


def test_protected_files_are_named_and_never_shown_in_any_version(tmp_path: Path) -> None:
    key = "-----BEGIN PRIVATE KEY-----\n"
    root = make_repository(
        tmp_path / "root",
        {
            ".env": f"KEY={SECRET}\n", "deploy/id_rsa": SECRET, "a.pem": SECRET, "x.py": "x\n",
            "key.txt": f"{key}{SECRET}", "was_key.txt": f"{key}{SECRET}",
        },
    )  # fmt: skip
    write(root, ".env", f"KEY={SECRET}2\n")
    write(root, "key.txt", f"{key}{SECRET}2")
    write(root, "was_key.txt", "public\n")
    (root / "a.pem").unlink()
    write(root, "deploy/id_rsa", f"{SECRET}3")
    write(root, "new.key", SECRET)
    write(root, "x.py", "y\n")

    texts = [look(root), look(root, path="deploy"), look(root, path=".env"), look(root, "HEAD~0")]

    assert "M .env (protected, never read" in texts[0]
    assert "D a.pem (protected, never read" in texts[0]
    assert "? new.key (protected, never read" in texts[0]
    assert "M key.txt" in texts[0]
    assert "M was_key.txt" in texts[0]
    assert "|+y" in texts[0]
    assert SECRET not in "".join(texts)


def test_protected_files_written_in_the_moment_of_the_index_are_no_change(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "root", {".env": f"KEY={SECRET}\n", "x.py": "x\n"})
    written = (root / ".env").stat()
    os.utime(root / ".git/index", ns=(written.st_atime_ns, written.st_mtime_ns))
    write(root, "x.py", "y\n")

    text = look(root)

    assert "|+y" in text
    assert ".env" not in text


def test_a_secret_that_was_renamed_is_not_shown_under_its_old_name(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "root", {".env": f"KEY={SECRET}\nA=1\nB=2\nC=3\n"})
    (root / ".env").unlink()
    write(root, "settings.txt", "KEY=gone\nA=1\nB=2\nC=3\n")

    text = look(root)

    assert "D .env (protected" in text
    assert "|+KEY=gone" in text
    assert SECRET not in text


# What would never end


@pytest.mark.parametrize(
    "name", ["HEAD", "index", "config", "packed-refs", "refs/heads/main", "commondir"]
)
def test_a_pipe_in_the_repository_blocks_nothing(root: Path, name: str) -> None:
    (root / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(root / ".git" / name)

    look(root)


def test_a_pipe_in_place_of_an_object_or_pack_blocks_nothing(root: Path) -> None:
    blob = git(root, "rev-parse", "HEAD:a.py").strip()
    write(root, "a.py", "changed\n")
    path = root / ".git/objects" / blob[:2] / blob[2:]
    path.unlink()
    os.mkfifo(path)
    os.mkfifo(root / ".git/objects/pack/pack-0.idx")

    assert "M a.py" in look(root)


def test_a_pipe_in_place_of_the_git_folder_blocks_nothing(root: Path) -> None:
    shutil.rmtree(root / ".git")
    os.mkfifo(root / ".git")

    assert "no Git repository" in look(root)


def test_a_tracked_file_that_became_a_pipe_or_device_is_gone(root: Path) -> None:
    (root / "a.py").unlink()
    os.mkfifo(root / "a.py")

    assert "D a.py" in look(root)


@pytest.mark.parametrize("name", [b"..", b".git", b"a/b", b"..\\x", b".GIT", b"\xff\xfe", b"C:x"])
def test_a_tree_with_impossible_names_leads_nowhere(root: Path, name: bytes) -> None:
    (root.parent / "b.py").write_text(CANARY, encoding="utf-8")
    blob = store(root, "blob", b"x\n")
    inner = make_tree(root, ("100644", b"b.py", blob), ("100644", b"config", blob))
    top = make_tree(root, ("40000", name, inner), ("100644", b"a.py", blob))
    write(root, ".git/refs/heads/main", make_commit(root, top))

    text = look(root)

    assert CANARY not in text
    assert "repositoryformatversion" not in text
    assert "|+one" in text


def test_a_tree_of_trees_that_never_ends_is_given_up(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diffing, "MAX_SECONDS", 0.5)
    tree = make_tree(root, ("100644", b"a", store(root, "blob", b"x")))
    for _ in range(40):
        tree = make_tree(root, *(("40000", b"%d" % number, tree) for number in range(10)))
    write(root, ".git/refs/heads/main", make_commit(root, tree))

    assert "too many files" in look(root)


def test_a_tree_that_holds_itself_is_given_up(root: Path) -> None:
    name = "ab" * 20
    data = b"40000 x\x00" + bytes.fromhex(name)
    store_as(root, name, zlib.compress(b"tree %d\x00%s" % (len(data), data)))
    write(root, ".git/refs/heads/main", make_commit(root, name))

    assert "refused" in look(root)


def test_history_that_goes_in_circles_ends(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diffing, "MAX_SECONDS", 0.5)
    name = "cd" * 20
    who = "A <a@example.org> 1767323045 +0000"
    tree = git(root, "rev-parse", "HEAD^{tree}").strip()
    text = f"tree {tree}\nparent {name}\nauthor {who}\ncommitter {who}\n\nx\n".encode()
    store_as(root, name, zlib.compress(b"commit %d\x00%s" % (len(text), text)))

    assert "too far back" in look(root, f"{name}~99999999")
    assert "Nothing differs" in look(root, f"{name}~3")


def test_branches_that_name_each_other_end(root: Path) -> None:
    write(root, ".git/refs/heads/x", "ref: refs/heads/y\n")
    write(root, ".git/refs/heads/y", "ref: refs/heads/x\n")

    assert "no revision `x`" in look(root, "x")


def test_an_object_that_inflates_without_end_is_not_read(root: Path) -> None:
    blob = git(root, "rev-parse", "HEAD:a.py").strip()
    write(root, "a.py", "changed\n")
    packer = zlib.compressobj(9)
    bomb = packer.compress(b"blob 5\x00") + b"".join(
        packer.compress(bytes(1 << 20)) for _ in range(200)
    )
    store_as(root, blob, bomb + packer.flush())

    text = look(root)

    assert "M a.py" in text
    assert "broken" in text


def test_an_object_larger_than_any_text_is_named_with_its_size(root: Path) -> None:
    write(root, "large.txt", b"x\n" * (MAX_OBJECT_BYTES // 2 + 1))
    commit(root, "large")
    git(root, "gc", "-q")
    write(root, "large.txt", "small\n")

    assert "M large.txt (too large, 8.4 MB -> text)" in look(root)


@pytest.mark.parametrize("name", [".git/index", ".git/HEAD", ".git/packed-refs", ".git/config"])
def test_a_file_of_the_repository_with_a_terabyte_of_nothing_is_not_read(
    root: Path, name: str
) -> None:
    (root / ".git/refs/heads/main").unlink()
    with (root / name).open("wb") as file:
        file.truncate(10**12)

    assert "refused" in look(root)


# What is broken


def corrupt(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(dice.choice([1, 1, 2, 5, 40])):
        if not data:
            break
        place = dice.randrange(len(data))
        how = dice.randrange(4)
        if how == 0:
            data[place] ^= 1 << dice.randrange(8)
        elif how == 1:
            data[place] = dice.choice([0, 255, 128, 127])
        elif how == 2:
            del data[place : place + dice.randrange(1, 30)]
        else:
            data[place:place] = dice.randbytes(dice.randrange(1, 30))
    path.chmod(0o644)
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_repository_is_an_answer_or_a_refusal_and_never_a_crash(
    tmp_path: Path, seed: int
) -> None:
    good = make_repository(
        tmp_path / "good", {f"f{number}.py": f"line {number}\n" * 30 for number in range(20)}
    )
    for number in range(6):
        write(good, f"f{number}.py", f"line {number}\n" * 29 + f"changed {number}\n")
        commit(good, f"change {number}")
    git(good, "tag", "-a", "-m", "tag", "v1")
    git(good, "repack", "-q", "-a", "-d", "-f", "--depth=20")
    write(good, "f7.py", "loose\n")
    commit(good, "loose")
    write(good, "f8.py", "changed\n")
    dice = random.Random(seed)
    for number in range(25):
        root = tmp_path / f"bad{number}"
        shutil.copytree(good, root)
        kinds = ["index", "HEAD", "config", "packed-refs", "objects/**/*", "objects/pack/*"]
        files = [path for path in (root / ".git").glob(dice.choice(kinds)) if path.is_file()]
        for path in dice.sample(files, min(len(files), dice.choice([1, 3, 20]))):
            corrupt(path, dice)

        for revision in ("", "v1", "HEAD~3"):
            look(root, revision)

        shutil.rmtree(root)


@pytest.mark.parametrize("name", ["HEAD", "refs/heads/main"])
def test_a_name_that_is_damaged_is_not_taken_for_a_repository_without_commits(
    root: Path, name: str
) -> None:
    write(root, f".git/{name}", "\x00\x01")

    with pytest.raises(UnreadableRepository, match="is broken"):
        show_diff(Workspace([root]), "", "")


def test_a_broken_repository_is_told_apart_from_one_without_changes(root: Path) -> None:
    write(root, ".git/index", b"DIRC\x00\x00\x00\x02\x00\x00\x00\x09broken")

    with pytest.raises(UnreadableRepository, match="index of the repository is broken"):
        show_diff(Workspace([root]), "", "")
