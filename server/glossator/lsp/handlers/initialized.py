"""Handles `initialized`."""

import asyncio
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from lsprotocol import types

from glossator.lsp.client_requests import ClientRefused
from glossator.lsp.handlers.call_hierarchy import offer_call_hierarchy
from glossator.lsp.handlers.hover import make_registration

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer

# An editor asks for code actions at once; loading the application would slow their answer down.
# What needs the application opens it sooner.
_OPEN_AFTER_S = 0.1


def begin(server: "GlossatorServer", params: None) -> None:
    """Open the application and register what is registered at run time."""
    server.start_task("begin", _begin(server))


async def _begin(server: "GlossatorServer") -> None:
    await asyncio.sleep(_OPEN_AFTER_S)
    try:
        await server.backend.application()
    finally:
        await _register(server)
        await offer_call_hierarchy(server)


async def _register(server: "GlossatorServer") -> None:
    registrations = list(_registrations(server))
    if not registrations:
        return
    try:
        await server.protocol.ask_client(
            types.CLIENT_REGISTER_CAPABILITY,
            types.RegistrationParams(registrations=registrations),
        )
    except ClientRefused as error:
        server.log_to_client(types.MessageType.Info, f"Nothing is registered: {error}")


def _registrations(server: "GlossatorServer") -> Iterator[types.Registration]:
    if server.client.registers_hover:
        yield make_registration()
    if server.client.registers_configuration:
        yield types.Registration(
            id="glossator-configuration",
            method=types.WORKSPACE_DID_CHANGE_CONFIGURATION,
            register_options=types.DidChangeConfigurationRegistrationOptions(section="glossator"),
        )
    if server.client.registers_watched_files:
        watchers = [types.FileSystemWatcher(glob_pattern=glob) for glob in _list_globs(server)]
        yield types.Registration(
            id="glossator-knowledge",
            method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            register_options=types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers),
        )


def _list_globs(server: "GlossatorServer") -> Iterator[str]:
    """Yield globs of the files that are read; the client sees more of them than we watch."""
    from glossator.instructions.places import WATCHED_GLOBS

    settings = server.backend.known_settings()
    knowledge = settings.knowledge
    for name in (*knowledge.folders, *knowledge.skill_folders):
        if _is_below_folder(name):
            yield f"**/{PurePosixPath(name)}/**/*.md"
    if _is_below_folder(settings.check.baseline):
        yield f"**/{PurePosixPath(settings.check.baseline)}"
    yield "**/glossator.toml"
    if knowledge.instructions:
        yield from WATCHED_GLOBS


def _is_below_folder(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts
