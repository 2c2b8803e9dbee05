import importlib.util

import pytest

from glossator.telemetry.collector import find_problem, provider_of, server_of, traces_url


@pytest.mark.parametrize(
    ("base_url", "provider"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://api.deepseek.com", "deepseek"),
        ("https://team.openai.azure.com/openai/v1", "azure.ai.openai"),
        ("http://localhost:11434/v1", "openai"),
        ("https://api.deepseek.com.example.org/v1", "openai"),
        ("", "openai"),
    ],
)
def test_a_server_that_is_known_is_called_by_its_name_and_others_by_their_dialect(
    base_url: str, provider: str
) -> None:
    assert provider_of(base_url) == provider


@pytest.mark.parametrize(
    ("base_url", "server"),
    [
        ("https://api.openai.com/v1", ("api.openai.com", 443)),
        ("http://localhost/v1", ("localhost", 80)),
        ("http://[::1]:8080", ("::1", 8080)),
        ("script", ("", 443)),
        ("http://x:99999", ("", 0)),
    ],
)
def test_the_address_of_a_server_is_its_host_and_port(
    base_url: str, server: tuple[str, int]
) -> None:
    assert server_of(base_url) == server


@pytest.mark.parametrize("endpoint", ["http://c:4318", "http://c:4318/", "http://c:4318/v1/traces"])
def test_spans_go_where_a_collector_takes_them(endpoint: str) -> None:
    assert traces_url(endpoint) == "http://c:4318/v1/traces"


@pytest.mark.parametrize(
    "endpoint",
    ["localhost:4318", "grpc://c:4317", "http://", "http://c:x", "http://c d", "http://["],
)
def test_what_is_no_address_is_said_with_an_example(endpoint: str) -> None:
    assert "`http://localhost:4318`" in find_problem(endpoint)


def test_a_password_in_the_address_is_refused_and_not_repeated() -> None:
    problem = find_problem("http://me:hunter2@collector:4318")

    assert "OTEL_EXPORTER_OTLP_HEADERS" in problem
    assert "hunter2" not in problem


def test_a_missing_package_is_said_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    assert "pip install 'glossator[otel]'" in find_problem("http://localhost:4318")


def test_nothing_is_wrong_with_a_good_address() -> None:
    assert find_problem("http://localhost:4318") == ""
