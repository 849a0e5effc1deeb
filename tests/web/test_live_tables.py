"""A live table beside the automatic ones: it is listed and looked at, its dealer is heard, no user sits down there."""

from __future__ import annotations

from typing import Any

import httpx

from cardroom.chart_of_accounts import Currency
from cardroom.service import DealingMode, PlayTerms, verify_card_room
from cardroom.web.api.models import TableListing, TableResponse
from tests.service.staff import signed_in, two_who_deal
from tests.web.rooms import ServedRoom, new_id

LIVE = PlayTerms(mode=DealingMode.LIVE, money=Currency.REAL)


def console(room: ServedRoom, table: str) -> httpx.Client:
    device = f"C-{table}"
    token = room.card_room.register_device(new_id(), "Olga", table, device, "console").token
    headers = {"Authorization": f"Bearer {token}", "Cardroom-Session": signed_in(room.card_room, "dora")}
    return httpx.Client(base_url=f"{room.url}/api/v1/devices/live", headers=headers)


def test_a_live_table_is_listed_with_its_mode_and_looked_at_without_a_card(room: ServedRoom) -> None:
    two_who_deal(room.card_room)
    table, guest = room.open_table("live-1", terms=LIVE), room.players.admit_guest()
    with console(room, table) as kim:

        def does(what: str, **body: Any) -> Any:
            answer = kim.post(f"/{what}", json={"id": new_id(), **body})
            assert answer.status_code == 200, answer.text
            return answer.json()

        does("begin", positions=[1, 2])
        does("step", step="wagers")
        does("cards", cards={"seat 2 hand": "Jd Qd Kd"}, wagers={"2": {"ante-play": 10_00}})
        listed = {listing["table"]: TableListing.model_validate(listing) for listing in guest.get("/tables").json()}
        assert (listed[table].mode, listed[table].money, listed[table].state) == ("live", "room", "playing")
        answer = guest.get(f"/tables/{table}")
        seen = TableResponse.model_validate(answer.json())
        assert (seen.state, seen.round, seen.coming, seen.seats) == ("playing", None, None, {})
        assert "Jd" not in answer.text
        for name in ("deal", "decide", "reveal", "take-or-pay", "collect"):
            does("step", step=name)
        assert does("end")["round"] == "live-1.2"
        assert guest.get("/rounds/live-1.1").status_code == 404
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_no_user_sits_down_at_a_live_table(room: ServedRoom) -> None:
    table, guest = room.open_table("live-2", terms=LIVE), room.players.admit_guest()
    answer = guest.post(f"/tables/{table}/seat", id=new_id())
    assert answer.status_code == 409
    assert "A dealer deals at table" in answer.json()["error"]
    for path, body in (("wagers", {"wagers": {"ante-play": 10_00}}), ("decisions", {"answer": "fold"})):
        assert guest.post(f"/tables/{table}/{path}", id=new_id(), **body).status_code == 409
