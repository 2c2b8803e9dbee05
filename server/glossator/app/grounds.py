"""What a question rests on, found before any model is asked: knowledge, skills and code.

The refusal is decided here too: a question about conventions or the domain that no knowledge
covers is refused, a question about the code is not.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from glossator.app.briefing import Briefing, gather_briefing
from glossator.app.library import Library
from glossator.app.results import Target
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.knowledge.routing import Found, NoKnowledge, retrieve
from glossator.knowledge.wording import read_wording
from glossator.skills.choosing import Skill, choose_skills
from glossator.tools.code_map import CodeMap, Place
from glossator.tools.workspace import Workspace

_MAX_NAMES = 12
_MAX_PLACES_PER_NAME = 5

_QUOTED = re.compile(r"`([^`\n]{1,200})`")
_PATH = re.compile(r"[\w./\\-]*[\w-]\.[A-Za-z]\w{0,9}\b")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*")
_LOOKS_LIKE_CODE = re.compile(r"_|::|[a-z][A-Z]|\w\.\w|\d")
# Words with which people speak about the code in front of them rather than about how the team
# wants it written.
_ABOUT_CODE = re.compile(
    r"\b(this|that|the|our|my) (function|method|class|module|file|package|project|repo(sitory)?|"
    r"workspace|codebase|code|test|script|program|app(lication)?|server)\b"
    r"|\bwhere (is|are|do|does|in)\b.*\b(implemented|defined|declared|handled|called|used|set|"
    r"created|stored|parsed|checked|logged|file|function|class|code)\b"
    r"|\b(who|what) (calls|uses|imports)\b|\bcall(ed|er|ers) (of|by)\b"
    r"|\b(entry point|call chain)\b"
    r"|[这那]个?(函数|方法|类|模块|文件|包|项目|仓库|工程|代码|测试|脚本|程序)"
    r"|(项目|仓库|工作区|代码库?)(里|中|内|的)|(谁|哪里|哪些地方)(在)?(调用|使用)|被谁(调用|使用)"
    r"|(在|是)哪(里|儿|个)?.{0,8}(实现|定义|处理|调用|使用|创建|解析)"
    r"|(实现|定义|处理|调用|使用|创建|解析).{0,4}在哪|哪个(文件|函数|模块|类|方法)|调用链|入口",
    re.IGNORECASE,
)
# Words that point at the code under the cursor, or back at what was just talked about.
_POINTS = re.compile(
    r"\b(this|these|that|those|it|its|they|them|here|above|below|selected|selection|cursor)\b"
    r"|^(and|also|but|so|why|what about|how about)\b"
    r"|[这那它]|此处|当前|选中|光标|上面|下面|呢|为什么|还有|继续",
    re.IGNORECASE,
)
# Words with which people ask what they ought to do.
_ABOUT_CONVENTIONS = re.compile(
    r"\b(should|shall|must|may|allowed|convention|conventions|guideline|guidelines|policy|rule|"
    r"rules|standard|standards|best practice|style guide|agreed?|agreement|recommend(ed)?)\b"
    r"|规范|约定|应该|应当|必须|可不可以|能不能|允许|标准|规则|规定|准则|最佳实践|推荐|建议",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Grounds:
    """What was found for a question.

    `places` are definitions of names and files that the question mentions; `briefing` is about
    the function at the cursor or the one function that the question is about.
    """

    question: str
    knowledge: Found | NoKnowledge
    skills: tuple[Skill, ...]
    places: tuple[tuple[str, tuple[Place, ...]], ...]
    files: tuple[SourceText, ...]
    briefing: Briefing | None
    asks_about_code: bool

    @property
    def is_refused(self) -> bool:
        """Whether nothing here can answer the question."""
        return isinstance(self.knowledge, NoKnowledge) and not self.asks_about_code


def find_grounds(
    question: str,
    workspace: Workspace,
    code_map: CodeMap,
    library: Library,
    *,
    target: Target | None = None,
    follows_code: bool = False,
) -> Grounds:
    """Look for what the question rests on. `follows_code`: the turn before was about code.

    Reads files of the workspace: call it in a worker thread.
    """
    path = target.source.name if target else None
    places = tuple(_find_places(question, code_map))
    files = tuple(_find_files(question, workspace))
    briefing = _find_briefing(question, places, workspace, code_map, library, target)
    names_code = bool(places or files)
    wants_convention = _ABOUT_CONVENTIONS.search(question) is not None
    points_at_code = (target is not None or follows_code) and _POINTS.search(question) is not None
    speaks_of_code = points_at_code or _ABOUT_CODE.search(question) is not None
    return Grounds(
        question=question,
        knowledge=retrieve(library.index, question, path=path),
        skills=choose_skills(library.skills, read_wording(question), path).skills,
        places=places,
        files=files,
        briefing=briefing,
        asks_about_code=names_code or (speaks_of_code and not wants_convention),
    )


def find_names(question: str) -> tuple[str, ...]:
    """Return the identifiers that a question mentions: in backticks, or spelled like code."""
    names: dict[str, None] = {}
    for match in _QUOTED.finditer(question):
        for name in _IDENTIFIER.findall(match[1]):
            names[name] = None
    for match in _IDENTIFIER.finditer(question):
        if _LOOKS_LIKE_CODE.search(match[0]) or question[match.end() : match.end() + 1] == "(":
            names[match[0]] = None
    return tuple(names)[:_MAX_NAMES]


def _find_places(question: str, code_map: CodeMap) -> Iterator[tuple[str, tuple[Place, ...]]]:
    for name in find_names(question):
        parts = re.split(r"\.|::|#", name)
        found: tuple[Place, ...] = code_map.find_definitions(parts[-1])
        if len(parts) > 1:
            container = parts[-2]
            exact = [
                place
                for place in found
                if place.function and place.function.container.split(".")[-1] == container
            ]
            found = tuple(exact) or found
        if found:
            yield name, tuple(found[:_MAX_PLACES_PER_NAME])


def _find_files(question: str, workspace: Workspace) -> Iterator[SourceText]:
    for match in _PATH.finditer(question):
        try:
            yield workspace.read(match[0])
        except GlossatorError:
            continue


def _find_briefing(
    question: str,
    places: Sequence[tuple[str, tuple[Place, ...]]],
    workspace: Workspace,
    code_map: CodeMap,
    library: Library,
    target: Target | None,
) -> Briefing | None:
    if len(places) == 1 and len(places[0][1]) == 1 and places[0][1][0].function is not None:
        place = places[0][1][0]
        try:
            source = workspace.read(place.path)
        except GlossatorError:
            return None
        point = place.function.name_range.start if place.function else None
        return gather_briefing(Target(source, point), code_map, library) if point else None
    if target is not None:
        return gather_briefing(target, code_map, library)
    return None
