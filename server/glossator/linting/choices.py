"""Where only one choice is possible: what a sentence chooses, if it says so.

Tabs or spaces, single or double quotes, how long a line may be, which package manager, in which
language one answers, how things are named. Each reads one sentence in plain small letters. What a
sentence forbids is chosen as `not …`: "never use tabs".
"""

import re
from collections.abc import Callable, Iterator

Choice = tuple[str, str]
"""What is chosen about, and what is chosen."""

BANNED = "not "
"""What stands before a choice that is forbidden."""

FORBIDDING_ZH = r"(?:严禁|禁止|不要|不得|切勿|请勿|不允许|不可以?|不应该?|不能)"
"""What forbids in Chinese, also in the middle of a sentence."""

_CLAUSE_END = re.compile(r"[,，、]|\bbut\b")
_FORBIDDING = re.compile(
    r"\b(?:never|do not|don't|dont|must not|mustn't|should not|shouldn't|may not|avoid|no longer)"
    rf"\s+(?:ever )?|(?:{FORBIDDING_ZH}|避免)再?"
)

_NOT = (
    r"(?:not|never|no|instead of|rather than|over|"
    r"而不是|而非|不要使用|不要用|不使用|不用|不是|禁止使用|禁止)"
)
_TABS = r"(?:tabs?(?: characters?)?|制表符)"
_SPACES = r"(?:(?P<n>\d|two|four|eight|两|二|四|八)?\s*-?(?:个)?\s*(?:spaces?|空格))"
_NUMBERS = {"two": "2", "four": "4", "eight": "8", "两": "2", "二": "2", "四": "4", "八": "8"}
_QUOTES = re.compile(r"(?P<kind>single|double|单|双)[- ]?(?:quotes?|quotation marks?|引号)")
_KINDS = {"单": "single", "双": "double"}
_OTHER_INDENTS = re.compile(
    r"tabs? ?(?:size|width|stop)|\bbar\b|panel|continuation|nested|bullet|\blists?\b|markdown|yaml|"
    r"\d\s*[–-]\s*\d|(?:more|fewer|less) than|exceed|列表|嵌套|超过|[多少]于"
)
_OTHER_QUOTES = re.compile(
    r"docstring|triple|json|html|jsx|attribut|escap|shell|sql|yaml|field|value|matter|identifier|"
    r"formula|text strings|description|purpose|文档字符串|字段|描述"
)
_OTHER_LINES = re.compile(
    r"commit|subject|title|summary|docstring|comment|message|paragraph|log|readme|prose|"
    r"markdown|description|response|output|提交|注释|标题|文档|日志|描述|回答"
)
_CHARS = r"(?:\s*(?:-|个)?\s*(?:characters?|chars?|columns?|cols?|字符|列))"
_LENGTHS = tuple(
    map(
        re.compile,
        (
            r"(?:line|column)[- ]?(?:lengths?|width|limit)s?\b[^\d.]{0,40}?(\d{2,3})\b",
            rf"\blines?\b[^\d.]{{0,40}}?(\d{{2,3}}){_CHARS}",
            rf"(\d{{2,3}}){_CHARS}[- ](?:per |max(?:imum)? )?(?:line|limit|width)",
            r"print ?width[^\d.]{0,12}(\d{2,3})\b",
            r"(?:每行|单行|行宽|行长度?|一行|行的长度)[^\d。]{0,12}?(\d{2,3})\b",
        ),
    )
)
_SHORTEST_LINE, _LONGEST_LINE = 60, 200
_MANAGERS = (
    ("package manager", "npm|pnpm|yarn|bun"),
    ("Python package manager", "uv|poetry|pdm|pipenv|conda|pip"),
)
_POLITE = r"(?:always |must |please |we |必须|请|统一|一律)*"
_ABOUT_PACKAGES = re.compile(
    r"package manager|packages?\b|dependenc|\binstall|包管理|依赖|"
    r"(?:instead of|rather than|not|never|而不是|而非|不要用|不要使用)"
)
_RESPONSE = re.compile(
    r"^(?:always |please |must |you must |请|必须|始终|一律|统一)*(?:"
    r"(?:respond|reply|answer|communicate)(?: to (?:me|the user|users))?|"
    r"(?:使用|用)?(?:简体)?(?:中文|英文|英语)(?:进行)?(?:回答|回复|交流|沟通)|"
    r"(?:回答|回复|交流|沟通))"
)
_COMMENTS = re.compile(r"\bcomments\b|注释")
_LANGUAGE = re.compile(r"\b(?:in )(english|chinese)\b|(中文|英文|英语)")
_LANGUAGES = {"中文": "chinese", "英文": "english", "英语": "english"}
_STYLES = (
    ("camelCase", r"(?<!upper)camel[ _-]?case|小驼峰"),
    ("PascalCase", r"pascal[ _-]?case|uppercamelcase|大驼峰"),
    ("UPPER_CASE", r"(?:screaming|upper|capital)[ _-]?(?:snake)?[ _-]?case|all[ _-]?caps|全大写"),
    ("snake_case", r"(?<!screaming)(?<!upper)(?<!screaming )(?<!全大写 )snake[ _-]?case"),
    ("kebab-case", r"kebab[ _-]?case"),
)
_NAMED = (
    re.compile(
        r"\bfor (?P<what>[a-z][a-z ,/&]{2,60}?)(?: (?:in|with|e\.g|such|like)\b.*|[(:].*)?$"
    ),
    re.compile(
        r"^(?P<what>[a-z][a-z ,/&]{2,40}?)(?: names?| naming)?"
        r"(?::| use| are| should be| must be)\s"
    ),
    re.compile(
        r"^(?P<what>变量|函数|方法|类|文件|组件|常量|接口)(?:名称?)?(?:统一|必须|一律)?"
        r"(?:命名)?(?:使用|采用|用|为|：|:)"
    ),
)
_PLURAL = re.compile(r"(?<=ss)es$|(?<!s)s$")
_THINGS = re.compile(
    r"(?:local )?(?:variables?|functions?|methods?|class(?:es)?|files?|components?|constants?|"
    r"interfaces?|directories|folders|properties|modules?|变量|函数|方法|类|文件|组件|常量|接口)"
    r"(?: names?)?"
)


def read_choices(sentence: str) -> Iterator[Choice]:
    """Yield what a sentence chooses where one thing shuts the other out."""
    yield from _read_line_length(sentence)
    chosen, forbidden = _part_clauses(sentence)
    for read in _READERS:
        found = tuple(read(chosen))
        yield from found or ((subject, BANNED + kind) for subject, kind in read(forbidden))


def _part_clauses(sentence: str) -> tuple[str, str]:
    """Return the clauses that choose, and those that forbid without the word that does."""
    chosen: list[str] = []
    forbidden: list[str] = []
    for clause in _CLAUSE_END.split(sentence):
        allowed = _FORBIDDING.sub("", clause, count=1)
        (chosen if allowed == clause else forbidden).append(allowed.strip())
    return (", ".join(chosen) if forbidden else sentence), ", ".join(forbidden)


def _read_indentation(text: str) -> Iterator[Choice]:
    is_bare = re.fullmatch(rf"(?:always |please )?use {_TABS}|(?:always |please )?use spaces", text)
    both = re.search(rf"{_TABS},? {_NOT} (?:spaces?|空格)|(?:spaces?|空格),? {_NOT} {_TABS}", text)
    if not (is_bare or both or re.search(r"indent|缩进", text)):
        return
    if _OTHER_INDENTS.search(text):
        return
    kept = re.sub(rf"{_NOT}\s*(?:use )?(?:{_TABS}|(?:spaces?|空格))", " ", text)
    tabs = re.search(rf"(?<![a-z]){_TABS}(?![a-z])", kept)
    spaces = list(re.finditer(_SPACES, kept))
    numbers = {_NUMBERS.get(n, n) for each in spaces if (n := each["n"])}
    if tabs and not spaces:
        yield "indentation", "tabs"
    elif spaces and not tabs and len(numbers) < 2:
        yield "indentation", " ".join(["spaces", *numbers])


def _read_quotes(text: str) -> Iterator[Choice]:
    if _OTHER_QUOTES.search(text):
        return
    kept = re.sub(rf"{_NOT}\s*{_QUOTES.pattern}", " ", text)
    kinds = {_KINDS.get(match["kind"], match["kind"]) for match in _QUOTES.finditer(kept)}
    if len(kinds) == 1:
        yield "quotes", kinds.pop()


def _read_line_length(text: str) -> Iterator[Choice]:
    if _OTHER_LINES.search(text):
        return
    found = {int(match[1]) for pattern in _LENGTHS for match in pattern.finditer(text)}
    if len(found) == 1 and _SHORTEST_LINE <= min(found) <= _LONGEST_LINE:
        yield "line length", str(found.pop())


def _read_manager(text: str) -> Iterator[Choice]:
    for subject, names in _MANAGERS:
        used = re.match(
            rf"{_POLITE}(?:use |使用|用)\s*({names})\b"
            r"(?! (?:run|publish|add|install|exec|build|test)\b)",
            text,
        ) or re.match(rf"package manager: ({names})$", text)
        if used is not None and (_ABOUT_PACKAGES.search(text) or used.end() == len(text)):
            yield subject, used[1]


def _read_language(text: str) -> Iterator[Choice]:
    found = {
        _LANGUAGES.get(each, each) for match in _LANGUAGE.findall(text) for each in match if each
    }
    if len(found) != 1:
        return
    if _RESPONSE.search(text):
        yield "language of answers", found.pop()
    elif _COMMENTS.search(text):
        yield "language of comments", found.pop()


def _read_naming(text: str) -> Iterator[Choice]:
    styles = [name for name, pattern in _STYLES if re.search(pattern, text)]
    if len(styles) != 1 or re.search(r"\bor\b|或|lowercase", text):
        return
    for pattern in _NAMED:
        match = pattern.search(text)
        if match is None:
            continue
        for thing in re.split(r"\s*(?:,| and |/|&)\s*", match["what"].strip()):
            if _THINGS.fullmatch(thing):
                yield f"names of {_PLURAL.sub('', re.sub(r' names?$', '', thing))}", styles[0]
        return


_READERS: tuple[Callable[[str], Iterator[Choice]], ...] = (
    _read_indentation,
    _read_quotes,
    _read_manager,
    _read_language,
    _read_naming,
)
