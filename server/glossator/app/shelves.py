"""The shelves of a workspace: which folders and files are read, as what, and whether they count."""

import os
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from glossator.app.instructions.files import TeamFiles
from glossator.app.library import Kind, Shelf
from glossator.app.results import Trust
from glossator.core.settings import KnowledgeSettings
from glossator.core.text import SourceText
from glossator.tools.workspace import Workspace

BUNDLED_PREFIX = "bundled"
PERSONAL_PREFIX = "personal"


def is_bundled(path: str) -> bool:
    """Say whether a document with this shown path comes with Glossator."""
    return path.startswith(f"{BUNDLED_PREFIX}/")


@dataclass(frozen=True, slots=True)
class Shelves:
    """Every shelf, what finds the instructions among them, and why some folders are left out."""

    shelves: tuple[Shelf, ...] = ()
    team_files: TeamFiles | None = None
    left_out: tuple[str, ...] = ()

    @property
    def watched_folders(self) -> tuple[Path, ...]:
        """The folders whose files may change while we run."""
        return tuple(
            shelf.folder
            for shelf in self.shelves
            if shelf.origin != "bundled" and shelf.kind != "instructions"
        )


@dataclass(slots=True)
class _Building:
    workspace: Workspace
    trust: Trust
    shelves: list[Shelf] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def build_shelves(
    settings: KnowledgeSettings, workspace: Workspace, trust: Trust, bundled: Path
) -> Shelves:
    """List what is read, what is nearer to the workspace first: `bundled` holds what ships.

    Of a workspace that is not trusted, what was written for other assistants is read and not used.
    """
    building = _Building(workspace, trust)
    for root in workspace.roots:
        for name in settings.folders:
            _add_folder(building, root, name, is_skill=False)
        for name in settings.skill_folders:
            _add_folder(building, root, name, is_skill=True)
    team_files = _add_instructions(building) if settings.instructions else None
    for name in settings.personal_skill_folders:
        _add_personal(building, name)
    if settings.bundled:
        building.shelves.extend(list_bundled(bundled))
    left_out = tuple(dict.fromkeys(building.left_out))
    return Shelves(tuple(building.shelves), team_files, left_out)


def list_bundled(bundled: Path) -> tuple[Shelf, ...]:
    """List what ships with Glossator."""
    read = partial(_read_bundled, bundled)
    return (
        Shelf(bundled / "knowledge", "knowledge", "bundled", read),
        Shelf(bundled / "skills", "skill", "bundled", read),
    )


def _add_folder(building: _Building, root: Path, name: str, *, is_skill: bool) -> None:
    folder = _resolve_below(root, name)
    if folder is None:
        building.left_out.append(f"`{name}` is no folder below `{root.name}`; it is not read.")
        return
    is_used = not is_skill or _may_use_skills(name, building.trust)
    kind: Kind = "skill" if is_skill else "knowledge"
    building.shelves.append(
        Shelf(folder, kind, "workspace", building.workspace.read, within=root, is_used=is_used)
    )


def _may_use_skills(folder: str, trust: Trust) -> bool:
    """Say whether the skills of a folder are used: our own unless somebody said no."""
    is_for_others = folder.removeprefix("./").startswith(".")
    return trust == "trusted" or (trust == "unknown" and not is_for_others)


def _add_instructions(building: _Building) -> TeamFiles | None:
    workspace = building.workspace
    if not workspace.roots:
        return None
    folders = tuple(shelf.folder for shelf in building.shelves if shelf.kind == "knowledge")
    team_files = TeamFiles(workspace, knowledge_folders=folders)
    building.shelves.append(
        Shelf(
            workspace.roots[0],
            "instructions",
            "workspace",
            workspace.read,
            files=team_files.list_files,
            stamp=team_files.stamp,
            make_document=team_files.make_document,
            problems=team_files.list_problems,
            show=workspace.show,
            is_used=building.trust == "trusted",
        )
    )
    return team_files


def _add_personal(building: _Building, name: str) -> None:
    folder = _resolve_personal(name)
    if folder is None:
        building.left_out.append(
            f"`{name}` (`knowledge.personalSkillFolders`) is no folder; it is not read. Write a "
            "whole path, or one that begins with `~/`."
        )
        return
    inside = Workspace((folder,), building.workspace.buffers)
    read = partial(_read_personal, inside, _name_personal(folder))
    building.shelves.append(Shelf(folder, "skill", "personal", read, within=folder))


def _resolve_personal(name: str) -> Path | None:
    try:
        # Unlike Path.expanduser it does not raise where there is no home.
        written = os.path.expanduser(name)  # noqa: PTH111
        folder = Path(os.path.realpath(written))
        is_folder = folder.is_dir()
    except (ValueError, OSError):
        return None
    return folder if is_folder and Path(written).is_absolute() else None


def _name_personal(folder: Path) -> str:
    """Return what stands before the names of a personal folder's files."""
    home = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 - as above
    below = folder.relative_to(home if folder.is_relative_to(home) else folder.anchor)
    return f"{PERSONAL_PREFIX}/{below.as_posix()}"


def _read_personal(inside: Workspace, prefix: str, file: Path) -> SourceText:
    source = inside.read(file)
    return replace(source, name=f"{prefix}/{source.name}")


def _resolve_below(root: Path, name: str) -> Path | None:
    """Return the folder `name` in `root` without links; None when that leads out of it."""
    try:
        # Links are followed first: watchdog sees nothing below one, and one may lead outside.
        folder = Path(os.path.realpath(root / name))
        folder.is_dir()
    except (ValueError, OSError):  # A NUL in it, too long, or not to be looked at.
        return None
    return folder if folder.is_relative_to(root) else None


def _read_bundled(folder: Path, file: Path) -> SourceText:
    name = f"{BUNDLED_PREFIX}/{file.relative_to(folder).as_posix()}"
    return SourceText(name, file.read_text(encoding="utf-8"), file)
