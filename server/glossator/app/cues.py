"""What the wording of a question tells, before anything is looked up: its names and its subject."""

import re
from collections.abc import Collection, Iterator
from itertools import islice

from glossator.code.languages import find_language
from glossator.core.text import contains_chinese
from glossator.knowledge.stop_words import HOUSE_WORDS

_MAX_NAMES = 12

_QUOTED = re.compile(r"`([^`\n]{1,200})`")
# Begins where nothing of a path stands before: looking on from each character of a long word would
# take the square of its length.
_PATH = re.compile(r"(?<![\w./\\-])[\w./\\-]*[\w-]\.[A-Za-z][A-Za-z0-9_]{0,9}(?![A-Za-z0-9_])")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*")
# In backticks a name may be in any language.
_NAME = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#)[^\W\d][\w$]*)*")
_RUN = re.compile(r"\w+")
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
    if asks_for_convention(question):
        # "What is our rule for …" asks for no class `Rule`.
        return tuple(name for name in names if name not in HOUSE_WORDS)[:_MAX_NAMES]
    return tuple(names)[:_MAX_NAMES]


def find_chinese_runs(question: str) -> tuple[str, ...]:
    """Return the runs of letters with Chinese in them: names of the code may stand anywhere there.

    Those in backticks are names already (`find_names`).
    """
    runs = dict.fromkeys(_RUN.findall(_QUOTED.sub(" ", question)))
    return tuple(run for run in runs if contains_chinese(run))[:_MAX_NAMES]


def is_explained(name: str, run: str) -> bool:
    """Say whether a run of Chinese asks to explain what is called `name`."""
    return re.search(rf"(?:解释|介绍|讲讲|说说)(?:一下)?{re.escape(name)}", run) is not None


def list_paths(question: str) -> Iterator[str]:
    """Yield what is spelled like the path of a file, each once, the first ones."""
    return islice(dict.fromkeys(match[0] for match in _PATH.finditer(question)), _MAX_NAMES)


def looks_like_code(name: str) -> bool:
    """Say whether a name is spelled as no word of a language is."""
    return _LOOKS_LIKE_CODE.search(name) is not None


def asks_for_convention(question: str) -> bool:
    """Say whether it is asked what one ought to do."""
    return _ABOUT_CONVENTIONS.search(question) is not None


def points_elsewhere(question: str) -> bool:
    """Say whether a question points at the code under the cursor, or back at what was said."""
    return _POINTS.search(question) is not None


def speaks_of_code(question: str) -> bool:
    """Say whether a question is about code, though it may name none that is there."""
    return _ABOUT_CODE.search(question) is not None or any(map(_is_source, list_paths(question)))


def asks_about_all(question: str, roots: Collection[str]) -> bool:
    """Say whether a question is about the workspace as a whole: "what does Glossator do?".

    `roots` are the names of its folders.
    """
    if _WHAT_IS_THIS.search(question):
        return True
    asked = _ABOUT_THE_NAMED.search(question)
    name = (asked[1] or asked[2]).lower() if asked else ""
    return any(name and name == root.lower() for root in roots)


def _is_source(path: str) -> bool:
    """Say whether a path that is nowhere names a source file; `node.js` is hardly one."""
    is_product = path.lower().endswith(".js") and "/" not in path
    return not is_product and find_language(path) is not None
