"""Handles `workspace/executeCommand`."""

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.core.errors import InvalidArguments
from glossator.lsp import from_lsp

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


async def execute_command(server: "GlossatorServer", params: types.ExecuteCommandParams) -> Any:
    """Run a command. Cancelling the request, or its progress, cancels the use case."""
    # Imported with the first command: the first code action comes sooner without it.
    from glossator.lsp.commands import COMMANDS
    from glossator.lsp.listening import listening

    command = COMMANDS.get(params.command)
    if command is None:
        raise InvalidArguments(f"`{params.command}` is not one of Glossator's commands.")
    arguments = from_lsp.command_arguments(params.command, params.arguments)
    work_done_token: object = params.work_done_token
    if not isinstance(work_done_token, str | int | None):
        raise InvalidArguments("`workDoneToken` must be text or a whole number.")
    if command.title is None:
        return await command.run(server, arguments, _hear_nothing)
    async with listening(
        server,
        server.phrase()(*command.title),
        work_done_token=work_done_token,
        partial_token=arguments.token("partialResultToken"),
        counts=command.counts,
    ) as emit:
        return await command.run(server, arguments, emit)


def _hear_nothing(event: object) -> None:
    """Quick commands have no events."""
