"""The extension's archive: what is inside, how large it is, and that it is built the same twice."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from glossator import __version__

ROOT = Path(__file__).parents[2]
CLIENT = Path("editor-client/vscode")
SOURCES = (
    *(
        "server",
        "knowledge",
        "skills",
        "docs/linting.md",
        "docs/glossator.schema.json",
        "editor-client/vscode",
    ),
    *("README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", ".gitignore"),
)
NOT_SOURCES = ("node_modules", "dist", "out", "server/*.whl", "*.vsix", "__pycache__")
WHEEL = f"extension/server/glossator-{__version__}-py3-none-any.whl"

# Whatever else turns up is shipped to everybody by mistake, or belongs into this list.
EXPECTED = re.compile(
    r"""
    \[Content_Types\]\.xml | extension\.vsixmanifest
    | extension/(
        package(\.nls(\.zh-cn)?)?\.json | readme\.md | changelog\.md | LICENSE\.txt
        | dist/(\w+\.js | glossator\.schema\.json) | l10n/bundle\.l10n\.zh-cn\.json
        | media/[\w/-]+\.(svg|png|css|md)
        | server/glossator-[\d.]+-py3-none-any\.whl
    )
    """,
    re.VERBOSE,
)


def build(folder: Path, *, umask: int, time_zone: str) -> Path:
    """Copy the sources to `folder`, as another checkout would hold them, and package them."""
    for name in SOURCES:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copyfile(ROOT / name, target)
        else:
            ignored = shutil.ignore_patterns(*NOT_SOURCES)
            shutil.copytree(ROOT / name, target, copy_function=shutil.copyfile, ignore=ignored)
    (folder / CLIENT / "node_modules").symlink_to(ROOT / CLIENT / "node_modules")
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            path.chmod(0o666 & ~umask)
    subprocess.run(
        ["node", "scripts/package.mjs"],
        cwd=folder / CLIENT,
        env={**os.environ, "GLOSSATOR_PYTHON": sys.executable, "TZ": time_zone},
        check=True,  # What it says is captured, and shown if it fails.
        timeout=120,
    )
    return folder / CLIENT / "glossator.vsix"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("one"), umask=0o022, time_zone="UTC")


def test_two_builds_of_the_same_sources_are_the_same_bytes(package: Path, tmp_path: Path) -> None:
    other = build(tmp_path / "elsewhere", umask=0o077, time_zone="Asia/Shanghai")

    assert other.read_bytes() == package.read_bytes()


def test_nothing_is_inside_that_nobody_needs(package: Path) -> None:
    names = zipfile.ZipFile(package).namelist()

    assert [name for name in names if not EXPECTED.fullmatch(name)] == []
    assert {"extension/dist/extension.js", "extension/dist/panel.js", WHEEL} <= set(names)


def test_it_stays_below_two_megabytes(package: Path) -> None:
    assert package.stat().st_size < 2_000_000


def test_the_wheel_inside_is_the_server_of_this_version(package: Path, tmp_path: Path) -> None:
    wheel = zipfile.ZipFile(zipfile.ZipFile(package).extract(WHEEL, tmp_path))

    assert wheel.testzip() is None
    names = set(wheel.namelist())
    assert {"glossator/__main__.py", "glossator/_bundled/docs/linting.md"} <= names
    assert not any(re.search(r"(^|/)(tests?|__pycache__|\.env)(/|$)", name) for name in names)


def test_the_wheel_is_one_that_pip_installs(package: Path, tmp_path: Path) -> None:
    wheel = zipfile.ZipFile(package).extract(WHEEL, tmp_path)
    target = tmp_path / "site"

    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
         "--disable-pip-version-check", "--target", target, wheel],
        check=True,
        timeout=120,
    )  # fmt: skip

    assert (target / "glossator" / "py.typed").is_file()


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_pictures_of_the_page_are_there_small_and_told_in_words(name: str) -> None:
    text = (ROOT / CLIENT / name).read_text(encoding="utf-8")

    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text)

    assert pictures
    for words, path in pictures:
        assert len(words) > 10
        largest = 1_500_000 if path.endswith(".gif") else 150_000
        assert (ROOT / CLIENT / path).stat().st_size < largest
