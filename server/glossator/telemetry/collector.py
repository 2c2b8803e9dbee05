"""Where spans are sent: the address of a collector, and how models' servers are called there."""

import importlib.util
import re
from urllib.parse import urlsplit

_TRACES_PATH = "/v1/traces"
_SCHEMES = ("http", "https")
_PACKAGES = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")

_PROVIDERS = (
    ("api.deepseek.com", "deepseek"),
    ("api.groq.com", "groq"),
    ("api.mistral.ai", "mistral_ai"),
    ("api.moonshot.ai", "moonshot_ai"),
    ("api.moonshot.cn", "moonshot_ai"),
    ("api.perplexity.ai", "perplexity"),
    ("api.x.ai", "x_ai"),
    (".openai.azure.com", "azure.ai.openai"),
    ("generativelanguage.googleapis.com", "gcp.gemini"),
)
_ANY_PROVIDER = "openai"
"""By the conventions this names the dialect, which is OpenAI's wherever the server stands."""


def find_problem(endpoint: str) -> str:
    """Say why no spans can be sent to `endpoint`, and what to do; empty when nothing is wrong."""
    try:
        parts = urlsplit(endpoint)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if re.search(r"[\s\x00-\x1f\x7f]", endpoint) or not host or parts.scheme not in _SCHEMES:
        return (
            "`telemetry.endpoint` is not an address of a collector, so no spans are sent; it "
            "should look like `http://localhost:4318`."
        )
    if parts.username is not None or parts.password is not None:
        return (
            "`telemetry.endpoint` must not contain a user name or password, so no spans are sent; "
            "set the environment variable `OTEL_EXPORTER_OTLP_HEADERS`."
        )
    if not _is_installed():
        return (
            "`telemetry.endpoint` is set, but OpenTelemetry is not installed, so no spans are "
            "sent. Run `pip install 'glossator[otel]'` and restart."
        )
    return ""


def traces_url(endpoint: str) -> str:
    """Return where the collector takes spans."""
    endpoint = endpoint.rstrip("/")
    return endpoint if endpoint.endswith(_TRACES_PATH) else endpoint + _TRACES_PATH


def provider_of(base_url: str) -> str:
    """Return the conventions' name of the provider that answers at `base_url`."""
    host, _ = server_of(base_url)
    for name, provider in _PROVIDERS:
        if host == name or (name.startswith(".") and host.endswith(name)):
            return provider
    return _ANY_PROVIDER


def server_of(base_url: str) -> tuple[str, int]:
    """Return host and port of a model's server; no host when the model has no address."""
    try:
        parts = urlsplit(base_url)
        port = parts.port or (80 if parts.scheme == "http" else 443)
    except ValueError:
        return "", 0
    return parts.hostname or "", port


def _is_installed() -> bool:
    try:
        return all(map(importlib.util.find_spec, _PACKAGES))
    except ModuleNotFoundError:
        return False
