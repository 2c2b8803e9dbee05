"""The code that a question names: definitions, files, and the one function that it is about."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from glossator.app.briefing import Briefing, gather_briefing
from glossator.app.checking.finishing import Check
from glossator.app.cues import (
    asks_about_all,
    asks_for_convention,
    find_chinese_runs,
    find_names,
    is_explained,
    list_paths,
    looks_like_code,
    speaks_of_code,
)
from glossator.app.library import Library
from glossator.app.results import Target
from glossator.code.languages import find_language
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText, contains_chinese
from glossator.knowledge.stemming import stem
from glossator.tools.code_map import NO_USERS, Caller, CodeMap, Found, Place
from glossator.tools.file_names import FileNames
from glossator.tools.workspace import Workspace

_MAX_PLACES_PER_NAME = 5
_MAX_WALKED = 20_000
_MAX_FILES_NAMED = 3
_MAX_WORDS_WITHIN = 12
_TELLING_CHARS = 4
_READMES = ("README.md", "README.rst", "README.txt", "README")
# Chinese stands next to a path without a space between.
_ASCII_PATH = re.compile(r"[A-Za-z0-9_./\\-]+\Z")

Places = tuple[tuple[str, tuple[Place, ...]], ...]
"""Names with the places where they are defined."""


@dataclass(frozen=True, slots=True)
class NamedCode:
    """What a question names. `is_all`: it asks about the workspace as a whole."""

    places: Places
    files: tuple[SourceText, ...]
    is_all: bool

    def __bool__(self) -> bool:
        return bool(self.places or self.files)


def find_named_code(question: str, workspace: Workspace, code_map: CodeMap) -> NamedCode:
    """Look for what a question names. Reads files: call it in a worker thread."""
    places = _find_places(question, code_map)
    files = tuple(_find_files(question, workspace))
    if places or files:
        return NamedCode(places, files, is_all=False)
    if asks_about_all(question, [root.name for root in workspace.roots]):
        return NamedCode((), tuple(_find_readmes(workspace)), is_all=True)
    return NamedCode((), tuple(_find_files_named(find_names(question), workspace)), is_all=False)


def find_briefing(
    places: Places,
    workspace: Workspace,
    code_map: CodeMap,
    library: Library,
    target: Target | None,
    check: Check,
) -> Briefing | None:
    """Gather facts about the one function that is named, else about what is at the cursor."""
    if len(places) == 1 and len(places[0][1]) == 1 and places[0][1][0].function is not None:
        place = places[0][1][0]
        try:
            source = workspace.read(place.path)
        except GlossatorError:
            return None
        point = place.function.name_range.start if place.function else None
        return gather_briefing(Target(source, point), code_map, library, check) if point else None
    if target is not None:
        return gather_briefing(target, code_map, library, check)
    return None


def list_callers(place: Place, workspace: Workspace, code_map: CodeMap) -> Found[Caller]:
    """Return the calls of the function at `place`; none also for a type and a file that is gone."""
    if place.function is None:
        return NO_USERS.callers
    try:
        source = workspace.read(place.path)
    except GlossatorError:
        return NO_USERS.callers
    return code_map.find_callers(source, place.function, is_brief=True)


def leave_out_names(question: str, places: Places) -> str:
    """Leave out what is spelled like code and is defined here: `url_for` is not about URLs."""
    for name, _ in places:
        if looks_like_code(name):
            question = question.replace(name, " ")
    return question


def _find_places(question: str, code_map: CodeMap) -> Places:
    found = dict(_find_definitions(find_names(question), code_map))
    # Where it is asked for a convention, words are words.
    for run in () if asks_for_convention(question) else find_chinese_runs(question):
        rest = run
        for word in islice(code_map.find_words_within(run), _MAX_WORDS_WITHIN):
            if word in rest and _may_be_name(word, run, question):
                if word not in found:
                    found.update(_find_definitions((word,), code_map))
                if word in found:
                    rest = rest.replace(word, " ")
    return tuple(found.items())


def _may_be_name(word: str, run: str, question: str) -> bool:
    """Say whether a word within Chinese may be meant as a name: most short ones are just words."""
    return contains_chinese(word) and (
        len(word) >= _TELLING_CHARS or is_explained(word, run) or speaks_of_code(question)
    )


def _find_definitions(
    names: Sequence[str], code_map: CodeMap
) -> Iterator[tuple[str, tuple[Place, ...]]]:
    for name in names:
        parts = re.split(r"\.|::|#", name)
        found: tuple[Place, ...] = code_map.find_definitions(parts[-1])
        if not found and name.islower():
            # "how does the cache work" may be about `Cache`.
            found = code_map.find_definitions(name.capitalize())
        if len(parts) > 1:
            container = parts[-2]
            exact = [
                place
                for place in found
                if place.function and place.function.container.split(".")[-1] == container
            ]
            found = tuple(exact) or found
        if found:
            yield name, tuple(found[:_MAX_PLACES_PER_NAME])


def _find_readmes(workspace: Workspace) -> Iterator[SourceText]:
    for root in workspace.roots:
        for name in _READMES:
            source = _read_if_there(str(root / name), workspace)
            if source is not None:
                yield source
                break


def _find_files(question: str, workspace: Workspace) -> Iterator[SourceText]:
    names = FileNames(workspace)
    for name in list_paths(question):
        ascii_part = _ASCII_PATH.search(name)
        for path in dict.fromkeys([name, ascii_part[0] if ascii_part else name]):
            found = [
                source
                for place in dict.fromkeys([path, *names.ending_with(path)[:_MAX_PLACES_PER_NAME]])
                if (source := _read_if_there(place, workspace)) is not None
            ]
            yield from found
            if found:
                break


def _find_files_named(names: Sequence[str], workspace: Workspace) -> Iterator[SourceText]:
    """Find files by what they are called: "the CLI" is `cli.py`, "template" `templating.py`."""
    wanted = {name.lower() for name in names}
    stems = {stem(name) for name in wanted if len(name) > 2}
    if not wanted:
        return
    found: list[str] = []
    for path in workspace.list_files().paths[:_MAX_WALKED]:
        called = path[path.rfind(os.sep) + 1 :].rpartition(".")
        name = (called[0] or called[2]).lower()
        if name in wanted or (stem(name) in stems and find_language(path) is not None):
            found.append(workspace.show(Path(path)))
    if len(found) > _MAX_FILES_NAMED:
        return  # A name such as the project's own, which leads nowhere.
    yield from _read_all(sorted(found, key=lambda path: (path.count("/"), path)), workspace)


def _read_all(paths: Sequence[str], workspace: Workspace) -> Iterator[SourceText]:
    for path in paths:
        source = _read_if_there(path, workspace)
        if source is not None:
            yield source


def _read_if_there(path: str, workspace: Workspace) -> SourceText | None:
    try:
        return workspace.read(path)
    except GlossatorError:
        return None
