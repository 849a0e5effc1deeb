"""Screens over HTTP: the LED sign fetches, the monitor fetches or follows, and both show what the meter shows."""

from __future__ import annotations

import pytest

from cardroom.room.codec import decode
from cardroom.room.descriptions.displays import DisplayScreen, display_to_json
from cardroom.web.devices import screens as following
from tests.service.test_promotions import STRAIGHTS
from tests.web.devices.equipped import EquippedRoom, encode_lines, record_rounds
from tests.web.devices.events import Listener


def test_a_sign_shows_the_amount_and_is_not_shown_again_what_it_shows(room: EquippedRoom) -> None:
    first = room.ask("S-1001", "GET", "/sign")
    assert first.status_code == 200
    showing = first.json()
    (line,) = showing["lines"]
    assert (line["name"], line["amount"], line["status"]) == ("Final Four Progressive", "$5,000.00", "open")
    assert showing["text"].startswith("$5,000.00  Final Four Progressive  *  $1 wager")
    assert (showing["table"], showing["closed"]) == ("way-1", None)
    known = first.headers["etag"]
    assert known == f'"{showing["version"]}"'
    again = room.ask("S-1001", "GET", "/sign", **{"if-none-match": known})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", known)
    # A press at another table of the same jackpot is seen here.
    room.press("1", 1, 2, device="T-3001")
    after = room.ask("S-1001", "GET", "/sign", **{"if-none-match": f'W/"x", {known}'})
    assert after.status_code == 200
    assert after.json()["lines"][0]["amount"] == "$5,000.40"
    assert after.json()["changed_at"] > showing["changed_at"]
    assert after.headers["etag"] != known


def test_the_sign_of_an_andromeda_1_follows_its_data_logger(room: EquippedRoom) -> None:
    before = room.ask("S-77", "GET", "/sign").json()
    room.post("A1-77", "/records", id="1", lines=encode_lines(*record_rounds(7, seats=1).waiting))
    after = room.ask("S-77", "GET", "/sign").json()
    assert [sign["lines"][0]["amount"] for sign in (before, after)] == ["$1,000.00", "$1,001.00"]


def test_a_sign_at_a_closed_table_is_dark(room: EquippedRoom) -> None:
    room.card_room.remove_table("close", "Olga", "way-1", "a quiet week")
    showing = room.ask("S-1001", "GET", "/sign").json()
    assert (showing["text"], showing["closed"]) == ("", "a quiet week")
    assert [line["status"] for line in showing["lines"]] == ["dark"]


def test_a_monitor_gets_tablevision_as_it_is(room: EquippedRoom) -> None:
    room.press("1", 1, device="T-3001")
    answer = room.ask("M-3001", "GET", "/display")
    (board,) = room.card_room.displays.list_displays("prime-1")
    assert answer.json()["display"] == display_to_json(board)
    assert decode(DisplayScreen, answer.json()["display"]) == board
    known = answer.headers["etag"]
    assert room.ask("M-3001", "GET", "/display", **{"if-none-match": known}).status_code == 304
    room.card_room.jackpots.disable("off", "Olga", "final-four", "repairs")
    changed = room.ask("M-3001", "GET", "/display", **{"if-none-match": known}).json()
    assert changed["display"]["panels"][0]["status"] == "unavailable"
    room.card_room.remove_table("close", "Olga", "prime-1", "a quiet week")
    closed = room.ask("M-3001", "GET", "/display").json()
    assert (closed["closed"], closed["display"]["panels"]) == ("a quiet week", [])


def test_a_stream_begins_with_the_whole_display_and_looks_for_more_several_times_a_second(
    room: EquippedRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Listener(room, "M-3001") as listener:
        assert listener.answer.headers["content-type"].startswith("text/event-stream")
        first = listener.hear()
        assert first is not None
        assert (first.event, first.content) == ("display", room.ask("M-3001", "GET", "/display").json())
        assert first.id == first.content["version"]
        for number in range(1, 6):
            room.press(str(number), 1, 2, 3, 4, 5, device="T-1001")
            result = listener.hear()
            assert result is not None
            assert result.content["display"]["panels"][0]["amounts"][0]["cents"] == 5_000_00 + number * 100
        assert following.POLL_SECONDS < 0.5
        # What is not seen there is not shown: a report of lights changes the table and not the picture.
        room.post("T-3001", "/lights", id="dark", dark={"1": [1]})
        monkeypatch.setattr(following, "HEARTBEAT", 0.0)  # every look that finds nothing is shown as a comment
        heard = [listener.hear() for _ in range(3)]
        assert [event.event for event in heard if event] == ["comment"] * 3


def test_a_stream_says_that_it_is_still_there(room: EquippedRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "HEARTBEAT", 0.3)
    with Listener(room, "M-3001") as listener:
        heard = [listener.hear() for _ in range(3)]
    assert [event.event for event in heard if event] == ["display", "comment", "comment"]


def test_a_stream_ends_when_the_token_is_worth_nothing_any_more(room: EquippedRoom) -> None:
    with Listener(room, "M-3001") as listener:
        listener.hear()
        room.card_room.renew_device_token("renew", "Olga", "M-3001", "the paper lay about")
        result = listener.hear()
        assert result is not None
        assert (result.event, "is no longer valid" in result.content["error"]) == ("farewell", True)
        assert listener.hear() is None


def test_a_promotion_is_seen_though_nothing_happened_at_the_table(
    room: EquippedRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "RECOMPUTE_SECONDS", 0.3)
    with Listener(room, "M-3001") as listener:
        listener.hear()
        room.card_room.promotions.announce("summer", "Olga", STRAIGHTS)
        result = listener.hear()
        assert result is not None
        assert any(STRAIGHTS.name in promotion for promotion in result.content["display"]["promotions"])
