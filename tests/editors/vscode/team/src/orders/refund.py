"""Refunds of orders."""

MAX_DAYS = 90


def refund(order: str, cents: int, *, age_days: int) -> int:
    """Give the money of an order back; return what was paid out, in cents."""
    if age_days > MAX_DAYS:
        raise ValueError(f"{order} is too old to be refunded")
    return cents
