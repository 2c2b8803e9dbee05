"""Where the measurements take place: commands, environments, and what is written for them."""

import argparse
import compileall
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import glossator
from benchmarks.codebase import write_codebase, write_knowledge
from benchmarks.editor import Editor
from provider.server import Provider

HERE = Path(__file__).parent
BARE_SERVER = (sys.executable, str(HERE / "bare_server.py"))
OUR_SERVER = (sys.executable, "-m", "glossator", "lsp")
TRACED_SERVER = (sys.executable, str(HERE / "traced_server.py"))

_NOT_PASSED_ON = ("OPENAI_", "DEEPSEEK_", "MODEL", "PYTHONDONTWRITEBYTECODE", "PYTHONPROFILE")


class Ground:
    """A temporary folder with what the parts share; each thing is made when it is first used."""

    def __init__(self, folder: Path, sets: Sequence[Path] = ()) -> None:
        self.folder = folder
        self.sets = tuple(sets)

    @cached_property
    def codebase(self) -> Path:
        """A workspace of 5,000 files in Python, TypeScript and Go."""
        return write_codebase(self.folder / "codebase", n_files=5_000)

    @cached_property
    def knowledge(self) -> Path:
        """A workspace with 5,000 sections of knowledge."""
        return write_knowledge(self.folder / "handbook", n_sections=5_000)

    @cached_property
    def small(self) -> Path:
        """A workspace with next to nothing in it."""
        folder = self.folder / "small"
        folder.mkdir()
        (folder / "pyproject.toml").write_text("[project]\nname = 'small'\n", encoding="utf-8")
        return folder

    def env(self, provider: Provider | None = None, **more: str) -> dict[str, str]:
        """Return a server's environment: the model of `provider`, or none."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(_NOT_PASSED_ON)
        }
        kept["XDG_STATE_HOME"] = kept["XDG_CACHE_HOME"] = str(self.folder / "state")
        kept["XDG_CONFIG_HOME"] = self.write_settings("off")
        if provider is not None:
            kept |= {
                "OPENAI_API_KEY": "none",
                "OPENAI_BASE_URL": provider.base_url,
                "MODEL": "scripted",
            }
        return kept | more

    def write_settings(self, semantic_source: str) -> str:
        """Write settings of one's own; vectors would be computed beside what is measured."""
        config = self.folder / f"config-{semantic_source}"
        (config / "glossator").mkdir(parents=True, exist_ok=True)
        text = f'[semantic]\nsource = "{semantic_source}"\n'
        (config / "glossator" / "glossator.toml").write_text(text, encoding="utf-8")
        return str(config)

    @contextmanager
    def bare(self) -> Iterator[Editor]:
        """Start the bare server."""
        with Editor(BARE_SERVER, self.env()) as editor:
            yield editor

    @contextmanager
    def ours(self, provider: Provider | None = None) -> Iterator[Editor]:
        """Start our server, with a model or without."""
        with Editor(OUR_SERVER, self.env(provider)) as editor:
            yield editor

    def compile_bytecode(self) -> None:
        """Compile what the servers import, so that no start pays for it."""
        for folder in (str(Path(glossator.__file__).parent), sysconfig.get_path("purelib")):
            compileall.compile_dir(folder, quiet=2, maxlevels=20)


def find_program(name: str) -> str | None:
    """Return the program of that name beside this Python, else the one on the path."""
    return shutil.which(name, path=Path(sys.executable).parent) or shutil.which(name)


def python_of_lines(n_lines: int) -> str:
    """Return real Python code of about that many lines: `argparse` up to a definition."""
    module = Path(argparse.__file__).read_text(encoding="utf-8").splitlines(keepends=True)
    lines = (module * (1 + n_lines // len(module)))[:n_lines]
    while not lines[-1].startswith(("class ", "def ", "    def ")):
        lines.pop()
    return "".join(lines[:-1])


def inside_functions(text: str) -> list[int]:
    """Return lines (from 0) that begin the body of a function in Python code."""
    lines = text.splitlines()
    return [
        number + 1
        for number, line in enumerate(lines[:-2])
        if line.lstrip().startswith("def ") and line.rstrip().endswith(":")
    ]
