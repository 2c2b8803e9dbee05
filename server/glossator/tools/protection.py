"""Which files are never read: keys, passwords, repository internals and our own records.

One rule for every tool. Names are compared on a copy without case, width variants and invisible
characters, so that look-alikes of a protected name are protected as well.
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
     ".s3cfg", "kubeconfig", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk",
     "id_ed25519_sk", "terraform.tfstate"}
)  # fmt: skip
_SUFFIXES = (
    ".pem", ".key", ".p12", ".pfx", ".p8", ".jks", ".keystore", ".ppk", ".kdbx", ".keytab",
    ".tfstate", ".tfstate.backup", ".gpg",
)  # fmt: skip
_ENVIRONMENT = re.compile(r"(?:.*\.env|\.env[.\-_].*)")
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
    if name in _FILES or name.endswith(_SUFFIXES):
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
