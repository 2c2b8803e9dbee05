"""The file that a command works with: the nearest one of its kind above where it runs."""

import posixpath
from collections.abc import Iterator, Sequence

from glossator.linting.subject import Subject


def find_nearest_above(
    subject: Subject, names: Sequence[str], folder: str = "", *, only_here: bool = False
) -> str | None:
    """Return the path of the nearest file called one of `names`.

    It is looked for from the document's folder, or `folder` as seen from there or from the
    workspace folder, upwards.
    """
    for start in _list_starts(subject, folder):
        for place in (start,) if only_here else climb(start):
            for name in names:
                path = posixpath.join(place, name)
                if subject.around.files.read(path) is not None:
                    return path
    return None


def _list_starts(subject: Subject, folder: str) -> Iterator[str]:
    around = subject.around
    for base in dict.fromkeys((around.folder, "")):
        resolved = around.resolve(folder or ".", base)
        if resolved is not None and (not folder or around.files.exists(resolved)):
            yield resolved


def climb(folder: str) -> Iterator[str]:
    """Yield a folder and those above it, up to the workspace folder."""
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def list_elsewhere(subject: Subject, name: str, known: str) -> list[str]:
    """Return the other files of that name in the workspace."""
    return [path for path in subject.around.listing.by_name.get(name, ()) if path != known]
