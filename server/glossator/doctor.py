"""Examine an installation: what was found, what is missing and how to fix it."""

import json
import platform
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from glossator.app.phrasing import count
from glossator.app.results import MeaningStatus, SharedStatus, Status
from glossator.compose import locate_own_settings

_MAX_SETTINGS_BYTES = 1_000_000
_NAMED_FILES = 8


@dataclass(frozen=True, slots=True)
class Examined:
    """One thing that was looked at. `remedy` is empty when all is well."""

    subject: str
    state: str
    remedy: str = ""


def examine(status: Status, *, n_sessions: int = 0) -> tuple[Examined, ...]:
    """Look at everything that decides what Glossator can do here."""
    return tuple(_examine(status, n_sessions))


def _examine(status: Status, n_sessions: int) -> Iterator[Examined]:
    yield Examined("Glossator", f"{status.version} on Python {platform.python_version()}")
    yield _examine_command()
    model = status.model
    if model.is_configured:
        yield Examined("Model", f"{model.name} at {model.endpoint} (from {model.source})")
    else:
        yield Examined("Model", "none; everything but free conversation works", model.message)
    index = status.index
    if index is not None:
        documents = count(index.n_documents, "document")
        yield Examined("Knowledge", f"{documents}, {count(index.n_sections, 'section')}")
        yield Examined("Skills", str(index.n_skills))
        yield Examined("Rules", str(index.n_rules))
    if index is not None:
        yield Examined("Instructions", _name_files(status.instructions))
    yield _examine_trust(status)
    yield _examine_meaning(status.meaning)
    if status.shared is not None:
        yield _examine_shared(status.shared)
    yield _examine_sessions(status.sessions_file, n_sessions)
    own_settings = locate_own_settings()
    if own_settings.is_file():
        yield Examined("Your settings", f"{own_settings} is used")
    for root in status.roots:
        yield Examined("Workspace", str(root))
        yield from _examine_settings_files(root)
    found = shutil.which("rg")
    yield Examined("ripgrep", found or "not found; searching works, in large workspaces slower")
    for problem in status.problems:
        yield Examined("Problem", problem, "Correct what is named here.")


def _examine_trust(status: Status) -> Examined:
    if status.trust == "trusted":
        return Examined("Trust", "this workspace is trusted: its `.env`, skills and instructions")
    state = "is not trusted" if status.trust == "untrusted" else "is not trusted yet"
    return Examined(
        "Trust",
        f"this workspace {state}; not used: {_name_files(status.withheld)}",
        'Run `glossator.trustWorkspace` with `{"trusted": true}` in the editor, or set '
        "`workspace.trusted`."
        if status.withheld
        else "",
    )


def _name_files(paths: Sequence[str]) -> str:
    names = ", ".join(paths[:_NAMED_FILES])
    n_more = len(paths) - _NAMED_FILES
    return (f"{names} and {n_more} more" if n_more > 0 else names) or "none"


def _examine_meaning(meaning: MeaningStatus | None) -> Examined:
    if meaning is None:
        return Examined("Meaning", "not used; knowledge is found by its words")
    ready = f"{meaning.n_ready:,} of {meaning.n_sections:,} sections ready"
    if meaning.n_ready < meaning.n_sections:
        ready += " (`glossator index --meaning` prepares the others)"
    cache = f"{meaning.cache_bytes / 1e6:.1f} MB of vectors in {meaning.cache}"
    return Examined("Meaning", f"{meaning.encoder}, {ready}, {cache}")


def _examine_shared(shared: SharedStatus) -> Examined:
    place = f"`{shared.collection}` in {shared.address}"
    if shared.problem:
        return Examined("Shared index", f"{place} is not used; the local index answers alone")
    held = f"{count(shared.n_documents, 'document')}, {count(shared.n_sections, 'section')}"
    vectors = ", ".join(f"{n:,} vectors of {name}" for name, n in shared.vectors) or "no vectors"
    return Examined("Shared index", f"{place}: {held}, {vectors}")


def _examine_sessions(file: Path | None, n_sessions: int) -> Examined:
    if file is None:
        return Examined("Sessions", "they end with the process")
    return Examined("Sessions", f"{n_sessions} of this workspace, in {file}")


def _examine_command() -> Examined:
    found = shutil.which("glossator")
    if found:
        return Examined("Command", found)
    return Examined(
        "Command",
        "`glossator` is not on PATH",
        "Add the folder of this Python's scripts to PATH, or set `glossator.server.command` in "
        "the editor.",
    )


def _examine_settings_files(root: Path) -> Iterator[Examined]:
    settings = root / "glossator.toml"
    if settings.is_file():
        yield Examined("Settings", f"{settings.name} is used")
    vscode = root / ".vscode" / "settings.json"
    if not vscode.is_file():
        return
    try:
        if vscode.stat().st_size > _MAX_SETTINGS_BYTES:
            raise ValueError("the file is too large")
        values = json.loads(_without_comments(vscode.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        yield Examined("VS Code settings", f"not readable: {error}", "Correct the file.")
        return
    if not isinstance(values, dict):
        yield Examined("VS Code settings", "not an object", "Correct the file.")
        return
    names = sorted(name for name in values if name.startswith("glossator."))
    yield Examined("VS Code settings", ", ".join(names) or "none of ours in this workspace")


def _without_comments(text: str) -> str:
    """Take out what VS Code allows in its settings beyond JSON: comments, trailing commas."""
    pattern = r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/'
    text = re.sub(pattern, lambda match: match[1] or "", text, flags=re.DOTALL)
    return re.sub(r",(\s*[}\]])", r"\1", text)


def render_examination(examined: Sequence[Examined]) -> str:
    """Write the examination as Markdown."""
    lines = []
    for each in examined:
        mark = "✓" if not each.remedy else "✗" if each.subject == "Problem" else "→"
        lines.append(f"- {mark} **{each.subject}**: {each.state}")
        if each.remedy:
            lines.append(f"    - {each.remedy}")
    return "\n".join(lines) + "\n"
