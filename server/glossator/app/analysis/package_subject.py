"""A package to be explained: split by its folders, its files and what they import."""

from collections import Counter
from collections.abc import Iterator, Sequence

from glossator.app.analysis.package_map import PackageFile, PackageMap, map_package
from glossator.app.analysis.package_text import (
    fit_outlines,
    quote_readme,
    render_map,
    render_outline,
)
from glossator.app.analysis.splitting import Piece, split_pieces
from glossator.app.analysis.subjects import (
    MAX_PARTS,
    PART_TOKENS,
    Subject,
    SubjectPart,
    add_question,
    describe_paths,
)
from glossator.app.briefing_text import render_finding
from glossator.app.context import Context
from glossator.app.phrasing import Phrasing
from glossator.core.tokens import estimate_tokens

_SHOWN_LINKS = 60


def make_package_subject(path: str, question: str, context: Context) -> Subject:
    """Look at a folder and split it.

    Reads files of the workspace: call it in a worker thread.

    Raises:
        OutsideWorkspace, ProtectedFile, UnreadableFile, InvalidArguments: as `map_package`.
    """
    say = context.say
    package = map_package(path, context.parts, context.library, say)
    facts = render_map(package, say)
    files = {file.path: file for file in package.files}
    groups = split_pieces(_pieces_of(package), part_tokens=PART_TOKENS, n_parts=MAX_PARTS)
    overview = [(f"kind=definitions of={package.path}", facts)]
    readme = quote_readme(package)
    if readme is not None:
        overview.append((f"kind=readme place={readme[0]}", readme[1]))
    return Subject(
        title=say(f"Package `{package.path}`", f"包 `{package.path}`"),
        question=question or say(f"Explain `{package.path}`", f"解释 `{package.path}`"),
        task=add_question(_ask_for_all(package, say), question, say),
        facts=facts,
        overview=tuple(overview),
        parts=tuple(
            _make_part([files[piece.path] for piece in group], package, question, say)
            for group in groups
        ),
    )


def _pieces_of(package: PackageMap) -> Iterator[Piece]:
    for file in package.files:
        links = Counter(link.imported for link in package.links if link.importer == file.path)
        yield Piece(file.path, estimate_tokens(render_outline(file)), links)


def _make_part(
    files: Sequence[PackageFile], package: PackageMap, question: str, say: Phrasing
) -> SubjectPart:
    paths = tuple(file.path for file in files)
    title = describe_paths(paths, say)
    task = say(
        f"The package `{package.path}` is being explained to a developer who sees it for the first "
        f"time. Your part is {title}; others look at the rest. Report what each of its files is "
        "for, how they work together and with the rest, and what one must know to change them "
        "safely, the conventions they break included.",
        f"正在向第一次看到包 `{package.path}` 的开发者解释它。你负责的部分是 {title}，"
        "其余部分由他人负责。请报告其中每个文件的用途、它们之间以及与其余部分如何协作、"
        "安全修改时必须知道什么，包括违反了哪些约定。请用中文报告。",
    )
    return SubjectPart(
        title=title,
        paths=paths,
        task=add_question(task, question, say),
        material=(
            ("kind=outline", fit_outlines(files, PART_TOKENS)),
            ("kind=imports", _list_links(set(paths), package)),
            ("kind=findings", _list_findings(files, say)),
        ),
    )


def _list_links(paths: set[str], package: PackageMap) -> str:
    links = [
        f"{link.importer}:{link.line} imports {link.imported}"
        for link in (*package.links, *package.users)
        if link.importer in paths or link.imported in paths
    ]
    n_more = len(links) - _SHOWN_LINKS
    more = [f"({n_more} more)"] if n_more > 0 else []
    return "\n".join([*links[:_SHOWN_LINKS], *more])


def _list_findings(files: Sequence[PackageFile], say: Phrasing) -> str:
    return "\n".join(
        render_finding(finding, file.source, say)
        for file in files
        for finding in file.report.findings
    )


def _ask_for_all(package: PackageMap, say: Phrasing) -> str:
    return say(
        f"Explain the package `{package.path}` to a developer who sees it for the first time: what "
        "it is for; its parts, and how they work together on a typical use; who uses it; what to "
        "watch out for when changing it, the conventions included.",
        f"请向第一次看到包 `{package.path}` 的开发者解释它：它的用途；由哪些部分组成，"
        "一次典型的使用中它们如何协作；谁在使用它；修改时需要注意什么，包括团队约定。请用中文回答。",
    )
