"""Which rules are asked about: those whose scope and whose words fit what changed."""

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass

from glossator.rules.rule import Rule

FEW_RULES = 12
"""So few are all asked about: a rule may be broken by code that has none of its words."""
MAX_RULES = 40
"""More at once are judged carelessly."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The rules to be asked about, best fitting first, and those left out.

    `without_words` share no word with the code; `too_many` would have been asked about, too.
    """

    chosen: tuple[Rule, ...]
    without_words: tuple[Rule, ...] = ()
    too_many: tuple[Rule, ...] = ()


def select_rules(
    rules: Iterable[Rule],
    *,
    code_words: Set[str],
    words_of: Callable[[Rule], Set[str]],
) -> Selection:
    """Choose among rules whose scope fits by the words that they share with the code.

    A rule that names its own files fits those by that alone.
    """
    fits = [(len(words_of(rule) & code_words), rule) for rule in rules]
    ranked = sorted(fits, key=lambda fit: (-fit[0], not fit[1].files, fit[1].id))
    is_chosen = [
        number < FEW_RULES or n_shared > 0 or bool(rule.files)
        for number, (n_shared, rule) in enumerate(ranked)
    ]
    chosen = _pick(ranked, is_chosen)
    left = _pick(ranked, [not each for each in is_chosen])
    return Selection(chosen[:MAX_RULES], left, chosen[MAX_RULES:])


def _pick(ranked: Sequence[tuple[int, Rule]], picked: Sequence[bool]) -> tuple[Rule, ...]:
    return tuple(rule for (_, rule), wanted in zip(ranked, picked, strict=True) if wanted)
