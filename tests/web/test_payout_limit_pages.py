"""A payout limit is displayed where players look, at the seat and on the rules page, and where a dealer pays."""

from __future__ import annotations

import uuid
from dataclasses import replace

import httpx

from cardroom.service import RoomTableSetup
from cardroom.web.services.practice_tables import default_practice_setup
from tests.service.staff import DEALER, staffed
from tests.service.test_live_payout_limit import FIRST, LOSER, SECOND, TABLE, at_take_or_pay, type_seat
from tests.web.rooms import WITHOUT_CLOCK, ServedRoom, new_id
from tests.web.users import visit

WORDS = "The table pays at most $20,000 a deal on wagers that pay 50 to 1 or more; winners of one deal share it."


def test_the_seat_and_the_rules_page_say_the_payout_limit(room: ServedRoom) -> None:
    setup = default_practice_setup("texas-shootout")
    room.card_room.add_table(
        new_id(), "Olga", RoomTableSetup("limited-1", replace(setup, payout_limit=20_000_00), WITHOUT_CLOCK)
    )
    room.card_room.add_table(new_id(), "Olga", RoomTableSetup("open-1", setup, WITHOUT_CLOCK))
    with httpx.Client(base_url=room.url, follow_redirects=True) as browser:
        for path in ("/tables/{}", "/rules/texas-shootout?table={}"):
            assert WORDS in browser.get(path.format("limited-1")).text, path
            assert WORDS not in browser.get(path.format("open-1")).text, path


def test_the_console_marks_what_is_not_final_and_refuses_to_pay_it(room: ServedRoom) -> None:
    staffed(room.card_room)
    at_take_or_pay(room.card_room)
    dealer = visit(room, DEALER)
    assert "every winner on Pair Bonus" in dealer.get(f"/dealer/{TABLE}").text
    type_seat(room.card_room, 1, FIRST)
    could = "positions 2 and 3 could share the payout limit of $5,000 a deal"
    sentence = f"The payment of seat 1 is not final, because {could}"
    for path in (f"/dealer/{TABLE}", f"/dealer/{TABLE}/seats/1"):
        page = dealer.get(path).text
        assert sentence in page, path
        assert "Not final: up to $5," in page, path
    refused = dealer.send_form(f"/dealer/{TABLE}/step", id=uuid.uuid4().hex, step="take-or-pay")
    assert refused.status_code == 409
    assert f"{sentence}: before step take-or-pay, type their wagers" in refused.text
    type_seat(room.card_room, 2, SECOND)
    type_seat(room.card_room, 3, LOSER)
    page = dealer.get(f"/dealer/{TABLE}").text
    assert "ot final" not in page
    assert dealer.send_form(f"/dealer/{TABLE}/step", id=uuid.uuid4().hex, step="take-or-pay").status_code == 204
    again = dealer.send_form(
        f"/dealer/{TABLE}/seats/1", {"id": uuid.uuid4().hex, "wager-ante-play": "$10", "wager-pair-bonus": "$50"}
    )
    assert again.status_code == 422
    assert "undo the step, type this, and settle the difference with the player." in again.text
