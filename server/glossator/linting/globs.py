"""The globs of a document: can each be read, does it match a file, does another cover it."""

import difflib
import posixpath
from collections.abc import Iterator
from itertools import islice

from glossator.core.globs import EXACT, find_invalid_glob
from glossator.core.locations import Range
from glossator.knowledge.front_matter import GLOB_KEYS
from glossator.linting.finding import Finding, Repair, find, remove, replace_with, soften
from glossator.linting.header import Entry, find_items, range_of_lines, range_on
from glossator.linting.subject import Subject
from glossator.linting.surroundings import NEAR
from glossator.linting.values import quote

_EVERYTHING = frozenset({"*", "**", "**/*", "*.*", "**/*.*"})
_ALIKE = (
    ("js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"),
    ("py", "pyi"),
    ("yml", "yaml"),
    ("htm", "html"),
    ("c", "h", "cc", "cpp", "cxx", "hpp"),
    ("css", "scss", "sass", "less"),
    ("md", "mdx", "markdown"),
    ("kt", "kts", "java"),
)
_KEYS = {"cursor": ("globs",), "copilot": ("applyTo",), "claude": ("paths",)}
_MAX_GLOBS = 100


def check_globs(subject: Subject) -> Iterator[Finding]:
    """Judge the globs of the header one by one, and each against the others."""
    keys = _KEYS.get(subject.document.family, GLOB_KEYS)
    entry = subject.header.get(*keys)
    if entry is None or not subject.has_meaning_in_header:
        return
    valid: list[tuple[str, Range]] = []
    for glob, place in islice(find_items(entry), _MAX_GLOBS):
        if _is_invalid(glob):
            yield find("invalid-glob", place, glob=glob)
        else:
            valid.append((glob, place))
    yield from _check_matches(subject, entry, valid)
    yield from _check_cover(subject, entry, valid)


def _is_invalid(glob: str) -> bool:
    return (
        glob.count("{") != glob.count("}")
        or glob.count("[") > glob.count("]")
        or find_invalid_glob([glob.removeprefix("./")]) is not None
    )


def _check_matches(
    subject: Subject, entry: Entry, items: list[tuple[str, Range]]
) -> Iterator[Finding]:
    listing = subject.around.listing
    if not listing.is_complete or not listing.paths:
        return
    unmatched = [(glob, place) for glob, place in items if not _matches(subject, glob)]
    for glob, place in unmatched:
        written = {each for each, _ in items}
        near = [each for each in _find_variants(subject, glob) if each not in written]
        found = find(
            "unmatched-glob",
            place,
            repair=replace_with(place, _write(subject, entry, place, near[0], len(items)))
            if len(near) == 1
            else None,
            glob=glob,
            near=", ".join(f"`{each}`" for each in near[:3]),
        )
        yield found if len(unmatched) == len(items) else soften(found)


def _matches(subject: Subject, glob: str) -> bool:
    if glob.startswith("!") or glob in _EVERYTHING:
        return True
    if subject.around.listing.match(_in_our_terms(subject, glob)):
        return True
    # What stands in an ignored folder may be meant, and is not listed.
    fixed = _fixed_part(glob.removeprefix("./"))
    return bool(fixed) and subject.around.files.is_ignored(
        posixpath.join(subject.document.home_scope, fixed)
    )


def _fixed_part(glob: str) -> str:
    """Return the folders at the beginning of a glob that hold no wildcard."""
    parts = []
    for part in glob.strip("/").split("/")[:-1]:
        if any(character in part for character in "*?[{"):
            break
        parts.append(part)
    return "/".join(parts)


def _in_our_terms(subject: Subject, glob: str) -> str:
    """Return a glob as it is matched with a path below the workspace folder."""
    document = subject.document
    glob, home = glob.removeprefix("./"), document.home_scope
    if document.family in ("claude", "copilot"):
        bare = glob.lstrip("/")
        is_below = not home or bare.startswith(f"{home}/")
        return EXACT + ("**" if bare in _EVERYTHING else bare if is_below else f"{home}/{bare}")
    if document.family != "cursor" or not home or glob.lstrip("/").startswith(f"{home}/"):
        return glob
    between = "" if "/" in glob.rstrip("/") else "**/"
    return f"/{home}/{between}{glob.lstrip('/')}"


def _find_variants(subject: Subject, glob: str) -> list[str]:
    """Return globs that differ little and match a file."""
    listing = subject.around.listing
    plain = glob.removeprefix("./").lstrip("/")
    head, _, name = plain.rpartition("/")
    candidates = [plain]
    if not plain.startswith("**/"):
        candidates.append(f"**/{plain}")
    if head and "*" in name and not head.endswith("**"):
        candidates.append(f"{head}/**/{name}")

    def keep_matching(globs: list[str]) -> list[str]:
        distinct = dict.fromkeys(globs)
        return [each for each in distinct if listing.match(_in_our_terms(subject, each))]

    near = keep_matching(candidates)
    if near:
        return near[:1] if near[0] == plain else near
    return keep_matching([*_with_other_extensions(plain), *_with_other_folders(subject, plain)])


def _with_other_extensions(glob: str) -> Iterator[str]:
    stem, dot, extension = glob.rpartition(".")
    for alike in _ALIKE:
        if dot and extension.lower() in alike:
            yield from (f"{stem}.{other}" for other in alike if other != extension)


def _with_other_folders(subject: Subject, glob: str) -> Iterator[str]:
    paths = subject.around.listing.by_folder.get(subject.document.home_scope, ())
    names = {name for path in paths for name in path.split("/")[:-1]}
    parts = glob.split("/")
    for position, part in enumerate(parts[:-1]):
        if part and not any(character in part for character in "*?[{") and part not in names:
            for near in difflib.get_close_matches(part, names, n=2, cutoff=NEAR):
                yield "/".join([*parts[:position], near, *parts[position + 1 :]])


def _write(subject: Subject, entry: Entry, place: Range, glob: str, n_items: int) -> str:
    """Return a glob as it must stand in the place of another."""
    line = subject.lines[place.start.line - 1]
    written = line[place.start.column : place.end.column]
    if written[:1] in ('"', "'") and written[-1:] == written[0]:
        return f"{written[0]}{glob}{written[0]}"
    is_in_text = entry.value[:1] in "\"'" or (n_items > 1 and entry.value and entry.value[0] != "[")
    if (entry.value and is_in_text) or glob[0] not in "*{[!":
        return glob
    return quote(glob)


def _check_cover(
    subject: Subject, entry: Entry, items: list[tuple[str, Range]]
) -> Iterator[Finding]:
    if any(glob.startswith("!") for glob, _ in items):
        return
    for position, (glob, place) in enumerate(items):
        for other_position, (other, _) in enumerate(items):
            if position != other_position and _covers(
                other, glob, is_first=other_position < position
            ):
                repair = take_out(subject, entry, place)
                yield find("covered-glob", place, repair=repair, glob=glob, other=other)
                break


def _covers(wide: str, narrow: str, *, is_first: bool) -> bool:
    """Say whether all that `narrow` matches is matched by `wide` in any workspace.

    Of two that are the same the second is covered.
    """
    wide, narrow = wide.removeprefix("./"), narrow.removeprefix("./")
    if wide == narrow or {wide, narrow} <= _EVERYTHING:
        return is_first
    if wide in _EVERYTHING:
        return True
    tail = wide.removeprefix("**/")
    if "/" in tail or "{" in tail or (tail == wide and "/" in wide):
        return False
    if narrow.removeprefix("**/") == tail:
        return is_first
    return narrow.endswith(f"/{tail}")


def take_out(subject: Subject, entry: Entry, place: Range) -> Repair:
    """Return the repair that takes one item out of its list, with its comma or its line."""
    line = subject.lines[place.start.line - 1]
    if place.start.line != entry.line:
        return remove(range_of_lines(place.start.line, place.start.line))
    start, end = place.start.column, place.end.column
    before = line[:start].rstrip()
    if before.endswith((",", "，", "、")):
        start = len(before) - 1
    else:
        after = line[end:]
        stripped = after.lstrip()
        if stripped[:1] in (",", "，", "、"):
            rest = stripped[1:]
            end += len(after) - len(stripped) + 1 + len(rest) - len(rest.lstrip())
    return remove(range_on(place.start.line, start, end - start))
