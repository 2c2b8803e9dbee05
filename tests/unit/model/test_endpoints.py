from typing import Any

import pytest

from glossator.core.settings import ModelSettings
from glossator.model.endpoints import Endpoint, NoEndpoint, choose_endpoint


def _choose(
    environ: dict[str, str] | None = None,
    dotenv: dict[str, str] | None = None,
    **settings: Any,
) -> tuple[Endpoint | NoEndpoint, tuple[str, ...]]:
    return choose_endpoint(ModelSettings(**settings), environ or {}, dotenv)


def _endpoint(*arguments: Any, **settings: Any) -> Endpoint:
    endpoint, _ = _choose(*arguments, **settings)
    assert isinstance(endpoint, Endpoint)
    return endpoint


@pytest.mark.parametrize(
    ("environ", "settings", "expected"),
    [
        (
            {"OPENAI_API_KEY": "k"},
            {},
            ("https://api.openai.com/v1", "k", "gpt-4.1-mini", "environment"),
        ),
        (
            {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://localhost:8080/v1/", "MODEL": "m"},
            {},
            ("http://localhost:8080/v1", "k", "m", "environment"),
        ),
        (
            {"OPENAI_BASE_URL": "http://localhost:8080/v1", "MODEL": "m"},
            {},
            ("http://localhost:8080/v1", "", "m", "environment"),
        ),
        (
            {"DEEPSEEK_API_KEY": "d"},
            {},
            ("https://api.deepseek.com", "d", "deepseek-chat", "environment"),
        ),
        (
            {"DEEPSEEK_API_KEY": "d", "MODEL": "m"},
            {"name": "n"},
            ("https://api.deepseek.com", "d", "n", "environment"),
        ),
        (
            {"OPENAI_API_KEY": "k", "DEEPSEEK_API_KEY": "d"},
            {},
            ("https://api.openai.com/v1", "k", "gpt-4.1-mini", "environment"),
        ),
        (
            {"OPENAI_API_KEY": "k"},
            {"base_url": "http://localhost:1/v1", "name": "n"},
            ("http://localhost:1/v1", "", "n", "editor settings"),
        ),
        (
            {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://evil.example"},
            {"api_key": "mine"},
            ("https://api.openai.com/v1", "mine", "gpt-4.1-mini", "editor settings"),
        ),
        (
            {"OPENAI_API_KEY": " k\n", "OPENAI_BASE_URL": "  "},
            {},
            ("https://api.openai.com/v1", "k", "gpt-4.1-mini", "environment"),
        ),
    ],
)
def test_server_key_and_model_are_chosen_by_source(
    environ: dict[str, str], settings: dict[str, Any], expected: tuple[str, str, str, str]
) -> None:
    endpoint = _endpoint(environ, None, **settings)

    assert (endpoint.base_url, endpoint.api_key, endpoint.model, endpoint.source) == expected


def test_a_workspace_file_cannot_redirect_the_users_key() -> None:
    endpoint, notices = _choose(
        {"OPENAI_API_KEY": "mine"}, {"OPENAI_BASE_URL": "https://evil.example", "MODEL": "dear"}
    )

    assert isinstance(endpoint, Endpoint)
    assert (endpoint.base_url, endpoint.model) == ("https://api.openai.com/v1", "gpt-4.1-mini")
    assert notices == (
        "`OPENAI_BASE_URL`, `MODEL` in the .env are ignored: the environment chooses the server "
        "and its key.",
    )


def test_a_key_of_a_workspace_goes_only_where_the_workspace_says() -> None:
    endpoint = _endpoint(
        {"MODEL": "higher"}, {"OPENAI_API_KEY": "theirs", "OPENAI_BASE_URL": "https://a.example/v1"}
    )

    assert (endpoint.base_url, endpoint.api_key, endpoint.source) == (
        "https://a.example/v1",
        "theirs",
        ".env",
    )
    assert endpoint.model == "higher"


def test_the_files_own_model_comes_before_that_of_the_environment() -> None:
    dotenv = {"OPENAI_API_KEY": "k", "MODEL": "own"}

    assert _endpoint({"MODEL": "higher"}, dotenv).model == "own"
    assert _endpoint({"MODEL": "higher"}, dotenv, name="editor").model == "editor"


@pytest.mark.parametrize(
    ("environ", "settings", "says"),
    [
        ({}, {}, "`OPENAI_API_KEY`"),
        ({"OPENAI_BASE_URL": "http://localhost:8080/v1"}, {}, "`MODEL`"),
        ({}, {"base_url": "ftp://x/v1", "name": "m"}, "`http://` or `https://`"),
        ({}, {"base_url": "localhost:8080", "name": "m"}, "`http://` or `https://`"),
        ({}, {"base_url": "http://", "name": "m"}, "name a host"),
        ({}, {"base_url": "http://u:p@x/v1", "name": "m"}, "user name or password"),
        ({}, {"base_url": "http://x/v1 y", "name": "m"}, "space"),
        ({}, {"base_url": "http://x:port/v1", "name": "m"}, "not a valid address"),
        ({}, {"base_url": "http://[::1/v1", "name": "m"}, "not a valid address"),
        ({}, {"base_url": "http://x/v1?a=b", "name": "m"}, "`?`"),
        ({"OPENAI_API_KEY": "sk-中文"}, {}, "`OPENAI_API_KEY`"),
        ({"OPENAI_API_KEY": "a b"}, {}, "`OPENAI_API_KEY`"),
    ],
)
def test_what_is_missing_or_wrong_is_named(
    environ: dict[str, str], settings: dict[str, Any], says: str
) -> None:
    outcome, _ = _choose(environ, None, **settings)

    assert isinstance(outcome, NoEndpoint)
    assert says in outcome.message
    assert len(outcome.message) <= 300


@pytest.mark.parametrize(
    ("base_url", "is_noticed"),
    [
        ("http://localhost:1/v1", False),
        ("http://127.0.0.9:1/v1", False),
        ("http://[::1]:1/v1", False),
        ("http://0.0.0.0:8000/v1", False),
        ("HTTP://LOCALHOST:1/v1", False),
        ("http://192.168.0.7:1/v1", True),
        ("http://models.example/v1", True),
        ("https://models.example/v1", False),
    ],
)
def test_an_unencrypted_way_to_another_machine_is_noticed(base_url: str, is_noticed: bool) -> None:
    _, notices = _choose(base_url=base_url, name="m")

    assert bool([notice for notice in notices if "not encrypted" in notice]) == is_noticed


def test_the_path_of_a_pasted_address_is_taken_off() -> None:
    endpoint, notices = _choose(base_url="https://a.example/v1/chat/completions", name="m")

    assert isinstance(endpoint, Endpoint)
    assert endpoint.base_url == "https://a.example/v1"
    assert len(notices) == 1


@pytest.mark.parametrize(
    ("base_url", "tidy"),
    [
        ("HTTPS://Models.Example:8443/V1/", "https://models.example:8443/V1"),
        ("https://models.example/v1//", "https://models.example/v1"),
        ("http://[2001:DB8::1]:1/v1", "http://[2001:db8::1]:1/v1"),
        ("https://Bücher.example/v1", "https://bücher.example/v1"),
    ],
)
def test_one_server_has_one_address(base_url: str, tidy: str) -> None:
    assert _endpoint(base_url=base_url, name="m").base_url == tidy


def test_a_key_is_not_in_the_repr() -> None:
    assert "secret" not in repr(_endpoint({"OPENAI_API_KEY": "secret"}))
