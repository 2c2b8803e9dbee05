"""Which files are never read: keys, passwords, repository internals and our own records.

One rule for every tool. Names are compared on a copy without case, width variants and invisible
characters, so that look-alikes of a protected name are protected as well. A private key is one
under any name, by how it begins.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_FOLDERS = frozenset(
    {".git", "git~1", ".hg", ".svn", ".jj", ".bzr", ".ssh", ".gnupg", ".aws", ".azure",
     ".glossator"}
)  # fmt: skip
_FILES = frozenset(
    {".envrc", ".npmrc", ".pypirc", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".git-credentials",
     ".htpasswd", ".dockercfg", ".dockerconfigjson", ".vault-token", ".terraformrc", ".boto",
     ".s3cfg", "kubeconfig", "terraform.tfstate", ".vault_pass", ".vault-pass", ".sentryclirc",
     ".databrickscfg", ".msmtprc", "rclone.conf", ".rclone.conf", "local.settings.json",
     "application_default_credentials.json", ".bash_history", ".zsh_history", ".psql_history",
     ".mysql_history"}
)  # fmt: skip
_SUFFIXES = (
    ".pem", ".key", ".p12", ".pkcs12", ".pfx", ".p8", ".jks", ".keystore", ".ppk", ".kdb", ".kdbx",
    ".keytab", ".keychain", ".keychain-db", ".ovpn", ".tfstate", ".tfstate.backup", ".gpg",
)  # fmt: skip
_SSH_KEY = re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519)(?:[_-][\w@-]*)?")
_ENVIRONMENT = re.compile(
    r"(?:.*\.env|\.env[.\-_\d].*|\.envrc[.\-_].*|\.dev\.vars(?:\..*)?|.*\.tfvars(?:\.json)?)"
)
_EXAMPLE = re.compile(
    r"(?:^|[.\-_])(?:examples?|samples?|templates?|dist|defaults?|schema)(?:$|[.\-_])"
)
# Data only: `credentials.py` is somebody's code.
_CREDENTIALS = re.compile(
    r"(?:[\w.-]*credentials?|[\w.-]*secrets?|client_secret[\w.-]*|service[-_]?account[\w.-]*"
    r"|auth|\.docker/config)"
    r"(?:\.(?:json|ya?ml|toml|ini|cfg|conf|xml|csv|txt|properties|bak))?"
)
# What editors and people make of a name when they keep a copy: `.env~`, `#.env#`, `id_rsa.bak`.
_BACKUP = re.compile(
    r"#?(?:\.(?=.*\.sw[a-z]$))?(?P<name>.+?)(?:~|#|\.(?:bak|backup|old|orig|save|copy|sw[a-z]|\d+))?"
)
_KEY_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:-----BEGIN |Bag Attributes\s|PuTTY-User-Key-File-)"
)
_KEY_IN_JSON = re.compile(rb"\s*\{[^{}]{0,4096}\"private_key\"\s*:\s*\"-----BEGIN ")
_KEY_CHARACTERS = 65536
_NEEDS_SUFFIX = re.compile(r"auth|secrets?|service[-_]?accounts?")


def is_protected(parts: Iterable[str]) -> bool:
    """Say whether a path, given by its names below a workspace root, is never read."""
    folder = ""
    is_secret = False
    for part in parts:
        name = _plain(part)
        if name in _FOLDERS:
            return True
        is_secret = _is_secret(name, folder)
        folder = name
    return is_secret


def holds_private_key(data: bytes) -> bool:
    """Say whether a file is a private key, whatever it is called.

    Only its beginning tells: code and prose that quote one are code and prose.
    """
    if _KEY_START.match(data):
        return b"PRIVATE KEY" in data or b"\nPrivate-Lines:" in data
    return _KEY_IN_JSON.match(data) is not None


def is_private_key(text: str) -> bool:
    """Say the same of a document's text."""
    return holds_private_key(text[:_KEY_CHARACTERS].encode("utf-8", "replace"))


@lru_cache(maxsize=16384)
def is_protected_name(name: str, folder: str = "") -> bool:
    """Say whether a file or folder of this name, in a folder of that name, is never read."""
    plain = _plain(name)
    return plain in _FOLDERS or _is_secret(plain, _plain(folder))


@lru_cache(maxsize=16384)
def _is_secret(name: str, folder: str) -> bool:
    copied = _BACKUP.fullmatch(name)
    if copied is not None and copied["name"] != name:
        # Editors put a dot before the name of a swap file, unless it has one.
        dotted = f".{copied['name']}" if name.startswith(".") else copied["name"]
        return _is_secret(copied["name"], folder) or _is_secret(dotted, folder)
    if name in _FILES or name.endswith(_SUFFIXES) or _SSH_KEY.fullmatch(name):
        return True
    if _ENVIRONMENT.fullmatch(name):
        return _EXAMPLE.search(name) is None
    if (folder, name) in {(".docker", "config.json"), (".kube", "config"), (".cargo", "config")}:
        return True
    if _EXAMPLE.search(name) or not _CREDENTIALS.fullmatch(name):
        return False
    return _NEEDS_SUFFIX.fullmatch(name) is None


@lru_cache(maxsize=16384)
def _plain(name: str) -> str:
    """Return `name` as a careless file system or reader would take it."""
    if name.isascii():
        # Windows drops trailing dots and blanks, and what follows a colon names a stream.
        return name.partition(":")[0].rstrip(". ").lower() or name
    folded = unicodedata.normalize("NFKC", name).casefold()
    visible = "".join(
        character for character in folded if unicodedata.category(character) not in {"Cf", "Mn"}
    )
    return visible.partition(":")[0].rstrip(". ") or visible
