"""The way to a team's database: its address without secrets, and what is wrong in plain words."""

import re
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from glossator.core.errors import GlossatorError
from glossator.core.redaction import redact

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[tuple[Any, ...]]

CONNECT_S = 3
_MAX_REASON = 160


class SharedUnavailable(GlossatorError):
    """The shared index cannot be used now; the text says why and what to do."""

    code = "shared-unavailable"


@dataclass(frozen=True, slots=True)
class Address:
    """Where the database is. `shown` has no password and no parameters."""

    url: str = field(repr=False)
    shown: str
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def hide(self, text: str) -> str:
        """Return a text on one line, without what must not be seen."""
        return redact(" ".join(text.split()), self.secrets)


def read_address(url: str) -> Address:
    """Read the setting `shared.url`.

    Raises:
        SharedUnavailable: it is no such address, or the driver is not installed.
    """
    url = url.strip()
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    if parts.scheme not in ("postgresql", "postgres") or re.search(r"[\s\x00-\x1f]", url):
        raise SharedUnavailable(
            "`shared.url` is no address of a PostgreSQL database; it looks like "
            "`postgresql://user@host/database`."
        )
    for package in ("psycopg", "pgvector", "numpy"):
        if find_spec(package) is None:
            raise SharedUnavailable(
                "`shared.url` is set, but the driver is not installed. Run "
                "`pip install glossator[team]`."
            )
    database = unquote(parts.path.lstrip("/")) or parts.username or ""
    place = f"{host or 'this machine'}{f':{port}' if port else ''}"
    secrets = [url, parts.password or "", unquote(parts.password or "")]
    secrets += [unquote(value) for value in re.findall(r"password=([^&]*)", parts.query)]
    hidden = tuple(secret for secret in secrets if secret)
    return Address(url, f"{database} at {place}", hidden)


def connect(address: Address, *, timeout_s: int = CONNECT_S) -> "Connection":
    """Open a connection.

    Raises:
        SharedUnavailable: there is no database, or it refuses.
    """
    import psycopg

    try:
        connection = psycopg.connect(
            address.url,
            autocommit=True,
            connect_timeout=timeout_s,
            # What stands between, a pooler, may hand each transaction to another server.
            prepare_threshold=None,
            application_name="glossator",
            # A server that is gone without a word is noticed.
            keepalives_idle=30,
            keepalives_interval=5,
            keepalives_count=3,
            client_encoding="UTF8",
        )
    except (psycopg.Error, OSError, UnicodeError, ValueError) as error:
        raise explain(error, address) from None
    if connection.info.parameter_status("server_encoding") != "UTF8":
        connection.close()
        raise SharedUnavailable(
            f"The database {address.shown} is not in UTF-8. Create one with `ENCODING 'UTF8'`."
        )
    return connection


def explain(error: BaseException, address: Address) -> SharedUnavailable:
    """Say what went wrong, without password and address."""
    reason = address.hide(str(error))[:_MAX_REASON].rstrip(" .")
    return SharedUnavailable(
        f"The shared index {address.shown} is away ({reason}). Check that the database runs, and "
        "`shared.url`."
    )
