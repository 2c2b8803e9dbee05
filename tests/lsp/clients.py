"""Clients for pytest-lsp: proper editors, with two of its assumptions put right.

lsprotocol takes every object with a `command` for a Command, so that code actions would arrive
mangled; and pytest-lsp fails on `$/progress` values that are no work-done progress.
"""

import os
import sys
from pathlib import Path
from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features
from pytest_lsp.client import progress as take_work_done

PROFILES = ("visual-studio-code", "neovim@v0.11.0", "neovim@v0.7.0", "emacs")


class EditorClient(LanguageClient):
    """A test client that also keeps what comes under other progress tokens, and its refusals."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.partial_results: dict[Any, list[dict[str, Any]]] = {}
        self.registered: list[str] = []


def make_client() -> EditorClient:
    """Build a client with the features of pytest-lsp and ours."""
    client = EditorClient(converter_factory=_make_converter)
    features = {
        **DEFAULT_CLIENT_FEATURES,
        types.PROGRESS: _take_progress,
        types.CLIENT_REGISTER_CAPABILITY: _take_registration,
    }
    register_lsp_features(client, features)
    return client


def config(*command: str, **env: str) -> ClientServerConfig:
    """Return how to start a server and a client for it."""
    server_command = list(command) or [
        sys.executable, str(Path(__file__).with_name("fake_app.py")),
    ]  # fmt: skip
    return ClientServerConfig(
        server_command=server_command, client_factory=make_client, server_env={**os.environ, **env}
    )


def _take_progress(client: LanguageClient, params: types.ProgressParams) -> None:
    assert isinstance(client, EditorClient)
    value = params.value
    if isinstance(value, dict) and value.get("kind") in ("begin", "report", "end"):
        client.progress_reports.setdefault(params.token, [])
        take_work_done(client, params)
    else:
        client.partial_results.setdefault(params.token, []).append(value)


def _take_registration(client: LanguageClient, params: types.RegistrationParams) -> None:
    assert isinstance(client, EditorClient)
    client.registered += [registration.method for registration in params.registrations]


def _make_converter() -> Converter:
    converter = default_converter()
    union = types.Command | types.CodeAction

    def structure(value: dict[str, Any], _: object) -> Any:
        is_command = isinstance(value.get("command"), str)
        return converter.structure(value, types.Command if is_command else types.CodeAction)

    converter.register_structure_hook_func(lambda cls: cls == union, structure)
    return converter
