"""Links and images that lead to nothing: a file that is not there, a heading that nobody wrote."""

import difflib
import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import quote, unquote

from glossator.core.text import split_lines
from glossator.linting.finding import Finding, find, replace_with
from glossator.linting.markup import Link, read_markup
from glossator.linting.subject import Subject

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_PLACEHOLDER = re.compile(r"[<>{}$*]|\.\.\.|…")
_MARKDOWN = (".md", ".mdc", ".markdown")
_LIKENESS = 0.7
_NOT_IN_WORDS = re.compile(r"[\W_]")


def check_links(subject: Subject) -> Iterator[Finding]:
    """Judge links and images to files of the workspace and to headings."""
    for link in subject.markup.links:
        target = link.target
        if not target or _SCHEME.match(target) or _PLACEHOLDER.search(target):
            continue
        path, mark, anchor = target.partition("#")
        path = path.partition("?")[0]
        if path.startswith("/"):
            continue  # The root of a web site, which nothing here knows.
        if not path:
            yield from _check_anchor(link, "", subject.markup.anchors, anchor)
            continue
        found = _find_file(subject, path)
        if found is None and _is_of_another_site(subject, path):
            continue
        if found is None:
            yield _report_dead(subject, link, path, mark + anchor)
        elif anchor and found.lower().endswith(_MARKDOWN):
            text = subject.around.files.read(found)
            if text is not None:
                yield from _check_anchor(link, path, _read_anchors(text), anchor)


def _find_file(subject: Subject, path: str) -> str | None:
    """Return the file or folder that a link leads to; outside is as good as there."""
    for written in dict.fromkeys((unquote(path), path)):
        resolved = subject.around.resolve(written)
        if resolved is None:
            return path
        if resolved == "" or subject.around.files.exists(resolved):
            return resolved
        for page in _list_sources(resolved):
            if subject.around.files.exists(page):
                return page
    return None


def _is_of_another_site(subject: Subject, path: str) -> bool:
    """Say whether a page stands in a folder that only a published site has."""
    folder = subject.around.resolve(path.rpartition("/")[0] or ".")
    return path.endswith(".html") and bool(folder) and not subject.around.files.exists(folder or "")


def _list_sources(path: str) -> Iterator[str]:
    """Yield the files that a site generator makes such a page from."""
    stem = path.removesuffix(".html")
    if stem != path or "." not in path.rpartition("/")[2]:
        yield from (f"{stem}{suffix}" for suffix in _MARKDOWN)
        yield f"{stem}/index.md"


def _report_dead(subject: Subject, link: Link, path: str, rest: str) -> Finding:
    wanted = subject.around.resolve(unquote(path)) or ""
    near = subject.around.listing.find_nearest(wanted)
    new = ""
    if near is not None:
        new = posixpath.relpath(near, subject.around.folder or ".")
        if path.startswith("./"):
            new = f"./{new}"
        new = quote(new, safe="/:@!$&'*+,;=~") if "%" in path or " " in new else new
    return find(
        "dead-link",
        link.range,
        repair=replace_with(link.range, new + rest) if new else None,
        target=path,
        near=new,
    )


def _check_anchor(link: Link, path: str, anchors: frozenset[str], anchor: str) -> Iterator[Finding]:
    wanted = unquote(anchor)
    # Line numbers of Git hosts, and text fragments of browsers.
    if not anchor or re.match(r"L\d|:~:", anchor) or wanted.lower() in anchors | {"top"}:
        return
    folded = {_NOT_IN_WORDS.sub("", each).lower() for each in anchors}
    # Every site generator has its own idea of what becomes of dots and underscores.
    if wanted in anchors or not anchors or _NOT_IN_WORDS.sub("", wanted).lower() in folded:
        return
    near = difflib.get_close_matches(wanted.lower(), sorted(anchors), n=1, cutoff=_LIKENESS)
    repair = replace_with(link.range, f"{path}#{near[0]}") if near else None
    new = f"#{near[0]}" if near else ""
    yield find("dead-anchor", link.range, repair=repair, anchor=anchor, target=path or "", near=new)


@lru_cache(maxsize=256)
def _read_anchors(text: str) -> frozenset[str]:
    return read_markup(split_lines(text)).anchors
