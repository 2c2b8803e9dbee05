"""Files that editors and systems leave beside the ones that people write."""

import re

_LITTER = re.compile(
    r"""
    \.\#.* | \#.*\# | ~\$.* | \.~.*            # Emacs, Office, LibreOffice
    | .*~ | .*\.(?:swp|swo|swx|swpx|tmp|temp|bak|orig|crdownload|part|kate-swp)
    | .*\.tmp\.\d+.*
    | \.goutputstream-.* | .*___jb_(?:tmp|old|bak)___ | \.fuse_hidden.* | \.nfs[0-9a-f]+
    | \.DS_Store | \._.* | Thumbs\.db | desktop\.ini
    """,
    re.VERBOSE | re.IGNORECASE,
)


def is_litter(name: str) -> bool:
    """Say whether a file of this name is a draft, a lock or a leftover rather than a file."""
    return _LITTER.fullmatch(name) is not None
