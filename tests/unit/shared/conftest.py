"""A database without our tables, and one with the documents of a team."""

from collections.abc import Iterator

import psycopg
import pytest

from databases import Server
from glossator.knowledge.index import KnowledgeIndex
from glossator.shared.connecting import Address, connect, read_address
from glossator.shared.publishing import Publication, publish
from glossator.shared.searching import SharedIndex, read_state
from unit.shared.team import index_as_shared, read_team


@pytest.fixture(scope="session")
def database(server: Server) -> str:
    return server.make_database("work")


@pytest.fixture
def address(database: str) -> Address:
    """The address of a database without our tables."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS glossator CASCADE")
    return read_address(database)


@pytest.fixture(scope="session")
def team_index(server: Server) -> Iterator[tuple[SharedIndex, KnowledgeIndex]]:
    """The documents of a team, shared and local."""
    address = read_address(server.make_database("team"))
    documents = read_team()
    with connect(address) as connection:
        publish(connection, Publication("default", "api", documents), address)
        state = read_state(connection, "default", address.shown)
        yield SharedIndex(connection, state), index_as_shared(documents)
