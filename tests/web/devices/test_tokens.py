"""A token speaks for one device of one table, as long as its generation lasts."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.room.site.device import is_valid_token, new_device_token, parse_device_token, token_digest
from cardroom.service import RoomTableSetup
from tests.service.staff import signed_in, two_who_deal
from tests.web.devices.equipped import EquippedRoom, register_device

SECRET = bytes(range(32))


def hello(room: EquippedRoom, token: str) -> tuple[int, str]:
    answer = room.client.post("/hello", json={"time": 1}, headers={"authorization": f"Bearer {token}"})
    return answer.status_code, answer.json().get("error", "")


@given(st.text(max_size=80))
def test_no_other_text_is_a_token(text: str) -> None:
    assert not is_valid_token(text, token_digest(new_device_token("T-1001", 1, SECRET), SECRET), SECRET)
    assert parse_device_token(text) is None


def test_a_token_with_one_letter_changed_is_none() -> None:
    token = new_device_token("T-1001", 12, SECRET)
    digest = token_digest(token, SECRET)
    assert is_valid_token(token, digest, SECRET)
    for at in range(len(token)):
        other = "A" if token[at] != "A" else "B"
        assert not is_valid_token(token[:at] + other + token[at + 1 :], digest, SECRET)
    assert not is_valid_token(token, digest, bytes(32))


def test_a_call_without_a_good_token_is_refused(room: EquippedRoom, caplog: pytest.LogCaptureFixture) -> None:
    never = new_device_token("T-9999", 1, SECRET)
    for headers in ({}, {"authorization": "Bearer x"}, {"authorization": "Basic eDp5"}):
        answer = room.client.post("/hello", json={"time": 1}, headers=headers)
        assert (answer.status_code, set(answer.json())) == (401, {"error"})
        assert answer.headers["www-authenticate"] == "Bearer"
    caplog.clear()
    assert hello(room, never) == hello(room, new_device_token("T-1001", 1, SECRET)), (
        "a guess tells which devices there are"
    )
    assert hello(room, never)[0] == 401
    never_given, not_present = "unknown token", "old token"
    assert at_the_door(caplog) == [("T-9999", never_given), ("T-1001", not_present), ("T-9999", never_given)]


def at_the_door(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """Whom the log says that the door was closed to; never with a token."""
    found = [record for record in caplog.records if record.name == "cardroom.security"]
    assert all((record.levelno, record.getMessage()) == (logging.WARNING, "device rejected") for record in found)
    for record in found:
        assert "." not in record.__dict__["device"]
    return [(record.__dict__["device"], record.__dict__["reason"]) for record in found]


def test_an_older_generation_and_a_withdrawn_device_are_refused(
    room: EquippedRoom, caplog: pytest.LogCaptureFixture
) -> None:
    first = room.token("T-1001")
    assert hello(room, first) == (200, "")
    second = room.card_room.renew_device_token("renew", "Olga", "T-1001", "the paper lay about").token
    assert second is not None
    assert hello(room, first)[0] == 401
    assert "the device has a newer one" in hello(room, first)[1]
    assert hello(room, second) == (200, "")
    room.card_room.withdraw_device("withdraw", "Olga", "T-1001", "it went back")
    assert hello(room, second)[0] == 401
    assert "was removed (it went back)" in hello(room, second)[1]
    third = register_device(room.card_room, "way-1", "T-1001", "tabulator")
    assert hello(room, second)[0] == 401
    assert hello(room, third) == (200, "")
    old, gone = "old token", "token of a removed device"
    assert at_the_door(caplog) == [("T-1001", why) for why in (old, old, gone, gone, old)]


def test_a_device_speaks_for_its_table_and_for_no_other(room: EquippedRoom) -> None:
    """Two tabulators play for one jackpot; what one of them tells happens at its own table, whatever it writes."""
    before = room.card_room.tabulator("prime-1").tabulator
    assert room.press("1", 1, 2)["table"] == "way-1"
    assert "table" in room.refused("T-1001", "/presses", 422, id="2", covered={"1": [1]}, table="prime-1")
    for query in ("?table=prime-1", "?device=T-3001"):
        body = {"id": f"3{query}", "covered": {"1": [3]}, "round": f"prime-1.17{query}"}
        assert room.ask("T-1001", "POST", f"/presses{query}", body).json()["table"] == "way-1"
    assert room.post("T-1001", "/lights", id="4", dark={"1": [2]})["table"] == "way-1"
    assert room.post("T-1001", "/broken", id="5", why="dead")["table"] == "way-1"
    assert room.card_room.tabulator("prime-1").tabulator == before
    assert room.card_room.tabulator("way-1").tabulator.counters == (4,)


def test_the_same_id_of_two_devices_is_two_commands(room: EquippedRoom) -> None:
    room.press("same", 1, 2)
    room.press("same", 3, device="T-3001")
    assert room.card_room.tabulator("way-1").tabulator.counters == (2,)
    assert room.card_room.tabulator("prime-1").tabulator.counters[0] == 1


def test_a_console_deals_at_its_own_table(room: EquippedRoom) -> None:
    card_room = room.card_room
    card_room.add_table(
        "felt 4",
        "Olga",
        RoomTableSetup("prime-4", card_room.table("prime-1").open_table.table.setup, card_room.table("prime-1").terms),
    )
    room.tokens["C-4"] = register_device(card_room, "prime-4", "C-4", "console")
    two_who_deal(card_room)
    dora = {"cardroom-session": signed_in(card_room, "dora")}
    begun = room.ask("C-4", "POST", "/live/begin", {"id": "1", "positions": [1]}, **dora).json()
    assert begun["table"] == "prime-4"
    assert room.ask("C-3001", "POST", "/live/end", {"id": "2"}, **dora).status_code == 409
    claimed = {"id": "3", "round": begun["round"], "seat": 1, "wager": "final-four"}
    assert room.ask("C-3001", "POST", "/live/claim", claimed, **dora).status_code == 409
    assert card_room.table("prime-1").live is None
    assert card_room.table("prime-4").live is not None


@pytest.mark.parametrize(
    ("device", "may"),
    [
        ("T-1001", {"/presses", "/lights", "/broken", "/hello"}),
        ("A1-77", {"/records", "/lights", "/broken", "/hello"}),
        ("S-1001", {"/sign", "/hello"}),
        ("M-3001", {"/display", "/display/stream", "/hello"}),
    ],
)
def test_each_kind_of_device_does_what_is_its_own(room: EquippedRoom, device: str, may: set[str]) -> None:
    bodies = {
        "/presses": {"id": "1", "covered": {}},
        "/records": {"id": "2", "lines": []},
        "/lights": {"id": "3", "dark": {}},
        "/broken": {"id": "4", "why": "dead"},
        "/hello": {"time": 1},
        "/sign": None,
        "/display": None,
        "/display/stream": None,
    }
    for path, body in bodies.items():
        if path == "/display/stream" and path in may:
            continue
        answer = room.ask(device, "POST" if body else "GET", path, body)
        assert answer.status_code == (200 if path in may else 403), f"{path} {answer.text}"
        if path not in may:
            assert f"{device} is the " in answer.json()["error"]
            assert "Use the token of a" in answer.json()["error"]
