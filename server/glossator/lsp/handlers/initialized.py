"""Handles `initialized`."""

import asyncio
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from lsprotocol import types

from glossator.lsp.protocol import ClientRefused

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
    if server.client.registers_configuration:
        yield types.Registration(
            id="glossator-configuration",
            method=types.WORKSPACE_DID_CHANGE_CONFIGURATION,
            register_options=types.DidChangeConfigurationRegistrationOptions(section="glossator"),
        )
    if server.client.registers_watched_files:
        knowledge = server.backend.known_settings().knowledge
        folders = (PurePosixPath(name) for name in (*knowledge.folders, *knowledge.skill_folders))
        watchers = [
            types.FileSystemWatcher(glob_pattern=f"**/{folder}/**/*.md")
            for folder in folders
            if not folder.is_absolute() and ".." not in folder.parts
        ]
        yield types.Registration(
            id="glossator-knowledge",
            method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            register_options=types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers),
        )
