"""`python tools/x.py`, `./scripts/x.sh`, `pytest tests/x.py`: is the file there."""

import re
from collections.abc import Iterator, Sequence

from glossator.core.locations import Point, Range
from glossator.linting.command_lines import Command, Word
from glossator.linting.finding import Finding, find, replace_with
from glossator.linting.subject import Subject

_INTERPRETERS = {
    "python": (".py",), "python3": (".py",), "bash": (".sh", ".bash"), "sh": (".sh",),
    "zsh": (".sh", ".zsh"), "source": (".sh",), "node": (".js", ".mjs", ".cjs", ".ts"),
    "tsx": (".ts", ".js"), "ts-node": (".ts",), "ruby": (".rb",), "perl": (".pl",),
    "php": (".php",),
}  # fmt: skip
_SCRIPTS = (".sh", ".bash", ".zsh", ".py", ".rb", ".pl", ".js", ".mjs", ".ts", ".ps1")
_INVENTED = re.compile(
    r"(?:^|/)(?:path|to|your|my|foo|bar|example|script|main|app|file|some|test_foo|hello|index)"
    r"(?:[_-]\w+)?(?:/|\.\w+$|$)",
    re.IGNORECASE,
)


def check_script_file(subject: Subject, command: Command) -> Iterator[Finding]:
    """Find a script that an interpreter is given, or that is run by its path, and is not there."""
    if command.folder is None:
        return
    name = command.words[0]
    if name.text in _INTERPRETERS:
        word = next((each for each in command.arguments if not each.text.startswith("-")), None)
        takes_code = any(each.text in ("-m", "-c", "-e", "-p") for each in command.arguments)
        if word is not None and not takes_code and word.text.endswith(_INTERPRETERS[name.text]):
            yield from _check_file(subject, command, word)
    elif name.text.startswith("./") and "/" in name.text[2:]:
        # In a sentence this may be any path; a script is told by its ending.
        if not command.is_in_block and not name.text.endswith(_SCRIPTS):
            return
        yield from _check_file(subject, command, name)
    elif name.text in ("pytest", "py.test"):
        yield from _check_tests(subject, command)


def _check_tests(subject: Subject, command: Command) -> Iterator[Finding]:
    previous = ""
    for word in command.arguments:
        path = word.text.partition("::")[0]
        is_path = path.endswith(".py") or "/" in path
        if is_path and not path.startswith("-") and not previous.startswith("-"):
            yield from _check_file(subject, command, word, length=len(path))
        previous = word.text


def _check_file(
    subject: Subject, command: Command, word: Word, length: int | None = None
) -> Iterator[Finding]:
    path = word.text if length is None else word.text[:length]
    start = word.range.start
    place = Range(start, Point(start.line, start.column + len(path)))
    plain = path.removeprefix("./")
    around = subject.around
    if not word.is_plain or plain.startswith(("/", "~", "../")) or _INVENTED.search(plain):
        return
    if re.search(r"(?:^|/)[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:/|$)", plain):
        return  # `SKILL_DIR/x.py`: a gap to fill in.
    if "/" not in plain:
        return  # A name alone may stand for what the text has just told to write.
    folders = _list_folders(subject, command.folder or "")
    resolved = [each for base in folders if (each := around.resolve(plain, base))]
    if not resolved or any(map(around.files.exists, resolved)):
        return
    if any(map(around.files.is_ignored, resolved)):
        return
    near = around.listing.find_nearest(resolved[0])
    prefix = f"{folders[0]}/" if folders[0] else ""
    new = near.removeprefix(prefix) if near and near.startswith(prefix) else ""
    if new and path.startswith("./"):
        new = f"./{new}"
    repair = replace_with(place, new) if new else None
    yield find("missing-file-of-command", place, repair=repair, path=path, near=new)


def _list_folders(subject: Subject, folder: str) -> Sequence[str]:
    around = subject.around
    bases = [around.resolve(folder or ".", base) for base in (around.folder, "")]
    return list(dict.fromkeys(base for base in bases if base is not None))
