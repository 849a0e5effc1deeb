"""What has no day of its own happened today by the clock of the room, wherever the machine stands."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from cardroom.floor import Floor
from cardroom.jackpots.setup.calendar import open_calendar
from cardroom.jackpots.setup.room import RoomSettings
from cardroom.jackpots.setup.told_time import time_told
from cardroom.ledger import open_ledger
from tests.floor.scenes import new_id, open_room
from tests.floor.test_promotions import STRAIGHT, STRAIGHTS


@pytest.mark.parametrize(
    ("zone", "paid"), [("America/Los_Angeles", 25_00), ("Pacific/Kiritimati", 0), ("Pacific/Pago_Pago", 25_00)]
)
def test_a_promotion_ends_when_its_last_day_ends_in_the_room(tmp_path: Path, zone: str, paid: int) -> None:
    now = time_told("2026-08-30 20:00Z", open_calendar(), 0)
    with open_ledger(f"sqlite:///{tmp_path}/floor.db", clock=lambda: now) as ledger:
        floor = Floor(ledger, clock=lambda: now)
        open_room(floor)
        if zone != RoomSettings().time_zone:
            floor.set_up_room(new_id(), "Olga", RoomSettings(time_zone=zone), "where we are", second="Carl")
        floor.announce_promotion(new_id(), "Olga", STRAIGHTS._replace(last=date(2026, 8, 31)))
        now = time_told("2026-08-31 20:00Z", open_calendar(), 0)
        floor.tabulate(new_id(), "Kim", "prime-1", {1: [1, 2, 3]}, round_id="r1")
        got = floor.pay_promotion(new_id(), "Kim", STRAIGHTS.id, "prime-1", "r1", STRAIGHT)
        assert got.cents == paid
