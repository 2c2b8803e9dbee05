import pytest

from glossator.audit.prices import Price, parse_prices
from glossator.core.messages import Usage


def test_cached_tokens_are_part_of_the_prompt_and_have_their_own_price() -> None:
    price = Price(prompt=1.0, cached=0.1, completion=4.0)

    cost = price.cost(Usage(3_000_000, 500_000, 2_000_000))

    assert cost == pytest.approx(1.0 + 0.2 + 2.0)


def test_a_price_is_read_by_its_last_three_numbers() -> None:
    prices, problems = parse_prices(["deepseek-chat 0.27 0.07 1.10", "my own model  1 0 2"])

    assert problems == ()
    assert prices == {"deepseek-chat": Price(0.27, 0.07, 1.1), "my own model": Price(1, 0, 2)}


@pytest.mark.parametrize(
    "line",
    ["", "gpt", "gpt 1 2", "gpt 1 2 -3", "gpt 1 2 nan", "gpt 1 2 1e308", "1 2 3", "gpt a b c"],
)
def test_what_is_no_price_is_named_with_an_example(line: str) -> None:
    prices, [problem] = parse_prices([line])

    assert not prices
    assert f"`{line}`" in problem
    assert "deepseek-chat" in problem
