"""The use cases of rules for one application: list, prove, compile, write."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.agent.budget import Budget
from glossator.app.checking.paths import list_files
from glossator.app.checking.running import Effort
from glossator.app.notices import tell_how_to_add_model
from glossator.app.phrasing import Phrasing
from glossator.app.rewriting import CannotRewrite, read_original, write_repaired
from glossator.app.rules.listing import ListedRule, list_rules
from glossator.app.rules.prose import list_prose
from glossator.app.rules.proving import Proofs, find_rules, prove_rules
from glossator.core.errors import InvalidArguments, ModelUnavailable
from glossator.core.events import Emit, ignore_event
from glossator.core.text import SourceText
from glossator.rules.drafting import read_again
from glossator.rules.matching import RuleSet
from glossator.rules.rule import Rule
from glossator.tools.workspace import Workspace

if TYPE_CHECKING:
    from glossator.app.checking.checking import Checking
    from glossator.app.checking.report import CheckReport
    from glossator.app.environment import Environment
    from glossator.app.library import Library
    from glossator.app.rules.compiling import Compilation
    from glossator.app.runs import Runs

_WRITTEN_HERE = "workspace"


class RuleDesk:
    """Works on the rules of one application. `listen` lets the record hear what a caller hears."""

    def __init__(
        self,
        environment: "Environment",
        checking: "Checking",
        runs: "Runs",
        phrase: Callable[[], Phrasing],
        listen: Callable[[Emit], Emit],
    ) -> None:
        self._environment = environment
        self._checking = checking
        self._runs = runs
        self._phrase = phrase
        self._listen = listen

    async def list(self, path: Path | None = None) -> tuple[ListedRule, ...]:
        """List all rules, those in prose included; with `path` also whether each is for that file.

        The file need not exist.

        Raises:
            OutsideWorkspace, ProtectedFile: the path leads outside or to what is never read.
        """
        library = await self._environment.complete(path)
        source = None if path is None else self._place(path)
        prose = list_prose(library, self._environment.parts.workspace)
        return await asyncio.to_thread(list_rules, library, prose, source)

    async def prove(self, rule_ids: Sequence[str] = ()) -> Proofs:
        """Try the examples of the rules with these ids, or of all.

        Raises:
            InvalidArguments: there is no rule with one of the ids.
        """
        library = await self._environment.complete()
        prose = list_prose(library, self._environment.parts.workspace)
        return await asyncio.to_thread(prove_rules, library, prose, rule_ids, self._phrase())

    async def find_uncompiled_at(self, source: SourceText, line: int) -> str:
        """Return the id of the rule of the workspace at a line (1-based) that a check may be for.

        Empty where there is none. `source` is the rule's file as it is in the editor.
        """
        library = await self._environment.ready()
        return await asyncio.to_thread(_find_uncompiled_at, library, source, line)

    async def compile(
        self, rule_id: str, *, max_findings: int | None = None, emit: Emit = ignore_event
    ) -> "Compilation":
        """Have the model write a check for a rule of the workspace; nothing is written to a file.

        Cancelling ends the request.

        Raises:
            InvalidArguments: there is no such rule, it has a check, or its file is not ours.
            ModelUnavailable: there is no model, or it failed.
        """
        # Imported when it is wanted: a start without it is faster.
        from glossator.app.rules.compiling import MAX_FINDINGS, Compiler

        library, parts = await self._environment.complete(), self._environment.parts
        rule = await asyncio.to_thread(_find_own, library, rule_id, parts.workspace, self._phrase())
        if parts.model is None:
            raise ModelUnavailable(tell_how_to_add_model(parts, self._phrase()))
        source = await asyncio.to_thread(parts.workspace.read, library.files[rule.path])
        limits = parts.settings.agent
        compiler = Compiler(
            model=parts.model,
            others=library.rules,
            try_rule=partial(self._try, library),
            budget=Budget(seconds=limits.turn_timeout_s, tokens=limits.turn_tokens),
            emit=self._listen(emit),
            max_findings=MAX_FINDINGS if max_findings is None else max_findings,
        )
        return await self._runs.run("compile", partial(compiler.compile, rule, source))

    async def write(self, compilation: "Compilation") -> None:
        """Put a compiled check into its file, if that is still what it was compiled for.

        Raises:
            CannotRewrite: it is not, or it cannot be written.
        """
        await asyncio.to_thread(self._write, compilation)

    def _write(self, compilation: "Compilation") -> None:
        say, path = self._phrase(), compilation.source.path
        if compilation.edit is None or path is None:
            raise CannotRewrite(say("there is nothing to write", "没有可写入的内容"))
        original = read_original(path, self._environment.parts.workspace, say)
        if original.text != compilation.source.text:
            raise CannotRewrite(say("it has changed meanwhile", "文件在此期间已改动"))
        write_repaired(original, compilation.text, say)

    async def _try(self, library: "Library", rule: Rule) -> "Sequence[CheckReport]":
        """Check the whole workspace with one rule."""
        parts = self._environment.parts
        alone = replace(library, rules=(rule,), rule_set=RuleSet([rule]))
        listed = await asyncio.to_thread(list_files, parts.workspace.roots, parts.workspace)
        return await self._checking.check_files(
            listed, alone, parts, self._phrase(), effort=Effort(), emit=ignore_event
        )

    def _place(self, path: Path) -> SourceText:
        workspace = self._environment.parts.workspace
        real = workspace.locate(str(path))
        below = workspace.path_below_root(real)
        return SourceText(workspace.show(real), "", path=real, below=below)


def _find_own(library: "Library", rule_id: str, workspace: Workspace, say: Phrasing) -> Rule:
    """Return the rule of the workspace with an id, or the list item that may become one."""
    rules = find_rules((*library.rules, *list_prose(library, workspace)), rule_id, say)
    own = [rule for rule in rules if rule.origin == _WRITTEN_HERE]
    if not own:
        raise InvalidArguments(
            f"The rule `{rule_id}` ships with Glossator or is personal. Write it down in a file of "
            "the workspace first."
        )
    if len(own) > 1:
        places = ", ".join(f"{rule.path}:{rule.line}" for rule in own)
        raise InvalidArguments(f"Several rules have the id `{rule_id}`: {places}.")
    return own[0]


def _find_uncompiled_at(library: "Library", source: SourceText, line: int) -> str:
    known = {
        rule.id: rule
        for rule in library.rules
        if rule.path == source.name and rule.origin == _WRITTEN_HERE and not rule.checks
    }
    if not known:
        return ""
    here = [
        rule
        for rule in read_again(next(iter(known.values())), source.text)[0]
        if rule.line <= line <= rule.last_line and not rule.checks and rule.id in known
    ]
    return max(here, key=lambda rule: rule.line).id if here else ""  # The innermost.
