"""Where two lines of history part: the latest commit that both hold."""

import heapq
from collections.abc import Callable, Mapping, Sequence

from glossator.core.errors import UnreadableRepository
from glossator.tools.git.revisions import References, Revision

_FIRST, _SECOND, _OLDER = 1, 2, 4
_BOTH = _FIRST | _SECOND


def find_merge_base(
    references: References, first: Revision, second: Revision, is_over: Callable[[], bool]
) -> Revision | None:
    """Return the latest commit that is in the history of both, as `git merge-base` does.

    None when there is none, or when a shallow clone ends before it.

    Raises:
        UnreadableRepository: the repository is broken, or `is_over` says that time is up.
    """
    known = {second.commit_id: second, first.commit_id: first}
    marks = {first.commit_id: _FIRST}
    marks[second.commit_id] = marks.get(second.commit_id, 0) | _SECOND
    waiting = [(-commit.time_s, commit.commit_id) for commit in known.values()]
    heapq.heapify(waiting)
    # As long as one of them may lead to a later commit that both hold.
    live = set(known)
    found: list[str] = []
    while live or (waiting and _count_latest(found, marks) > 1):
        if is_over():
            raise UnreadableRepository("There was no time to look for where the history parts.")
        _, commit_id = heapq.heappop(waiting)
        live.discard(commit_id)
        mark = marks[commit_id]
        if mark & _BOTH == _BOTH:
            if commit_id not in found:
                found.append(commit_id)
            mark |= _OLDER
        for parent_id in references.list_parents(known[commit_id]):
            before = marks.get(parent_id, 0)
            if before & mark == mark:
                continue
            marks[parent_id] = before | mark
            if parent_id not in known:
                known[parent_id] = references.read_commit(parent_id, first.name)
            heapq.heappush(waiting, (-known[parent_id].time_s, parent_id))
            if marks[parent_id] & _OLDER:
                live.discard(parent_id)
            else:
                live.add(parent_id)
    latest = [known[one] for one in found if not marks[one] & _OLDER]
    return max(latest, key=lambda commit: commit.time_s, default=None)


def _count_latest(found: Sequence[str], marks: Mapping[str, int]) -> int:
    """Return how many may be: clocks go wrong, so some may be in the history of another one."""
    return sum(not marks[one] & _OLDER for one in found)
