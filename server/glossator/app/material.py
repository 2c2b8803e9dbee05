"""What the model is given at the start of a turn: facts first, so that it needs fewer rounds."""

from collections.abc import Iterator, Sequence

from glossator.agent.prompt import frame_material
from glossator.app.attached_text import write_attached
from glossator.app.briefing import Briefing, span_of
from glossator.app.briefing_text import render_briefing
from glossator.app.complaints import ComplaintGrounds, render_complaint, render_grounds
from glossator.app.grounds import Grounds
from glossator.app.instructions.giving import covers, write_parts
from glossator.app.phrasing import Phrasing
from glossator.app.prose import prose_of
from glossator.app.skills.active import SkillText, number_lines
from glossator.core.locations import Span
from glossator.core.text import SourceText
from glossator.instructions.standing import Standing
from glossator.knowledge.documents import Section
from glossator.knowledge.routing import Found, NoKnowledge
from glossator.tools.escaping import quote_name
from glossator.tools.workspace import Workspace

_MAX_FUNCTION_LINES = 300
_MAX_FILE_LINES = 120
_MAX_TOP_LEVEL = 60

Part = tuple[str, str]


def request_explanation(
    briefing: Briefing, say: Phrasing, instructions: Sequence[Standing] = ()
) -> str:
    """Write the user message that asks for an explanation, with the instructions that count."""
    task = say(
        f"Explain `{briefing.title}` ({briefing.span}) to a developer who sees it for the first "
        "time: what it does and why, step by step where that helps; who depends on it; what to "
        "watch out for, including the conventions it touches.",
        f"请向第一次看到这段代码的开发者解释 `{briefing.title}`（{briefing.span}）：它做什么、"
        "为什么这样做，必要时分步说明；谁依赖它；需要注意什么，包括涉及的团队约定。请用中文回答。",
    )
    parts = [*write_parts(instructions), *_briefing_parts(briefing, say)]
    return f"{frame_material(parts)}\n\n{task}"


def request_help(
    grounds: ComplaintGrounds, say: Phrasing, instructions: Sequence[Standing] = ()
) -> str:
    """Write the user message that asks what a tool's complaint means, with what is known of it."""
    task = say(
        f"A tool reports a problem at {grounds.place}; its words are material of kind=diagnostic. "
        "Explain to the developer what it means for this code: what is wrong and why, or why it "
        "may be a false alarm; what to change, with the shortest code that does it; which of the "
        "conventions it touches.",
        f"有工具在 {grounds.place} 报告了一个问题，其原话见 kind=diagnostic 的材料。"
        "请向开发者解释它对这段代码意味着什么：哪里有问题、为什么，或者为什么可能是误报；应当怎么改，给出最短的代码；"
        "涉及哪些约定。请用中文回答。",
    )
    parts = [
        *write_parts(instructions),
        (f"kind=diagnostic place={grounds.place}", render_complaint(grounds.complaint, say)),
        (f"kind=facts place={grounds.around}", render_grounds(grounds, say)),
        *_briefing_parts(grounds.briefing, say),
    ]
    return f"{frame_material(parts)}\n\n{task}"


def request_answer(
    grounds: Grounds,
    overview: str,
    say: Phrasing,
    skills: Sequence[SkillText] = (),
    instructions: Sequence[Standing] = (),
) -> str:
    """Write the user message that asks the question, with what was found for it.

    `skills` are those whose text is to be given with it, `instructions` are judged for it.
    """
    parts: list[Part] = [("kind=workspace", overview)]
    parts.extend(write_parts(instructions))
    briefed = grounds.briefing.span if grounds.briefing and grounds.briefing.function else None
    parts.extend(write_attached(grounds.attached, briefed))
    parts.extend(_knowledge_parts(grounds, instructions))
    parts.extend((skill.label, skill.whole) for skill in skills)
    for name, places in grounds.places:
        lines = "\n".join(f"{place.path}:{place.line}" for place in places)
        parts.append((f"kind=definitions of={name}", lines))
    parts.extend(
        (f"kind=file place={_span_of_first_lines(file)}", _first_lines(file))
        for file in grounds.files
    )
    if grounds.briefing is not None:
        parts.extend(_briefing_parts(grounds.briefing, say))
    note = ""
    if isinstance(grounds.knowledge, NoKnowledge):
        note = (
            "No team knowledge matches this question. Answer from the code only, state no "
            "conventions, and say that the knowledge has nothing on it where that matters.\n\n"
        )
    if grounds.invocation.skills:
        names = ", ".join(quote_name(skill.name) for skill in grounds.invocation.skills)
        note += f"The user asks you to go by the skill {names}.\n\n"
    return f"{frame_material(parts)}\n\n{note}{grounds.question}"


def _knowledge_parts(grounds: Grounds, instructions: Sequence[Standing]) -> Iterator[Part]:
    if isinstance(grounds.knowledge, Found):
        for hit in grounds.knowledge.hits:
            if is_given_already(hit.section, grounds, instructions):
                continue
            text = f"{hit.section.title}\n{number_lines(prose_of(hit.section))}"
            if grounds.knowledge.n_lines_cut and hit is grounds.knowledge.hits[0]:
                text += f"\n({grounds.knowledge.n_lines_cut} more lines are left out.)"
            yield f"kind=knowledge place={span_of(hit)}", text


def is_given_already(section: Section, grounds: Grounds, instructions: Sequence[Standing]) -> bool:
    """Say whether a section that was found stands in instructions or a skill that are given."""
    if covers(instructions, section.path, section.last_line):
        return True
    return any(section.path == skill.path for skill in grounds.skills)


def _briefing_parts(briefing: Briefing, say: Phrasing) -> Iterator[Part]:
    yield f"kind=briefing place={briefing.span}", render_briefing(briefing, say)
    if briefing.function is not None:
        yield f"kind=code place={briefing.span}", _code_of(briefing.source, briefing.span)


def _code_of(source: SourceText, span: Span) -> str:
    lines = source.lines[span.first_line - 1 : span.last_line]
    text = _number(lines[:_MAX_FUNCTION_LINES], span.first_line)
    n_left = len(lines) - _MAX_FUNCTION_LINES
    if n_left > 0:
        text += f"\n({n_left} more lines; read on with read_file.)"
    return text


def _span_of_first_lines(source: SourceText) -> Span:
    return Span(source.name, 1, max(1, min(len(source.lines), _MAX_FILE_LINES)))


def _first_lines(source: SourceText) -> str:
    text = _number(source.lines[:_MAX_FILE_LINES], 1)
    n_left = len(source.lines) - _MAX_FILE_LINES
    if n_left > 0:
        text += f"\n({n_left} more lines; read on with read_file.)"
    return text


def _number(lines: Sequence[str], first_line: int) -> str:
    return number_lines(list(enumerate(lines, first_line)))


def list_top_level(workspace: Workspace) -> str:
    """List what stands at the top of each folder of the workspace, for orientation."""
    lines = []
    for root in workspace.roots:
        try:
            entries = sorted(entry for entry in root.iterdir() if not entry.name.startswith("."))
        except OSError:  # Deleted, or closed to us.
            entries = []
        names = [f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries]
        shown = ", ".join(names[:_MAX_TOP_LEVEL])
        if len(names) > _MAX_TOP_LEVEL:
            shown += f" and {len(names) - _MAX_TOP_LEVEL} more"
        lines.append(f"{root.name}: {shown}")
    return "\n".join(lines) or "No folder is open."
