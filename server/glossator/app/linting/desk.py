"""The use cases of linting for one application: judge what assistants are told, and repair it."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.app.library import Library
from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError, UnreadableFile
from glossator.core.events import Emit, StepStarted, ignore_event
from glossator.core.text import SourceText

if TYPE_CHECKING:
    from glossator.app.environment import Environment
    from glossator.app.linting.fixing import Fix
    from glossator.app.linting.linter import Linter, LintReport


class LintDesk:
    """Lints for one application.

    `place` lets an editor's document say where it stands below its workspace folder.
    """

    def __init__(
        self,
        environment: "Environment",
        phrase: Callable[[], Phrasing],
        place: Callable[[SourceText], SourceText],
    ) -> None:
        self._environment = environment
        self._phrase = phrase
        self._place = place
        self._linter: Linter | None = None

    async def lint(self, source: SourceText) -> "LintReport":
        """Judge a file of knowledge, a skill or instructions: its header, links, commands, rules.

        Of any other document the report says that it is none.
        """
        library = await self._environment.ready()
        return await asyncio.to_thread(self._lint, self._place(source), library)

    async def lint_paths(
        self, paths: Sequence[Path] = (), *, emit: Emit = ignore_event
    ) -> "tuple[LintReport, ...]":
        """Judge all such files of the workspace, or those among `paths` and below them.

        Raises:
            OutsideWorkspace, UnreadableFile: a path leads outside or to nothing.
        """
        library = await self._environment.complete()
        files = await asyncio.to_thread(self._list_subjects, paths, library)
        reports = []
        for done, file in enumerate(files):
            emit(StepStarted(self._environment.parts.workspace.show(file), done, len(files)))
            reports.append(await asyncio.to_thread(self._lint_file, file, library))
        return tuple(reports)

    async def fix(self, reports: "Sequence[LintReport]", *, writes: bool) -> "tuple[Fix, ...]":
        """Repair what can be repaired in judged files of the workspace, or only show it."""
        library = await self._environment.ready()
        return await asyncio.to_thread(self._fix, reports, library, writes=writes)

    async def list_unknown_rules(self) -> tuple[str, ...]:
        """Say which ids in `check.disabledRules` of the workspace no rule has, each with its place.

        Instructions of all folders are read only where an id is not found without them.
        """
        library, parts = await self._environment.ready(), self._environment.parts
        disabled = parts.settings.check.disabled_rules
        if not disabled:
            return ()
        from glossator.app.linting.known_ids import KnownIds

        if not KnownIds(library, parts.workspace).list_unread(disabled):
            return ()
        return await asyncio.to_thread(self._tell_unknown, await self._environment.complete())

    def _tell_unknown(self, library: Library) -> tuple[str, ...]:
        from glossator.app.linting.known_ids import KnownIds
        from glossator.app.linting.settings_file import find_unknown_ids

        parts, say = self._environment.parts, self._phrase()
        ids = KnownIds(library, parts.workspace)
        told = []
        for file, scope in parts.settings_files.items():
            # A user's own file may name the rules of any workspace.
            if scope != "workspace" or not file.is_file():
                continue
            source = parts.workspace.read(file)
            told += [
                f"{source.name}:{each.place.start.line} `check.disabledRules`{say(': ', '：')}"
                f"{each.tell(say)}"
                for each in find_unknown_ids(source, ids)
                if each.rule_id in parts.settings.check.disabled_rules
            ]
        return tuple(told)

    def _lint(
        self, source: SourceText, library: Library, *, is_summed_up: bool = True
    ) -> "LintReport":
        # Imported in a thread, when the first such file is opened.
        from glossator.app.linting.known_ids import KnownIds
        from glossator.app.linting.linter import Linter, not_linted
        from glossator.app.linting.settings_file import lint_settings

        say = self._phrase()
        if self._environment.is_secret(source):
            reason = say("the file may hold secrets", "文件可能含有机密")
            return not_linted(source.name, source.path, reason)
        if self._linter is None:
            self._linter = Linter()
        parts = self._environment.parts
        scope = parts.settings_files.get(source.path) if source.path is not None else None
        if scope is not None:
            ids = KnownIds(library, parts.workspace)
            disabled = parts.settings.check.disabled_rules
            return lint_settings(source, scope, say, ids=ids, disabled=disabled)
        return self._linter.lint(source, parts, library, say, is_summed_up=is_summed_up)

    def _fix(
        self, reports: "Sequence[LintReport]", library: Library, *, writes: bool
    ) -> "tuple[Fix, ...]":
        from glossator.app.linting.fixing import fix_file

        workspace, say = self._environment.parts.workspace, self._phrase()
        lint_whole = partial(self._lint, library=library, is_summed_up=False)
        fixes = (fix_file(report, workspace, lint_whole, say, writes=writes) for report in reports)
        return tuple(fix for fix in fixes if fix is not None)

    def _lint_file(self, file: Path, library: Library) -> "LintReport":
        from glossator.app.linting.linter import not_linted

        try:
            return self._lint(self._environment.parts.workspace.read(file), library)
        except GlossatorError as error:
            shown = self._environment.parts.workspace.show(file)
            return not_linted(shown, file, str(error))

    def _list_subjects(self, paths: Sequence[Path], library: Library) -> list[Path]:
        from glossator.app.linting.subjects import list_subjects

        subjects = list(list_subjects(library, self._environment.parts))
        if not paths:
            return subjects
        workspace = self._environment.parts.workspace
        wanted: dict[Path, None] = {}
        for path in paths:
            found = workspace.locate(str(path))
            if not found.exists():
                raise UnreadableFile(f"`{path}` does not exist, so it cannot be judged.")
            below = [file for file in subjects if file.is_relative_to(found)]
            wanted |= dict.fromkeys(below if found.is_dir() else [found])
        return list(wanted)
