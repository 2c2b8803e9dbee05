"""Find where code breaks rules: every check of a language in one pass over the syntax tree."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from ast_grep_py import SgNode

from glossator.core.errors import GlossatorError
from glossator.core.lines import Lines
from glossator.core.locations import Range
from glossator.rules.combining import Query, find_nodes, make_query
from glossator.rules.finding import Finding
from glossator.rules.fixes import Match, find_offsets
from glossator.rules.locality import REACHES, Reach
from glossator.rules.outlines import LANGUAGES_OF_STATEMENTS, Outline, find_outline
from glossator.rules.rule import Check, Rule
from glossator.rules.scope import is_for_language, is_in_scope, split_place
from glossator.rules.trees import parse_tree, replace_surrogates
from glossator.rules.vocabulary import Vocabulary

# Nobody writes brackets this deep; rules that look through all ancestors take quadratic time there.
MAX_DEPTH = 400
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))


class TooDeeplyNested(GlossatorError):
    """Code that no person wrote, and that would take too long to check."""

    code = "too-deeply-nested"


@dataclass(frozen=True, slots=True)
class Found:
    """Findings by position. In the `broken_lines` (1-based, inclusive) nothing could be found.

    `lost_ids` are the rules that might have been broken there. All others need what the text does
    not have anywhere. `outline` is None where it is not known, or where a finding in one
    statement may depend on another.
    """

    findings: tuple[Finding, ...] = ()
    broken_lines: tuple[tuple[int, int], ...] = ()
    lost_ids: tuple[str, ...] = ()
    outline: Outline | None = None


class RuleSet:
    """The checks of some rules, by language. A value: nothing in it changes after it is made."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._queries: dict[str, list[Query]] = {}
        checks = [(rule, check) for rule in self.rules for check in rule.checks]
        for number, (rule, check) in enumerate(checks):
            query = make_query(rule, check, number)
            for language in filter(partial(is_for_language, rule, check), check.languages):
                self._queries.setdefault(language, []).append(query)

    def applies_to(self, place: str, language_id: str) -> tuple[Rule, ...]:
        """Return the rules whose checks are made for the file at `place`, of that language.

        Places are those of `scope.name_place`; the empty one is in every rule's scope.
        """
        rules = (query.rule for query in self._select(place, language_id))
        return tuple({rule.id: rule for rule in rules}.values())

    def select_checks(self, place: str, language_id: str) -> tuple[tuple[Rule, Check], ...]:
        """Return the checks that `find` would run for such a file, each with its rule."""
        return tuple((query.rule, query.check) for query in self._select(place, language_id))

    def find(self, text: str, language_id: str, place: str) -> tuple[Finding, ...]:
        """Return the findings in `text`, by position, as `search` does."""
        return self.search(text, language_id, place).findings

    def search(
        self, text: str, language_id: str, place: str, *, with_outline: bool = False
    ) -> Found:
        """Return the findings in `text`, and where it was not looked.

        Raises `TooDeeplyNested` for code that would take quadratic time. Where the syntax is
        broken, nothing is reported: the tree there is a guess. The outline is only found
        `with_outline`, and for languages in which statements stand apart.
        """
        selected = self._select(place, language_id)
        if not selected:
            return Found()
        vocabulary = Vocabulary(text)
        queries = [query for query in selected if vocabulary.mentions_all(query.needs)]
        with_outline &= language_id in LANGUAGES_OF_STATEMENTS
        with_outline &= all(query.reach != "text" for query in queries)
        if not queries and not with_outline:
            return Found()
        if nests_deeply(text):
            raise TooDeeplyNested(
                f"`{split_place(place)[1]}` nests brackets more than {MAX_DEPTH} deep and was not "
                "checked; leave generated files out with the setting `check.exclude`."
            )
        text = replace_surrogates(text)  # ast-grep takes valid UTF-8 only.
        root = parse_tree(text, language_id)
        found, broken = find_nodes(root, queries)
        with_outline &= not broken
        if not found and not broken and not with_outline:
            return Found()
        if broken:
            found = [(query, node) for query, node in found if not _touches_error(node)]
        # Two checks of one rule may flag the same code; that is one finding.
        distinct = {(*find_offsets(node), query.rule.id): (query, node) for query, node in found}
        lines = Lines(text)
        return Found(
            tuple(_make_finding(*distinct[key], text, lines) for key in sorted(distinct)),
            _join_lines(broken, lines),
            tuple(dict.fromkeys(query.rule.id for query in queries)) if broken else (),
            find_outline(root, text, language_id) if with_outline else None,
        )

    def may_reach(self, text: str, language_id: str, place: str, *, reach: Reach) -> bool:
        """Say whether a check that may match in `text` looks as far as that, or further."""
        selected = self._select(place, language_id)
        far = [query for query in selected if REACHES.index(query.reach) >= REACHES.index(reach)]
        if not far:
            return False
        vocabulary = Vocabulary(text)
        return any(vocabulary.mentions_all(query.needs) for query in far)

    def _select(self, place: str, language_id: str) -> list[Query]:
        queries = self._queries.get(language_id, [])
        return [
            query
            for query in queries
            if not (place and query.is_limited) or is_in_scope(query.rule, place, query.check)
        ]


def _join_lines(nodes: Iterable[SgNode], lines: Lines) -> tuple[tuple[int, int], ...]:
    """Return the lines of nodes in their order, those that overlap or adjoin as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(find_offsets(node) for node in nodes):
        first, last = lines.find_point(start).line, lines.find_point(max(start, end - 1)).line
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return tuple(joined)


def _touches_error(node: SgNode) -> bool:
    return node.inside(kind="ERROR") or node.has(kind="ERROR")


def _make_finding(query: Query, node: SgNode, text: str, lines: Lines) -> Finding:
    check = query.check
    start, end = find_offsets(node)
    place = Range(lines.find_point(start), lines.find_point(end))
    match = Match(node, text, "transform" in check.config, query.suffix)
    return Finding(
        rule=query.rule,
        range=place,
        message=match.render_message(check.message),
        severity=check.severity,
        code=text[start:end],
        fix=((place, match.render_fix(check.fix)),) if check.fix else (),
        tags=check.tags,
    )


def nests_deeply(text: str) -> bool:
    """Say whether brackets nest deeper than anyone writes.

    Each turn of the loop takes away the innermost pairs, in C; ordinary code needs a dozen.
    """
    brackets = text.encode("ascii", "ignore").translate(None, _NO_BRACKETS)
    for _ in range(MAX_DEPTH):
        shorter = brackets.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"")
        if len(shorter) == len(brackets):
            return False
        brackets = shorter
    return True
