"""Judge every file the team wrote by what a turn would do with it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from glossator.app.hints.hint import make_judge
from glossator.app.hints.matching_files import MatchingFiles, count_each
from glossator.app.library import Library
from glossator.app.library.value import FoundFile
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import Problem
from glossator.app.why.instructions import judge_standing
from glossator.app.why.knowledge import (
    Findings,
    await_question,
    judge_knowledge,
    judge_sections,
    match_globs,
)
from glossator.app.why.report import Cause, Judged, Share, Use, Verdict, Why
from glossator.app.why.rules import report_rules
from glossator.app.why.skills import judge_skill
from glossator.app.why.subject import Subject
from glossator.app.why.turn import Turn, look
from glossator.core.text import split_lines
from glossator.core.tokens import estimate_tokens
from glossator.knowledge.documents import Document
from glossator.tools.workspace import Workspace


def explain_use(
    subject: Subject, question: str, parts: Parts, library: Library, say: Phrasing
) -> Why:
    """Say of every file the team wrote whether it would be used, and why.

    Reads files of the workspace: call it in a worker thread.
    """
    turn = look(subject, question, parts, library, say)
    problems = _group_problems(library.problems, say)
    found = list(library.list_found())
    walked = frozenset(parts.workspace.list_files().paths)
    files = [_judge(each, turn, problems, parts, walked) for each in found]
    files += _list_shared(turn, {judged.path for judged in files})
    files.sort(key=lambda judged: _weigh(judged, turn))
    counted = _count_files(subject, found, parts.workspace)
    files = [_with_count(judged, counted) for judged in files]
    shown = {each.document.path for each in found}
    left = tuple(p for path, each in problems.items() if path not in shown for p in each)
    return Why(
        path=subject.name,
        place=subject.place,
        question=question,
        files=tuple(files),
        rules=report_rules(subject.source, library, parts, say),
        shares=tuple(_add_up(files, parts)),
        is_ignored=subject.is_ignored,
        refused=turn.refusal.reason if turn.refusal else "",
        message=turn.refusal.message if turn.refusal else "",
        notices=(*turn.notices, *_list_switched_off(parts, say)),
        n_files=max((each.n_looked_at for each in counted.values()), default=0),
        problems=(*((subject.problem,) if subject.problem else ()), *left),
    )


def _judge(
    found: FoundFile,
    turn: Turn,
    problems: Mapping[str, tuple[Problem, ...]],
    parts: Parts,
    walked: Collection[str],
) -> Judged:
    document = found.document
    verdict = _decide(found, turn)
    if turn.refusal is not None and verdict.use != "unused":
        verdict = Verdict("unused", (*verdict.causes, Cause("refused")))
    notes = list(_take_note(found, parts.workspace, walked))
    return Judged(
        path=document.path,
        file=found.file,
        name=document.name,
        family="skill" if found.kind == "skill" else document.family,
        origin=document.origin,
        verdict=replace(verdict, causes=(*verdict.causes, *notes)),
        n_tokens=estimate_tokens(document.text),
        n_lines=len(split_lines(document.text)),
        globs=document.globs_written or document.globs,
        keywords=document.keywords,
        problems=problems.get(document.path, ()),
    )


def _list_shared(turn: Turn, known: Collection[str]) -> Iterator[Judged]:
    """Yield what was found in documents that stand in no folder here: in the team's index."""
    if turn.findings is None:
        return
    for path, hits in turn.findings.found.items():
        if path in known:
            continue
        name = hits[0].section.document
        verdict = judge_sections(hits, turn.findings)
        if turn.refusal is not None:
            verdict = Verdict("unused", (*verdict.causes, Cause("refused")))
        n_tokens = verdict.n_tokens_given
        yield Judged(path, None, name, "knowledge", "shared", verdict, n_tokens)


def _take_note(found: FoundFile, workspace: Workspace, walked: Collection[str]) -> Iterator[Cause]:
    """Yield what is to be known of a file though it decides nothing.

    Of the files that a walk met none is ignored.
    """
    document = found.document
    if document.imported_by:
        yield Cause("imported", document.imported_by)
    yield from (Cause("note", note) for note in document.notes)
    is_met = str(found.file) in walked
    if not (document.notes or is_met) and workspace.is_ignored(found.file):
        yield Cause("ignored")


def _decide(found: FoundFile, turn: Turn) -> Verdict:
    document = found.document
    if found.standing == "untrusted":
        return Verdict("unused", (Cause("untrusted"),))
    if found.standing == "shadowed":
        return Verdict("unused", (Cause("shadowed", found.shadowed_by),))
    if found.standing == "no-skill":
        return Verdict("unused", (Cause("no-description"),))
    has_question = turn.findings is not None
    if found.kind == "skill":
        globs = tuple(match_globs(document, turn.path))
        verdict = judge_skill(document, turn.choice, turn.offered, globs, has_question=has_question)
    elif document.path in turn.standings:
        verdict = judge_standing(
            turn.standings[document.path],
            has_question=has_question,
            has_file=turn.path is not None,
        )
    elif turn.findings is None:
        return await_question(document, turn.path, turn.unused)
    else:
        return judge_knowledge(document, turn.findings)
    return verdict if turn.findings is None else _add_sections(verdict, document, turn.findings)


def _add_sections(verdict: Verdict, document: Document, findings: Findings) -> Verdict:
    """Add what the question found of a document that is a skill or instructions."""
    found = judge_knowledge(document, findings)
    if found.use != "used":
        return replace(verdict, passages=found.passages)
    causes = (*verdict.causes, *(cause for cause in found.causes if cause not in verdict.causes))
    n_tokens = verdict.n_tokens_given + found.n_tokens_given
    return Verdict("used", causes, n_tokens, verdict.lines, found.passages)


def _count_files(
    subject: Subject, found: Iterable[FoundFile], workspace: Workspace
) -> Mapping[str, MatchingFiles]:
    """Count for how many files each document is, where a folder is looked at."""
    if subject.folder is None:
        return {}
    judges = {
        each.document.path: make_judge(each.document)
        for each in found
        if each.document.globs or each.document.home
    }
    return count_each(workspace, judges, subject.folder)


def _with_count(judged: Judged, counted: Mapping[str, MatchingFiles]) -> Judged:
    found = counted.get(judged.path)
    return judged if found is None else replace(judged, n_files=found.n_matching)


def _list_switched_off(parts: Parts, say: Phrasing) -> Iterator[str]:
    settings = parts.settings.knowledge
    if not settings.instructions:
        yield say(
            "Instructions such as `AGENTS.md` are not read: `knowledge.instructions` is off.",
            "不读取 `AGENTS.md` 等指令文件：`knowledge.instructions` 已关闭。",
        )
    if not settings.bundled:
        yield say(
            "What ships with Glossator is not used: `knowledge.bundled` is off.",
            "不使用 Glossator 自带的内容：`knowledge.bundled` 已关闭。",
        )


def _group_problems(problems: Iterable[Problem], say: Phrasing) -> dict[str, tuple[Problem, ...]]:
    grouped: defaultdict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        told = replace(problem, message=say.translate(problem.message))
        grouped[problem.path].append(told)
    return {path: tuple(each) for path, each in grouped.items()}


_ORDER: Mapping[Use, int] = {"used": 0, "by-question": 1, "unused": 2}


def _weigh(judged: Judged, turn: Turn) -> tuple[object, ...]:
    """Put what is used first, instructions in the order in which they are given."""
    score = max((cause.score or 0.0 for cause in judged.verdict.causes), default=0.0)
    place = turn.order.get(judged.path, len(turn.order))
    is_sound = all(each.is_note for each in judged.problems)
    return _ORDER[judged.use], place if judged.use == "used" else is_sound, -score, judged.path


def _add_up(files: Iterable[Judged], parts: Parts) -> Iterator[Share]:
    instructions = knowledge = skills = 0
    for judged in files:
        verdict = judged.verdict
        found = sum(passage.n_tokens for passage in verdict.passages if passage.is_given)
        knowledge += found
        if judged.family == "skill":
            skills += verdict.n_tokens_given - found
        elif judged.family != "knowledge":
            instructions += verdict.n_tokens_given - found
    settings = parts.settings.knowledge
    yield Share("instructions", instructions, settings.instruction_tokens)
    yield Share("knowledge", knowledge, settings.max_tokens)
    yield Share("skills", skills)
