"""What a rule demands or forbids, as far as that can be told surely enough to compare rules.

Two rules contradict each other when one demands what the other forbids in the same words, when one
forbids outright what the other demands in particular, or when they choose otherwise where only one
choice is possible. Anything with a condition ("unless", "except", 除非) is left alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from glossator.core.locations import Span
from glossator.linting.choices import BANNED, FORBIDDING_ZH, read_choices
from glossator.linting.statements import Statement

_POLITE = r"(?:please |you |we |important: |重要[:：])*"
_FORBIDDING = re.compile(
    rf"^{_POLITE}(?P<outright>never|do not|don't|dont|must not|mustn't|should not|shouldn't|avoid|"
    r"no longer)\s+(?:ever )?(?P<object>.+)$"
)
_FORBIDDEN = re.compile(
    r"^(?P<object>[^,]{3,60}?) (?:is|are) (?P<outright>forbidden|prohibited|banned|not allowed|"
    r"never allowed)$"
)
_DEMANDING = re.compile(
    rf"^{_POLITE}(?:always|must(?! not)|should(?! not)|prefer|do)\s+(?P<object>.+)$"
)
_PLAIN = re.compile(
    rf"^{_POLITE}(?P<object>(?:use|using|write|add|run|commit|put|import|call|log|mock|return|"
    r"throw|raise|keep|include|create|edit|modify|push|squash|sort|wrap|document|name|prefix|"
    r"export|print)\b.+)$"
)
_NO = re.compile(r"^(?P<outright>no) (?P<object>[\w -]+)$")
_FORBIDDING_ZH = re.compile(
    r"^(?P<outright>严禁|禁止|不要|不得|切勿|请勿|不允许|不可以|不应该|不应|不能|避免|勿)(?P<object>.+)$"
)
_FORBIDDEN_ZH = re.compile(
    r"^(?P<object>.{2,24}?)(?:一律|是)?(?P<outright>禁止|严禁|不允许|不得)"
    r"(?:被)?(?:使用|出现|提交)?的?$"
)
_DEMANDING_ZH = re.compile(
    r"^(?:必须|务必|始终|总是|一律|应当|应该|需要|统一|请|要|推荐|优先)(?P<object>.+)$"
)
_PLAIN_ZH = re.compile(r"^(?P<object>(?:使用|采用|用)\S.+)$")
# Who or what comes first: "tests must not use the network".
_WHO = r"^(?:all |every |each |any |the |your |our )?(?P<about>[^,]{2,40}?) (?:must|should|shall)"
_WHO_FORBIDDEN = re.compile(rf"{_WHO}(?:n't| not| never) (?P<object>.+)$")
_WHO_MUST = re.compile(rf"{_WHO} (?:always |only )?(?P<object>.+)$")
_WHO_FORBIDDEN_ZH = re.compile(rf"^(?P<about>[^,，]{{2,16}}?){FORBIDDING_ZH}(?P<object>.+)$")
_WHO_MUST_ZH = re.compile(
    r"^(?P<about>[^,，]{2,16}?)(?:必须|务必|应当|应该|一律|统一|需要|须|应)(?P<object>.+)$"
)
# What is switched off is not switched on.
_MUST = rf"^{_POLITE}(?:always |must )?"
_MUST_ZH = r"^(?:必须|务必|应当|应该|一律|请)?"
_ENABLING = re.compile(rf"{_MUST}(?:enable|turn on) (?P<object>.+)$")
_DISABLING = re.compile(rf"{_MUST}(?:disable|turn off) (?P<object>.+)$")
_ENABLING_ZH = re.compile(rf"{_MUST_ZH}(?:启用|开启)(?P<object>.+)$")
_DISABLING_ZH = re.compile(rf"{_MUST_ZH}(?:禁用|关闭)(?P<object>.+)$")
_CLAUSES = (
    *((each, "no", "") for each in (_FORBIDDING, _FORBIDDING_ZH, _NO, _FORBIDDEN, _FORBIDDEN_ZH)),
    *((each, "yes", "on") for each in (_ENABLING, _ENABLING_ZH)),
    *((each, "no", "on") for each in (_DISABLING, _DISABLING_ZH)),
    *((each, "yes", "") for each in (_DEMANDING, _DEMANDING_ZH, _PLAIN, _PLAIN_ZH)),
    *((each, "no", "") for each in (_WHO_FORBIDDEN, _WHO_FORBIDDEN_ZH)),
    *((each, "yes", "") for each in (_WHO_MUST, _WHO_MUST_ZH)),
)
"""How a clause may read, the first that fits: its stance, and what its object belongs to."""
# Not meant as never: there are cases.
_MILD = frozenset({"avoid", "should not", "shouldn't", "不应该", "不应", "避免"})
_INSTEAD = re.compile(
    r"^(?P<yes>.+?)(?P<word>,? (?:instead of|rather than|over|and not)\s|, not\s|"
    r"，?(?:而不是|而非|代替|取代|，不要))\s*(?:use |using |使用|用)?(?P<no>[^,，]+)$"
)
_SENTENCE = re.compile(r"[.!?](?:\s+|$)|[;。；！？]\s*")
_END = re.compile(r"\s*[,，:：]|\s\(|（|\s[—–-]\s| because | so that | since ")
_NOISE = re.compile(
    r"\b(?:use|using|uses|used|the|a|an|your|our|ever|please|prefer|to)\b|使用|采用"
)
_LABEL = re.compile(r"^(?P<label>[\w /&-]{2,30}?)[:：]\s*(?=\S)")
_CONDITION = re.compile(
    r"\b(?:unless|except|when|if|only|where|until|outside|without|beyond|explicit\w*|other than|"
    r"but)\b|除非|除了|如果|仅|只有|除外|的时候|以外|之外|但"
)
# Below such a heading stands what is not to be done, or what is done otherwise elsewhere.
_OPPOSING_HEADING = re.compile(
    r"\b(?:don'?ts?|do not|avoid|never|bad|anti|wrong|incorrect|not|legacy|migrat\w*|examples?|"
    r"pitfalls|mistakes|checklist|troubleshooting)\b|don’t|禁|避免|不|反模式|错误|示例|迁移"
)
# They say nothing by themselves.
_EMPTY = frozenset({
    "this", "that", "these", "those", "them", "such", "it", "one", "things", "exception",
    "exceptions",
})  # fmt: skip
_ACTIONS = frozenset({"print", "commit", "log", "mock", "push", "squash", "console.log"})
_SCOPES = frozenset({"for", "in", "with", "on", "everywhere", "throughout", "within"})
_MAX_SENTENCES = 6
_MAX_WORDS = 8


@dataclass(frozen=True, slots=True)
class Claim:
    """What a statement says of a subject: `stance` is yes or no, or what it chooses.

    What is forbidden `outright` is forbidden in each case.
    """

    subject: str
    stance: str
    statement: Statement
    outright: bool = False

    @property
    def span(self) -> Span:
        """Where it is said."""
        return Span(self.statement.path, self.statement.line, self.statement.line)

    @property
    def keys(self) -> tuple[str, ...]:
        """What it is found by: its subject, and what its subject is a case of."""
        if self.stance != "yes":
            return (self.subject,)
        words = self.subject.split()
        return tuple(" ".join(words[:n]) for n in range(len(words), 0, -1))


def read_claims(statement: Statement) -> tuple[Claim, ...]:
    """Return what a statement claims, each subject once."""
    if any(_OPPOSING_HEADING.search(heading) for heading in statement.headings):
        return ()
    claims: dict[str, Claim] = {}
    sentences = _split(statement.text)[: _MAX_SENTENCES + 1]
    for sentence, following in zip(sentences[:_MAX_SENTENCES], [*sentences[1:], ""], strict=False):
        if _CONDITION.search(sentence) or _CONDITION.match(following):
            continue
        for claim in _read_sentence(sentence, statement):
            claims.setdefault(claim.subject, claim)
    return tuple(claims.values())


def _split(text: str) -> list[str]:
    return [each.strip(" ,，.") for each in _SENTENCE.split(text.strip()) if each.strip(" ,，.")]


def _read_sentence(sentence: str, statement: Statement) -> Iterator[Claim]:
    choices = list(read_choices(sentence))
    yield from (Claim(subject, chosen, statement) for subject, chosen in choices)
    if choices:
        return
    sentence = _LABEL.sub("", sentence)
    instead = _INSTEAD.match(sentence)
    if instead is not None:
        yield from _read_preference(instead, statement)
        return
    clause = _END.split(sentence, maxsplit=1)[0]
    # What ends with a colon goes on below; of "a fast, small one" the first word says nothing.
    is_begun = clause != sentence and re.search(r"\ban? \w+$", clause)
    if not is_begun and not sentence.endswith((":", "：")):
        yield from _read_clause(clause, statement)


def _read_preference(match: re.Match[str], statement: Statement) -> Iterator[Claim]:
    """Read "use this instead of that": a demand, a ban, and which of the two comes first."""
    wanted = next(_read_clause(_END.split(match["yes"], maxsplit=1)[0], statement), None)
    if wanted is None or wanted.stance != "yes":
        return
    yield wanted
    other = _read_object(_END.split(match["no"], maxsplit=1)[0])
    if other:
        pair = " | ".join(sorted((wanted.subject, other)))
        yield Claim(f"first of {pair}", wanted.subject, statement)
        if match["word"].strip() != "over":
            yield Claim(other, "no", statement)


def _read_clause(clause: str, statement: Statement) -> Iterator[Claim]:
    clause = clause.strip()
    for pattern, stance, group in _CLAUSES:
        match = pattern.match(clause)
        if match is None:
            continue
        read = match.groupdict()
        subject = _read_object(read["object"])
        if subject:
            about, word = read.get("about", group), read.get("outright")
            is_outright = word is not None and word not in _MILD
            yield Claim(f"{about}: {subject}" if about else subject, stance, statement, is_outright)
        return


def _read_object(text: str) -> str:
    """Return what is demanded or forbidden in its own words; "" if too few or many are left."""
    inner = _DEMANDING.match(text) or _DEMANDING_ZH.match(text)
    text = (inner["object"] if inner else text).replace("()", "")
    words = re.findall(r"\w[\w'./+#-]*", _NOISE.sub(" ", text))
    subject = " ".join(word.rstrip(".") for word in words[: _MAX_WORDS + 1])
    is_telling = subject not in _EMPTY and (
        len(subject) > 2 or re.search(r"[\u4e00-\u9fff]{2}", subject)
    )
    return subject if is_telling and len(words) <= _MAX_WORDS else ""


def are_opposed(first: Claim, second: Claim) -> bool:
    """Say whether two claims cannot both be followed."""
    if {first.stance, second.stance} == {"yes", "no"}:
        demand, ban = (first, second) if first.stance == "yes" else (second, first)
        return demand.subject == ban.subject or _is_case(demand, ban)
    if first.subject != second.subject or first.stance == second.stance:
        return False
    stances = (first.stance, second.stance)
    if "no" in stances or "yes" in stances:
        return False
    if any(stance.startswith(BANNED) for stance in stances):
        return _shuts_out(*stances) or _shuts_out(*reversed(stances))
    if first.subject != "indentation":
        return True
    # Four spaces are spaces too.
    ours, theirs = (stance.split() for stance in stances)
    return ours[0] != theirs[0] or (len(ours) > 1 and len(theirs) > 1)


def _shuts_out(ban: str, chosen: str) -> bool:
    """Say whether a ban is of what is chosen, or of more: four spaces are spaces too."""
    return f"{BANNED}{chosen} ".startswith(f"{ban} ")


def _is_case(demand: Claim, ban: Claim) -> bool:
    """Say whether what is demanded is a case of what is forbidden outright."""
    if not ban.outright or not demand.subject.startswith(f"{ban.subject} "):
        return False
    # One word may be meant in another sense: "new" is a keyword too.
    following = demand.subject[len(ban.subject) + 1 :].split()[0]
    return " " in ban.subject or ban.subject in _ACTIONS or following in _SCOPES
