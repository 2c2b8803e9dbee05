"""What a question rests on, found before any model is asked: knowledge, skills and code.

What a refusal rests on is decided here too: a question about conventions or the domain that no
knowledge covers is unknown, a question about the code is not.
"""

from dataclasses import dataclass

from glossator.app.attachments import Attached, find_focus
from glossator.app.briefing import Briefing
from glossator.app.checking.finishing import Check
from glossator.app.code_evidence import find_files_about
from glossator.app.cues import asks_for_convention, points_elsewhere, speaks_of_code
from glossator.app.library import Library
from glossator.app.named_code import Places, find_briefing, find_named_code, leave_out_names
from glossator.app.results import Target
from glossator.app.retrieval.retrieving import Find, Query, find_knowledge
from glossator.app.unused_documents import find_unused
from glossator.core.text import SourceText
from glossator.knowledge.budgeting import cut_to_budget
from glossator.knowledge.routing import Found, NoKnowledge
from glossator.knowledge.wording import read_wording
from glossator.skills.choosing import Choice, Skill, choose_skills
from glossator.skills.invoking import NOTHING_INVOKED, Invocation, find_invoked
from glossator.tools.code_map import CodeMap
from glossator.tools.workspace import Workspace

SURE = 0.6
"""A score from which on knowledge answers, and nobody looks whether the code does too."""

MAX_SECTIONS = 6
MAX_TOKENS = 6_000
"""So much knowledge is given where the settings say nothing else."""

_MAX_ASKED = 4_000


@dataclass(frozen=True, slots=True)
class Grounds:
    """What was found for a question.

    `places` are definitions of names and files that the question mentions; `briefing` is about
    the function at the cursor or the one function that the question is about. `subject` is what of
    the question knowledge and skills were looked for with.
    """

    question: str
    knowledge: Found | NoKnowledge
    choice: Choice
    places: Places
    files: tuple[SourceText, ...]
    briefing: Briefing | None
    asks_about_code: bool
    wants_convention: bool = False
    subject: str = ""
    invocation: Invocation = NOTHING_INVOKED
    attached: tuple[Attached, ...] = ()

    @property
    def skills(self) -> tuple[Skill, ...]:
        """The skills that the question calls for."""
        return self.choice.skills

    @property
    def is_unknown(self) -> bool:
        """Whether the question asks for knowledge, and there is none; a skill asked for is some."""
        is_covered = self.asks_about_code or bool(self.invocation.skills)
        return isinstance(self.knowledge, NoKnowledge) and not is_covered


def find_grounds(
    question: str,
    workspace: Workspace,
    code_map: CodeMap,
    library: Library,
    *,
    check: Check,
    target: Target | None = None,
    follows_code: bool = False,
    earlier: str = "",
    attached: tuple[Attached, ...] = (),
    find: Find = find_knowledge,
    max_tokens: int = MAX_TOKENS,
) -> Grounds:
    """Look for what the question rests on. `follows_code`: the turn before was about code.

    Knowledge is cut to `max_tokens`, whole sections first. `earlier` is the question before, when
    knowledge answered it: one that points back to it is about the same. What is `attached` is
    what the question is about. Reads files of the workspace: call it in a worker thread.
    """
    target = find_focus(attached) or target
    path = target.source.scope if target else None
    invocation = find_invoked(question, library.skills)
    gist = _shorten(invocation.rest)
    code = find_named_code(gist, workspace, code_map)
    wants_convention = asks_for_convention(gist)
    points_at_code = (target is not None or follows_code) and points_elsewhere(gist)
    is_about_code = points_at_code or speaks_of_code(gist)
    has_code = any(each.source is not None for each in attached)
    asks_about_code = bool(code) or ((is_about_code or has_code) and not wants_convention)
    subject = gist if wants_convention else leave_out_names(gist, code.places)
    if code.is_all and code.files:
        subject = ""  # "This repository" is not about repositories.
    # What the code does is not answered by the documents for its kind of file.
    unused = find_unused(workspace, library.index.globs)
    knowledge = find(library, Query(subject, None if asks_about_code else path, without=unused))
    if earlier and isinstance(knowledge, NoKnowledge) and points_elsewhere(gist):
        knowledge = find(library, Query(_shorten(earlier), path, without=unused))
    files = code.files
    if not (asks_about_code or wants_convention or _is_sure(knowledge)):
        # "How are requests cancelled?" names nothing, and the code speaks of it all the same.
        files = find_files_about(gist, code_map, workspace)
        asks_about_code = bool(files)
    root = target.source.root if target else ""
    wording = read_wording(subject)
    return Grounds(
        question=question,
        knowledge=_cut(knowledge, max_tokens),
        choice=choose_skills(library.skills, wording, path, root=root, invoked=invocation.skills),
        places=code.places,
        files=files,
        briefing=find_briefing(code.places, workspace, code_map, library, target, check),
        asks_about_code=asks_about_code,
        wants_convention=wants_convention,
        subject=subject,
        invocation=invocation,
        attached=attached,
    )


def _is_sure(knowledge: Found | NoKnowledge) -> bool:
    return isinstance(knowledge, Found) and knowledge.best >= SURE


def _cut(knowledge: Found | NoKnowledge, max_tokens: int) -> Found | NoKnowledge:
    if isinstance(knowledge, NoKnowledge):
        return knowledge
    return cut_to_budget(knowledge, limit=MAX_SECTIONS, max_tokens=max_tokens)


def _shorten(question: str) -> str:
    """Leave out the middle of a question that has a whole log in it."""
    if len(question) <= _MAX_ASKED:
        return question
    return f"{question[: _MAX_ASKED // 2]}\n{question[-_MAX_ASKED // 2 :]}"
