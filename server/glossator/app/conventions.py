"""Which conventions and which knowledge concern a piece of code: the workspace's own first.

Only what is for the code's file is looked at: for a rule `find_mismatch` decides, as in a check,
for instructions `judge_for_files`, as for a turn, and for any other document its globs.
"""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

from glossator.app.checking.compiled import scope_of
from glossator.app.instructions.placing import place_file
from glossator.app.library import Library
from glossator.app.retrieval.retrieving import Query, find_knowledge
from glossator.app.rules.prose import read_prose
from glossator.app.shelves import is_bundled
from glossator.app.unused_documents import find_unused
from glossator.code.languages import identify_language
from glossator.core.globs import matches_any
from glossator.core.text import SourceText, split_lines
from glossator.instructions.applying import SHARED_WORDS, judge_for_files
from glossator.knowledge.documents import Section
from glossator.knowledge.index import Hit
from glossator.knowledge.routing import POOL, Found
from glossator.knowledge.wording import Wording, read_wording
from glossator.rules.rule import Rule
from glossator.rules.scope import Mismatch, find_mismatch
from glossator.skills.choosing import is_of_root
from glossator.tools.workspace import Workspace

_IN_BACKTICKS = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[^\W\d]\w{2,}")
# What so much code has that it tells nothing.
_KEYWORDS = frozenset(
    """and async await break case catch class const continue def default elif else enum except
    export extends false False final finally for foreach from func function global import interface
    lambda let match mut new nil None not null nullptr object pass private protected public pub
    raise readonly rescue return self static struct super switch then this throw throws true True
    try type unless until use using var void when while with yield""".split()  # noqa: SIM905 - as it reads
)
_TOKEN = re.compile(r"\w+")
_ORIGINS = ("workspace", "personal", "bundled")
_N_NEAR = 20
_UNLIMITED = 1 << 40


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Code that conventions may concern: the `words` in it, and what it says of itself.

    `told` are its name, its documentation, what it takes and what it calls.
    """

    words: Set[str]
    told: str


def find_names(code: str) -> set[str]:
    """Return the words of some code that may be names; there are keywords among them."""
    return set(_WORD.findall(code))


class Conventions:
    """What is for one file: the rules, and the documents that may speak of it.

    Reads files of the workspace: use it in a worker thread.
    """

    def __init__(self, source: SourceText, library: Library, workspace: Workspace) -> None:
        self._source = source
        self._library = library
        self._workspace = workspace
        self._place = scope_of(source)
        self._language_id = identify_language(source.name, source.language_id)
        self._active = frozenset(rule.id for rule in library.rule_set.rules)
        self._for_others = frozenset(_find_for_others(source, library, workspace))

    def list_rules(self, excerpt: Excerpt) -> tuple[Rule, ...]:
        """Return the rules that concern some code of the file, the nearest to it first.

        A rule does if it names in backticks what the code uses. What the team wrote itself, list
        items that are no rules yet included, also does if it shares words with what the code says.
        """
        wording = read_wording(" ".join(_list_telling(excerpt.told)))
        rated = [
            (_order(rule, is_named=is_named, n_shared=n_shared), rule)
            for rule in (*self._library.rule_set.rules, *self._read_prose(excerpt))
            if not self._find_mismatch(rule)
            for is_named, n_shared in [_compare(rule, excerpt.words, wording)]
            if is_named or n_shared >= SHARED_WORDS
        ]
        rated.sort(key=itemgetter(0))
        distinct: dict[str, Rule] = {}
        for _, rule in rated:  # Files for two assistants often say the same.
            distinct.setdefault(rule.text or rule.id, rule)
        return tuple(distinct.values())

    def find_sections(self, question: str, limit: int) -> tuple[Hit, ...]:
        """Return the sections that are close to a question, those that ship last."""
        bundled = frozenset(filter(is_bundled, self._library.index.documents))
        own = self._find(question, self._for_others | bundled)
        hits = dict.fromkeys((*own, *self._find(question, self._for_others)))
        return tuple(islice(hits, limit))

    def _find(self, question: str, without: Set[str]) -> Iterator[Hit]:
        query = Query(question, self._source.scope, POOL, without)
        outcome = find_knowledge(self._library, query)
        for hit in outcome.hits if isinstance(outcome, Found) else ():
            # A document left out counts when it is named, which no code means to do.
            if hit.section.path not in without and not self._is_all_for_others(hit.section):
                yield hit

    def _is_all_for_others(self, section: Section) -> bool:
        """Say whether nothing but rules stands in a section, none of which is for the file."""
        lines = range(section.first_line, section.last_line + 1)
        rules = [
            rule for rule in self._library.rules if rule.path == section.path and rule.line in lines
        ]
        if not rules or any(map(self._applies, rules)):
            return False
        of_rules = {number for rule in rules for number in range(rule.line, rule.last_line + 1)}
        text = zip(lines, split_lines(section.text), strict=False)
        rest = (line.strip() for number, line in text if number not in of_rules)
        return all(not line or line.startswith("#") for line in rest)

    def _applies(self, rule: Rule) -> bool:
        return rule.id in self._active and not self._find_mismatch(rule)

    def _find_mismatch(self, rule: Rule) -> Mismatch:
        return find_mismatch(rule, self._place, self._language_id)

    def _read_prose(self, excerpt: Excerpt) -> Iterator[Rule]:
        """Yield the list items of the documents that come nearest; to read all takes too long."""
        index = self._library.index
        own = {path for path in index.documents if not is_bundled(path)}
        question = f"{excerpt.told} {' '.join(sorted(excerpt.words))}"
        hits = index.search(question, limit=_N_NEAR, among=own - self._for_others)
        for path in dict.fromkeys(hit.section.path for hit in hits):
            yield from read_prose(index.documents[path], self._library, self._workspace)


def _find_for_others(source: SourceText, library: Library, workspace: Workspace) -> Iterator[str]:
    """Yield the paths of the documents that do not speak of a file."""
    globs = library.index.globs
    yield from find_unused(workspace, globs)
    yield from (path for path, each in globs.items() if not matches_any(each, source.scope))
    standings = judge_for_files(
        library.instructions,
        (place_file(source, workspace),),
        question="",
        budget_tokens=_UNLIMITED,
        is_trusted=True,
    )
    yield from (each.document.path for each in standings if not each.counts)
    yield from (
        skill.path for skill in library.skills if skill.globs and not is_of_root(skill, source.root)
    )


def _list_telling(text: str) -> Iterator[str]:
    return (word for word in _TOKEN.findall(text) if word not in _KEYWORDS)


def _compare(rule: Rule, words: Set[str], wording: Wording) -> tuple[bool, int]:
    """Say whether a rule names what the code uses, and how many words it shares with it.

    What ships is about anybody's code: there only names tell.
    """
    shares = rule.origin != "bundled"
    return _names(rule, words), wording.count_spoken(rule.text) if shares else 0


def _names(rule: Rule, words: Set[str]) -> bool:
    """Say whether a rule speaks of something the code uses, in backticks.

    Keywords alone are no sign: where a rule has nothing else, it must have several, and the code
    all of them.
    """
    spoken = [find_names(text) for text in _IN_BACKTICKS.findall(rule.text)]
    telling = [names for names in spoken if names - _KEYWORDS]
    if telling:
        return any(names <= words for names in telling)
    keywords = set().union(*spoken)
    return len(keywords) > 1 and keywords <= words


def _order(rule: Rule, *, is_named: bool, n_shared: int) -> tuple[object, ...]:
    """Put first what the workspace says, of that what stands nearest to the file."""
    depth = len(rule.home.split("/")) if rule.home else 0
    return _ORIGINS.index(rule.origin), -depth, not is_named, -n_shared
