"""Build the server's wheel into `server/` of the extension, with the repository's own backend.

    python editor-client/vscode/scripts/build_wheel.py

The wheel's files are stored, not compressed: the extension's archive compresses all of them
together, which is a quarter smaller than each by itself.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

CLIENT = Path(__file__).resolve().parents[1]
ROOT = CLIENT.parents[1]
TARGET = CLIENT / "server"


def main() -> None:
    """Replace what is in `server/` by the wheel of this repository as it is now."""
    try:
        from hatchling.builders.wheel import WheelBuilder
    except ModuleNotFoundError:
        sys.exit(f"{sys.executable} has no hatchling: run `make install`, or name another Python.")
    TARGET.mkdir(exist_ok=True)
    for old in TARGET.glob("*.whl"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        (built,) = WheelBuilder(str(ROOT)).build(directory=folder, versions=["standard"])
        _store(Path(built), TARGET / Path(built).name)


def _store(source: Path, target: Path) -> None:
    with zipfile.ZipFile(source) as wheel, zipfile.ZipFile(target, "w") as stored:
        for entry in wheel.infolist():
            content = wheel.read(entry)
            entry.compress_type = zipfile.ZIP_STORED
            stored.writestr(entry, content)


if __name__ == "__main__":
    main()
