"""What every test may use."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from glossator.agent.capacity import forget_capacities

if TYPE_CHECKING:
    from databases import Server

# A busy machine is no failure. The same examples come each time, so that what fails was changed;
# `--hypothesis-profile=searching` looks for new ones.
settings.register_profile("searching", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("unhurried", settings.get_profile("searching"), derandomize=True)
settings.load_profile("unhurried")


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
        config = tmp_path_factory.mktemp("config")
        patch.setitem(os.environ, "XDG_CONFIG_HOME", str(config))
        patch.setitem(os.environ, "XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        # Vectors take seconds of CPU; tests of them ask for an encoder themselves.
        (config / "glossator").mkdir()
        own = config / "glossator" / "glossator.toml"
        own.write_text('[semantic]\nsource = "off"\n', encoding="utf-8")
        yield folder


@pytest.fixture(scope="session")
def server() -> "Iterator[Server]":
    """A database server; started by the first test that needs one."""
    from databases import run_server

    with run_server() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_test_knows_a_models_capacity_from_another() -> None:
    forget_capacities()


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
