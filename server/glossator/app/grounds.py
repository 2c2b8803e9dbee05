"""What a question rests on, found before any model is asked: knowledge, skills and code.

What a refusal rests on is decided here too: a question about conventions or the domain that no
knowledge covers is unknown, a question about the code is not.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from glossator.app.briefing import Briefing, gather_briefing
from glossator.app.checking.finishing import Check
from glossator.app.code_evidence import find_files_about
from glossator.app.library import Library
from glossator.app.results import Target
from glossator.app.retrieval.retrieving import Find, find_knowledge
from glossator.app.unused_documents import find_unused
from glossator.code.languages import find_language
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText, contains_chinese
from glossator.knowledge.budgeting import cut_to_budget
from glossator.knowledge.routing import Found, NoKnowledge
from glossator.knowledge.stemming import stem
from glossator.knowledge.stop_words import HOUSE_WORDS
from glossator.knowledge.wording import read_wording
from glossator.skills.choosing import Choice, Skill, choose_skills
from glossator.skills.invoking import NOTHING_INVOKED, Invocation, find_invoked
from glossator.tools.code_map import CodeMap, Place
from glossator.tools.file_names import FileNames
from glossator.tools.workspace import Workspace

SURE = 0.6
"""A score from which on knowledge answers, and nobody looks whether the code does too."""

MAX_SECTIONS = 6
MAX_TOKENS = 6_000
"""So much knowledge is given where the settings say nothing else."""

_MAX_NAMES = 12
_MAX_PLACES_PER_NAME = 5
_MAX_ASKED = 4_000
_MAX_WALKED = 20_000
_MAX_FILES_NAMED = 3

_QUOTED = re.compile(r"`([^`\n]{1,200})`")
# Begins where nothing of a path stands before: looking on from each character of a long word would
# take the square of its length.
_PATH = re.compile(r"(?<![\w./\\-])[\w./\\-]*[\w-]\.[A-Za-z][A-Za-z0-9_]{0,9}(?![A-Za-z0-9_])")
# Chinese stands next to a path without a space between.
_ASCII_PATH = re.compile(r"[A-Za-z0-9_./\\-]+\Z")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*")
# In backticks a name may be in any language.
_NAME = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#)[^\W\d][\w$]*)*")
_LOOKS_LIKE_CODE = re.compile(r"_|::|[a-z][A-Z]|\w\.\w|\d")
# Where a name of the code stands, though nothing in its spelling tells.
_ASKED = re.compile(
    r"\b(?:how|why) (?:does|do|did|is|are) (?:the |our )?([A-Za-z_]\w*)"
    r"|\bwhat (?:does|do|is|are) (?:the |our )?([A-Za-z_]\w*)"
    r"|\bwhere (?:is|are|does|do) (?:the |our )?([A-Za-z_]\w*)"
    r"|\b(?:explain|describe) (?:the |our )?([A-Za-z_]\w*)"
    r"|\b(?:who|what) (?:calls|uses|imports|implements) (?:the |our )?([A-Za-z_]\w*)"
    r"|\btests? (?:that )?(?:covers?|for|of|exercises?) (?:the |our )?([A-Za-z_]\w*)"
    r"|\b(?:callers|call chain) of (?:the |our )?([A-Za-z_]\w*)"
    r"|\bbetween (?:the |our )?([A-Za-z_]\w*) and (?:the |our )?([A-Za-z_]\w*)"
    r"|\bwhen (?:the |our )?([A-Za-z_]\w*) (?:is|gets) (?:called|created|run)\b",
    re.IGNORECASE,
)
_NO_NAMES = re.compile(
    r"an?|the|th(?:is|at|ese|ose)|its?|the[ymrn]m?|t?here|we|you|s?he|i|our|your|my|is|are|was|were|"
    r"be|do(?:es)?|did|to|in|of|on|for|with|and|or|not?|all|any|some",
    re.IGNORECASE,
)
# Words with which people speak about the code in front of them rather than about how the team
# wants it written.
_ABOUT_CODE = re.compile(
    r"\b(this|that|the|our|my) (function|method|class|module|file|package|project|repo(sitory)?|"
    r"workspace|codebase|code|test|script|program|app(lication)?|server)\b"
    r"|\b(where|how|when) (is|are|do|does|in)\b.*\b(implement|define|declare|handle|call|use|"
    r"create|store|parse|check|log)(s|d|ed)?\b.*\b(here|where|in (the|our|this))\b"
    r"|\bwhere (is|are|do|does|in)\b.*\b(implement|define|declare|handle|call|use|set|"
    r"create|store|parse|check|log|file|function|class|code|configure|register|initiali[sz]e|"
    r"load|validate|compute|render|raise|update|sign)(s|d|ed)?\b"
    r"|\b(what|which|are there|list the) tests?\b.*\b(cover|exercise|check|reach|for)\b"
    r"|\bthe tests\b|\b(dead|source|legacy) code\b|\b(which|what) (files?|functions?|class(es)?)\b"
    r"|代码结构|(运行|跑)测试|(有|是)哪些(文件|函数|模块|接口|类)"
    r"|\b(overview|architecture|structure|layout) of (the|this|our)\b|\bthe architecture\b"
    r"|\b(who|what) (calls|uses|imports)\b|\bcall(ed|er|ers) (of|by)\b"
    r"|\b(entry point|call chain)\b"
    r"|[这那]个?(函数|方法|类|模块|文件|包|项目|仓库|工程|代码|测试|脚本|程序)"
    r"|(项目|仓库|工作区|代码库?)(里|中|内|的)|(谁|哪里|哪些地方)(在)?(调用|使用)|被谁(调用|使用)"
    r"|(在|是)哪(里|儿|个)?.{0,8}(实现|定义|处理|调用|使用|创建|解析|计算|检查|查找|校验|验证|写入|"
    r"读取|发送|注册|加载|初始化|渲染)"
    r"|(实现|定义|处理|调用|使用|创建|解析|计算|检查|查找|校验|验证|写入|读取|发送|注册|加载|初始化|"
    r"渲染).{0,4}在哪|哪个(文件|函数|模块|类|方法)|调用链|入口"
    # How something is done tells what the code does; how to do it asks for a convention.
    r"|是(怎么|如何|怎样).{1,12}的|(怎么|如何|怎样)(实现|工作|运作)的?|工作原理"
    r"|(做|干)了?(什么|啥)|有?什么(作用|用处?)|是?什么意思",
    re.IGNORECASE,
)
_WHAT_IS_THIS = re.compile(
    r"\b(this|the|our) (project|repo(sitory)?|codebase|workspace|package|program|app(lication)?)"
    r"( all)? (about|do|for)\b|\boverview of (this|the|our) \w+"
    r"|(项目|仓库|工程|程序|代码库)(是|主要)?(做|干)(什么|啥)|(项目|仓库|工程|代码库)的?(简介|概览|概述)",
    re.IGNORECASE,
)
_ABOUT_THE_NAMED = re.compile(
    r"\b(?:what (?:is|does)|what's|tell me about|describe|overview of|install|use|run) ([\w.-]+)"
    r"|([\w.-]+) ?(?:是(?:什么|做什么|干什么)|怎么(?:用|安装|运行)|有什么用)",
    re.IGNORECASE | re.ASCII,
)
_READMES = ("README.md", "README.rst", "README.txt", "README")
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
    the function at the cursor or the one function that the question is about. `subject` is what of
    the question knowledge and skills were looked for with.
    """

    question: str
    knowledge: Found | NoKnowledge
    choice: Choice
    places: tuple[tuple[str, tuple[Place, ...]], ...]
    files: tuple[SourceText, ...]
    briefing: Briefing | None
    asks_about_code: bool
    wants_convention: bool = False
    subject: str = ""
    invocation: Invocation = NOTHING_INVOKED

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
    find: Find = find_knowledge,
    max_tokens: int = MAX_TOKENS,
) -> Grounds:
    """Look for what the question rests on. `follows_code`: the turn before was about code.

    Knowledge is cut to `max_tokens`, whole sections first. `earlier` is the question before, when
    knowledge answered it: one that points back to it is about the same. Reads files of the
    workspace: call it in a worker thread.
    """
    path = target.source.scope if target else None
    invocation = find_invoked(question, library.skills)
    gist = _shorten(invocation.rest)
    places = tuple(_find_places(gist, code_map))
    files = tuple(_find_files(gist, workspace))
    is_about_all = not (places or files) and _asks_about_all(gist, workspace)
    if is_about_all:
        files = tuple(_find_readmes(workspace))
    elif not (places or files):
        files = tuple(_find_files_named(find_names(gist), workspace))
    briefing = _find_briefing(gist, places, workspace, code_map, library, target, check)
    names_code = bool(places or files)
    wants_convention = _ABOUT_CONVENTIONS.search(gist) is not None
    points_at_code = (target is not None or follows_code) and _POINTS.search(gist) is not None
    speaks_of_code = (
        points_at_code
        or _ABOUT_CODE.search(gist) is not None
        or any(_is_source(name) for name in _list_paths(gist))
    )
    asks_about_code = names_code or (speaks_of_code and not wants_convention)
    subject = gist if wants_convention else _leave_out_names(gist, places)
    if is_about_all and files:
        subject = ""  # "This repository" is not about repositories.
    # What the code does is not answered by the documents for its kind of file.
    unused = find_unused(workspace, library.index.globs)
    knowledge = find(library, subject, path=None if asks_about_code else path, without=unused)
    if earlier and isinstance(knowledge, NoKnowledge) and _POINTS.search(gist):
        knowledge = find(library, _shorten(earlier), path=path, without=unused)
    if not (asks_about_code or wants_convention or _is_sure(knowledge)):
        # "How are requests cancelled?" names nothing, and the code speaks of it all the same.
        files = find_files_about(gist, code_map, workspace)
        asks_about_code = bool(files)
    return Grounds(
        question=question,
        knowledge=_cut(knowledge, max_tokens),
        choice=choose_skills(
            library.skills,
            read_wording(subject),
            path,
            root=target.source.root if target else "",
            invoked=invocation.skills,
        ),
        places=places,
        files=files,
        briefing=briefing,
        asks_about_code=asks_about_code,
        wants_convention=wants_convention,
        subject=subject,
        invocation=invocation,
    )


def _asks_about_all(question: str, workspace: Workspace) -> bool:
    """Say whether a question is about the workspace as a whole: "what does Glossator do?"."""
    if _WHAT_IS_THIS.search(question):
        return True
    asked = _ABOUT_THE_NAMED.search(question)
    name = (asked[1] or asked[2]).lower() if asked else ""
    return any(name and name == root.name.lower() for root in workspace.roots)


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


def find_names(question: str) -> tuple[str, ...]:
    """Return the identifiers that a question mentions.

    In backticks, spelled like code, or where only a name can stand: "how does save work", and any
    English word in a Chinese question. Those that are defined nowhere are no harm.
    """
    names: dict[str, None] = {}
    for match in _QUOTED.finditer(question):
        for name in _NAME.findall(match[1]):
            names[name] = None
    for match in _IDENTIFIER.finditer(question):
        if _LOOKS_LIKE_CODE.search(match[0]) or question[match.end() : match.end() + 1] == "(":
            names[match[0]] = None
    asked = [name for match in _ASKED.finditer(question) for name in match.groups() if name]
    if contains_chinese(question):
        asked += _IDENTIFIER.findall(question)
    names.update((name, None) for name in asked if not _NO_NAMES.fullmatch(name))
    if _ABOUT_CONVENTIONS.search(question):
        # "What is our rule for …" asks for no class `Rule`.
        return tuple(name for name in names if name not in HOUSE_WORDS)[:_MAX_NAMES]
    return tuple(names)[:_MAX_NAMES]


def _find_places(question: str, code_map: CodeMap) -> Iterator[tuple[str, tuple[Place, ...]]]:
    for name in find_names(question):
        parts = re.split(r"\.|::|#", name)
        found: tuple[Place, ...] = code_map.find_definitions(parts[-1])
        if not found and name.islower():
            # "how does the cache work" may be about `Cache`.
            found = code_map.find_definitions(name.capitalize())
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


def _leave_out_names(question: str, places: Sequence[tuple[str, tuple[Place, ...]]]) -> str:
    """Leave out what is spelled like code and is defined here: `url_for` is not about URLs."""
    for name, _ in places:
        if _LOOKS_LIKE_CODE.search(name):
            question = question.replace(name, " ")
    return question


def _find_readmes(workspace: Workspace) -> Iterator[SourceText]:
    for root in workspace.roots:
        for name in _READMES:
            source = _read_if_there(str(root / name), workspace)
            if source is not None:
                yield source
                break


def _find_files(question: str, workspace: Workspace) -> Iterator[SourceText]:
    names = FileNames(workspace)
    for name in _list_paths(question):
        ascii_part = _ASCII_PATH.search(name)
        for path in dict.fromkeys([name, ascii_part[0] if ascii_part else name]):
            found = [
                source
                for place in dict.fromkeys([path, *names.ending_with(path)[:_MAX_PLACES_PER_NAME]])
                if (source := _read_if_there(place, workspace)) is not None
            ]
            yield from found
            if found:
                break


def _find_files_named(names: Sequence[str], workspace: Workspace) -> Iterator[SourceText]:
    """Find files by what they are called: "the CLI" is `cli.py`, "template" `templating.py`."""
    wanted = {name.lower() for name in names}
    stems = {stem(name) for name in wanted if len(name) > 2}
    if not wanted:
        return
    found: list[str] = []
    for path in workspace.list_files().paths[:_MAX_WALKED]:
        called = path[path.rfind(os.sep) + 1 :].rpartition(".")
        name = (called[0] or called[2]).lower()
        if name in wanted or (stem(name) in stems and find_language(path) is not None):
            found.append(workspace.show(Path(path)))
    if len(found) > _MAX_FILES_NAMED:
        return  # A name such as the project's own, which leads nowhere.
    yield from _read_all(sorted(found, key=lambda path: (path.count("/"), path)), workspace)


def _read_all(paths: Sequence[str], workspace: Workspace) -> Iterator[SourceText]:
    for path in paths:
        source = _read_if_there(path, workspace)
        if source is not None:
            yield source


def _list_paths(question: str) -> Iterator[str]:
    return islice(dict.fromkeys(match[0] for match in _PATH.finditer(question)), _MAX_NAMES)


def _read_if_there(path: str, workspace: Workspace) -> SourceText | None:
    try:
        return workspace.read(path)
    except GlossatorError:
        return None


def _is_source(path: str) -> bool:
    """Say whether a path that is nowhere names a source file; `node.js` is hardly one."""
    is_product = path.lower().endswith(".js") and "/" not in path
    return not is_product and find_language(path) is not None


def _find_briefing(
    question: str,
    places: Sequence[tuple[str, tuple[Place, ...]]],
    workspace: Workspace,
    code_map: CodeMap,
    library: Library,
    target: Target | None,
    check: Check,
) -> Briefing | None:
    if len(places) == 1 and len(places[0][1]) == 1 and places[0][1][0].function is not None:
        place = places[0][1][0]
        try:
            source = workspace.read(place.path)
        except GlossatorError:
            return None
        point = place.function.name_range.start if place.function else None
        return gather_briefing(Target(source, point), code_map, library, check) if point else None
    if target is not None:
        return gather_briefing(target, code_map, library, check)
    return None
