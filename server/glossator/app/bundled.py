"""What ships with Glossator beside its code."""

from pathlib import Path

import glossator


def bundled_folder() -> Path:
    """Return the folder that holds the `knowledge/`, `skills/` and `docs/` that ship with it."""
    package = Path(glossator.__file__).parent
    installed = package / "_bundled"
    return installed if installed.is_dir() else package.parent.parent
