"""How long ago something was, in words."""


def describe_age(seconds: float) -> str:
    """Return a time for people: `3 hours`."""
    for size, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            number = int(seconds // size)
            return f"{number} {name}" if number == 1 else f"{number} {name}s"
    return "less than a minute"
