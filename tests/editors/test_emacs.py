"""The Emacs package in a real Emacs, under Eglot and lsp-mode, against the real server."""

import json
from pathlib import Path

import pytest

from editors.conftest import REPOSITORY, find_editor, run_editor

pytestmark = pytest.mark.debian

HERE = Path(__file__).parent
PACKAGE = REPOSITORY / "editor-client" / "emacs"


@pytest.fixture
def environment(
    editor_environment: dict[str, str], workspace: Path, server_command: list[str]
) -> dict[str, str]:
    return {
        **editor_environment,
        "GLOSSATOR_TEST_PLUGIN": str(PACKAGE),
        "GLOSSATOR_TEST_WORKSPACE": str(workspace),
        "GLOSSATOR_TEST_SERVER": json.dumps(server_command),
    }


def run_script(script: str, environment: dict[str, str], folder: Path) -> None:
    emacs = find_editor("GLOSSATOR_EMACS", "emacs")
    run_editor([emacs, "--batch", "-Q", "-l", str(HERE / "emacs" / script)], environment, folder)


@pytest.mark.parametrize("script", ["with-eglot.el", "with-lsp-mode.el"])
def test_without_a_model_everything_but_free_answers_works(
    script: str, environment: dict[str, str], workspace: Path
) -> None:
    run_script(script, environment, workspace)


@pytest.mark.parametrize("script", ["with-eglot.el", "with-lsp-mode.el"])
def test_an_answer_of_a_model_streams_and_can_be_stopped(
    script: str, environment: dict[str, str], workspace: Path, model_url: str
) -> None:
    run_script(script, {**environment, "GLOSSATOR_TEST_MODEL": model_url}, workspace)


def test_the_package_compiles_without_warnings_and_loads_no_client_by_itself(
    environment: dict[str, str], workspace: Path
) -> None:
    run_script("compile.el", environment, workspace)
