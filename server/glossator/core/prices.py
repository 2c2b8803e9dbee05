"""What tokens cost, as the user wrote it down."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from glossator.core.messages import Usage

_MILLION = 1_000_000
_MAX_PRICE = 1e9


@dataclass(frozen=True, slots=True)
class Price:
    """Of a million tokens, in whatever currency the user means."""

    prompt: float
    cached: float
    completion: float

    def cost(self, usage: Usage) -> float:
        """Return what these tokens cost; the cached ones are part of the prompt."""
        fresh = usage.prompt_tokens - usage.cached_tokens
        return (
            fresh * self.prompt
            + usage.cached_tokens * self.cached
            + usage.completion_tokens * self.completion
        ) / _MILLION


def parse_prices(lines: Iterable[str]) -> tuple[Mapping[str, Price], tuple[str, ...]]:
    """Read `MODEL PROMPT CACHED COMPLETION`; return prices by model, and what cannot be read."""
    prices: dict[str, Price] = {}
    problems: list[str] = []
    for line in lines:
        parts = line.rsplit(maxsplit=3)
        price = _parse(parts[1:])
        if price is None:
            problems.append(
                f"`audit.prices`: `{line}` is not `MODEL PROMPT CACHED COMPLETION`, such as "
                "`deepseek-chat 0.27 0.07 1.10`."
            )
        else:
            prices[parts[0].strip()] = price
    return prices, tuple(problems)


def _parse(numbers: list[str]) -> Price | None:
    try:
        values = [float(number) for number in numbers]
    except ValueError:
        return None
    if len(values) != 3 or not all(0 <= value <= _MAX_PRICE for value in values):
        return None
    return Price(*values)
