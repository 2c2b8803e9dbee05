"""What is said of Git repositories and of revisions that cannot be compared with."""

from collections.abc import Sequence

REPOSITORIES: Sequence[tuple[str, str]] = (
    (
        "There is no revision {}. The branches are: {}.",
        "没有修订版本 {0}。现有分支：{1}。",
    ),
    ("none", "无"),
    ("{} is no commit. Name a branch, tag or commit.", "{0} 不是提交。请给出分支、标签或提交。"),
    (
        "{} is a range. Give one revision: the working tree is compared with it.",
        "{0} 是一个范围。请只给出一个修订版本：工作树会与它比较。",
    ),
    (
        "{} is not understood. Give a branch, a tag or a hash, with `~2` for commits before it.",
        "无法理解 {0}。请给出分支、标签或哈希，之前的提交可加 `~2`。",
    ),
    ("{} begins {} commits. Give more of it.", "有 {1} 个提交以 {0} 开头。请多写几位。"),
    ("{} is no revision. Try `HEAD~2`.", "{0} 不是修订版本。可以试试 `HEAD~2`。"),
    (
        "{} does not exist: history begins before it. Name a later revision.",
        "{0} 不存在：历史没有那么早。请给出更晚的修订版本。",
    ),
    ("{} is too far back. Give a hash.", "{0} 太早了。请给出哈希。"),
    ("{} is not in this repository.", "{0} 不在此仓库中。"),
    ("{} and `HEAD` have no history in common.", "{0} 与 `HEAD` 没有共同的历史。"),
    (
        "{} The clone is shallow, and what is missing may be older: fetch all of its history "
        "(`git fetch --unshallow`; in GitHub Actions, `fetch-depth: 0` of `actions/checkout`).",
        "{0}这是浅克隆，缺少的可能在更早的历史中：请取回全部历史"
        "（`git fetch --unshallow`；在 GitHub Actions 中为 `actions/checkout` 设置 "
        "`fetch-depth: 0`）。",
    ),
    (
        "There was no time to look for where the history parts.",
        "时间已用完，未找到历史的分叉处。",
    ),
    (
        "{} is in no Git repository, so nothing can be compared. Read the files instead.",
        "{0} 不在 Git 仓库中，无法比较。请直接阅读文件。",
    ),
    (
        "{} is a bare repository: it has no working files to compare. "
        "Name a folder with a checkout of it.",
        "{0} 是裸仓库，没有可比较的工作文件。请给出其检出所在的文件夹。",
    ),
    (
        "{} is in no Git repository, but holds some. Call `diff` with a path: {}.",
        "{0} 不在 Git 仓库中，但其中含有仓库。请用路径调用 `diff`：{1}。",
    ),
    (
        "{} is neither in the working tree nor in {}. "
        "Call `diff` without a path for the files that changed.",
        "{0} 既不在工作树中，也不在 {1} 中。不带路径调用 `diff` 可列出改动的文件。",
    ),
    (
        "The revision holds too many files to compare. Narrow with `path`.",
        "该修订版本的文件太多，无法比较。请用 `path` 缩小范围。",
    ),
    (
        "`.git` leads to a repository elsewhere that does not name this folder as its working "
        "tree, so it is not followed. Open that repository's own folder.",
        "`.git` 指向别处的仓库，而该仓库没有把此文件夹作为工作树，因此不予跟随。"
        "请打开那个仓库自己的文件夹。",
    ),
    (
        "{} leads out of the repository, so it is not followed. Read the files themselves instead.",
        "{0} 指向仓库之外，因此不予跟随。请直接阅读文件。",
    ),
    (
        "{} is larger than any that Git writes; it is not read.",
        "{0} 比 Git 写出的任何此类文件都大，因此不读取。",
    ),
    (
        "This repository names its objects by SHA-256, which is not read yet. "
        "Read the files themselves instead.",
        "此仓库用 SHA-256 命名对象，目前还无法读取。请直接阅读文件。",
    ),
    (
        "This repository keeps its branches in a reftable, which is not read yet. "
        "Read the files themselves, or run `git refs migrate --ref-format=files`.",
        "此仓库用 reftable 保存分支，目前还无法读取。请直接阅读文件，"
        "或运行 `git refs migrate --ref-format=files`。",
    ),
    (
        "The repository of this working tree, which `.git` names, does not exist. Run "
        "`git worktree repair` in the main working tree.",
        "`.git` 所指的此工作树的仓库不存在。请在主工作树中运行 `git worktree repair`。",
    ),
    (
        "`.git/config` is broken. Run `git config --list`.",
        "`.git/config` 已损坏。请运行 `git config --list`。",
    ),
    (
        "`HEAD` of the repository is broken. Run `git status`.",
        "仓库的 `HEAD` 已损坏。请运行 `git status`。",
    ),
    ("{} of the repository is broken. Run `git fsck`.", "仓库的 {0} 已损坏。请运行 `git fsck`。"),
    ("The commit of {} is broken. Run `git fsck`.", "{0} 的提交已损坏。请运行 `git fsck`。"),
    (
        "The object `{}` of the repository is broken. Run `git fsck`.",
        "仓库的对象 `{0}` 已损坏。请运行 `git fsck`。",
    ),
    ("The object `{}` is not in this repository. {}", "对象 `{0}` 不在此仓库中。{1}"),
    (
        "It borrows objects from another repository, which is not followed; "
        "`git repack -a -d` copies them here.",
        "它借用另一个仓库的对象，而借用不予跟随；`git repack -a -d` 会把它们复制过来。",
    ),
    (
        "The clone is shallow: older history was not copied. Name a later revision.",
        "这是浅克隆：更早的历史没有复制过来。请给出更晚的修订版本。",
    ),
    (
        "It was not copied (a partial clone) or is lost; nothing is fetched. "
        "`git fsck` tells more.",
        "它没有被复制（部分克隆），或已丢失；不会从网络获取。`git fsck` 可提供更多信息。",
    ),
    (
        "The repository has {} packs, too many to look into. Run `git gc`.",
        "仓库有 {0} 个包，多到无法查找。请运行 `git gc`。",
    ),
    ("The pack `{}` is gone. Run `git fsck`.", "包 `{0}` 已不存在。请运行 `git fsck`。"),
    (
        "The index of the repository is broken or of an unknown format. Run `git status`.",
        "仓库的索引已损坏或格式未知。请运行 `git status`。",
    ),
)
