"""A change to be reviewed: split by the files that differ, large ones by their hunks."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from glossator.app.analysis.change_facts import ChangedFile, gather_change
from glossator.app.analysis.change_text import (
    describe_against,
    describe_file,
    list_findings,
    render_change,
)
from glossator.app.analysis.splitting import Piece, split_pieces
from glossator.app.analysis.subjects import (
    MAX_PARTS,
    PART_TOKENS,
    Material,
    Subject,
    SubjectPart,
    add_question,
    describe_paths,
)
from glossator.app.briefing_text import render_briefing
from glossator.app.context import Context
from glossator.app.phrasing import Phrasing
from glossator.app.rule_words import choose_words
from glossator.core.locations import Range
from glossator.core.tokens import estimate_tokens
from glossator.tools.changes import Comparison
from glossator.tools.diff_text import Difference, DiffText
from glossator.tools.line_diffs import Hunk
from glossator.tools.workspace import Workspace

_BRIEFED_TOKENS = 3_000
_SHOWN_RULES = 40
_CHARACTERS_PER_TOKEN = 3
_SAME_FILE = 10


def make_change_subject(path: str, revision: str, question: str, context: Context) -> Subject:
    """Look at what changed and split it.

    Reads files of the workspace: call it in a worker thread.

    Raises:
        OutsideWorkspace, ProtectedFile, InvalidArguments, UnreadableRepository: as `gather_change`.
    """
    say = context.say
    change = gather_change(path, revision, context.parts, context.library, say)
    facts, against = render_change(change, say), describe_against(change, say)
    slices = {f"{each.path}#{number:04}": each for number, each in enumerate(_slice(change.files))}
    pieces = _pieces_of(slices)
    groups = split_pieces(pieces, part_tokens=PART_TOKENS, n_parts=MAX_PARTS)
    asked = say(f"Review the changes since {against}", f"评审自 {against} 以来的改动")
    return Subject(
        title=say(f"Changes since {against}", f"自 {against} 以来的改动"),
        question=question or asked,
        task=add_question(_ask_for_all(against, say), question, say),
        facts=facts,
        overview=((f"kind=facts against={against}", facts),),
        parts=tuple(
            _make_part([slices[piece.path] for piece in group], question, context)
            for group in groups
        ),
        is_change=True,
    )


def _slice(files: Sequence[ChangedFile]) -> Iterator[ChangedFile]:
    """Yield each file that has hunks; one that is too large in several, each with some of them."""
    for file in files:
        hunks: list[Hunk] = []
        n_tokens = 0
        for hunk in file.diff.hunks:
            size = _size_of(hunk)
            if hunks and n_tokens + size > PART_TOKENS:
                yield replace(file, diff=replace(file.diff, hunks=tuple(hunks)))
                hunks, n_tokens = [], 0
            hunks.append(hunk)
            n_tokens += size
        if hunks:
            yield replace(file, diff=replace(file.diff, hunks=tuple(hunks)))


def _size_of(hunk: Hunk) -> int:
    return estimate_tokens("".join(line.text for line in hunk.lines))


def _pieces_of(slices: dict[str, ChangedFile]) -> Iterator[Piece]:
    """Yield a piece for each slice, linked to those with callers and tests, and of its file."""
    by_path: defaultdict[str, list[str]] = defaultdict(list)
    for name, file in slices.items():
        by_path[file.path].append(name)
    for name, file in slices.items():
        links = Counter({other: _SAME_FILE for other in by_path[file.path] if other != name})
        for briefing in file.briefings:
            for caller in (*briefing.callers, *briefing.tests):
                links.update(by_path.get(caller.place.path, ()))
        yield Piece(name, sum(map(_size_of, file.diff.hunks)), links)


def _make_part(files: Sequence[ChangedFile], question: str, context: Context) -> SubjectPart:
    say = context.say
    paths = tuple(dict.fromkeys(file.path for file in files))
    title = describe_paths(paths, say)
    task = say(
        f"A change is being reviewed. Your part is what it does in {title}; others look at the "
        "rest. Report what the change does there; what may break, looking at the callers; what is "
        "not tested; which conventions it breaks; and what is unclear. Say where, in lines as they "
        "are now. Praise and summaries of what is fine are not wanted.",
        f"正在评审一次改动。你负责的部分是它在 {title} 中的改动，其余部分由他人负责。"
        "请报告：改动做了什么；结合调用者，可能破坏什么；哪些没有测试；违反了哪些约定；"
        "哪些地方不清楚。用改动后的行号指出位置，不需要称赞，也不必总结没有问题的地方。请用中文报告。",
    )
    return SubjectPart(
        title=title,
        paths=paths,
        task=add_question(task, question, say),
        material=_gather_material(files, context.parts.workspace, say),
    )


def _gather_material(files: Sequence[ChangedFile], workspace: Workspace, say: Phrasing) -> Material:
    rules = {rule.id: rule for file in files for rule in file.rules}
    shown = [
        f"- {choose_words(rule.text, rule.rationale, say)[0]} ({rule.path}:{rule.line})"
        for rule in rules.values()
    ]
    facts = [f"- {describe_file(file, say)}" for file in files]
    return (
        ("kind=conventions", "\n".join(shown[:_SHOWN_RULES])),
        (
            "kind=facts",
            "\n".join([*dict.fromkeys(facts), *dict.fromkeys(list_findings(files, say))]),
        ),
        *_brief(files, say),
        ("kind=diff", _render_diff(files, workspace)),
    )


def _brief(files: Sequence[ChangedFile], say: Phrasing) -> Iterator[tuple[str, str]]:
    """Yield the briefings of the functions that changed, as many as there is room for."""
    n_left = _BRIEFED_TOKENS
    for file in files:
        places = {function.range for function in file.functions if _is_in(function.range, file)}
        for briefing in file.briefings:
            if briefing.function is None or briefing.function.range not in places:
                continue
            text = render_briefing(briefing, say)
            n_left -= estimate_tokens(text)
            if n_left < 0:
                return
            yield f"kind=briefing place={briefing.span}", text


def _is_in(place: Range, file: ChangedFile) -> bool:
    """Say whether a function stands in one of the hunks, of which a slice has only some."""
    return any(
        place.start.line <= hunk.last_line and hunk.first_line <= place.end.line
        for hunk in file.diff.hunks
    )


def _render_diff(files: Sequence[ChangedFile], workspace: Workspace) -> str:
    difference = Difference("before", "", Comparison((), 0), tuple(file.diff for file in files))
    return DiffText(workspace, 1, PART_TOKENS * _CHARACTERS_PER_TOKEN).render(difference)


def _ask_for_all(against: str, say: Phrasing) -> str:
    return say(
        f"Review the changes since {against} for the developer who made them: what the change "
        "does, in two or three sentences; then the findings, the most serious first: what may "
        "break and for whom, what is not tested, which conventions are broken; then what is "
        "uncertain. Say where, with lines as they are now. If nothing is wrong, say that.",
        f"请为作者评审自 {against} 以来的改动：先用两三句话说明改动做了什么；"
        "然后列出问题，最严重的在前：可能破坏什么、影响谁，哪些没有测试，违反了哪些约定；最后说明不确定之处。"
        "用改动后的行号指出位置。如果没有问题，请直说。请用中文回答。",
    )
