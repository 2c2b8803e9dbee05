from collections.abc import Iterator

import pytest

from provider.server import Provider


@pytest.fixture(scope="session")
def provider_process() -> Iterator[Provider]:
    with Provider() as provider:
        yield provider


@pytest.fixture
def provider(provider_process: Provider) -> Provider:
    provider_process.clear()
    return provider_process
