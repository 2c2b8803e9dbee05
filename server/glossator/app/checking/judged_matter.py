"""What there is to judge of one document: pieces of its code, and the rules that fit them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from glossator.app.checking.reasons import Reason
from glossator.app.checking.report import SkippedRules
from glossator.app.checking.suppressing import comment_language
from glossator.code.languages import Language, find_language, identify_language
from glossator.code.outline import parse_outline
from glossator.core.locations import Range
from glossator.core.redaction import redact
from glossator.core.text import SourceText, split_lines
from glossator.knowledge.stop_words import FRAME_WORDS
from glossator.knowledge.wording import read_wording
from glossator.knowledge.words import find_words
from glossator.rules.judging.claim import AskedRule
from glossator.rules.judging.prompt import cut_rule
from glossator.rules.judging.regions import Lines, Region, choose_regions, split_regions
from glossator.rules.judging.selection import MAX_RULES, select_rules
from glossator.rules.rule import Rule
from glossator.rules.suppressing.directives import find_directives

# A rule on functions or names speaks of any code, which need not use these words.
_ANY_CODE = frozenset(
    find_words(
        "function method class variable constant name comment code file module argument parameter "
        "line type documentation docstring return statement expression"
    )
)
_WORD_CHARACTER = re.compile(r"\w\w")


@dataclass(frozen=True, slots=True)
class Piece:
    """A region, and what it is known by: its code without the comments that dismiss findings."""

    region: Region
    known_by: str


@dataclass(frozen=True, slots=True)
class Matter:
    """What is judged. `rules` are those whose scope fits, by id; `asked` those to be asked about.

    `skipped` are not asked about, whatever the model says. `has_secrets`: code was left out because
    it may hold some. `path` is how the model is told the document's name.
    """

    source: SourceText
    language_id: str
    rules: Mapping[str, Rule]
    asked: tuple[AskedRule, ...]
    pieces: tuple[Piece, ...]
    skipped: tuple[SkippedRules, ...] = ()
    has_secrets: bool = False

    @property
    def path(self) -> str:
        """The document's path below its workspace folder, or its name."""
        return self.source.scope

    def cut(self, place: Range) -> str:
        """Return the text at a place, with its line ends as they are."""
        lines = split_lines(self.source.text, keep_ends=True)
        first, last = place.start.line - 1, place.end.line - 1
        if first == last:
            return lines[first][place.start.column : place.end.column]
        middle = lines[first + 1 : last]
        return "".join(
            (lines[first][place.start.column :], *middle, lines[last][: place.end.column])
        )


def prepare_matter(
    source: SourceText,
    rules: Sequence[Rule],
    changed: Sequence[Lines] | None,
    read_rule: Callable[[Rule], str],
    secrets: tuple[str, ...] = (),
) -> Matter:
    """Return what there is to judge of a document by rules whose scope fits.

    Parses the document: call it in a worker thread.
    """
    language = find_language(source.name, source.language_id)
    regions = choose_regions(split_regions(source.lines, _find_blocks(source, language)), changed)
    open_regions = [region for region in regions if redact(region.code, secrets) == region.code]
    selection = select_rules(
        rules,
        code_words=_find_code_words(source, open_regions),
        words_of=_find_rule_words,
    )
    left = [
        (selection.without_words, Reason("no-words")),
        (selection.too_many, Reason("too-many-rules", (MAX_RULES,))),
    ]
    return Matter(
        source=source,
        language_id=identify_language(source.name, source.language_id),
        rules={rule.id: rule for rule in rules},
        asked=tuple(AskedRule(rule.id, cut_rule(read_rule(rule))) for rule in selection.chosen),
        pieces=tuple(_make_pieces(source, open_regions)),
        skipped=tuple(
            SkippedRules(tuple(rule.id for rule in some), reason) for some, reason in left if some
        ),
        has_secrets=len(open_regions) < len(regions),
    )


def _find_blocks(source: SourceText, language: Language | None) -> Iterator[Lines]:
    if language is None:
        return
    outline = parse_outline(source.text, language)
    places = [function.range for function in outline.functions]
    places += [definition.range for definition in outline.types]
    for place in places:
        # An end before the first column is that of the line above.
        last = place.end.line - 1 if place.end.column == 0 else place.end.line
        yield place.start.line, max(place.start.line, last)


def _find_code_words(source: SourceText, regions: Iterable[Region]) -> Set[str]:
    words = set(_ANY_CODE)
    words.update(find_words(source.scope))
    for region in regions:
        words.update(find_words(region.code))
    return words


def _find_rule_words(rule: Rule) -> Set[str]:
    return _find_telling_words(f"{rule.text}\n{rule.rationale}")


@lru_cache(maxsize=2048)
def _find_telling_words(text: str) -> Set[str]:
    """Return the words of a text, and those that mean the same in English or Chinese."""
    said = read_wording(text).said
    return frozenset(word for word in said - FRAME_WORDS if _WORD_CHARACTER.match(word))


def _make_pieces(source: SourceText, regions: Iterable[Region]) -> Iterator[Piece]:
    lines = _leave_out_directives(source)
    for region in regions:
        bare = lines[region.first_line - 1 : region.last_line]
        yield Piece(region, "\n".join(line for line in bare if line is not None))


def _leave_out_directives(source: SourceText) -> list[str | None]:
    """Return the lines without the comments that dismiss findings; None is no line any more.

    Who dismisses a finding has not changed the code: it is not to be judged again.
    """
    lines: list[str | None] = list(source.lines)
    for directive in find_directives(source, comment_language(source)):
        start, end = directive.removal.start, directive.removal.end
        line = lines[start.line - 1] if start.line <= len(lines) else None
        if line is None:
            continue
        if end.line > start.line and start.column == 0 == end.column:
            lines[start.line - 1 : end.line - 1] = [None] * (end.line - start.line)
        elif end.line == start.line:
            lines[start.line - 1] = (line[: start.column] + line[end.column :]).rstrip()
    return lines
