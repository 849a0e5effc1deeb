"""Two people void the round of an automatic table on a page of the office."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from cardroom.chart_of_accounts import Currency
from cardroom.service import DealingMode, PlayTerms, verify_card_room
from tests.service.staff import CAGE, DEALER, SUPERVISOR, SURVEILLANCE, staffed
from tests.web.rooms import ServedRoom, expect_success, serve_room
from tests.web.users import add_signature, visit

PATH = "/office/tables/off/void"
WHY = "The screen went dark"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ServedRoom]:
    with serve_room(tmp_path) as room:
        staffed(room.card_room)
        room.open_table("off")
        yield room


def test_the_office_shows_the_positions_in_play_at_a_live_table(room: ServedRoom) -> None:
    room.open_table("live-1", terms=PlayTerms(mode=DealingMode.LIVE, money=Currency.REAL))
    supervisor = visit(room, SUPERVISOR)
    pages = ("/office/tables", "/office/tables/live-1")
    for page in pages:
        assert "in person" in supervisor.get(page).text
    room.card_room.begin_live_round("begin", "Kim", "live-1", (2, 5))
    for page in pages:
        shown = supervisor.get(page).text
        assert "2, 5 in play" in shown
        assert "in person" not in shown
    assert "0 of 6" in supervisor.get("/office/tables").text, "the automatic table is empty"


def test_two_people_void_an_automatic_round_and_every_wager_goes_back(room: ServedRoom) -> None:
    ann, supervisor = room.players.admit_guest(), visit(room, SUPERVISOR)
    ann.sit("off")
    chips = ann.view("off")["chips_cents"]
    assert "No round is" in supervisor.get(PATH).text
    ann.wager("off", ante_play=10_00, prime=1_00)
    assert ann.view("off")["chips_cents"] == chips - 11_00
    assert 'href="/office/tables/off/void"' in supervisor.get("/office/tables/off").text
    page = unescape(supervisor.get(PATH).text)
    assert "Every wager returns to its player's chips." in page
    alone = supervisor.send_form(PATH, why=WHY)
    assert alone.status_code == 422
    response = supervisor.post(f"{PATH}?to-sign", data={"form": supervisor.form, "why": WHY})
    assert f"Void round off.1, every wager goes back: {WHY}." in response.text
    assert ann.view("off")["state"] == "playing"  # it was only asked
    signed = supervisor.send_form(
        PATH, add_signature(SURVEILLANCE, why=WHY, **{"starting-state": "off.1"}, id="a" * 32)
    )
    assert signed.status_code == 303
    after = ann.view("off")
    assert (after["state"], after["chips_cents"]) == ("betting", chips)
    assert f"Voided by {SUPERVISOR} and {SURVEILLANCE}: {WHY}" in ann.client.get(f"{room.url}/rounds/off.1").text
    log = unescape(visit(room, "aldo").get(f"/office/users/log?person={SURVEILLANCE}").text)
    assert "Void round off.1, every wager goes back: The screen went dark." in log
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_form_of_an_earlier_round_voids_nothing(room: ServedRoom) -> None:
    ann, supervisor = room.players.admit_guest(), visit(room, SUPERVISOR)
    ann.sit("off")
    for number in (1, 2):
        ann.wager("off", ante_play=10_00)
        if number == 1:
            ann.decide("off", "fold")
    late = supervisor.send_form(PATH, add_signature(SURVEILLANCE, why=WHY, **{"starting-state": "off.1"}))
    assert late.status_code == 422
    assert ann.view("off")["state"] == "playing"


def test_who_may_not_void_a_round_voids_none(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    ann.sit("off")
    ann.wager("off", ante_play=10_00)
    cashier = visit(room, CAGE)
    assert cashier.send_form(PATH, add_signature(SURVEILLANCE, why=WHY)).status_code == 403
    second = visit(room, SUPERVISOR).send_form(PATH, add_signature(DEALER, why=WHY))
    assert second.status_code == 422
    assert expect_success(ann.get("/tables/off"))["state"] == "playing"
