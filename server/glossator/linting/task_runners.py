"""`make`, `just`, `poe`, `tox` and `nox`: is what they are told to run there."""

import difflib
import posixpath
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from glossator.core.text import split_lines
from glossator.linting.command_lines import Command, Word
from glossator.linting.finding import Finding, find, replace_with
from glossator.linting.nearest_file import find_nearest_above
from glossator.linting.subject import Subject

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")
_TARGET = re.compile(r"(?P<targets>[^\s:#=][^:#=]*):(?![=:]?=)")
_INCLUDE = re.compile(r"[-s]?include\s+(?P<paths>.+)")
_RECIPE = re.compile(r"@?(?P<name>[A-Za-z_][\w-]*)(?P<parameters>[^:]*):(?!=)")
_ALIAS = re.compile(r"alias\s+([\w-]+)\s*:=")
_SESSION = re.compile(
    r"@(?:nox\.)?session\b(?P<options>\([^)]*\))?\s*\n(?:@.*\n)*(?:async\s+)?def\s+(?P<name>\w+)"
)
_SESSION_NAME = re.compile(r"\bname\s*=\s*['\"]([^'\"]+)['\"]")
_LIKENESS = 0.7
_MAX_INCLUDES = 20


def check_make(subject: Subject, command: Command) -> Iterator[Finding]:
    """Find a target that no rule of the nearest Makefile makes."""
    folder, only_here = command.folder, False
    words = list(command.arguments)
    if folder is None or any(word.text.startswith(("-f", "--file", "-I")) for word in words):
        return
    for position, word in enumerate(words):
        if word.text == "-C" and position + 1 < len(words) and words[position + 1].is_plain:
            folder = posixpath.join(folder, words[position + 1].text)
            only_here = True
            del words[position : position + 2]
            break
    makefile = find_nearest_above(subject, _MAKEFILES, folder, only_here=only_here)
    targets = _read_targets(subject, makefile) if makefile else None
    if makefile is None or targets is None:
        return
    for word in _plain(words):
        if "=" in word.text or _is_made(subject, word.text, targets, makefile):
            continue
        yield _report("unknown-target", word, makefile, targets)


def _plain(words: Iterable[Word]) -> Iterator[Word]:
    for word in words:
        if not word.is_plain:
            return
        if not word.text.startswith("-"):
            yield word


def _is_made(subject: Subject, target: str, targets: set[str], makefile: str) -> bool:
    if target in targets:
        return True
    patterns = (re.escape(each).replace("%", ".+") for each in targets if "%" in each)
    if any(re.fullmatch(pattern, target) for pattern in patterns):
        return True
    # A file needs no rule, and make knows how to make some by itself.
    path = posixpath.join(posixpath.dirname(makefile), target)
    return "/" in target or "." in target or subject.around.files.exists(path)


def _read_targets(subject: Subject, makefile: str) -> set[str] | None:
    """Return the targets of a Makefile and what it includes; None when they cannot be told."""
    targets: set[str] = set()
    waiting, seen = [makefile], set[str]()
    while waiting:
        path = waiting.pop()
        text = subject.around.files.read(path)
        if text is None or len(seen) > _MAX_INCLUDES:
            return None
        seen.add(path)
        for line in split_lines(text.replace("\\\n", " ")):
            include = _INCLUDE.match(line)
            if include is not None:
                for each in include["paths"].split():
                    included = posixpath.join(posixpath.dirname(path), each)
                    if included not in seen:
                        waiting.append(included)
            elif "$(eval" in line or "$(call" in line[:7]:
                return None
            elif match := _TARGET.match(line):
                if "$" in match["targets"]:
                    return None
                targets.update(match["targets"].split())
    return targets


def check_just(subject: Subject, command: Command) -> Iterator[Finding]:
    """Find a recipe that the nearest justfile does not have."""
    word = next(iter(command.arguments), None)
    if word is None or not word.is_plain or word.text.startswith("-") or command.folder is None:
        return
    if "=" in word.text or "/" in word.text or "::" in word.text:
        return
    justfile = find_nearest_above(subject, _JUSTFILES, command.folder)
    text = subject.around.files.read(justfile) if justfile else None
    if justfile is None or text is None or re.search(r"^(?:mod|import)\??\s", text, re.MULTILINE):
        return
    lines = split_lines(text)
    recipes = {match["name"] for line in lines if (match := _RECIPE.match(line))}
    recipes |= {match[1] for line in lines if (match := _ALIAS.match(line))}
    if word.text not in recipes:
        yield _report("unknown-target", word, justfile, recipes)


def check_poe(subject: Subject, command: Command) -> Iterator[Finding]:
    """Find a task that `pyproject.toml` does not define."""
    word = next(iter(command.arguments), None)
    if word is None or not word.is_plain or word.text.startswith("-") or command.folder is None:
        return
    file = find_nearest_above(subject, ("pyproject.toml",), command.folder)
    poe = _read_toml(subject, file, "tool", "poe") if file else None
    if file is None or not isinstance(poe, dict) or "include" in poe or "include_script" in poe:
        return
    tasks = {name for name in poe.get("tasks", {}) if isinstance(name, str)}
    if tasks and word.text not in tasks:
        yield _report("unknown-task", word, file, tasks)


def check_tox(subject: Subject, command: Command) -> Iterator[Finding]:
    """Find an environment of which no part is named in the configuration of tox."""
    word = _find_value(command.arguments, ("-e", "--env"))
    if word is None or command.folder is None:
        return
    for name in ("tox.ini", "tox.toml", "pyproject.toml"):
        file = find_nearest_above(subject, (name,), command.folder)
        text = subject.around.files.read(file) if file else None
        if file is None or text is None or (name == "pyproject.toml" and "[tool.tox" not in text):
            continue
        known = set(re.findall(r"[A-Za-z][\w.]*", text))
        for environment in word.text.split(","):
            factors = [part for part in environment.split("-") if part]
            if not all(part in known or re.fullmatch(r"py[\d.]*|\d.*", part) for part in factors):
                names = set(re.findall(r"^\[(?:testenv|env):([\w.-]+)", text, re.MULTILINE))
                yield _report("unknown-task", word, file, names)
        return


def check_nox(subject: Subject, command: Command) -> Iterator[Finding]:
    """Find a session that the `noxfile.py` does not define."""
    word = _find_value(command.arguments, ("-s", "--session", "--sessions", "-e"))
    file = find_nearest_above(subject, ("noxfile.py",), command.folder or "")
    text = subject.around.files.read(file) if file else None
    if word is None or file is None or text is None or command.folder is None:
        return
    sessions: set[str] = set()
    for match in _SESSION.finditer(text):
        written = _SESSION_NAME.search(match["options"] or "")
        sessions.add(written[1] if written else match["name"])
    name = re.sub(r"(?:-[\d.]+)?(?:\(.*\))?$", "", word.text)
    if sessions and name.replace("_", "-") not in {each.replace("_", "-") for each in sessions}:
        yield _report("unknown-task", word, file, sessions)


def _find_value(words: Sequence[Word], options: tuple[str, ...]) -> Word | None:
    """Return the word behind one of the options."""
    for option, value in pairwise(words):
        if option.text in options and value.is_plain and not value.text.startswith("-"):
            return value
    return None


def _read_toml(subject: Subject, file: str, *keys: str) -> Any:
    try:
        value: Any = tomllib.loads(subject.around.files.read(file) or "")
    except (ValueError, RecursionError):
        return None
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _report(code: str, word: Word, file: str, known: Iterable[str]) -> Finding:
    near = difflib.get_close_matches(word.text, list(known), n=1, cutoff=_LIKENESS)
    repair = replace_with(word.range, near[0]) if near else None
    return find(
        code, word.range, repair=repair, name=word.text, file=file, near=near[0] if near else ""
    )
