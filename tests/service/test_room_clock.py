"""What has no day of its own happened today by the clock of the room, wherever the machine stands."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.room.setup.calendar import open_calendar, parse_time
from cardroom.room.setup.site import SiteSettings
from cardroom.service import CardRoom
from tests.service.card_rooms import new_id, open_room
from tests.service.test_promotions import STRAIGHT, STRAIGHTS


@pytest.mark.parametrize(
    ("zone", "paid"), [("America/Los_Angeles", 25_00), ("Pacific/Kiritimati", 0), ("Pacific/Pago_Pago", 25_00)]
)
def test_a_promotion_ends_when_its_last_day_ends_in_the_room(tmp_path: Path, zone: str, paid: int) -> None:
    now = parse_time("2026-08-30 20:00Z", open_calendar(), 0)
    with open_ledger(f"sqlite:///{tmp_path}/room.db", clock=lambda: now) as ledger:
        card_room = CardRoom(ledger, clock=lambda: now)
        open_room(card_room)
        if zone != SiteSettings().time_zone:
            card_room.site.configure(new_id(), "Olga", SiteSettings(time_zone=zone), "where we are", second="Carl")
        card_room.promotions.announce(new_id(), "Olga", STRAIGHTS._replace(last=date(2026, 8, 31)))
        now = parse_time("2026-08-31 20:00Z", open_calendar(), 0)
        card_room.tabulate(new_id(), "Kim", "prime-1", {1: [1, 2, 3]}, round_id="r1")
        got = card_room.promotions.pay(new_id(), "Kim", STRAIGHTS.id, "prime-1", "r1", STRAIGHT)
        assert got.cents == paid
