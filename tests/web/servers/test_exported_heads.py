"""Of several servers on one database, one exports signed heads, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.service.chains.names import HEADS_CHAIN
from tests.deadline import wait_until
from tests.heads.rooms import to_folder
from tests.service.table_scenes import HandClock
from tests.web.rooms import serve_room
from tests.web.test_heads_export import count_heads, count_signed, export_to


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, folder: Path) -> str:
    """The database of an empty room, in a file and on a server."""
    if request.param == "sqlite":
        return f"sqlite:///{folder}/room.db"
    return str(request.getfixturevalue("books"))


def test_of_two_servers_one_exports_and_the_other_takes_over_when_it_goes(folder: Path, either: str) -> None:
    outside, clock = folder / "outside", HandClock()
    rules = export_to(to_folder(outside, every_minutes=60))
    with serve_room(folder, rules, clock, either) as first:
        wait_until(lambda: first.context.lease_manager.lease_of(HEADS_CHAIN) is not None)
        with serve_room(folder, rules, clock, either) as other:
            wait_until(lambda: count_heads(outside) == 1)
            assert other.context.lease_manager.lease_of(HEADS_CHAIN) is None
            assert other.context.head_exporter.export() is None
            first.open_table("prime-1")
            assert first.context.head_exporter.export() is not None
            assert (count_heads(outside), count_signed(first)) == (2, 2)
            first.open_table("prime-2")
            first.context.lease_manager.leave()
            wait_until(lambda: other.context.lease_manager.lease_of(HEADS_CHAIN) is not None)
            wait_until(lambda: count_heads(outside) == 3)
            assert first.context.head_exporter.export() is None
