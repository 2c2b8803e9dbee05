"""Which server answers, with which key: a key goes only where its own source sends it.

Sources, highest first: the editor's settings, the environment, the workspace's `.env` (which the
caller passes only for a workspace that is trusted). The first source that names a key or an
address decides; everything the others say about keys and addresses is ignored, with a notice. So
a file of a repository can never redirect a key that is not its own.
"""

import ipaddress
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from glossator.core.settings import ModelSettings
from glossator.model.reports import cut

OPENAI_URL = "https://api.openai.com/v1"
DEEPSEEK_URL = "https://api.deepseek.com"
DEFAULT_MODELS = {"api.openai.com": "gpt-4.1-mini", "api.deepseek.com": "deepseek-chat"}
_MAX_HOST_LENGTH = 80

_SETTINGS, _ENVIRONMENT, _DOTENV = "editor settings", "environment", ".env"
_VARIABLES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "DEEPSEEK_API_KEY", "MODEL")
_NOTHING_SET = (
    "No model is set up. Set `OPENAI_API_KEY` in the environment (with `OPENAI_BASE_URL` and "
    "`MODEL` for another server than OpenAI's), or `DEEPSEEK_API_KEY`, or `model.baseUrl` and "
    "`model.name` in the editor's settings or in your own `glossator.toml` for a local server."
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server, the key for it and the model to ask. `source` says where they were set.

    An empty `api_key` is a server that needs none.
    """

    base_url: str
    api_key: str = field(repr=False)
    model: str
    source: str

    @property
    def host(self) -> str:
        """The server's name and port, for messages."""
        return cut(urlsplit(self.base_url).netloc, _MAX_HOST_LENGTH)

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        return _is_local(urlsplit(self.base_url).hostname or "")


@dataclass(frozen=True, slots=True)
class NoEndpoint:
    """No server can be asked; `message` says what is missing and what to set."""

    message: str


@dataclass(frozen=True, slots=True)
class _Source:
    """What one source says, with the names under which it says it."""

    name: str
    api_key: str
    base_url: str
    deepseek_key: str
    model: str
    key_name: str
    url_name: str
    model_name: str

    @property
    def names_server(self) -> bool:
        return bool(self.api_key or self.base_url or self.deepseek_key)


def choose_endpoint(
    settings: ModelSettings, environ: Mapping[str, str], dotenv: Mapping[str, str] | None
) -> tuple[Endpoint | NoEndpoint, tuple[str, ...]]:
    """Return the server to ask, or what is missing; and notices of what was ignored and why."""
    sources = [_from_settings(settings), _from_variables(_ENVIRONMENT, environ)]
    if dotenv is not None:
        sources.append(_from_variables(_DOTENV, dotenv))
    position = next((n for n, source in enumerate(sources) if source.names_server), None)
    if position is None:
        return NoEndpoint(_NOTHING_SET), ()
    chosen, higher, lower = sources[position], sources[:position], sources[position + 1 :]
    base_url, api_key, key_name, notices = _pick_server(chosen)
    notices += [notice for source in lower for notice in _name_ignored(source, chosen.name)]
    problem = _find_url_problem(base_url, chosen) or _find_key_problem(api_key, key_name, chosen)
    if problem:
        return NoEndpoint(problem), tuple(notices)
    base_url, url_notices = _tidy_url(base_url, chosen)
    model = _pick_model(chosen, higher, base_url)
    notices = [*url_notices, *notices]
    if not model:
        return NoEndpoint(
            f"The model to ask at `{urlsplit(base_url).netloc}` is not named. Set `model.name` in "
            "the editor's settings or in your own `glossator.toml`, or "
            f"{chosen.model_name} in the {chosen.name}."
        ), tuple(notices)
    return Endpoint(base_url, api_key, model, chosen.name), tuple(notices)


def _from_settings(settings: ModelSettings) -> _Source:
    return _Source(
        name=_SETTINGS,
        api_key=settings.api_key.strip(),
        base_url=settings.base_url.strip(),
        deepseek_key="",
        model=settings.name.strip(),
        key_name="`model.apiKey`",
        url_name="`model.baseUrl`",
        model_name="`model.name`",
    )


def _from_variables(name: str, variables: Mapping[str, str]) -> _Source:
    # python-dotenv gives None for a line without `=`.
    key, url, deepseek, model = ((variables.get(item) or "").strip() for item in _VARIABLES)
    return _Source(
        name=name,
        api_key=key,
        base_url=url,
        deepseek_key=deepseek,
        model=model,
        key_name="`OPENAI_API_KEY`",
        url_name="`OPENAI_BASE_URL`",
        model_name="`MODEL`",
    )


def _pick_server(source: _Source) -> tuple[str, str, str, list[str]]:
    """Return the address, its key, the key's name and notices, all from one source."""
    if source.api_key or source.base_url:
        notices = []
        if source.deepseek_key:
            reason = source.key_name if source.api_key else source.url_name
            notices.append(
                f"`DEEPSEEK_API_KEY` in the {source.name} is ignored: {reason} comes first."
            )
        return source.base_url or OPENAI_URL, source.api_key, source.key_name, notices
    return DEEPSEEK_URL, source.deepseek_key, "`DEEPSEEK_API_KEY`", []


def _pick_model(chosen: _Source, higher: list[_Source], base_url: str) -> str:
    editor_first = [source for source in higher if source.name == _SETTINGS]
    for source in [*editor_first, chosen, *higher]:
        if source.model:
            return source.model
    return DEFAULT_MODELS.get(urlsplit(base_url).hostname or "", "")


def _name_ignored(source: _Source, chosen: str) -> Iterator[str]:
    named = {
        "`OPENAI_API_KEY`": source.api_key,
        "`OPENAI_BASE_URL`": source.base_url,
        "`DEEPSEEK_API_KEY`": source.deepseek_key,
        "`MODEL`": source.model,
    }
    ignored = [name for name, value in named.items() if value]
    if ignored:
        verb = "is" if len(ignored) == 1 else "are"
        yield (
            f"{', '.join(ignored)} in the {source.name} {verb} ignored: "
            f"the {chosen} {'choose' if chosen == _SETTINGS else 'chooses'} the server and its key."
        )


def _find_url_problem(base_url: str, source: _Source) -> str:
    where = f"{source.url_name} in the {source.name}"
    if re.search(r"[\s\x00-\x1f\x7f\\]", base_url):
        return f"{where} contains a space or another character that no address has; correct it."
    try:
        parts = urlsplit(base_url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return f"{where} is not a valid address; it should look like `http://localhost:8080/v1`."
    if parts.scheme not in ("http", "https") or not host:
        return f"{where} must begin with `http://` or `https://` and name a host."
    if parts.username is not None or parts.password is not None:
        return (
            f"{where} must not contain a user name or password; set the key by {source.key_name}."
        )
    if parts.query or parts.fragment:
        return f"{where} must not contain `?` or `#`; it usually ends in `/v1`."
    return ""


def _find_key_problem(api_key: str, key_name: str, source: _Source) -> str:
    if all("!" <= character <= "~" for character in api_key):
        return ""
    return (
        f"{key_name} in the {source.name} contains a space, a line break or another character "
        "that cannot be part of a key; copy it again."
    )


def _tidy_url(base_url: str, source: _Source) -> tuple[str, list[str]]:
    notices = []
    tidy = base_url.rstrip("/")
    if tidy.endswith("/chat/completions"):
        tidy = tidy.removesuffix("/chat/completions").rstrip("/")
        notices.append(
            f"`/chat/completions` at the end of {source.url_name} is not part of the base address; "
            f"`{tidy}` is used."
        )
    parts = urlsplit(tidy)
    # In small letters, so that one server has one address.
    tidy = parts._replace(netloc=parts.netloc.lower()).geturl()
    if parts.scheme == "http" and not _is_local(parts.hostname or ""):
        notices.append(
            f"`{tidy}` is not encrypted: code and key travel readable to `{parts.hostname}`. "
            "Use `https://` if the server offers it."
        )
    return tidy, notices


def _is_local(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    # 0.0.0.0 is what servers print that listen everywhere.
    return address.is_loopback or address.is_unspecified
