"""What a rule demands or forbids, as far as that can be told surely enough to compare rules.

Two rules contradict each other when one demands what the other forbids in the same words, or when
they choose otherwise where only one choice is possible: tabs or spaces. Anything with a condition
("unless", "except", 除非) is taken as it is written, so that rules with different conditions
never meet.
"""

import re
from dataclasses import dataclass

from glossator.core.locations import Span
from glossator.linting.statements import Statement

_FORBIDDING = re.compile(
    r"^(?:please )?(?:never|do not|don't|dont|must not|mustn't|should not|shouldn't|avoid|"
    r"no longer|you must not|we do not|we don't|we never)\s+(?:ever )?(?P<object>.+)$"
)
_DEMANDING = re.compile(
    r"^(?:please )?(?:always|must|you must|we always|should|prefer|only|do)\s+(?P<object>.+)$"
)
_PLAIN = re.compile(
    r"^(?P<object>(?:use|using|write|add|run|commit|put|import|call|log|mock|return|throw|raise|"
    r"keep|include|create|edit|modify|push|squash|sort|wrap|document|name|prefix|export)\b.+)$"
)
_NO = re.compile(r"^no (?P<object>[\w -]+)$")
_FORBIDDING_ZH = re.compile(
    r"^(?:严禁|禁止|不要|不得|切勿|请勿|不允许|不可以|不应该|不应|不能|避免|勿)(?P<object>.+)$"
)
_DEMANDING_ZH = re.compile(
    r"^(?:必须|务必|始终|总是|一律|应当|应该|需要|统一|请|要|只能|推荐|优先)(?P<object>.+)$"
)
_PLAIN_ZH = re.compile(r"^(?P<object>(?:使用|采用|用)\S.+)$")
_END = re.compile(
    r"\.(?:\s|$)|[;:。；：!！—–]|, (?=and|so|because|since|instead|not)|，|\s-\s|\s\(|（"
)
_NOISE = re.compile(
    r"\b(?:use|using|uses|used|the|a|an|any|all|your|our|ever|please|prefer|to|be)\b|使用|采用"
)
_INDENTATION = re.compile(
    r"\b(?:use|prefer|always|must|be|is|are|indent|indented|indentation|indenting|for|with|by|code|"
    r"the|a|an|all|of|our|we|size|per|level|characters?|files?|source|in|our)\b|[:：,，.。!！]|"
    r"使用|采用|统一|必须|一律|请|应当|应该|缩进|代码|进行|为|是|都|用|个|的"
)
_QUOTES = re.compile(
    r"\b(?:use|prefer|always|must|be|is|are|for|with|in|code|the|a|an|all|of|our|we|strings?|"
    r"literals?)\b|[:：,，.。!！]|使用|采用|统一|必须|一律|请|应当|应该|字符串|代码|都|用|的"
)
_INDENTED_BY = re.compile(
    r"(?:tabs?|制表符|(?P<n>[248]|two|four|eight|两|二|四|八)?[- ]?(?:spaces?|空格))"
)
_QUOTED_BY = re.compile(r"(?P<kind>single|double|单|双)[- ]?(?:quotes?|quotation marks?|引号)")
_NUMBERS = {"two": "2", "four": "4", "eight": "8", "两": "2", "二": "2", "四": "4", "八": "8"}
_KINDS = {"单": "single", "双": "double"}
_CONDITION = re.compile(
    r"\b(?:unless|except|when|if|only|where|until)\b|除非|除了|如果|仅|只有|除外|的时候"
)
# Below such a heading stands what is not to be done.
_FORBIDDING_HEADING = re.compile(
    r"\b(?:don'?ts?|do not|avoid|never|bad|anti|wrong|incorrect|not)\b|don’t|禁|避免|不|反模式|错误"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a statement says of a subject: `stance` is yes or no, or what it chooses."""

    subject: str
    stance: str
    statement: Statement

    @property
    def span(self) -> Span:
        """Where it is said."""
        return Span(self.statement.path, self.statement.line, self.statement.line)


def read_claim(statement: Statement) -> Claim | None:
    """Return what a statement claims, if it can be told."""
    text = statement.text.strip()
    if any(_FORBIDDING_HEADING.search(heading) for heading in statement.headings):
        return None
    choice = _read_choice(text)
    if choice is not None:
        return Claim(*choice, statement)
    clause = _END.split(text, maxsplit=1)[0]
    if _CONDITION.search(text[len(clause) :]):
        return None
    for pattern, stance in (
        (_FORBIDDING, "no"),
        (_FORBIDDING_ZH, "no"),
        (_NO, "no"),
        (_DEMANDING, "yes"),
        (_DEMANDING_ZH, "yes"),
        (_PLAIN, "yes"),
        (_PLAIN_ZH, "yes"),
    ):
        match = pattern.match(clause.strip())
        if match is not None:
            subject = _read_object(match["object"])
            return Claim(subject, stance, statement) if subject else None
    return None


def _read_object(text: str) -> str:
    """Return what is demanded or forbidden in its own words; "" if too few are left."""
    inner = _DEMANDING.match(text) or _DEMANDING_ZH.match(text)
    words = re.findall(r"\w[\w'./+#-]*", _NOISE.sub(" ", inner["object"] if inner else text))
    subject = " ".join(words)
    return subject if len(subject) > 2 or re.search(r"[\u4e00-\u9fff]{2}", subject) else ""


def _read_choice(text: str) -> tuple[str, str] | None:
    """Return what is chosen where one thing shuts the other out, if the text says nothing else."""
    indented = _INDENTED_BY.fullmatch(" ".join(_INDENTATION.sub(" ", text).split()))
    if indented is not None and re.search(r"indent|缩进", text):
        number = indented["n"] or ""
        kind = "tabs" if indented[0].startswith(("tab", "制表符")) else "spaces"
        return "indentation", f"{kind} {_NUMBERS.get(number, number)}".strip()
    quoted = _QUOTED_BY.fullmatch(" ".join(_QUOTES.sub(" ", text).split()))
    if quoted is not None:
        return "quotes", _KINDS.get(quoted["kind"], quoted["kind"])
    return None


def are_opposed(first: Claim, second: Claim) -> bool:
    """Say whether two claims of one subject cannot both be followed."""
    if first.stance == second.stance:
        return False
    # Four spaces are spaces too.
    ours, theirs = first.stance.split(), second.stance.split()
    return ours[0] != theirs[0] or (len(ours) > 1 and len(theirs) > 1)
