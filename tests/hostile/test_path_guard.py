"""Attacks on the path guard, each with a harmless neighbour, through every tool.

Nothing from outside the workspace and no secret may show in any answer, whether an attack is
refused or merely finds nothing. What a person would do right beside it has to work.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from glossator.app.verifying import verify_citations
from glossator.core.errors import GlossatorError
from glossator.core.messages import ToolCall
from glossator.tools.chaining import make_chaining_tools
from glossator.tools.code_map import CodeMap
from glossator.tools.coverage import make_coverage_tools
from glossator.tools.diffing import make_diffing_tools
from glossator.tools.outlining import make_outlining_tools
from glossator.tools.reading import make_reading_tools
from glossator.tools.searching import make_searching_tools
from glossator.tools.signatures import make_signature_tools
from glossator.tools.toolbox import Toolbox, make_toolbox
from glossator.tools.workspace import Workspace

CANARY = "CANARY_outside_7f3a"
SECRET = "CANARY_secret_91bd"
HARMLESS = "def harmless_function(): return 'plain sight'\n"


@dataclass(frozen=True)
class Scene:
    """A workspace, and beside it what must never be seen."""

    root: Path
    outside: Path

    @property
    def workspace(self) -> Workspace:
        return Workspace([self.root])

    @property
    def toolbox(self) -> Toolbox:
        workspace = self.workspace
        code_map = CodeMap(workspace)
        return make_toolbox(
            [
                *make_reading_tools(workspace),
                *make_searching_tools(workspace),
                *make_outlining_tools(workspace, code_map),
                *make_signature_tools(workspace, code_map),
                *make_chaining_tools(workspace, code_map),
                *make_diffing_tools(workspace),
                *make_coverage_tools(workspace, code_map),
            ]
        )


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    base = tmp_path_factory.mktemp("hostile")
    root, outside = base / "root", base / "outside"
    for folder in (root / "src", root / ".git" / "hooks", outside / "deep", base / "root-evil"):
        folder.mkdir(parents=True)
    canary = f"def {CANARY}(): return '{CANARY}'\n"
    for path in (outside / "s.py", outside / "deep" / "s.py", base / "root-evil" / "s.py"):
        path.write_text(canary, encoding="utf-8")
    for name in (".env", "id_rsa", "tls.pem", ".npmrc", ".git/config", ".git/hooks/post-commit"):
        (root / name).write_text(f"key = '{SECRET}'\n", encoding="utf-8")
    for name in ("src/a.py", "src/..a.py", "src/.gitx.py", "a b.py", "～.py", ".env.example"):
        (root / name).write_text(HARMLESS, encoding="utf-8")
    (root / "src" / "cafe\u0301.py").write_text(HARMLESS, encoding="utf-8")
    (root / "src" / "th\xe9.py").write_text(HARMLESS, encoding="utf-8")

    (root / "link.py").symlink_to(outside / "s.py")
    (root / "linked").symlink_to(outside)
    (root / "up").symlink_to("..")
    (root / "env.txt").symlink_to(".env")
    (root / "dotenv").mkdir()
    (root / "dotenv" / ".env").symlink_to("../src/a.py")
    (root / "inner.py").symlink_to("src/a.py")
    (root / "loop").symlink_to("loop")
    (root / "zero").symlink_to("/dev/zero")
    (root / "dangling").symlink_to(outside / "missing.py")
    os.mkfifo(root / "pipe.py")
    os.link(root / "src" / "a.py", root / "twin.py")
    with (root / "sparse.py").open("wb") as file:
        file.truncate(10**12)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.path.relpath(root / "socket.py"))
    yield Scene(root, outside)
    listener.close()


TOOLS: dict[str, Callable[[str], dict[str, object]]] = {
    "read_file": lambda path: {"path": path},
    "list_directory": lambda path: {"path": path},
    "search_files": lambda path: {"query": "CANARY", "folder": path},
    "get_function_signature": lambda path: {"path": path},
    "outline": lambda path: {"path": path},
    "call_chain": lambda path: {"path": path, "name": "harmless_function"},
    "diff": lambda path: {"path": path},
    "coverage": lambda path: {"path": path},
}

ATTACKS = [
    "../root-evil/s.py", "{base}/root-evil/s.py", "../outside/s.py", "{outside}/s.py",
    "/etc/passwd", "src/../../outside/s.py", "./././../outside/s.py", "src\\..\\..\\outside\\s.py",
    "..\\outside\\s.py", "link.py", "linked/s.py", "linked/deep/s.py", "linked", "up/outside/s.py",
    "up", "linked/new/folder/x.py", "dangling", "zero", "loop", "..", "/etc", "/proc/self/environ",
    "/proc/1/root/etc/passwd", "/proc/1/cwd/x",
    "..／outside／s.py", "．．/outside/s.py", "src/a.py\x00.png", "\x00", "../outside/s.py\x00",
    "~/.ssh/id_rsa", "~root/.bashrc", "$HOME/.bashrc", "${{HOME}}/x", "%USERPROFILE%\\x",
    "file://{outside}/s.py", "file://localhost{outside}/s.py", "file://host{root}/src/a.py",
    "file:///{root}/src/a.py", "file://{root}/%2e%2e/outside/s.py", "file://{root}/src%00a.py",
    "file://{root}/%252e%252e/outside/s.py", "file://{root}/%ff.py", "file://{root}/%zz.py",
    "https://example.org/s.py", "vscode-remote://host/s.py", "C:\\Windows\\win.ini", "c:/x",
    "x" * 300 + ".py", "d/" * 3000 + "x.py", "pipe.py", "socket.py", "sparse.py",
    ".env", "src/../.env", ".ENV", "env.txt", "dotenv/.env", "id_rsa", "tls.pem", ".npmrc",
    ".git", ".git/config", ".git/hooks/post-commit", ".g\u200bit/config", "．git/config",
    ".git\u200d/config", "{root}/.env", "file://{root}/.env", "src/../.git/config",
]  # fmt: skip


def fill(pattern: str, scene: Scene) -> str:
    return pattern.format(root=scene.root, outside=scene.outside, base=scene.root.parent)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("attack", ATTACKS)
async def test_nothing_outside_and_no_secret_is_shown(scene: Scene, tool: str, attack: str) -> None:
    arguments = json.dumps(TOOLS[tool](fill(attack, scene)))
    started = time.monotonic()

    outcome = await scene.toolbox.run(ToolCall("1", tool, arguments))

    assert outcome.is_error, outcome.text
    assert CANARY not in outcome.text
    assert SECRET not in outcome.text
    assert "root:x:0" not in outcome.text
    assert "Traceback" not in outcome.text
    outcome.text.encode("utf-8")
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_citation_tells_nothing_about_what_is_never_read(scene: Scene, attack: str) -> None:
    path = fill(attack, scene)

    found = verify_citations(
        f"`{CANARY}` and `{SECRET}` are at `{path}:1`, see {path}:9", scene.workspace, files={}
    )

    assert [each for each in found if each.verdict != "missing" or each.path is not None] == []


BENIGN = [
    "src/a.py", "./src/../src/a.py", "../root/src/a.py", "{root}/src/a.py", "src\\a.py",
    "file://{root}/src/a.py", "file://localhost{root}/src/a.py", "file://{root}/src/%61.py",
    "src/..a.py", "src/.gitx.py", "a b.py", "file://{root}/a%20b.py", "～.py", "inner.py",
    "twin.py", "src/cafe\u0301.py", "src/caf\xe9.py", "src/the\u0301.py", ".env.example",
    "up/root/src/a.py", "root/src/a.py",
]  # fmt: skip


@pytest.mark.parametrize("benign", BENIGN)
async def test_the_harmless_neighbour_is_read(scene: Scene, benign: str) -> None:
    arguments = json.dumps({"path": fill(benign, scene)})

    read = await scene.toolbox.run(ToolCall("1", "read_file", arguments))
    found = await scene.toolbox.run(
        ToolCall("2", "search_files", json.dumps({"query": "plain", "folder": fill(benign, scene)}))
    )

    assert "harmless_function" in read.text, read.text
    assert "plain sight" in found.text, found.text


@pytest.mark.parametrize("benign", [path for path in BENIGN if not path.startswith("file:")])
def test_the_harmless_neighbour_can_be_cited(scene: Scene, benign: str) -> None:
    answer = f"`harmless_function` is at `{fill(benign, scene)}:1`."

    [found] = verify_citations(answer, scene.workspace, files={})

    assert found.verdict == "exact", found


async def test_searches_and_lists_of_everything_show_no_secret(scene: Scene) -> None:
    toolbox = scene.toolbox
    calls = [
        ("search_files", {"query": "CANARY", "max_hits": 200}),
        ("search_files", {"query": "CANARY_.*", "regex": True}),
        ("search_files", {"query": "key =", "glob": ".env"}),
        ("search_files", {"query": "key =", "glob": "**/.git/**"}),
        ("list_directory", {"path": "."}),
        ("list_directory", {"path": "src"}),
    ]
    for name, arguments in calls:
        outcome = await toolbox.run(ToolCall("1", name, json.dumps(arguments)))
        below = outcome.text.partition("\n")[2]

        assert not outcome.is_error
        assert CANARY not in below
        assert SECRET not in below
        assert "s.py" not in below


def test_the_code_map_sees_neither_outside_nor_secrets(scene: Scene) -> None:
    code_map = CodeMap(scene.workspace)

    assert code_map.find_definitions(CANARY) == ()
    # A pipe, a socket, a device and a file of a terabyte stood in the way.
    assert code_map.find_definitions("harmless_function") != ()


@pytest.mark.parametrize("name", ["s.py", "missing.py", "deep", "no/such/folder/x.py"])
def test_a_refusal_does_not_tell_whether_there_is_something(scene: Scene, name: str) -> None:
    def refuse(path: str) -> str:
        with pytest.raises(GlossatorError) as caught:
            scene.workspace.read(path)
        return str(caught.value).replace(name, "X").replace("linked/", "../outside/")

    expected = refuse(f"../outside/{name}")
    assert refuse(f"linked/{name}") == expected
    assert expected == (
        "`../outside/X` is outside the workspace. Use a path below the workspace folder, such as "
        "`src/main.py`."
    )


def flip(path: Path, targets: tuple[Path, Path], stop: threading.Event) -> None:
    """Let `path` be a link to one and the other, as fast as possible."""
    spare = path.with_name(f"{path.name}-spare")
    while not stop.is_set():
        for target in targets:
            spare.symlink_to(target)
            spare.replace(path)


@pytest.mark.parametrize("kind", ["file", "folder"])
async def test_a_link_that_flips_while_it_is_read_never_shows_the_outside(
    scene: Scene, tmp_path: Path, kind: str
) -> None:
    root = tmp_path / "w"
    (root / "inside").mkdir(parents=True)
    (root / "inside" / "s.py").write_text(HARMLESS, encoding="utf-8")
    flipping = root / ("f.py" if kind == "file" else "f")
    inside, outside = root / "inside", scene.outside
    if kind == "file":
        inside, outside = inside / "s.py", outside / "s.py"
    path = "f.py" if kind == "file" else "f/s.py"
    workspace = Workspace([root])
    stop = threading.Event()
    flipper = threading.Thread(target=flip, args=(flipping, (inside, outside), stop))
    flipper.start()
    n_read = n_refused = 0
    deadline = time.monotonic() + 60
    try:
        while n_read < 20 or n_refused < 20:
            assert time.monotonic() < deadline, (n_read, n_refused)
            try:
                assert CANARY not in workspace.read(path).text
                n_read += 1
                # As when the check and the reading are far apart.
                assert CANARY not in workspace.read_walked(str(root / path)).text
                for entry in workspace.list_folder(root / "f"):
                    assert entry.name != "deep"
            except GlossatorError:
                n_refused += 1
    finally:
        stop.set()
        flipper.join()


def test_a_file_put_in_place_of_a_checked_one_is_refused(scene: Scene, tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    workspace = Workspace([root])
    (root / "a.py").write_text(HARMLESS, encoding="utf-8")
    located = workspace.locate("a.py")
    located.unlink()
    located.symlink_to(scene.outside / "s.py")

    with pytest.raises(GlossatorError, match="outside"):
        workspace.read_walked(str(located))
    located.unlink()
    os.mkfifo(located)
    with pytest.raises(GlossatorError, match="named pipe"):
        workspace.read(located)


def test_a_folder_that_is_closed_to_us_is_said_and_the_walk_goes_on(tmp_path: Path) -> None:
    """Root may open everything, so this runs as nobody where it would prove nothing."""
    root = tmp_path / "w"
    (root / "closed").mkdir(parents=True)
    (root / "closed" / "x.py").write_text("x", encoding="utf-8")
    (root / "closed.py").write_text("x", encoding="utf-8")
    (root / "z.py").write_text("x", encoding="utf-8")
    (root / "closed").chmod(0)
    (root / "closed.py").chmod(0)
    script = (
        "import sys; from pathlib import Path\n"
        "from glossator.core.errors import GlossatorError\n"
        "from glossator.tools.workspace import Workspace\n"
        "import os\n"
        "w = Workspace([Path(sys.argv[1])])\n"
        "os.geteuid() == 0 and os.setuid(65534)\n"
        "print([p.name for p in w.walk()])\n"
        "for ask in (lambda: w.read('closed.py'), lambda: w.list_folder(w.roots[0] / 'closed')):\n"
        "    try: ask()\n"
        "    except GlossatorError as error: print(error)\n"
    )
    for folder in (root, *root.parents):
        if folder == Path("/tmp"):
            break
        folder.chmod(0o755)

    done = subprocess.run(
        [sys.executable, "-c", script, str(root)],
        capture_output=True, text=True, check=False, encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    (root / "closed").chmod(0o755)

    assert done.stdout.splitlines() == [
        "['closed.py', 'z.py']",
        "`closed.py` cannot be read: permission denied.",
        "`closed` cannot be read: permission denied.",
    ], done.stderr


def test_a_terabyte_is_refused_without_being_read(scene: Scene) -> None:
    started = time.monotonic()

    with pytest.raises(GlossatorError, match=r"not text \(binary data, 1\.0 TB\)"):
        scene.workspace.read("sparse.py")

    assert time.monotonic() - started < 1
    assert shutil.disk_usage(scene.root).free > 0


def test_a_folder_that_was_removed_from_the_workspace_is_out_at_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text("x", encoding="utf-8")
    both = Workspace([tmp_path / "one", tmp_path / "two"])

    assert both.read("two/a.py").text == "x"
    with pytest.raises(GlossatorError, match="outside"):
        Workspace([tmp_path / "one"]).read(both.roots[1] / "a.py")
