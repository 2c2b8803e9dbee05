"""`npm run x`, `pnpm run x`, `yarn run x`: is there such a script in the package at hand."""

import difflib
import json
from collections.abc import Iterator, Mapping

from glossator.core.locations import Span
from glossator.linting.command_lines import Command, Word
from glossator.linting.finding import Finding, find, replace_with, soften
from glossator.linting.nearest_file import find_nearest_above, list_elsewhere
from glossator.linting.subject import Subject

_RUN = frozenset({"run", "run-script"})
# Scripts that npm runs by their own names. `npm start` works with a `server.js` too.
_BY_NAME = {"test": "test", "t": "test", "stop": "stop", "restart": "restart"}
# They lead to another package, or to several.
_ELSEWHERE = (
    "-w", "--workspace", "--filter", "-F", "-r", "--recursive", "-C", "--prefix", "--cwd", "--dir",
    "--if-present", "--workspaces", "-ws", "-g",
)  # fmt: skip
_LIKENESS = 0.75
_MAX_PACKAGES = 200


def check_npm(subject: Subject, command: Command) -> Iterator[Finding]:
    """Find a script that the nearest `package.json` does not have."""
    script = _find_script(command)
    if script is None or command.folder is None:
        return
    package = find_nearest_above(subject, ("package.json",), command.folder)
    scripts = _read_scripts(subject, package) if package else None
    if package is None or scripts is None or script.text in scripts:
        return
    near = difflib.get_close_matches(script.text, scripts, n=1, cutoff=_LIKENESS)
    # These run installed programs too, whose names are nowhere in the package.
    if command.name in ("yarn", "bun") and not near and ":" not in script.text:
        return
    elsewhere = _find_elsewhere(subject, script, package)
    if elsewhere and _names_folder(subject, script, elsewhere):
        return
    found = find(
        "unknown-script",
        script.range,
        repair=replace_with(script.range, near[0]) if near and not elsewhere else None,
        related=[Span(path, 1, 1) for path in elsewhere[:3]],
        script=script.text,
        package=package,
        near=near[0] if near else "",
    )
    yield soften(found) if elsewhere else found


def _find_script(command: Command) -> Word | None:
    """Return the word that names a script, if the command runs one of the package at hand."""
    arguments = command.arguments
    for word in arguments:
        if word.text == "--":
            break
        if word.text.startswith(_ELSEWHERE):
            return None
    words = [word for word in arguments if not word.text.startswith("-")]
    if not words:
        return None
    if words[0].text in _RUN:
        return words[1] if len(words) > 1 and words[1].is_plain else None
    if command.name == "npm" and words[0].text in _BY_NAME:
        return words[0] if _BY_NAME[words[0].text] == words[0].text else None
    return None


def _read_scripts(subject: Subject, package: str) -> Mapping[str, str] | None:
    try:
        value = json.loads(subject.around.files.read(package) or "")
    except (ValueError, RecursionError):
        return None
    scripts = value.get("scripts", {}) if isinstance(value, dict) else None
    return scripts if isinstance(scripts, dict) else None


def _find_elsewhere(subject: Subject, script: Word, package: str) -> list[str]:
    """Return the other packages that have the script."""
    others = list_elsewhere(subject, "package.json", package)[:_MAX_PACKAGES]
    return [each for each in others if script.text in (_read_scripts(subject, each) or {})]


def _names_folder(subject: Subject, script: Word, packages: list[str]) -> bool:
    """Say whether the lines above or beside the command name a package that has the script."""
    line = script.range.start.line
    nearby = "\n".join(subject.lines[max(0, line - 12) : line + 2])
    return any(
        (folder := package.rpartition("/")[0]) and folder.rpartition("/")[2] in nearby
        for package in packages
    )
