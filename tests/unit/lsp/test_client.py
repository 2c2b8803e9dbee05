from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.lsp.client import folder_paths, read_client
from glossator.lsp.handshake import describe_server

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
PARTS = ("processId", "rootUri", "rootPath", "workspaceFolders", "capabilities", "clientInfo",
         "initializationOptions", "locale", "trace")  # fmt: skip
SECTIONS = ("general", "window", "workspace", "textDocument")


@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys(PARTS, JSON)),
    st.fixed_dictionaries({}, optional=dict.fromkeys(SECTIONS, JSON)),
)
def test_no_parameters_can_keep_the_server_from_answering(
    params: dict[str, Any], capabilities: dict[str, Any]
) -> None:
    describe_server(read_client(params))
    describe_server(read_client({**params, "capabilities": capabilities}))


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["utf-16", "utf-32", "utf-8"], "utf-8"),
        (["utf-16", "utf-32"], "utf-32"),
        (["utf-16"], "utf-16"),
        (["utf-7"], "utf-16"),
        ([], "utf-16"),
    ],
)
def test_the_server_prefers_among_the_encodings_that_are_offered(
    offered: list[str], chosen: str
) -> None:
    client = read_client({"capabilities": {"general": {"positionEncodings": offered}}})

    assert client.encoding == chosen
    assert describe_server(client)["positionEncoding"] == chosen


def test_a_client_that_names_no_encodings_is_told_none() -> None:
    client = read_client({"capabilities": {}})

    assert client.encoding == "utf-16"
    assert "positionEncoding" not in describe_server(client)


@pytest.mark.parametrize(
    ("params", "folders"),
    [
        ({"workspaceFolders": [{"uri": "file:///a", "name": "a"}, None], "rootUri": "file:///z"},
         ("file:///a",)),
        ({"workspaceFolders": None, "rootUri": "file:///z"}, ("file:///z",)),
        ({"rootPath": "/z"}, ("file:///z",)),
        ({"rootPath": "z"}, ()),
        ({"workspaceFolders": []}, ()),
        ({}, ()),
    ],
)  # fmt: skip
def test_folders_come_from_the_best_source(
    params: dict[str, Any], folders: tuple[str, ...]
) -> None:
    assert read_client(params).folders == folders


def test_only_folders_on_this_machine_are_roots() -> None:
    uris = ("file:///a%20b", "vscode-remote://x/y", "file:///a%20b")

    assert folder_paths(uris) == (Path("/a b"),)
