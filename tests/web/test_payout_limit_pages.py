"""A payout limit is displayed where players look: at the seat and on the rules page."""

from __future__ import annotations

from dataclasses import replace

import httpx

from cardroom.web.room.practice import usual_setup
from tests.web.rooms import WITHOUT_CLOCK, Served, an_id

WORDS = "The table pays at most $20,000 a deal on wagers that pay 50 to 1 or more; winners of one deal share it."


def test_the_seat_and_the_rules_page_say_the_payout_limit(room: Served) -> None:
    setup = usual_setup("texas-shootout")
    room.floor.open_felt(an_id(), "Olga", "limited-1", replace(setup, payout_limit=20_000_00), WITHOUT_CLOCK)
    room.floor.open_felt(an_id(), "Olga", "open-1", setup, WITHOUT_CLOCK)
    with httpx.Client(base_url=room.url, timeout=90, follow_redirects=True) as browser:
        for path in ("/tables/{}", "/rules/texas-shootout?table={}"):
            assert WORDS in browser.get(path.format("limited-1")).text, path
            assert WORDS not in browser.get(path.format("open-1")).text, path
