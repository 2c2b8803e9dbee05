"""Analyse a package or a change: split it, look at the parts side by side, and merge.

Each part is given to a helper with its material; the reports, with the places they name, are
merged in one last request. Without a model the facts themselves are the answer.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from glossator.agent.prompt import frame_material
from glossator.app.analysis.change_subject import make_change_subject
from glossator.app.analysis.package_subject import make_package_subject
from glossator.app.analysis.subjects import Subject, SubjectPart
from glossator.app.context import Context
from glossator.app.helping import Equipment, correct_places, equip
from glossator.app.instructions.giving import (
    CODE_REVIEW,
    describe_left_out,
    judge_paths,
    write_parts,
)
from glossator.app.notices import explain_missing_model
from glossator.app.phrasing import Phrasing
from glossator.app.results import Analysis, AnalysisPart, AnalysisTask
from glossator.app.sessions import NOT_KEPT
from glossator.app.verdicts import list_verdicts
from glossator.app.writing import (
    Written,
    keep_partial,
    stop_reason_of,
    write_answer,
)
from glossator.core.errors import ModelUnavailable
from glossator.core.events import BriefingReady, StepStarted, TurnStarted
from glossator.core.messages import Message
from glossator.instructions.standing import Standing
from glossator.model.port import ChatModel
from glossator.sessions.session import FinishedTurn, Session

MakeSubject = Callable[[Context], Subject]


def make_subject(
    task: AnalysisTask, path: str, revision: str, question: str, context: Context
) -> Subject:
    """Look at what is to be analysed, and split it.

    Reads files of the workspace: call it in a worker thread.

    Raises:
        OutsideWorkspace, ProtectedFile, UnreadableFile, InvalidArguments, UnreadableRepository:
            it cannot be looked at.
    """
    if task == "package":
        return make_package_subject(path, question, context)
    return make_change_subject(path, revision, question, context)


async def analyze(
    context: Context, session: Session, asked: str, make_subject: MakeSubject
) -> Analysis:
    """Analyse what `make_subject` finds. A turn that fails or is cancelled leaves no trace.

    `asked` says in a few words what was asked for.
    """
    say, parts = context.say, context.parts
    context.emit(TurnStarted("analyze", session.id, asked))
    context.emit(StepStarted(say("Reading the code", "正在阅读代码")))
    subject = await asyncio.to_thread(make_subject, context)
    context.emit(BriefingReady(subject.facts))
    if parts.model is None or not subject.parts:
        notice = explain_missing_model(parts, say) if subject.parts else ""
        stop_reason = "no-model" if subject.parts else "answered"
        return await _tell_facts(context, session, subject, notice, stop_reason)
    try:
        return await _with_model(context, parts.model, session, subject)
    except ModelUnavailable as error:
        partial = await keep_partial(context, error)
        if partial is not None:
            context.end(partial.stop_reason, error=partial.error)
            return _make_analysis(session, subject, (), partial, partial.notice)
        notice = say(
            f"The model did not answer: {error} The facts above were gathered without it.",
            f"模型没有回答：{say.translate(str(error))}以上事实不依赖模型。",
        )
        return await _tell_facts(
            context, session, subject, notice, stop_reason_of(error), str(error)
        )


async def _with_model(
    context: Context, model: ChatModel, session: Session, subject: Subject
) -> Analysis:
    equipment = await equip(context, model)
    instructions = await asyncio.to_thread(_judge, context, subject, subject.parts, 1)
    found: tuple[AnalysisPart, ...] = ()
    if len(subject.parts) > 1 and context.parts.settings.agent.helpers:
        found = await _look_at_parts(context, equipment, subject)
    try:
        if found:
            request, equipment = (
                _ask_to_merge(subject, found, instructions, context.say),
                equipment.without_tools(),
            )
        else:
            request = _ask_for_all(subject, instructions)
        written = await write_answer(context, model, (), request, equipment)
    except ModelUnavailable as error:
        if not found:
            raise
        return await _put_together(context, session, subject, found, error)
    turn = FinishedTurn(
        subject.question,
        written.messages,
        by_model=True,
        stop_reason=written.stop_reason,
        is_about_code=True,
        usage=written.usage,
        citations=written.verdicts,
    )
    kept = await context.sessions.remember(session, turn, context.say)
    context.end(written.stop_reason, written.usage)
    notices = [written.notice, _describe_failures(found, context.say), kept.notice]
    notices.append(describe_left_out(instructions, context.say))
    notice = " ".join(filter(None, notices))
    analysis = _make_analysis(session, subject, found, written, notice)
    return replace(analysis, number=kept.number)


async def _look_at_parts(
    context: Context, equipment: Equipment, subject: Subject
) -> tuple[AnalysisPart, ...]:
    """Give each part to a helper; those that fail are kept with the reason.

    What is spent on instructions is shared among the parts.

    Raises:
        ModelUnavailable: all of them failed.
    """
    from glossator.agent.helpers import HelperFailed, Job

    n_done = 0
    parts = subject.parts

    def count_done() -> None:
        nonlocal n_done
        n_done += 1
        context.emit(
            StepStarted(context.say("Parts looked at", "已查看的部分"), n_done, len(parts))
        )

    jobs = []
    for part in parts:
        judged = await asyncio.to_thread(_judge, context, subject, (part,), len(parts))
        material = frame_material([*write_parts(judged), *part.material])
        jobs.append(Job(part.task, material, part.title))
    context.emit(StepStarted(context.say("Looking at the parts", "正在查看各部分"), 0, len(parts)))
    outcomes = await equipment.helpers.run_all(jobs, on_end=count_done)
    failures = [outcome for outcome in outcomes if isinstance(outcome, HelperFailed)]
    if len(failures) == len(outcomes):
        raise ModelUnavailable(failures[0].reason)
    found = []
    for part, outcome in zip(parts, outcomes, strict=True):
        if isinstance(outcome, HelperFailed):
            found.append(AnalysisPart(part.title, part.paths, str(outcome), "failed"))
            continue
        citations = await context.read_again(outcome.text, outcome.shown)
        found.append(
            AnalysisPart(
                title=part.title,
                paths=part.paths,
                markdown=outcome.text,
                stop_reason=outcome.stop_reason,
                citations=citations,
                usage=outcome.usage,
            )
        )
    return tuple(found)


def _judge(
    context: Context, subject: Subject, parts: Sequence[SubjectPart], n_shares: int
) -> tuple[Standing, ...]:
    """Judge the instructions for some parts of a subject, with a share of what they may take."""
    return judge_paths(
        context,
        [path for part in parts for path in part.paths],
        subject.question,
        agent=CODE_REVIEW if subject.is_change else "",
        budget_tokens=context.parts.settings.knowledge.instruction_tokens // n_shares,
    )


def _ask_for_all(subject: Subject, instructions: Sequence[Standing]) -> str:
    """Write the request when nobody helps: everything that is known, and the task."""
    material = [
        *write_parts(instructions),
        *subject.overview,
        *(pair for part in subject.parts for pair in part.material),
    ]
    return f"{frame_material(material)}\n\n{subject.task}"


def _ask_to_merge(
    subject: Subject,
    found: Sequence[AnalysisPart],
    instructions: Sequence[Standing],
    say: Phrasing,
) -> str:
    reports = [
        (f"kind=report of={part.title}", correct_places(part.markdown, part.citations))
        for part in found
    ]
    how = say(
        "Helpers looked at the parts; their reports are above. Join them into one answer. Keep the "
        "places that they name (`path:line`) and name no others. Where reports disagree, or one is "
        "missing or ended early, say so.",
        "各部分已由他人查看，报告见上。请把它们合成一个回答，保留报告中给出的位置（`path:line`），"
        "不要写出其他位置。若报告互相矛盾、缺失或提前结束，请说明。",
    )
    material = frame_material([*write_parts(instructions), *subject.overview, *reports])
    return f"{material}\n\n{subject.task}\n\n{how}"


def _make_analysis(
    session: Session,
    subject: Subject,
    found: tuple[AnalysisPart, ...],
    written: Written,
    notice: str,
) -> Analysis:
    return Analysis(
        session_id=session.id,
        title=subject.title,
        markdown=written.text,
        by_model=True,
        notice=notice,
        stop_reason=written.stop_reason,
        parts=found,
        citations=written.citations,
        usage=written.usage,
    )


def _describe_failures(found: Sequence[AnalysisPart], say: Phrasing) -> str:
    failed = [part.title for part in found if part.stop_reason == "failed"]
    if not failed:
        return ""
    names = say.join(failed)
    return say(
        f"{len(failed)} of {len(found)} parts were not looked at: {names}.",
        f"{len(found)} 个部分中有 {len(failed)} 个没有查看：{names}。",
    )


async def _put_together(
    context: Context,
    session: Session,
    subject: Subject,
    found: tuple[AnalysisPart, ...],
    error: ModelUnavailable,
) -> Analysis:
    """Answer with the reports as they are, when the model failed to join them."""
    say = context.say
    written = "\n\n".join(f"## {part.title}\n\n{part.markdown}" for part in found)
    citations = await context.verify(written)
    stop_reason = stop_reason_of(error)
    context.end(stop_reason, error=str(error))
    notice = say(
        f"The reports were not joined: the model did not answer: {error}",
        f"报告没有合并：模型没有回答：{say.translate(str(error))}",
    )
    return Analysis(
        session_id=session.id,
        title=subject.title,
        markdown=written,
        by_model=True,
        notice=" ".join(filter(None, [notice, _describe_failures(found, say)])),
        stop_reason=stop_reason,
        parts=found,
        citations=citations,
    )


async def _tell_facts(
    context: Context,
    session: Session,
    subject: Subject,
    notice: str,
    stop_reason: str,
    error: str = "",
) -> Analysis:
    """Answer with what was found without a model."""
    citations = await context.verify(subject.facts)
    kept = NOT_KEPT
    if not error:
        turn = FinishedTurn(
            subject.question,
            (Message("user", subject.question), Message("assistant", subject.facts)),
            by_model=False,
            stop_reason=stop_reason,
            is_about_code=True,
            citations=list_verdicts(citations),
        )
        kept = await context.sessions.remember(session, turn, context.say)
    context.end(stop_reason, error=error)
    return Analysis(
        session_id=session.id,
        title=subject.title,
        markdown=subject.facts,
        by_model=False,
        notice=" ".join(filter(None, [notice, kept.notice])),
        stop_reason=stop_reason,
        citations=citations,
        number=kept.number,
    )
