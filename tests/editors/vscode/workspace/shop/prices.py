"""Prices are whole cents; currencies are converted by a fixed table."""

RATES = {"EUR": 1.0, "CNY": 7.8, "USD": 1.1}


def convert(cents: int, currency: str) -> float:
    """Convert cents of euro into `currency`."""
    return cents * RATES[currency]


def round_cents(value: float) -> int:
    """Round half up, as the law asks for receipts."""
    return int(value + 0.5)
