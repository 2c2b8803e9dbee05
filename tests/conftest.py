"""What every test may use."""

import os
from collections.abc import Iterator

import pytest

from glossator.agent.capacity import forget_capacities


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite expected transcripts and generated tables; read the diff",
    )


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Keep sessions and records out of the user's own state folder, in child processes too."""
    folder = str(tmp_path_factory.mktemp("state"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "XDG_STATE_HOME", folder)
        # Nor is the user's own settings file theirs to read.
        patch.setitem(os.environ, "XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield folder


@pytest.fixture(autouse=True)
def _no_test_knows_a_models_capacity_from_another() -> None:
    forget_capacities()


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
