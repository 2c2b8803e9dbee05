"""Put what the server needs into a folder of wheels, out of the environment that runs this.

    python wheelhouse.py FOLDER

An installation in a test takes its packages from there (`PIP_NO_INDEX`, `PIP_FIND_LINKS`), so that
it needs no network. Each installed package is packed again from the list of its own files.
"""

import base64
import hashlib
import re
import sys
import zipfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

_NAME = re.compile(r"[\w.-]+")


def pack(name: str, folder: Path, done: set[str]) -> None:
    """Pack a package and all that it needs without extras."""
    found = distribution(name)
    for requirement in found.requires or ():
        needed = _NAME.match(requirement)
        if needed is None or "extra ==" in requirement or needed[0].lower() in done:
            continue
        done.add(needed[0].lower())
        try:
            pack(needed[0], folder, done)
        except PackageNotFoundError:
            # For another system or another Python than this one.
            continue
    if name != "glossator":
        _write_wheel(found, folder)


def _write_wheel(found: Distribution, folder: Path) -> None:
    facts = found.read_text("WHEEL") or ""
    tags = re.findall(r"^Tag: (.+)$", facts, re.MULTILINE)
    name = re.sub(r"[-_.]+", "_", found.metadata["Name"])
    tag = _join_tags(tags)
    target = folder / f"{name}-{found.version}-{tag}.whl"
    record = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as wheel:
        for file in found.files or ():
            path = str(file)
            kept = not path.startswith("..") and "__pycache__" not in path
            if not kept or Path(path).name in ("RECORD", "INSTALLER", "REQUESTED"):
                continue
            data = Path(str(found.locate_file(file))).read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")
            wheel.writestr(path, data)
        info = next(
            str(file).split("/")[0] for file in found.files or () if "dist-info" in str(file)
        )
        wheel.writestr(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,", ""]))


def _join_tags(tags: list[str]) -> str:
    """Join tags as names of files do: what differs between them stands side by side."""
    parts = zip(*(tag.split("-") for tag in tags), strict=True)
    return "-".join(".".join(sorted(set(part))) for part in parts)


if __name__ == "__main__":
    target_folder = Path(sys.argv[1])
    target_folder.mkdir(parents=True, exist_ok=True)
    pack("glossator", target_folder, {"glossator"})
