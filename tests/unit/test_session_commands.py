import pytest

from glossator.core.errors import InvalidArguments, UnknownSession
from glossator.sessions.session import SessionEntry
from glossator.subcommands.sessions import choose_session


class Listing:
    """The only part of the sessions that choosing needs."""

    def __init__(self, *ids: str) -> None:
        self._ids = ids

    async def find(self, query: str = "") -> tuple[SessionEntry, ...]:
        return tuple(SessionEntry(each, "T", 1, 0.0, "q") for each in self._ids)

    def list_problems(self) -> tuple[str, ...]:
        return ()


@pytest.mark.parametrize(
    ("ids", "shortened", "latest", "chosen"),
    [
        (["ab12", "cd34"], "", True, "ab12"),
        (["ab12", "cd34"], "c", False, "cd34"),
        (["ab12", "ab"], "ab", False, "ab"),
        (["ab12"], "", False, ""),
    ],
)
async def test_a_session_is_chosen_by_the_beginning_of_its_id_or_as_the_latest(
    ids: list[str], shortened: str, latest: bool, chosen: str
) -> None:
    sessions = Listing(*ids)

    assert await choose_session(sessions, shortened, latest=latest) == chosen  # type: ignore[arg-type]  # a part of one


async def test_a_beginning_that_several_share_is_refused_with_their_ids() -> None:
    with pytest.raises(InvalidArguments, match="`ab12`, `ab34`"):
        await choose_session(Listing("ab12", "ab34"), "a", latest=False)  # type: ignore[arg-type]  # a part of one


@pytest.mark.parametrize(("shortened", "latest"), [("x", False), ("", True)])
async def test_what_is_not_there_cannot_be_chosen(shortened: str, latest: bool) -> None:
    with pytest.raises(UnknownSession):
        await choose_session(Listing(), shortened, latest=latest)  # type: ignore[arg-type]  # a part of one
