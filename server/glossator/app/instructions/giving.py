"""The instructions of a turn: which count for the files it is about, and how a model gets them."""

from collections.abc import Iterable, Sequence

from glossator.app.context import Context
from glossator.app.grounds import Grounds
from glossator.app.instructions.placing import place_file, place_path
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.prose import prose_of_text
from glossator.app.skills.active import number_lines
from glossator.core.locations import Span
from glossator.core.text import SourceText, split_lines
from glossator.instructions.applying import FileAt, judge_for_files
from glossator.instructions.scoping import is_instructions
from glossator.instructions.standing import Standing
from glossator.tools.escaping import escape_invisible

MAX_FILES = 200
_NAMED = 5

Part = tuple[str, str]
CODE_REVIEW = "code-review"
"""What Copilot's files call an agent that reviews changes."""


def judge(
    parts: Parts,
    library: Library,
    sources: Iterable[SourceText],
    question: str = "",
    *,
    agent: str = "",
    budget_tokens: int | None = None,
) -> tuple[Standing, ...]:
    """Judge every document of instructions for some files and a question, as a turn does.

    The budget is that of the settings, unless another is given.
    """
    files = [place_file(source, parts.workspace) for source in sources]
    return judge_places(parts, library, files, question, agent=agent, budget_tokens=budget_tokens)


def judge_places(
    parts: Parts,
    library: Library,
    files: Sequence[FileAt],
    question: str = "",
    *,
    agent: str = "",
    budget_tokens: int | None = None,
) -> tuple[Standing, ...]:
    """Judge as `judge` does, for files that are only known by their places."""
    withheld = tuple(document for document in library.withheld if is_instructions(document))
    if budget_tokens is None:
        budget_tokens = parts.settings.knowledge.instruction_tokens
    return judge_for_files(
        (*library.instructions, *withheld),
        tuple(dict.fromkeys(files))[:MAX_FILES],
        question=question,
        budget_tokens=budget_tokens,
        is_trusted=parts.trust == "trusted",
        agent=agent,
    )


def judge_paths(
    context: Context,
    paths: Iterable[str],
    question: str = "",
    *,
    agent: str = "",
    budget_tokens: int | None = None,
) -> tuple[Standing, ...]:
    """Judge for files by their shown paths; a folder stands for what is in it."""
    files = [file for path in paths if (file := place_path(path, context.parts.workspace))]
    return judge_places(
        context.parts, context.library, files, question, agent=agent, budget_tokens=budget_tokens
    )


def list_looked_at(grounds: Grounds, looked_at: SourceText | None) -> tuple[SourceText, ...]:
    """Return the files that a question is about: the one at the cursor, and those it names."""
    sources = [looked_at] if looked_at is not None else []
    if grounds.briefing is not None:
        sources.append(grounds.briefing.source)
    sources.extend(grounds.files)
    sources.extend(each.source for each in grounds.attached if each.source is not None)
    return tuple({source.name: source for source in reversed(sources)}.values())[::-1]


def write_parts(standings: Sequence[Standing]) -> list[Part]:
    """Return what a model is given: each document numbered, and what is left out in words."""
    parts = [_write_part(standing) for standing in standings if standing.counts]
    left_out = [standing for standing in standings if standing.reason == "over-budget"]
    if left_out:
        lines = [f"{each.document.path} ({each.n_tokens} tokens)" for each in left_out]
        text = "There was no room for these; read them with read_file where they matter:\n"
        parts.append(("kind=instructions-left-out", text + "\n".join(lines)))
    return parts


def covers(standings: Iterable[Standing], path: str, last_line: int) -> bool:
    """Say whether the lines of a file up to `last_line` are given as instructions already."""
    for standing in standings:
        if standing.counts and standing.document.path == path:
            return standing.lines is None or standing.lines[1] >= last_line
    return False


def describe_left_out(standings: Sequence[Standing], say: Phrasing) -> str:
    """Say in a line which instructions were cut or left out for length; nothing if none were."""
    cut = [each for each in standings if each.counts and each.lines is not None]
    left_out = [each for each in standings if each.reason == "over-budget"]
    if not cut and not left_out:
        return ""
    english = [f"`{each.document.path}` is cut after line {_last_line(each)}" for each in cut]
    chinese = [f"`{each.document.path}` 截断于第 {_last_line(each)} 行" for each in cut]
    if left_out:
        names = ", ".join(f"`{each.document.path}`" for each in left_out[:_NAMED])
        n_more = len(left_out) - _NAMED
        english.append(f"{names}{f' and {n_more} more' if n_more > 0 else ''} left out")
        chinese.append(f"省略了 {names}{f' 等另外 {n_more} 个文件' if n_more > 0 else ''}")
    return say(
        "Not all instructions fit into `knowledge.instructionTokens`: " + "; ".join(english) + ".",
        "说明超出了 `knowledge.instructionTokens` 的限制：" + "；".join(chinese) + "。",
    )


def _write_part(standing: Standing) -> Part:
    document = standing.document
    lines = prose_of_text(document.body, document.body_first_line)
    last_line = document.body_first_line + len(split_lines(document.body)) - 1
    note = ""
    if standing.lines is not None:
        last_given = standing.lines[1]
        lines = [(number, line) for number, line in lines if number <= last_given]
        note = (
            f"\n(Cut after line {last_given}: the file has {last_line} lines; read on with "
            "read_file.)"
        )
        last_line = last_given
    while lines and not lines[-1][1].strip():
        lines.pop()
    last_line = min(last_line, lines[-1][0]) if lines else document.body_first_line
    span = Span(document.path, document.body_first_line, last_line)
    return f"kind=instructions place={span}", escape_invisible(number_lines(lines)) + note


def _last_line(standing: Standing) -> int:
    return standing.lines[1] if standing.lines is not None else 0
