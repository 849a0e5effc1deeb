"""What the crash tests share: a seed that is shown when something fails, nurseries of drivers, and both databases."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.crash.crash_run import ProcessPool, seed_of_today
from tests.ledger.server import fresh_database, postgresql_server

_numbers = count(1)


@pytest.fixture(scope="session")
def seed_of_the_session() -> int:
    return seed_of_today()


@pytest.fixture
def seed(seed_of_the_session: int) -> int:
    """Shown with a failure, so that it can be replayed."""
    print(f"Replay it with CARDROOM_CRASH_SEED={seed_of_the_session}")
    return seed_of_the_session


@pytest.fixture(scope="session")
def pool() -> Iterator[ProcessPool]:
    pool = ProcessPool()
    yield pool
    pool.close()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with postgresql_server() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty ledger, on both databases."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/ledger.db"
        return
    with fresh_database(request.getfixturevalue("server"), f"crash_{next(_numbers)}", "template0") as address:
        yield address
