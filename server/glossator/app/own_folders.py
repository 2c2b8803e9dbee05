"""Where a user's own files are kept."""

import os
from pathlib import Path
from typing import Literal

import platformdirs


def find_own_folder(kind: Literal["cache", "config", "state"]) -> Path:
    """Return where the user's own files of a kind are kept.

    A user without a home, as in some containers, has one that cannot be: nothing is kept there.
    """
    find = {
        "cache": platformdirs.user_cache_path,
        "config": platformdirs.user_config_path,
        "state": platformdirs.user_state_path,
    }[kind]
    try:
        return find("glossator", appauthor=False)
    except RuntimeError:
        return Path(os.devnull) / "glossator"
