"""A skill that a user asks for by name: `/name`, `$name` or `@name` where a question begins."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from glossator.skills.precedence import fold_name, settle_names
from glossator.skills.skill import Skill

MAX_INVOKED = 5
_SIGN = re.compile(r"\s*[/$@／＄＠](?=\S)")


@dataclass(frozen=True, slots=True)
class Invocation:
    """What a user asked for. `rest` is the question without it; `refused` cannot be invoked."""

    skills: tuple[Skill, ...] = ()
    refused: tuple[Skill, ...] = ()
    rest: str = ""


NOTHING_INVOKED = Invocation()


def find_invoked(question: str, skills: Iterable[Skill]) -> Invocation:
    """Find the skills that are named where a question begins; anything else is left as it is.

    `/etc/hosts` and `@Override` name no skill. Several may follow one another.
    """
    if not _SIGN.match(question):
        return Invocation(rest=question)
    counting, _ = settle_names(skills)
    longest_first = sorted(counting, key=lambda skill: -len(fold_name(skill.name)))
    found: dict[Skill, None] = {}
    rest = question
    while len(found) < MAX_INVOKED and (sign := _SIGN.match(rest)):
        after = rest[sign.end() :]
        skill = next((each for each in longest_first if _begins_with(after, each.name)), None)
        if skill is None:
            break
        found[skill] = None
        rest = after[_length_of(after, skill.name) :].lstrip(" \t\r\n,，:：")
    return Invocation(
        tuple(skill for skill in found if skill.for_user),
        tuple(skill for skill in found if not skill.for_user),
        rest if found else question,
    )


def _begins_with(text: str, name: str) -> bool:
    length = _length_of(text, name)
    if not length:
        return False
    following = text[length : length + 1]
    if following in ("/", "\\") or (following == "." and text[length + 1 : length + 2].isalnum()):
        return False  # A path or a file.
    # Chinese goes on without a blank; a longer English word is another word.
    goes_on = following.isascii() and (following.isalnum() or following in ("-", "_"))
    # Chinese goes on without a blank; a longer English word is another word.
    return not goes_on or not unicodedata.normalize("NFKC", name)[-1].isascii()


def _length_of(text: str, name: str) -> int:
    """Return how much of the beginning of `text` is `name`, in whatever case and width; or 0."""
    folded = fold_name(name)
    for length in {len(name), len(folded)}:
        if fold_name(text[:length]) == folded:
            return length
    return 0
