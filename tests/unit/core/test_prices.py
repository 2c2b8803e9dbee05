import pytest

from glossator.core.messages import Usage
from glossator.core.prices import Price, parse_prices


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


def test_the_cost_of_several_requests_is_known_only_when_that_of_each_is() -> None:
    first, second, unknown = Usage(1, cost=0.5), Usage(2, cost=0.25), Usage(3)

    assert (Usage() + first + second).cost == pytest.approx(0.75)
    assert (first + unknown).cost is None
    assert (first + unknown + second).cost is None
    assert (Usage() + Usage()).cost is None
