"""What `diff` says of real repositories, made by Git."""

import os
import random
import re
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from glossator.core.errors import InvalidArguments, ProtectedFile, UnreadableRepository
from glossator.core.messages import ToolCall
from glossator.core.text import SourceText
from glossator.tools import changes
from glossator.tools.diff_text import DiffText
from glossator.tools.differences import find_difference
from glossator.tools.diffing import make_diffing_tools, show_diff
from glossator.tools.git import objects
from glossator.tools.seen_texts import SeenTexts
from glossator.tools.toolbox import make_toolbox
from glossator.tools.workspace import Workspace
from repositories import commit, git, make_repository, write

LINES = "".join(f"line {number}\n" for number in range(1, 21))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "root", {"a.py": LINES, "src/b.py": "one\ntwo\n"})


def look(root: Path, revision: str = "", path: str = "", **buffers: str) -> str:
    documents = {
        root / name.replace("__", "/"): SourceText(name, text, version=1)
        for name, text in buffers.items()
    }
    return show_diff(Workspace([root], documents), revision, path)


async def test_the_tool_lists_the_files_and_numbers_the_lines_as_they_are_now(root: Path) -> None:
    write(root, "a.py", LINES.replace("line 3\n", "line three\nand more\n"))
    toolbox = make_toolbox(make_diffing_tools(Workspace([root])))

    outcome = await toolbox.run(ToolCall("1", "diff", "{}"))

    head, *rest = outcome.text.split("\n")
    assert re.fullmatch(r"1 file differs from `HEAD` \([0-9a-f]{8} first, 2026-01-02\)", head)
    assert "\n".join(rest) == (
        """
M a.py +2 -1

Numbers are lines of the files as they are now; cite `path:line`.

--- a/a.py
+++ b/a.py
@@ -1,6 +1,7 @@
1| line 1
2| line 2
 |-line 3
3|+line three
4|+and more
5| line 4
6| line 5
7| line 6"""
    )


def test_what_is_shown_counts_as_read_in_the_version_that_was_compared(root: Path) -> None:
    write(root, "a.py", "changed\n")
    (root / "src/b.py").unlink()
    seen = SeenTexts()

    show_diff(Workspace([root]).noting(seen), "", "")

    assert [text.text for text in seen.versions_of(root / "a.py")] == ["changed\n"]
    assert not seen.versions_of(root / "src/b.py")


def test_without_changes_it_says_so(root: Path) -> None:
    assert look(root).startswith("Nothing differs from `HEAD` (")
    assert look(root, path="src").startswith("Nothing in `src` differs from `HEAD` (")


def test_the_editors_text_counts_and_not_what_is_on_the_disk(root: Path) -> None:
    write(root, "a.py", "on the disk\n")
    write(root, "src/b.py", "on the disk\n")

    text = look(root, **{"a.py": "line 1\n", "src__b.py": "one\ntwo\n", "new.py": "unsaved\n"})

    assert "on the disk" not in text
    assert "M a.py -19 (as open in the editor)" in text
    assert "b.py" not in text
    assert "? new.py +1 (as open in the editor)" in text
    assert "1|+unsaved" in text


def test_a_deleted_file_that_is_still_open_counts_as_there(root: Path) -> None:
    (root / "a.py").unlink()

    assert look(root, **{"a.py": LINES}).startswith("Nothing differs")


def test_untracked_files_come_last_and_ignored_ones_not_at_all(root: Path) -> None:
    write(root, ".gitignore", "*.log\nbuild/\n")
    write(root, "x.log", "noise\n")
    write(root, "build/out.txt", "noise\n")
    write(root, "__pycache__/x.pyc", "noise\n")
    write(root, "0.md", "new\n")
    write(root, "z.png", b"\x89PNG\x00\x01")
    write(root, "src/b.py", "one\nTWO\n")

    text = look(root)

    assert re.findall(r"^[A-Z?] .*$", text, re.MULTILINE) == [
        "M src/b.py +1 -1", "? .gitignore +2", "? 0.md +1", "? z.png (PNG image, 6 bytes)",
    ]  # fmt: skip
    assert "noise" not in text
    assert "3 untracked" in text


def test_what_is_tracked_is_compared_even_where_it_would_be_ignored(root: Path) -> None:
    write(root, "kept.log", "one\n")
    commit(root, "log")
    write(root, ".gitignore", "*.log\n")
    write(root, "kept.log", "two\n")

    assert "M kept.log +1 -1" in look(root)


def test_staged_and_unstaged_changes_count_together(root: Path) -> None:
    write(root, "src/b.py", "one\nstaged\n")
    write(root, "src/new.py", "staged\n")
    git(root, "add", "-A")
    write(root, "src/b.py", "one\nstaged\nnot staged\n")
    git(root, "rm", "-q", "--cached", "a.py")

    text = look(root)

    assert "M src/b.py +2 -1" in text
    assert "A src/new.py +1" in text
    assert "a.py" not in text


@pytest.mark.parametrize(
    ("revision", "shown"),
    [
        ("HEAD~1", "HEAD~1"), ("HEAD^", "HEAD^"), ("@~1", "@~1"), ("old", "old"),
        ("v1", "v1"), ("v1^{commit}", "v1^{commit}"), ("v1^{}", "v1^{}"), ("lightweight", None),
        ("refs/heads/old", None), ("heads/old", None), ("origin/main", None), ("origin", None),
        ("feature/x", None), ("中文", None), (" old ", "old"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_packed", [False, True])
def test_revisions_are_named_as_git_names_them(
    root: Path, revision: str, shown: str | None, is_packed: bool
) -> None:
    for name in ("old", "feature/x", "中文"):
        git(root, "branch", name)
    git(root, "tag", "-a", "-m", "tag", "v1")
    git(root, "tag", "lightweight")
    git(root, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(root, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    write(root, "a.py", LINES + "last\n")
    commit(root, "second")
    if is_packed:
        git(root, "gc", "-q")
        git(root, "pack-refs", "--all")

    text = look(root, revision)

    assert f"from `{shown or revision}` (" in text
    assert " first, 2026-01-02)" in text
    assert "M a.py +1" in text


def test_an_index_of_a_pack_that_is_too_large_for_the_memory_is_read_from_the_disk(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(objects, "MAX_INDEX_IN_MEMORY", 0)
    git(root, "gc", "-q")
    write(root, "a.py", "changed\n")

    assert "M a.py +1 -20" in look(root)


def test_a_hash_may_be_cut_short(root: Path) -> None:
    name = git(root, "rev-parse", "HEAD").strip()

    for revision in (name, name[:12], name[:4].upper(), f"{name[:7]}~0"):
        assert look(root, revision).startswith("Nothing differs")
    git(root, "gc", "-q")
    assert look(root, name[:7]).startswith("Nothing differs")


@pytest.mark.parametrize(
    ("revision", "message"),
    [
        ("nope", "There is no revision `nope`. The branches are: `main`."),
        ("main..x", "is a range. Give one revision"),
        ("HEAD@{1}", "is not understood"),
        (":/first", "is not understood"),
        ("HEAD~3", "history begins before it"),
        ("HEAD^2", "history begins before it"),
        ("HEAD^x", "is no revision"),
        ("--output=x", "There is no revision"),
        ("../../etc/passwd", "is a range"),
        ("/etc/passwd", "There is no revision"),
        ("a\x00b", "There is no revision"),
        ("x" * 5000, "There is no revision"),
        ("HEAD:a.py", "There is no revision"),
    ],
)
def test_a_revision_that_is_none_is_refused_with_advice(
    root: Path, revision: str, message: str
) -> None:
    with pytest.raises(InvalidArguments) as caught:
        look(root, revision)

    assert message in str(caught.value)


def test_a_tree_or_blob_is_no_revision(root: Path) -> None:
    tree = git(root, "rev-parse", "HEAD^{tree}").strip()

    with pytest.raises(InvalidArguments, match="is no commit"):
        look(root, tree)


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, "staged.py", "a\n")
    git(tmp_path, "add", "-A")
    write(tmp_path, "new.py", "b\n")

    text = look(tmp_path)

    assert text.startswith("1 file differs from the empty state before the first commit, 1 untr")
    assert "A staged.py +1" in text
    assert "? new.py +1" in text


def test_a_detached_head_is_compared(root: Path) -> None:
    git(root, "checkout", "-q", "--detach")
    write(root, "src/b.py", "changed\n")

    assert "M src/b.py" in look(root)


def test_conflicts_are_marked_and_shown_as_they_stand(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "other")
    write(root, "src/b.py", "one\ntheirs\n")
    commit(root, "theirs")
    git(root, "checkout", "-q", "main")
    write(root, "src/b.py", "one\nours\n")
    commit(root, "ours")
    with pytest.raises(AssertionError):
        git(root, "merge", "-q", "other")

    text = look(root)

    assert "U src/b.py +4 (merge conflict)" in text
    assert "|+<<<<<<< HEAD" in text


def test_a_file_that_moved_is_joined_with_what_it_was(root: Path) -> None:
    (root / "a.py").rename(root / "moved.py")
    git(root, "mv", "src/b.py", "src/c.py")
    write(root, "moved.py", LINES.replace("line 9\n", "line nine\n"))

    text = look(root)

    assert "R a.py -> moved.py +1 -1 (untracked)" in text
    assert "R src/b.py -> src/c.py" in text
    assert "--- a/a.py\n+++ b/moved.py" in text
    assert "\nD " not in text


def test_files_that_have_little_in_common_are_not_joined(root: Path) -> None:
    (root / "a.py").unlink()
    write(root, "other.py", LINES.replace("line", "word"))

    text = look(root)

    assert "D a.py -20" in text
    assert "? other.py +20" in text


def test_more_moves_than_can_be_paired_are_said_to_be_shown_as_gone_and_new(root: Path) -> None:
    for number in range(21):
        write(root, f"old/{number}.py", f"text {number}\n")
    commit(root, "many")
    (root / "old").rename(root / "new")

    text = look(root)

    assert "D old/7.py -1" in text
    assert "? new/7.py +1" in text
    assert "Files that moved stand here as gone and new: there are too many to pair." in text


def test_modes_links_and_kinds_are_told(root: Path) -> None:
    write(root, "run.sh", "x\n")
    (root / "link").symlink_to("a.py")
    (root / "was_link").symlink_to("a.py")
    write(root, "becomes_folder", "x\n")
    commit(root, "more")
    (root / "run.sh").chmod(0o755)
    (root / "link").unlink()
    (root / "link").symlink_to("src/b.py")
    (root / "was_link").unlink()
    write(root, "was_link", "text\n")
    (root / "becomes_folder").unlink()
    write(root, "becomes_folder/x", "x\n")

    text = look(root)

    assert "M run.sh (mode 644 -> 755)" in text
    assert "M link +1 -1" in text
    assert "|+src/b.py" in text
    assert "T was_link +1 -1 (was a link)" in text
    assert "becomes_folder -> becomes_folder/x" in text


def test_a_mode_is_not_compared_where_git_is_told_not_to(root: Path) -> None:
    (root / "a.py").chmod(0o755)
    git(root, "config", "core.fileMode", "false")

    assert look(root).startswith("Nothing differs")


def test_binary_files_are_named_with_their_sizes(root: Path) -> None:
    write(root, "logo.png", b"\x89PNG\x00" + bytes(100))
    write(root, "data.txt", "text\n")
    commit(root, "more")
    write(root, "logo.png", b"\x89PNG\x00" + bytes(2000))
    write(root, "data.txt", b"\x00\x01")

    text = look(root)

    assert "M data.txt (text -> binary, 2 bytes)" in text
    assert "M logo.png (PNG image, 105 bytes -> PNG image, 2.0 kB)" in text


def test_a_submodule_is_named_with_its_commits(root: Path, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other", {"c.py": "c\n"})
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "lib")
    commit(root, "lib")
    assert look(root).startswith("Nothing differs")
    write(root, "lib/c.py", "changed\n")
    new = commit(root / "lib", "inner")

    text = look(root)

    assert re.search(rf"M lib \(submodule, [0-9a-f]{{8}} -> {new[:8]}; ask with its path\)", text)
    assert look(root, "HEAD~1", "lib").startswith("1 file differs in `lib` from `HEAD~1`")


def test_a_repository_within_is_named_and_asked_by_its_path(root: Path) -> None:
    make_repository(root / "inner", {"d.py": "d\n"})
    write(root, "inner/d.py", "changed\n")

    assert "? inner (a repository of its own; ask with its path)" in look(root)
    assert "|+changed" in look(root, path="inner")
    assert "M inner/d.py +1 -1" in look(root, path="inner/d.py")


def test_a_folder_that_only_holds_repositories_says_which(tmp_path: Path) -> None:
    make_repository(tmp_path / "one", {"a": "a\n"})

    with pytest.raises(InvalidArguments, match=r"holds some\. Call `diff` with a path: `one`"):
        look(tmp_path)


def test_without_a_repository_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidArguments, match="is in no Git repository"):
        look(tmp_path)


def test_a_bare_repository_has_nothing_to_compare(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(root), "bare.git")
    git(root, "config", "core.bare", "true")

    for folder in (tmp_path / "bare.git", root):
        with pytest.raises(InvalidArguments, match="is a bare repository"):
            look(folder)


def test_formats_that_are_not_read_are_named(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "new")
    with (root / ".git/config").open("a", encoding="utf-8") as file:
        file.write("[extensions]\n\trefStorage = reftable\n")

    with pytest.raises(UnreadableRepository, match="SHA-256"):
        look(tmp_path / "new")
    with pytest.raises(UnreadableRepository, match="reftable"):
        look(root)


def test_a_shallow_clone_is_compared_as_far_as_it_goes(root: Path, tmp_path: Path) -> None:
    write(root, "a.py", "two\n")
    commit(root, "second")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{root}", "shallow")
    write(tmp_path / "shallow", "a.py", "three\n")

    assert "M a.py +1 -1" in look(tmp_path / "shallow")
    with pytest.raises(UnreadableRepository, match="The clone is shallow"):
        look(tmp_path / "shallow", "HEAD~1")


def test_what_another_repository_lends_is_missing_and_said(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--shared", str(root), "borrower")

    with pytest.raises(UnreadableRepository, match="borrows objects from another repository"):
        look(tmp_path / "borrower")


def test_a_sparse_checkout_does_not_count_as_deleted(root: Path) -> None:
    git(root, "sparse-checkout", "set", "--no-cone", "/a.py")
    assert not (root / "src").exists()

    assert look(root).startswith("Nothing differs")

    git(root, "sparse-checkout", "set", "--cone", "--sparse-index")
    assert look(root).startswith("Nothing differs")


@pytest.mark.parametrize("version", [2, 3, 4])
def test_every_version_of_the_index_is_read(root: Path, version: int) -> None:
    git(root, "update-index", "--index-version", str(version))
    write(root, "src/b.py", "changed\n")

    assert look(root).startswith("1 file differs")


def test_a_split_index_is_done_without(root: Path) -> None:
    git(root, "update-index", "--split-index")
    write(root, "src/b.py", "changed\n")

    text = look(root)

    assert text.startswith("1 file differs")
    assert "untracked" not in text.partition("\n")[0]


def test_a_change_in_the_same_moment_and_of_the_same_size_is_seen(root: Path) -> None:
    write(root, "src/b.py", "one\ntwx\n")
    index = (root / ".git/index").stat()
    os.utime(root / "src/b.py", ns=(index.st_mtime_ns, index.st_mtime_ns))
    commit(root, "staged")
    before = (root / "src/b.py").stat()
    write(root, "src/b.py", "one\ntwy\n")
    os.utime(root / "src/b.py", ns=(before.st_mtime_ns, before.st_mtime_ns))
    os.utime(root / ".git/index", ns=(before.st_mtime_ns, before.st_mtime_ns))

    assert "|+twy" in look(root)


def test_a_file_that_was_only_touched_is_unchanged(root: Path) -> None:
    os.utime(root / "a.py", (1, 1))

    assert look(root).startswith("Nothing differs")


def test_line_ends_and_encodings_are_told_and_do_not_drown_the_changes(root: Path) -> None:
    write(root, "gbk.txt", "中文注释\n第二行\n".encode("gb18030"))
    commit(root, "gbk")
    write(root, "a.py", LINES.replace("line 3\n", "three\n").replace("\n", "\r\n"))
    write(root, "src/b.py", "one\r\ntwo\r\n")
    write(root, "gbk.txt", "中文注释\n第二行\n第三行\n")

    text = look(root)

    assert "M a.py +1 -1 (line ends LF -> CRLF)" in text
    assert "M src/b.py (line ends LF -> CRLF)" in text
    assert "M gbk.txt +1 (encoding GB18030 -> UTF-8)" in text
    assert "3|+第三行" in text


def test_a_byte_order_mark_that_came_is_told(root: Path) -> None:
    write(root, "src/b.py", b"\xef\xbb\xbfone\ntwo\n")

    assert "M src/b.py (encoding UTF-8 -> UTF-8 with a byte-order mark)" in look(root)


def test_a_text_that_begins_with_a_wide_character_has_no_byte_order_mark(root: Path) -> None:
    write(root, "src/b.py", "（一）\n")

    assert "M src/b.py +1 -2\n" in look(root)


def test_a_missing_end_of_the_last_line_is_marked(root: Path) -> None:
    write(root, "src/b.py", "one\ntwo")

    assert " |-two\n2|+two\n |\\ No newline at end of file" in look(root)


@pytest.mark.parametrize("name", ["中文/文件.py", "a b.py", "-x.py", "e\u0301.py", "'\".py"])
def test_names_of_any_kind_are_shown(root: Path, name: str) -> None:
    write(root, name, "one\n")
    commit(root, "named")
    write(root, name, "two\n")

    assert f"M {name} +1 -1" in look(root)


def test_a_name_that_is_not_utf_8_is_shown_escaped(root: Path) -> None:
    path = os.fsencode(root) + b"/\xff.py"
    Path(os.fsdecode(path)).write_bytes(b"one\n")
    commit(root, "named")
    Path(os.fsdecode(path)).write_bytes(b"two\n")

    assert "M \\xff.py +1 -1" in look(root)


def test_characters_that_hide_are_written_out(root: Path) -> None:
    write(root, "src/b.py", "one\n\x1b[31mtwo\u202e\n")

    text = look(root)

    assert "2|+\\u{1b}[31mtwo\\u{202e}" in text
    assert "2 invisible or control characters are written as" in text


def test_what_git_lfs_keeps_is_compared_by_its_hash(root: Path) -> None:
    content = b"large content"
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 13\n"
    write(root, "same.bin", pointer.format(sha256(content).hexdigest()))
    write(root, "other.bin", pointer.format("0" * 64))
    commit(root, "pointers")
    write(root, "same.bin", content)
    write(root, "other.bin", content)

    text = look(root)

    assert "M other.bin (kept by Git LFS, 13 bytes)" in text
    assert "same.bin" not in text


def test_several_folders_are_compared_each_with_its_own_repository(tmp_path: Path) -> None:
    one = make_repository(tmp_path / "one", {"a.py": "a\n"})
    two = make_repository(tmp_path / "two", {"b.py": "b\n"})
    (tmp_path / "three").mkdir()
    write(one, "a.py", "A\n")
    write(two, "b.py", "B\n")

    text = show_diff(Workspace([one, two, tmp_path / "three"]), "", "")

    assert "M one/a.py +1 -1" in text
    assert "M two/b.py +1 -1" in text
    assert "+++ b/two/b.py" in text
    assert "`three`: `three` is in no Git repository" in text


def test_a_path_that_is_nowhere_is_refused_and_one_that_was_deleted_is_not(root: Path) -> None:
    (root / "a.py").unlink()

    assert "D a.py -20" in look(root, path="a.py")
    with pytest.raises(InvalidArguments, match=r"`no\.py` is neither in the working tree nor in"):
        look(root, path="no.py")
    with pytest.raises(ProtectedFile):
        look(root, path=".git/config")


def test_a_large_diff_is_cut_and_says_how_to_go_on(root: Path) -> None:
    old = [f"value_{number} = {number}\n" for number in range(3000)]
    write(root, "big.py", "".join(old))
    commit(root, "big")
    write(root, "big.py", "".join(f"changed {line}" for line in old))
    for number in range(30):
        write(root, f"new{number}.py", "new\n" * 200)

    text = look(root)
    follow = re.search(r"(\d+) more lines of this diff are not shown", look(root, path="big.py"))

    assert len(text) < DiffText.MAX_CHARACTERS * 1.3
    assert "Changes not shown for want of room: " in text
    assert follow is not None
    assert int(follow[1]) > 2000


def test_what_was_cut_can_be_read_on(root: Path) -> None:
    old = [f"value_{number} = {number}\n" for number in range(6000)]
    write(root, "big.py", "".join(old))
    commit(root, "big")
    for number in range(0, 6000, 7):
        old[number] = f"changed {number}\n"
    write(root, "big.py", "".join(old))

    path, seen = "big.py", set[str]()
    while path:
        text = look(root, path=path)
        assert len(text) < DiffText.MAX_CHARACTERS + 1000
        seen.update(re.findall(r"\|\+changed (\d+)$", text, re.MULTILINE))
        following = re.search(r"go on with path=`(big\.py:\d+)`", text)
        path = following[1] if following else ""

    assert len(seen) == len(range(0, 6000, 7))


def test_one_endless_line_is_cut_within(root: Path) -> None:
    write(root, "min.js", "x" * 200_000 + "\n")

    text = look(root)

    assert "x… [200000 characters]" in text
    assert len(text) < 2000


def test_more_untracked_files_than_are_looked_at_are_counted(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "MAX_UNTRACKED", 3)
    for number in range(5):
        write(root, f"n{number}", "x\n")

    assert "2 more untracked files are not listed. Narrow with `path`." in look(root)


def test_when_time_is_up_it_says_how_much_was_not_looked_at(root: Path) -> None:
    workspace = Workspace([root])
    # Enough for the two folders and one file.
    answers = iter([False, False, False])

    difference = find_difference(workspace, root, "", lambda: next(answers, True))

    text = DiffText(workspace, 1, 1000).render(difference)
    assert text.startswith("0 files differ from `HEAD`")
    assert "1 of 2 tracked files were not looked at: time was up. Narrow with `path`." in text
    assert "Not all folders were looked into for untracked files: time was up." in text


@pytest.mark.parametrize("seed", range(25))
def test_the_lines_apply_with_git_as_a_patch(root: Path, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    source = Path(changes.__file__).parent
    names = ["changes.py", "workspace.py", "toolbox.py", "reading.py", "walking.py"]
    for name in names:
        shutil.copy(source / name, root / name)
    commit(root, "sources")
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(root), str(other))
    for name in dice.sample(names, dice.randrange(1, 4)):
        lines = (root / name).read_text(encoding="utf-8").split("\n")
        for _ in range(dice.randrange(1, 10)):
            place = dice.randrange(len(lines))
            lines[place : place + dice.choice([0, 1, 5, 20])] = dice.choice(
                [[], ["新的一行"], ["    pass", ""], lines[place : place + 9] * 2]
            )
        write(root, name, "\n".join(lines).rstrip("\n") + dice.choice(["", "\n"]))

    patch = make_patch(root, look(root))
    if patch:
        git(other, "apply", "--whitespace=nowarn", "-", stdin=patch.encode())

    for name in names:
        assert (other / name).read_bytes() == (root / name).read_bytes()


def make_patch(root: Path, text: str) -> str:
    """Return the answer as a plain patch; its numbers are held against the files."""
    patch: list[str] = []
    current: list[str] = []
    for line in text.split("\n"):
        numbered = re.fullmatch(r" *(\d*)\|(.*)", line)
        if line.startswith(("--- ", "+++ ", "@@ ")):
            patch.append(line)
            if line.startswith("+++ "):
                current = (root / line[6:]).read_text(encoding="utf-8").split("\n")
        elif numbered and patch:
            patch.append(numbered[2])
            if numbered[1]:
                assert current[int(numbered[1]) - 1] == numbered[2][1:]
    return "".join(f"{line}\n" for line in patch)


def test_many_untracked_files_do_not_take_the_time_of_the_changed_ones(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "MAX_UNTRACKED_SECONDS", -1.0)
    write(root, "a.py", LINES.replace("line 3\n", "line three\n"))
    write(root, "new.py", "new\n")

    text = look(root)

    assert "3|+line three" in text
    assert "Not all folders were looked into for untracked files: time was up." in text


def test_half_a_character_is_no_revision(root: Path) -> None:
    with pytest.raises(InvalidArguments, match=r"There is no revision `\\u\{d800\}`"):
        look(root, "\ud800")


@pytest.mark.parametrize("time", [2**60, 2**63 - 1])
def test_a_commit_of_a_time_beyond_all_calendars_is_broken(root: Path, time: int) -> None:
    tree = git(root, "write-tree").strip()
    lines = f"tree {tree}\nauthor a <a> {time} +0000\ncommitter a <a> {time} +0000\n\nm\n"
    (root / "raw").write_text(lines, encoding="utf-8")
    name = git(root, "hash-object", "-t", "commit", "-w", "--literally", "raw").strip()

    with pytest.raises(UnreadableRepository, match="is broken"):
        look(root, name)


def test_names_behind_a_linked_folder_of_branches_are_not_told(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "private").touch()
    shutil.rmtree(root / ".git/refs/heads")
    (root / ".git/refs/heads").symlink_to(outside)

    with pytest.raises(InvalidArguments, match="The branches are: none"):
        look(root, "nowhere")


def test_the_file_that_leads_to_the_repository_is_not_untracked(root: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(root, "worktree", "add", "-q", str(linked))

    assert look(linked).startswith("Nothing differs from `HEAD`")
