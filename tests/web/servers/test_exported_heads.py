"""Of several servers on one database, one exports signed heads, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.service.chains.names import HEADS_CHAIN
from tests.deadline import wait_until
from tests.heads.rooms import to_folder
from tests.service.table_scenes import HandClock
from tests.web.rooms import served
from tests.web.test_heads_export import exporting, heads_in, signed


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, folder: Path) -> str:
    """The database of an empty room, in a file and on a server."""
    if request.param == "sqlite":
        return f"sqlite:///{folder}/room.db"
    return str(request.getfixturevalue("books"))


def test_of_two_servers_one_exports_and_the_other_takes_over_when_it_goes(folder: Path, either: str) -> None:
    outside, clock = folder / "outside", HandClock()
    rules = exporting(to_folder(outside, every_minutes=60))
    with served(folder, rules, clock, either) as one:
        wait_until(lambda: one.house.lease_manager.lease_of(HEADS_CHAIN) is not None)
        with served(folder, rules, clock, either) as other:
            wait_until(lambda: heads_in(outside) == 1)
            assert other.house.lease_manager.lease_of(HEADS_CHAIN) is None
            assert other.house.head_exporter.export() is None
            one.open_table("prime-1")
            assert one.house.head_exporter.export() is not None
            assert (heads_in(outside), signed(one)) == (2, 2)
            one.open_table("prime-2")
            one.house.lease_manager.leave()
            wait_until(lambda: other.house.lease_manager.lease_of(HEADS_CHAIN) is not None)
            wait_until(lambda: heads_in(outside) == 3)
            assert one.house.head_exporter.export() is None
