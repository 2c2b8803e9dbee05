"""What a turn would find for a file and a question, by the very functions of a turn."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from glossator.app.asking import find_refusal
from glossator.app.checking.finishing import make_check
from glossator.app.grounds import Grounds, find_grounds
from glossator.app.instructions.giving import judge, list_looked_at
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import Refusal
from glossator.app.unused_documents import find_unused
from glossator.app.why.knowledge import Findings, look_around
from glossator.app.why.search import WholeSearch
from glossator.app.why.subject import Subject
from glossator.instructions.standing import Standing
from glossator.knowledge.wording import read_wording
from glossator.skills.catalogue import make_catalogue
from glossator.skills.choosing import Choice, choose_skills
from glossator.skills.skill import Skill


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn would find for the file `path`, below its root.

    `standings` are those of instructions by path, `order` the order in which they are given.
    Without a question there are no `findings`. A question has to name documents that are `unused`.
    """

    path: str | None
    choice: Choice
    offered: tuple[Skill, ...]
    unused: Collection[str]
    standings: Mapping[str, Standing]
    order: Mapping[str, int] = field(default_factory=dict)
    findings: Findings | None = None
    refusal: Refusal | None = None
    notices: tuple[str, ...] = ()


def look(subject: Subject, question: str, parts: Parts, library: Library, say: Phrasing) -> Turn:
    """Look for what a question about the subject rests on, by what a turn looks with.

    Reads files of the workspace: call it in a worker thread.
    """
    source = subject.source
    path, root = (source.scope, source.root) if source else (None, "")
    grounds: Grounds | None = None
    search = WholeSearch(parts.members)
    unused = find_unused(parts.workspace, library.index.globs)
    if question:
        grounds = find_grounds(
            question,
            parts.workspace,
            parts.code_map,
            library,
            check=make_check(library, parts, say),
            target=subject.target,
            find=search.find,
            max_tokens=parts.settings.knowledge.max_tokens,
        )
    wording = read_wording(grounds.subject if grounds else "")
    looked_at = list_looked_at(grounds, source) if grounds else (source,) if source else ()
    standings = judge(parts, library, looked_at, question)
    return Turn(
        path=path,
        choice=grounds.choice
        if grounds
        else choose_skills(library.skills, wording, path, root=root),
        offered=make_catalogue(library.skills, wording, path, root=root).offered,
        unused=unused,
        standings={each.document.path: each for each in standings},
        order={each.document.path: place for place, each in enumerate(standings)},
        findings=look_around(grounds, standings, library, path, search, unused)
        if grounds
        else None,
        refusal=find_refusal(parts, library, grounds) if grounds else None,
        notices=tuple(search.list_notices(say)),
    )
