"""How large what is asked for may be; whoever takes arguments and whoever answers agree on it."""

from glossator.core.errors import InvalidArguments

MAX_QUESTION_CHARACTERS = 100_000
"""So long a question may be."""
MAX_DAYS = 36_500
"""So many days figures may reach back."""
MAX_SECTIONS = 100
"""So many sections a search lists at most."""
N_SECTIONS = 10
"""So many it lists where nobody says how many."""


def require_length(question: str) -> None:
    """Refuse a question that is as long as a book.

    Raises:
        InvalidArguments: it is longer than `MAX_QUESTION_CHARACTERS`.
    """
    if len(question) > MAX_QUESTION_CHARACTERS:
        raise InvalidArguments(
            f"The question has {len(question)} characters; {MAX_QUESTION_CHARACTERS} are "
            "answered at most. Ask about a part of it."
        )
